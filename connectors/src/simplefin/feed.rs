//! The accounts of a sign-in, in rounds.

use std::collections::{BTreeMap, VecDeque};

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::access::SimpleFinAccess;
use super::answer::BankAnswer;
use super::client::{BridgeQuestion, SimpleFinClient};
use super::items::{self, payments_scope};
use super::position::{AccountPosition, wanted_since};
use super::relinked::KnownAccounts;
use super::telling::{AccountTelling, ToldSpan};
use super::{gone, spans};
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::HttpGuard;
use crate::limits::{SIMPLEFIN_BACK_REQUESTS_A_DAY, SIMPLEFIN_REQUESTS_A_DAY};
use crate::request_ledger::SharedLedger;
use crate::round::{
    CONTAINERS, Feed, ItemChange, KnownItems, Page, Round, RoundRequest, ScopeCoverage, SkippedItem,
};

/// All banks that a person has linked at a bridge.
pub struct SimpleFinFeed {
    client: SimpleFinClient,
}

impl SimpleFinFeed {
    /// Reads with an access; what is asked is counted in the ledger.
    pub(crate) const fn new(
        http: HttpGuard,
        access: SimpleFinAccess,
        ledger: SharedLedger,
    ) -> Self {
        Self {
            client: SimpleFinClient::new(http, access, ledger),
        }
    }
}

#[async_trait]
impl Feed for SimpleFinFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        let asked = self
            .client
            .ask(BridgeQuestion::Balances, SIMPLEFIN_REQUESTS_A_DAY);
        asked.await.map(drop)
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let known = KnownAccounts::parse(request.positions.get(CONTAINERS));
        let position = |key: &String| {
            let stored = request.positions.get(&payments_scope(key));
            (key.clone(), AccountPosition::parse(stored))
        };
        Ok(Box::new(SimpleFinRound {
            client: self.client.clone(),
            positions: known.accounts.keys().map(position).collect(),
            known,
            step: ReadingStep::Recent,
            pages: VecDeque::new(),
            request,
        }))
    }
}

struct SimpleFinRound {
    client: SimpleFinClient,
    request: RoundRequest,
    known: KnownAccounts,
    positions: BTreeMap<String, AccountPosition>,
    step: ReadingStep,
    /// What was asked for and is to be told yet.
    pages: VecDeque<Page>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadingStep {
    Recent,
    Back,
    Over,
}

#[async_trait]
impl Round for SimpleFinRound {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        loop {
            if let Some(page) = self.pages.pop_front() {
                return Ok(Some(page));
            }
            self.step = match self.step {
                ReadingStep::Recent => {
                    self.read_recent(known).await?;
                    ReadingStep::Back
                }
                ReadingStep::Back => self.read_back(known).await?,
                ReadingStep::Over => return Ok(None),
            };
        }
    }
}

impl SimpleFinRound {
    async fn read_recent(&mut self, known: &dyn KnownItems) -> Result<(), SourceFailure> {
        let start = spans::recent(self.positions.values(), self.request.now);
        let asked = BridgeQuestion::Recent { start };
        let answer = self.client.ask(asked, SIMPLEFIN_REQUESTS_A_DAY).await?;
        let keys = self.known.take(&answer.accounts);
        let gone = gone::confirmed(&self.client, &self.known, &answer).await;
        for key in &gone {
            self.known.accounts.remove(key);
            self.positions.remove(key);
        }
        let page = self.accounts_page(&answer, &keys, gone, known).await?;
        self.pages.push_back(page);
        let BankAnswer {
            banks, accounts, ..
        } = answer;
        for (mut account, key) in accounts.into_iter().zip(keys) {
            let complaint = banks.complaint_of(&account.id, &account.bank);
            let told = ToldSpan::Recent {
                start,
                is_bank_well: complaint.is_none(),
            };
            self.tell(&mut account, &key, told, known).await?;
        }
        Ok(())
    }

    /// One span before what was read, as long as there is one, and a request left for it.
    async fn read_back(&mut self, known: &dyn KnownItems) -> Result<ReadingStep, SourceFailure> {
        let since = wanted_since(self.request.since, self.request.now);
        let Some(span) = spans::back(self.positions.values(), since) else {
            return Ok(ReadingStep::Over);
        };
        let asked = self
            .client
            .ask(BridgeQuestion::Back(span), SIMPLEFIN_BACK_REQUESTS_A_DAY);
        let answer = match asked.await {
            Ok(answer) => answer,
            // The next round goes on; what it is for is read first.
            Err(failure) if is_spent(&failure) => return Ok(ReadingStep::Over),
            Err(failure) => return Err(failure),
        };
        let mut told: BTreeMap<String, _> = answer
            .accounts
            .into_iter()
            .filter_map(|account| Some((self.known.key_of(&account.id)?, account)))
            .collect();
        for key in self.keys_in(span.start, span.end) {
            match told.remove(&key) {
                Some(mut account) => {
                    self.tell(&mut account, &key, ToldSpan::Back(span), known)
                        .await?;
                }
                None => self.pass_over(&key, span.start),
            }
        }
        Ok(ReadingStep::Back)
    }

    /// The accounts that are unread from somewhere in this span on.
    fn keys_in(&self, start: DateTime<Utc>, end: DateTime<Utc>) -> Vec<String> {
        let all = self.positions.iter();
        let within = all.filter(|(_, position)| {
            let unread = position.unread_before(start);
            unread.is_some_and(|from| from > start && from <= end)
        });
        within.map(|(key, _)| key.clone()).collect()
    }

    /// An account that a span does not tell of has nothing there.
    fn pass_over(&mut self, key: &str, start: DateTime<Utc>) {
        if let Some(position) = self.positions.get_mut(key) {
            position.back_to(start, true);
            let mut page = Page::new(payments_scope(key), position.to_value());
            let covered = position.told_from.or(position.from);
            page.coverage = covered.map_or(ScopeCoverage::AsAsked, ScopeCoverage::From);
            self.pages.push_back(page);
        }
    }

    async fn tell(
        &mut self,
        account: &mut super::account::SentAccount,
        key: &str,
        told: ToldSpan,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        let telling = AccountTelling {
            key,
            request: &self.request,
            known,
        };
        let position = self.positions.entry(key.to_owned()).or_default();
        let pages = telling.pages(account, position, told).await?;
        self.pages.extend(pages);
        Ok(())
    }

    /// The accounts themselves, with what their banks complain of.
    async fn accounts_page(
        &self,
        answer: &BankAnswer,
        keys: &[String],
        gone: Vec<String>,
        known: &dyn KnownItems,
    ) -> Result<Page, SourceFailure> {
        let mut page = Page::new(CONTAINERS, self.known.to_value());
        page.coverage = ScopeCoverage::Everything;
        page.warnings = answer.banks.sentences().map(str::to_owned).collect();
        let versions = known.versions(CONTAINERS, keys).await?;
        for (account, key) in answer.accounts.iter().zip(keys) {
            let complaint = answer.banks.complaint_of(&account.id, &account.bank);
            let item = items::account(account, key, complaint);
            if versions.get(key) != Some(&item.version) {
                page.changes.push(ItemChange::Put(item));
            }
        }
        let gone = gone.into_iter();
        page.changes
            .extend(gone.map(|key| ItemChange::Remove { key }));
        page.skipped.extend((0..answer.unread).map(|_| SkippedItem {
            key: "an account".to_owned(),
            reason: "it has no id".to_owned(),
        }));
        Ok(page)
    }
}

/// Whether there is no request left for it today.
fn is_spent(failure: &SourceFailure) -> bool {
    failure.kind == FailureKind::RateLimited && failure.status.is_none()
}

//! The accounts of a link, in rounds.

use std::collections::{BTreeMap, VecDeque};

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::account::{self, payments_scope};
use super::application::BankApplication;
use super::balances::{AccountBalances, SentBalances};
use super::client::BankClient;
use super::known::KnownLinkedAccounts;
use super::link::{BankLink, LinkedAccount};
use super::linking;
use super::listing::{self, ListedStatus};
use super::position::LinkedPosition;
use super::refusal::{BankRefusal, RefusalReach};
use super::span::{self, AskedSpan};
use super::telling::LinkedTelling;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::HttpGuard;
use crate::limits::{LINKED_READS_A_DAY, LINKED_SPANS_MAX};
use crate::request_ledger::SharedLedger;
use crate::round::{
    CONTAINERS, Feed, ItemChange, KnownItems, Page, Round, RoundRequest, ScopeCoverage,
};

/// The accounts that a person let a bank give.
pub struct EnableBankingFeed {
    http: HttpGuard,
    application: BankApplication,
    link: BankLink,
    ledger: SharedLedger,
    asked_at: DateTime<Utc>,
}

impl EnableBankingFeed {
    /// Reads a link; what is read of each account is counted in the ledger. A check is as of `asked_at`.
    pub(crate) fn new(
        (http, application): (HttpGuard, BankApplication),
        link: BankLink,
        ledger: SharedLedger,
        asked_at: DateTime<Utc>,
    ) -> Self {
        Self {
            http,
            application,
            link,
            ledger,
            asked_at,
        }
    }

    /// Asks as of an instant, as long as the consent has not ended.
    fn client(&self, now: DateTime<Utc>) -> Result<BankClient, SourceFailure> {
        if now >= self.link.ends_at() {
            let message = "the bank's consent has ended: link the bank again";
            return Err(SourceFailure::new(FailureKind::SignInEnded, message));
        }
        BankClient::new(self.http.clone(), &self.application, now)
    }
}

#[async_trait]
impl Feed for EnableBankingFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        linking::confirm(&self.client(self.asked_at)?, &self.link).await
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let mut known = KnownLinkedAccounts::parse(request.positions.get(CONTAINERS));
        let keys = known.take(&self.link.accounts);
        let position = |key: &String| {
            let stored = request.positions.get(&payments_scope(key));
            (key.clone(), LinkedPosition::parse(stored))
        };
        let accounts = self.link.accounts.iter().cloned().zip(keys.iter().cloned());
        Ok(Box::new(EnableBankingRound {
            client: self.client(request.now)?,
            link: self.link.clone(),
            ledger: self.ledger.clone(),
            positions: keys.iter().map(position).collect(),
            visits: accounts.map(AccountVisit::first).collect(),
            known,
            keys,
            is_begun: false,
            telling: None,
            pages: VecDeque::new(),
            outcome: RoundOutcome::default(),
            request,
        }))
    }
}

struct EnableBankingRound {
    client: BankClient,
    link: BankLink,
    ledger: SharedLedger,
    request: RoundRequest,
    known: KnownLinkedAccounts,
    keys: Vec<String>,
    positions: BTreeMap<String, LinkedPosition>,
    /// Whether what concerns all accounts was told.
    is_begun: bool,
    /// Accounts that are to be read yet.
    visits: VecDeque<AccountVisit>,
    /// One whose booked payments are told, and whose pending ones are to be read.
    telling: Option<(AccountVisit, LinkedTelling, AskedSpan)>,
    /// What was asked for and is to be told yet.
    pages: VecDeque<Page>,
    outcome: RoundOutcome,
}

/// One reading of an account.
#[derive(Clone)]
struct AccountVisit {
    account: LinkedAccount,
    key: String,
    is_repeated: bool,
}

/// What came of the accounts.
#[derive(Default)]
struct RoundOutcome {
    read: usize,
    /// What kept the first of the others from being read.
    failure: Option<SourceFailure>,
    /// What ended the round, once everything was told.
    end: Option<SourceFailure>,
}

#[async_trait]
impl Round for EnableBankingRound {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        loop {
            if let Some(page) = self.pages.pop_front() {
                return Ok(Some(page));
            }
            if let Some(end) = self.outcome.end.take() {
                return Err(end);
            }
            if !self.is_begun {
                self.is_begun = true;
                self.tell_left_out(known).await?;
            } else if let Some(telling) = self.telling.take() {
                self.read_pending(telling, known).await?;
            } else if let Some(visit) = self.visits.pop_front() {
                let done = self.visit(visit.clone(), known).await?;
                if let Err(refusal) = done {
                    self.settle(visit, refusal, known).await?;
                }
            } else {
                return self.outcome.last();
            }
        }
    }
}

impl RoundOutcome {
    /// A round in which an account was read is none that failed: what is wrong with the others stands in their rows.
    fn last(&mut self) -> Result<Option<Page>, SourceFailure> {
        match self.failure.take() {
            Some(failure) if self.read == 0 => Err(failure),
            _ => Ok(None),
        }
    }
}

impl AccountVisit {
    fn first((account, key): (LinkedAccount, String)) -> Self {
        Self {
            account,
            key,
            is_repeated: false,
        }
    }
}

impl EnableBankingRound {
    /// Reads balances and what is booked. The outer failure is of the round, the inner one of the account.
    async fn visit(
        &mut self,
        visit: AccountVisit,
        known: &dyn KnownItems,
    ) -> Result<Result<(), BankRefusal>, SourceFailure> {
        if let Err(refusal) = self.take(&visit.key).await? {
            return Ok(Err(refusal));
        }
        let uid = visit.account.uid.as_str();
        let balances: Result<SentBalances, BankRefusal> =
            self.client.get(&["accounts", uid, "balances"], &[]).await;
        let balances = match balances {
            Ok(sent) => sent.of_account(account::currency(&visit.account.sent)),
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.tell_account(&visit, balances, known).await?;
        let (listed, span) = match self.list_booked(&visit).await? {
            Ok(told) => told,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let start = match span {
            AskedSpan::Longest => None,
            AskedSpan::From(start) => Some(start),
        };
        let position = self.positions.entry(visit.key.clone()).or_default();
        let place = (visit.key.as_str(), &*position);
        let (mut telling, pages) =
            LinkedTelling::begin(place, (listed, start), &self.request, known).await?;
        self.pages.extend(pages);
        let position = telling.position_mut();
        position.consent = Some(self.link.consent());
        self.telling = Some((visit, telling, span));
        self.outcome.read += 1;
        Ok(Ok(()))
    }

    /// Takes one of the account's reads of the day.
    async fn take(&self, key: &str) -> Result<Result<(), BankRefusal>, SourceFailure> {
        match self.ledger.0.take(key, LINKED_READS_A_DAY).await {
            Ok(()) => Ok(Ok(())),
            Err(failure) if failure.kind == FailureKind::RateLimited => Ok(Err(BankRefusal {
                reach: RefusalReach::Spent,
                ..failure.into()
            })),
            Err(failure) => Err(failure),
        }
    }

    /// What is booked, and from when on; each time that the bank refuses how much was asked for, for less. That counts as a read.
    async fn list_booked(
        &mut self,
        visit: &AccountVisit,
    ) -> Result<Result<(Vec<serde_json::Value>, AskedSpan), BankRefusal>, SourceFailure> {
        let (now, uid) = (self.request.now, visit.account.uid.as_str());
        let position = self.positions.entry(visit.key.clone()).or_default();
        let mut asked = span::wanted(position, &self.link.consent(), now);
        let mut narrowed = 1;
        loop {
            let status = ListedStatus::Booked;
            let refusal = match listing::list(&self.client, uid, status, asked).await {
                Ok(listed) => return Ok(Ok((listed, asked))),
                Err(refusal) => refusal,
            };
            if refusal.reach != RefusalReach::Span || narrowed == LINKED_SPANS_MAX {
                return Ok(Err(refusal));
            }
            narrowed += 1;
            let today = now.date_naive();
            let start = span::narrower(asked, refusal.date_from, today);
            asked = AskedSpan::From(start);
            if let Some(position) = self.positions.get_mut(&visit.key) {
                position.span_days = Some((today - start).num_days());
            }
            if let Err(refusal) = self.take(&visit.key).await? {
                return Ok(Err(refusal));
            }
        }
    }

    /// Reads what is pending. That it cannot be had takes nothing with it; what ends the round does so when the account was told.
    async fn read_pending(
        &mut self,
        (visit, telling, span): (AccountVisit, LinkedTelling, AskedSpan),
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        let start = match span {
            AskedSpan::Longest => span::usual(&LinkedPosition::default(), self.request.now),
            AskedSpan::From(start) => start,
        };
        let (uid, status) = (visit.account.uid.as_str(), ListedStatus::Pending);
        let listed = listing::list(&self.client, uid, status, AskedSpan::From(start)).await;
        let (pending, refusal) = match listed {
            Ok(pending) => (Some(pending), None),
            Err(refusal) => (None, Some(refusal)),
        };
        let (position, mut pages) = telling.end(pending, &self.request, known).await?;
        self.positions.insert(visit.key.clone(), position);
        if let (Some(refusal), Some(last)) = (refusal, pages.last_mut()) {
            let name = account::name(&visit.account, &self.link);
            let words = &refusal.failure.message;
            last.warnings = vec![format!(
                "{name}: what is pending could not be read: {words}"
            )];
            self.outcome.end =
                Some(refusal.failure).filter(|_| refusal.reach == RefusalReach::Round);
        }
        self.pages.extend(pages);
        Ok(())
    }

    /// What becomes of an account that was not read.
    async fn settle(
        &mut self,
        visit: AccountVisit,
        refusal: BankRefusal,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        match refusal.reach {
            RefusalReach::Round => self.outcome.end = Some(refusal.failure),
            RefusalReach::Spent => drop(self.outcome.failure.get_or_insert(refusal.failure)),
            // Once more, when the others were read.
            RefusalReach::Passing if !visit.is_repeated => self.visits.push_back(AccountVisit {
                is_repeated: true,
                ..visit
            }),
            RefusalReach::Passing | RefusalReach::Account | RefusalReach::Span => {
                self.tell_trouble(&visit, &refusal, known).await?;
                self.outcome.failure.get_or_insert(refusal.failure);
            }
        }
        Ok(())
    }

    async fn tell_account(
        &mut self,
        visit: &AccountVisit,
        balances: AccountBalances,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        let item = account::item((&visit.account, &self.link), &visit.key, balances);
        let stored = known.versions(CONTAINERS, std::slice::from_ref(&visit.key));
        let is_same = stored.await?.get(&visit.key) == Some(&item.version);
        let mut page = self.accounts_page();
        page.changes
            .extend((!is_same).then_some(ItemChange::Put(item)));
        self.pages.push_back(page);
        Ok(())
    }

    /// What is wrong with an account stands in its row; one that has none yet gets it without balances.
    async fn tell_trouble(
        &mut self,
        visit: &AccountVisit,
        refusal: &BankRefusal,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        let stored = known.versions(CONTAINERS, std::slice::from_ref(&visit.key));
        let is_stored = stored.await?.contains_key(&visit.key);
        let told_now = self
            .pages
            .iter()
            .any(|page| page.keys().contains(&*visit.key));
        if !is_stored && !told_now {
            self.tell_account(visit, AccountBalances::default(), known)
                .await?;
        }
        let name = account::name(&visit.account, &self.link);
        let mut page = self.accounts_page();
        page.changes.push(account::troubled(&visit.key, refusal));
        page.warnings = vec![format!("{name}: {}", refusal.failure.message)];
        self.pages.push_back(page);
        Ok(())
    }

    /// Accounts of earlier consents keep their rows, which say why they do not go on.
    async fn tell_left_out(&mut self, known: &dyn KnownItems) -> Result<(), SourceFailure> {
        let left_out: Vec<_> = self.known.left_out(&self.keys).cloned().collect();
        if left_out.is_empty() {
            return Ok(());
        }
        let versions = known.versions(CONTAINERS, &left_out).await?;
        let mut page = self.accounts_page();
        let stored = left_out
            .iter()
            .filter_map(|key| Some((key, versions.get(key)?)));
        let changes = stored.map(|(key, version)| (account::left_out(key), version));
        let changes = changes.filter(|(change, stored)| {
            !matches!(change, ItemChange::Amend { version, .. } if version == *stored)
        });
        page.changes = changes.map(|(change, _)| change).collect();
        self.pages.push_back(page);
        Ok(())
    }

    fn accounts_page(&self) -> Page {
        let mut page = Page::new(CONTAINERS, self.known.to_value());
        page.coverage = ScopeCoverage::Everything;
        page
    }
}

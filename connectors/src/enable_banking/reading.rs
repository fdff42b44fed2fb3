//! One round over the accounts of a link: balances, what is booked, what is pending, account by account. What becomes of one that could not
//! be read: `trouble`.

mod trouble;

use std::collections::{BTreeMap, VecDeque};

use async_trait::async_trait;
use serde_json::Value;

use super::account::{self, payments_scope};
use super::account_pages::AccountPages;
use super::balances::SentBalances;
use super::client::BankClient;
use super::known::KnownLinkedAccounts;
use super::link::{BankLink, LinkedAccount};
use super::listing::{self, ListedStatus};
use super::position::LinkedPosition;
use super::refusal::{BankRefusal, RefusalReach};
use super::span::{self, BankSpan};
use super::telling::LinkedTelling;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{LINKED_READS_A_DAY, LINKED_SPANS_MAX};
use crate::request_ledger::SharedLedger;
use crate::round::{CONTAINERS, KnownItems, Page, Round, RoundRequest};

/// What came of an account: the outer failure is of the whole round, the inner one of the account.
type AccountResult<T> = Result<Result<T, BankRefusal>, SourceFailure>;

/// A round.
pub(super) struct LinkReading {
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
    telling: Option<(AccountVisit, LinkedTelling, BankSpan)>,
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
impl Round for LinkReading {
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
                let left_out = self.account_pages(known).left_out(&self.keys).await?;
                self.pages.extend(left_out);
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

    /// Whether the account may be asked for all that the bank tells.
    const fn asks_all(&self) -> bool {
        !self.is_repeated
    }

    /// The account, and the key under which it is stored.
    fn place(&self) -> (&LinkedAccount, &str) {
        (&self.account, &self.key)
    }
}

impl LinkReading {
    /// Begins with the accounts of the link, each known again by what is stored.
    pub(super) fn new(
        (client, ledger): (BankClient, SharedLedger),
        link: BankLink,
        request: RoundRequest,
    ) -> Self {
        let mut known = KnownLinkedAccounts::parse(request.positions.get(CONTAINERS));
        let keys = known.take(&link.accounts);
        let position = |key: &String| {
            let stored = request.positions.get(&payments_scope(key));
            (key.clone(), LinkedPosition::parse(stored))
        };
        let accounts = link.accounts.iter().cloned().zip(keys.iter().cloned());
        Self {
            positions: keys.iter().map(position).collect(),
            visits: accounts.map(AccountVisit::first).collect(),
            client,
            link,
            ledger,
            known,
            keys,
            is_begun: false,
            telling: None,
            pages: VecDeque::new(),
            outcome: RoundOutcome::default(),
            request,
        }
    }

    /// Reads balances and what is booked.
    async fn visit(&mut self, visit: AccountVisit, known: &dyn KnownItems) -> AccountResult<()> {
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
        let pages = self.account_pages(known);
        let page = pages.present(visit.place(), balances).await?;
        self.pages.push_back(page);
        let (listed, span) = match self.list_booked(&visit).await? {
            Ok(told) => told,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let start = match span {
            BankSpan::Longest => None,
            BankSpan::From(start) => Some(start),
        };
        let position = self.positions.entry(visit.key.clone()).or_default();
        let place = (visit.key.as_str(), &*position);
        let (mut telling, pages) =
            LinkedTelling::begin(place, (listed, start), &self.request, known).await?;
        self.pages.extend(pages);
        if visit.asks_all() {
            telling.note_consent(self.link.consent());
        }
        self.telling = Some((visit, telling, span));
        self.outcome.read += 1;
        Ok(Ok(()))
    }

    /// Takes one of the account's reads of the day.
    async fn take(&self, key: &str) -> AccountResult<()> {
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
    async fn list_booked(&mut self, visit: &AccountVisit) -> AccountResult<(Vec<Value>, BankSpan)> {
        let (now, uid) = (self.request.now, visit.account.uid.as_str());
        let position = self.positions.entry(visit.key.clone()).or_default();
        // A bank that failed when it was asked for everything is asked as ever, and for everything another time.
        let mut asked = match visit.asks_all() {
            true => span::wanted(position, &self.link.consent(), now),
            false => BankSpan::From(span::usual(position, now)),
        };
        // In another consent the bank may tell more.
        position.span_days = position.span_days.filter(|_| asked != BankSpan::Longest);
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
            let today = now.date_naive();
            let named = refusal.date_from.filter(|_| narrowed == 1);
            let start = span::narrower(asked, named, today);
            asked = BankSpan::From(start);
            narrowed += 1;
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
        (visit, telling, span): (AccountVisit, LinkedTelling, BankSpan),
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        let start = span::of_pending(span, self.request.now.date_naive());
        let (uid, status) = (visit.account.uid.as_str(), ListedStatus::Pending);
        let listed = listing::list(&self.client, uid, status, BankSpan::From(start)).await;
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

    fn account_pages<'a>(&'a self, known: &'a dyn KnownItems) -> AccountPages<'a> {
        AccountPages {
            accounts: &self.known,
            link: &self.link,
            known,
        }
    }
}

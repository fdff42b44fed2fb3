//! Enable Banking with the accounts of one person, by the description of its interface (version 1.0.0), with a clock that the test sets.

pub mod answers;
mod banks;
pub mod keys;
mod listing;
mod tokens;

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;

pub use self::banks::{BankedAccount, BankedPayment, ListedBank};
use super::contracts::Contract;
use super::faults::Faults;
use super::{Account, wire};

pub const HOST: &str = "api.enablebanking.com";
/// The operator's application.
pub const APPLICATION: &str = "6f3d2f5e-6c1b-4d8e-9b1a-0a2b3c4d5e6f";
/// Where its browser comes back to.
pub const REDIRECT: &str = "https://here.test/back";

/// The interface, and the bank that a person links there.
pub struct Aggregator {
    pub now: DateTime<Utc>,
    pub is_active: bool,
    /// Where a person consents: a page of the bank's own.
    pub bank_page: String,
    /// The addresses of the application to which a browser may come back.
    pub redirects: Vec<String>,
    pub banks: Vec<ListedBank>,
    /// By the digest that stays.
    pub accounts: BTreeMap<String, BankedAccount>,
    /// Consents that were begun, by their state.
    pub begun: BTreeMap<String, Value>,
    /// What a person consented to, by the code that the browser comes back with: the state, and the accounts.
    codes: BTreeMap<String, (String, Vec<String>)>,
    /// By their id.
    pub sessions: BTreeMap<String, Consent>,
    /// Payments of a page.
    pub page_size: usize,
    /// Before each page there is one without payments.
    pub has_empty_pages: bool,
    /// The bank cannot tell what is pending.
    pub fails_pending: bool,
    /// The bank lists what is booked and what is pending together, whatever was asked for.
    pub mixes_statuses: bool,
    /// Whether the bank says from when on it tells, where more was asked for.
    pub names_day: bool,
    /// Readings of an account that the bank allows in a day.
    pub reads_a_day: usize,
    pub faults: Faults,
    pub asked: Vec<Asked>,
    /// Ids given so far.
    given: u64,
}

/// A consent that was given.
#[derive(Clone, Debug)]
pub struct Consent {
    pub status: &'static str,
    pub ends_at: DateTime<Utc>,
    pub bank: String,
    pub country: String,
    /// Accounts by the ids that they have in it.
    pub accounts: BTreeMap<String, String>,
}

/// One request.
#[derive(Clone, Debug)]
pub struct Asked {
    pub at: DateTime<Utc>,
    pub path: String,
    pub query: BTreeMap<String, String>,
}

impl Aggregator {
    /// With one bank, and nothing linked.
    pub fn new(now: DateTime<Utc>) -> Self {
        Self {
            now,
            is_active: true,
            bank_page: "https://bank.test/consent".to_owned(),
            redirects: vec![REDIRECT.to_owned()],
            banks: vec![ListedBank::new("Bank of Test", "FI")],
            accounts: BTreeMap::new(),
            begun: BTreeMap::new(),
            codes: BTreeMap::new(),
            sessions: BTreeMap::new(),
            page_size: 4,
            has_empty_pages: false,
            fails_pending: false,
            mixes_statuses: false,
            names_day: true,
            reads_a_day: 1_000,
            faults: Faults::default(),
            asked: Vec::new(),
            given: 0,
        }
    }

    /// Opens an account, which is known by this digest.
    pub fn open(&mut self, hash: &str) -> &mut BankedAccount {
        let account = BankedAccount::new(self.accounts.len());
        self.accounts.entry(hash.to_owned()).or_insert(account)
    }

    pub fn account(&mut self, hash: &str) -> &mut BankedAccount {
        self.accounts.get_mut(hash).unwrap()
    }

    /// A person consents to what was begun with this state, for these accounts; returns what the browser comes back with.
    pub fn consent(&mut self, state: &str, accounts: &[&str]) -> String {
        assert!(self.begun.contains_key(state));
        let code = format!("code-{}", self.id());
        let accounts = accounts.iter().map(|own| (*own).to_owned()).collect();
        self.codes
            .insert(code.clone(), (state.to_owned(), accounts));
        code
    }

    /// Every consent gets this status.
    pub fn end_sessions(&mut self, status: &'static str) {
        for session in self.sessions.values_mut() {
            session.status = status;
        }
    }

    /// Requests since the last time: paths and what of their query tells them apart.
    pub fn take_asked(&mut self) -> Vec<String> {
        let asked = std::mem::take(&mut self.asked).into_iter();
        asked.map(|one| one.words()).collect()
    }

    fn id(&mut self) -> String {
        self.given += 1;
        format!("00000000-0000-4000-8000-{:012x}", self.given)
    }

    /// How often an account was read in the last day, by the lists of what is booked.
    fn reads(&self, hash: &str) -> usize {
        let uids = self.sessions.values().flat_map(|own| &own.accounts);
        let uids: Vec<_> = uids.filter(|(_, own)| *own == hash).collect();
        let is_read = |one: &&Asked| {
            let is_own = uids.iter().any(|(uid, _)| one.path.contains(uid.as_str()));
            let is_first = !one.query.contains_key("continuation_key");
            let is_booked = one.query.get("transaction_status").map(String::as_str) != Some("PDNG");
            let is_late = self.now - one.at < Duration::days(1);
            is_own && is_first && is_booked && is_late && one.path.ends_with("/transactions")
        };
        self.asked.iter().filter(is_read).count()
    }
}

impl Account for Aggregator {
    fn contract(&self, target: &str) -> Contract {
        match target.starts_with("/consent?") {
            true => Contract::Unpublished,
            false => Contract::EnableBanking,
        }
    }

    fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    fn answer(&mut self, request: &str) -> Vec<u8> {
        self.respond(request)
    }

    fn note(&mut self, request: &str, _answer: &[u8]) {
        let address = wire::address(request);
        self.asked.push(Asked {
            at: self.now,
            path: address.path().to_owned(),
            query: address.query_pairs().into_owned().collect(),
        });
    }
}

impl Asked {
    fn words(&self) -> String {
        let last = self.path.rsplit('/').next().unwrap();
        let names = ["transaction_status", "strategy", "date_from"];
        let told = names.iter().filter_map(|name| self.query.get(*name));
        let told: Vec<_> = told.map(String::as_str).collect();
        [&[last], &*told].concat().join(" ")
    }
}

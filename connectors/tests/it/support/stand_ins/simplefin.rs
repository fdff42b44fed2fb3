//! A SimpleFIN bridge with the banks of one person, by the protocol's own text, with a clock that the test sets.

mod answers;
mod banks;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

pub use self::banks::{BankAccount, LinkedBank, Payment};
use super::contracts::Contract;
use super::faults::Faults;
use super::{Account, wire};

pub const HOST: &str = "bridge.simplefin.org";
pub const USER: &str = "demo-user";
pub const PASSWORD: &str = "demo-password-of-the-bridge";

/// Which version answers are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    One,
    Two,
}

/// A bridge.
pub struct Bridge {
    /// Where it is reached.
    pub host: &'static str,
    pub now: DateTime<Utc>,
    pub version: Version,
    /// By the id of their link.
    pub banks: BTreeMap<String, LinkedBank>,
    /// By their id.
    pub accounts: BTreeMap<String, BankAccount>,
    /// What it says of itself, beside its banks.
    pub says: Vec<&'static str>,
    /// Nobody pays for it any more.
    pub has_lapsed: bool,
    /// The access was ended.
    pub is_disabled: bool,
    pub faults: Faults,
    pub asked: Vec<Asked>,
    /// Claims of the one setup token that there is.
    pub claims: usize,
}

/// One request for accounts.
#[derive(Clone, Debug)]
pub struct Asked {
    pub query: BTreeMap<String, String>,
}

impl Bridge {
    /// With no bank.
    pub fn new(now: DateTime<Utc>) -> Self {
        Self {
            host: HOST,
            now,
            version: Version::Two,
            banks: BTreeMap::new(),
            accounts: BTreeMap::new(),
            says: Vec::new(),
            has_lapsed: false,
            is_disabled: false,
            faults: Faults::default(),
            asked: Vec::new(),
            claims: 0,
        }
    }

    /// What a person copies to an app.
    pub fn setup_token() -> String {
        Self::setup_token_of(HOST)
    }

    /// The same of a bridge that is reached elsewhere.
    pub fn setup_token_of(host: &str) -> String {
        use base64::Engine as _;
        let claim = format!("https://{host}/simplefin/claim/demo");
        base64::prelude::BASE64_STANDARD.encode(claim)
    }

    pub fn account(&mut self, id: &str) -> &mut BankAccount {
        self.accounts.get_mut(id).unwrap()
    }

    /// Links a bank, as `bank.test`; and opens an account there.
    pub fn open(&mut self, id: &str, bank: &str, name: &str) -> &mut BankAccount {
        let bank_of = || LinkedBank::new(bank);
        self.banks.entry(bank.to_owned()).or_insert_with(bank_of);
        let account = BankAccount::new(bank, name);
        self.accounts.entry(id.to_owned()).or_insert(account)
    }

    /// Takes a bank away, with all its accounts.
    pub fn unlink(&mut self, bank: &str) {
        self.banks.remove(bank);
        self.accounts.retain(|_, account| account.bank != bank);
    }

    /// Requests for accounts since the last time.
    pub fn take_asked(&mut self) -> Vec<Asked> {
        std::mem::take(&mut self.asked)
    }
}

impl Account for Bridge {
    fn contract(&self, _target: &str) -> Contract {
        Contract::Unpublished
    }

    fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    fn answer(&mut self, request: &str) -> Vec<u8> {
        self.respond(request)
    }

    fn note(&mut self, request: &str, _answer: &[u8]) {
        let address = wire::address(request);
        if address.path().ends_with("/accounts") {
            self.asked.push(Asked {
                query: address.query_pairs().into_owned().collect(),
            });
        }
    }
}

//! WHOOP: the records of one person, answered by the description of its interface (version 2.0.0), with a clock that the test sets.

mod answers;
pub mod records;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde_json::Value;

use self::records::Kind;
use super::bearers::Bearers;
use super::contracts::Contract;
use super::faults::Faults;
use super::{Account, wire};

pub const USER: i64 = 10_129;

/// Where the interface begins.
const BASE: &str = "/developer";

/// What WHOOP keeps of one person.
pub struct Whoop {
    pub now: DateTime<Utc>,
    /// By kind and id.
    pub records: BTreeMap<(Kind, String), Value>,
    /// Scopes of the consent.
    pub granted: BTreeSet<String>,
    /// Requests in a minute and in a day.
    pub limits: (u64, u64),
    /// What 429 says of when to come again.
    pub tells_reset: bool,
    pub retry_after: Option<&'static str>,
    /// How the last page says that it is the last.
    pub last_token: LastToken,
    /// Whether a list is of what began since its start, or also of what went on then.
    pub counts_from_start: bool,
    pub faults: Faults,
    /// Requests so far, in order, with when they came and how they were answered.
    pub asked: Vec<Asked>,
    pub bearers: Bearers,
    /// The consent was ended from here.
    pub is_revoked: bool,
}

/// How a last page says that it is one.
#[derive(Clone, Copy, Debug)]
pub enum LastToken {
    Null,
    Absent,
    Empty,
}

/// One request.
#[derive(Clone, Debug)]
pub struct Asked {
    pub at: DateTime<Utc>,
    pub method: String,
    /// Below the interface's base.
    pub path: String,
    pub query: BTreeMap<String, String>,
    pub authorization: Option<String>,
    pub status: u16,
}

impl Whoop {
    /// Nothing in it; all is granted.
    pub fn new(now: DateTime<Utc>) -> Self {
        let granted = ["offline", "read:profile", "read:body_measurement"].into_iter();
        let data = ["read:sleep", "read:recovery", "read:cycles", "read:workout"];
        Self {
            now,
            records: BTreeMap::new(),
            granted: granted.chain(data).map(str::to_owned).collect(),
            limits: (100, 10_000),
            tells_reset: true,
            retry_after: None,
            last_token: LastToken::Null,
            counts_from_start: false,
            faults: Faults::default(),
            asked: Vec::new(),
            bearers: Bearers::default(),
            is_revoked: false,
        }
    }

    /// The paths that were asked; forgets them.
    pub fn take_paths(&mut self) -> Vec<String> {
        let asked = std::mem::take(&mut self.asked);
        asked.into_iter().map(|one| one.path).collect()
    }
}

impl Account for Whoop {
    fn contract(&self, _target: &str) -> Contract {
        Contract::Whoop
    }

    fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    fn answer(&mut self, request: &str) -> Vec<u8> {
        self.respond(request)
    }

    fn note(&mut self, request: &str, answer: &[u8]) {
        let asked = Asked {
            status: wire::status(answer),
            ..Asked::read(request, self.now)
        };
        self.asked.push(asked);
    }
}

impl Asked {
    fn read(request: &str, at: DateTime<Utc>) -> Self {
        let url = wire::address(request);
        let path = url.path().strip_prefix(BASE).unwrap_or_default();
        let authorization = wire::header(request, "authorization");
        Self {
            at,
            method: request.split(' ').next().unwrap().to_owned(),
            path: path.to_owned(),
            query: url.query_pairs().into_owned().collect(),
            authorization: authorization.map(str::to_owned),
            status: 0,
        }
    }
}

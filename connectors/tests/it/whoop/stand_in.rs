//! A stand-in for the interface: it keeps the records of one person and answers by its description (version 2.0.0), with a clock that
//! the test sets.

mod answers;
mod records;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_connectors::bearer::AccessTokens;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::secret::SourceSecret;

pub use self::answers::written;
pub use self::records::{Kind, stamp, stored_as, uuid};
use crate::support::sink::Sink;

pub const USER: i64 = 10_129;

/// What a test does in the place of an answer; `None` for those it leaves alone.
type Fault = dyn Fn(&Asked) -> Option<Vec<u8>> + Send + Sync;

/// The whole interface, and the sign-in of who asks.
#[derive(Clone)]
pub struct StandIn(Arc<Mutex<State>>);

/// What it keeps.
pub struct State {
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
    pub fault: Option<Arc<Fault>>,
    /// Requests so far, in order, with when they came and how they were answered.
    pub asked: Vec<Asked>,
    /// The token that is taken; none: the consent has ended.
    access: Option<String>,
    /// Whether a token that is not taken can be replaced.
    pub is_renewable: bool,
    pub renewals: usize,
    /// The token of who asks.
    held: String,
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

impl StandIn {
    /// Nothing in it; all is granted, and the token is taken.
    pub fn new(now: DateTime<Utc>) -> Self {
        let granted = ["offline", "read:profile", "read:body_measurement"].into_iter();
        let data = ["read:sleep", "read:recovery", "read:cycles", "read:workout"];
        Self(Arc::new(Mutex::new(State {
            now,
            records: BTreeMap::new(),
            granted: granted.chain(data).map(str::to_owned).collect(),
            limits: (100, 10_000),
            tells_reset: true,
            retry_after: None,
            last_token: LastToken::Null,
            counts_from_start: false,
            fault: None,
            asked: Vec::new(),
            access: Some("access-0".to_owned()),
            is_renewable: true,
            renewals: 0,
            held: "access-0".to_owned(),
        })))
    }

    /// What it keeps, to be looked at and changed.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Serves it on a free port, without TLS.
    pub async fn serve(&self) -> Sink {
        let own = self.clone();
        Sink::start(None, move |request| own.state().answer(request)).await
    }
}

impl State {
    /// The token is taken no more, before its time: another must be had.
    pub fn rotate(&mut self) {
        self.access = Some(format!("access-{}", self.renewals + 1));
    }

    /// The consent is at its end.
    pub fn end_consent(&mut self) {
        (self.access, self.is_renewable) = (None, false);
    }

    /// Has a test answer in its place.
    pub fn misbehave(&mut self, fault: impl Fn(&Asked) -> Option<Vec<u8>> + Send + Sync + 'static) {
        self.fault = Some(Arc::new(fault));
    }

    /// The paths that were asked, each with its query's start; forgets them.
    pub fn take_paths(&mut self) -> Vec<String> {
        let asked = std::mem::take(&mut self.asked);
        asked.into_iter().map(|one| one.path).collect()
    }
}

#[async_trait]
impl AccessTokens for StandIn {
    async fn access_token(&self) -> Result<SourceSecret, SourceFailure> {
        Ok(SourceSecret::new(&self.state().held))
    }

    async fn replace(&self, refused: &SourceSecret) -> Result<SourceSecret, SourceFailure> {
        let mut state = self.state();
        assert_eq!(refused.reveal(), state.held);
        let access = state.access.clone().filter(|_| state.is_renewable);
        let Some(access) = access else {
            let message = "the consent has ended";
            return Err(SourceFailure::new(FailureKind::CredentialRefused, message));
        };
        state.renewals += 1;
        state.held.clone_from(&access);
        Ok(SourceSecret::new(&access))
    }
}

//! Access tokens that stand for agents' keys: an immutable snapshot that every request of the agent port reads without a message.
//!
//! A token opens nothing by itself: it names the key that it was issued for, and that is resolved as if it had been presented. So what
//! ends a key ends its tokens, whatever is still written here.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::clock::Clock;
use crate::domain::{Digest, KeyRefusal};

/// One access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssuedAccess {
    /// The hash of the token.
    pub token: Digest,
    /// The hash of the key that it stands for.
    pub key: Digest,
    /// The sign-in that it was issued in; those before it may serve for a moment beside it.
    pub sign_in: Uuid,
    /// From when on it is refused.
    pub expires_at: DateTime<Utc>,
}

/// The tokens by hash, and the clock that their ends are compared with.
pub(crate) struct TokenSnapshot {
    by_token: RwLock<HashMap<Digest, IssuedAccess>>,
    clock: Arc<dyn Clock>,
}

impl TokenSnapshot {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            by_token: RwLock::default(),
            clock,
        }
    }

    /// The key that the token stands for; `None` if it is no token.
    ///
    /// # Errors
    /// [`KeyRefusal::Expired`].
    pub(crate) fn key_of(&self, token: &Digest) -> Result<Option<Digest>, KeyRefusal> {
        let tokens = self.by_token.read().unwrap_or_else(PoisonError::into_inner);
        match tokens.get(token) {
            Some(access) if access.expires_at <= self.clock.now() => Err(KeyRefusal::Expired),
            access => Ok(access.map(|access| access.key)),
        }
    }

    /// Lets these tokens be presented, in place of what was said of them before.
    pub(crate) fn publish(&self, issued: &[IssuedAccess]) {
        self.change(|tokens| tokens.extend(issued.iter().map(|access| (access.token, *access))));
    }

    /// Refuses these tokens, and every other one of their sign-ins.
    pub(crate) fn withdraw(&self, withdrawn: &[Digest]) {
        self.change(|tokens| {
            let of = withdrawn.iter().filter_map(|token| tokens.get(token));
            let sign_ins: HashSet<Uuid> = of.map(|access| access.sign_in).collect();
            tokens.retain(|_, access| !sign_ins.contains(&access.sign_in));
        });
    }

    /// Forgets tokens that are refused anyway since before `ended`: their presenters are told that they are unknown, no more that
    /// they have expired.
    pub(crate) fn forget(&self, ended: DateTime<Utc>) {
        self.change(|tokens| tokens.retain(|_, access| access.expires_at > ended));
    }

    fn change(&self, change: impl FnOnce(&mut HashMap<Digest, IssuedAccess>)) {
        let tokens = self.by_token.write();
        change(&mut tokens.unwrap_or_else(PoisonError::into_inner));
    }
}

//! Which access tokens a stand-in takes.

use std::collections::BTreeSet;

use super::wire::header;

/// Every one, until a test says otherwise.
#[derive(Default)]
pub struct Bearers {
    only: Option<String>,
    seen: BTreeSet<String>,
    spent: BTreeSet<String>,
    has_ended: bool,
}

impl Bearers {
    /// This one alone.
    pub fn only(token: &str) -> Self {
        Self {
            only: Some(token.to_owned()),
            ..Self::default()
        }
    }

    /// Whether a request shows one that is taken.
    pub fn take(&mut self, request: &str) -> bool {
        let shown =
            header(request, "authorization").and_then(|shown| shown.strip_prefix("Bearer "));
        let Some(token) = shown else { return false };
        self.seen.insert(token.to_owned());
        let is_meant = self.only.as_ref().is_none_or(|only| only == token);
        is_meant && !self.has_ended && !self.spent.contains(token)
    }

    /// Those that were shown so far are taken no more: another must be had.
    pub fn spend(&mut self) {
        self.spent.append(&mut self.seen);
    }

    /// None is taken any more: the consent has ended.
    pub const fn end(&mut self) {
        self.has_ended = true;
    }
}

//! Groups of accounts that are one. Pure.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::account::Account;
use super::pair::{Pair, PairState, ordered};

/// Why an answer of two accounts cannot stand beside the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerObstacle {
    /// These two of one connection would be one.
    OneConnection(Uuid, Uuid),
    /// These two would be one, which the operator keeps apart.
    KeptSeparate(Uuid, Uuid),
    /// These two are one by other answers.
    OneByOthers(Uuid, Uuid),
}

/// Accounts in groups. One that is in no pair is a group of its own.
pub(super) struct Groups<'a> {
    accounts: &'a BTreeMap<Uuid, Account>,
    separate: BTreeSet<(Uuid, Uuid)>,
    /// By account: the lowest id of its group.
    heads: BTreeMap<Uuid, Uuid>,
    /// By the lowest id: the group.
    members: BTreeMap<Uuid, BTreeSet<Uuid>>,
}

impl<'a> Groups<'a> {
    /// Each account alone; `pairs` say which are kept separate.
    pub(super) fn of<'p>(
        accounts: &'a BTreeMap<Uuid, Account>,
        pairs: impl Iterator<Item = &'p Pair>,
    ) -> Self {
        let separate = pairs.filter(|pair| pair.state == PairState::Separate);
        Self {
            accounts,
            separate: separate.map(Pair::accounts).collect(),
            heads: BTreeMap::new(),
            members: BTreeMap::new(),
        }
    }

    /// Makes the groups of two accounts one.
    ///
    /// # Errors
    /// Why they cannot be one; then nothing has changed.
    pub(super) fn join(&mut self, (a, b): (Uuid, Uuid)) -> Result<(), AnswerObstacle> {
        let (one, other) = (self.group(a), self.group(b));
        if one == other {
            return Ok(());
        }
        for first in &one {
            for second in &other {
                self.check(*first, *second)?;
            }
        }
        let all: BTreeSet<Uuid> = one.into_iter().chain(other).collect();
        let Some(head) = all.first().copied() else {
            return Ok(());
        };
        for account in &all {
            self.members.remove(account);
            self.heads.insert(*account, head);
        }
        self.members.insert(head, all);
        Ok(())
    }

    fn check(&self, first: Uuid, second: Uuid) -> Result<(), AnswerObstacle> {
        let connection = |id: &Uuid| self.accounts.get(id).map(|account| account.connection);
        if connection(&first) == connection(&second) {
            return Err(AnswerObstacle::OneConnection(first, second));
        }
        match self.separate.contains(&ordered(first, second)) {
            true => Err(AnswerObstacle::KeptSeparate(first, second)),
            false => Ok(()),
        }
    }

    /// Whether two accounts are one.
    pub(super) fn are_one(&self, (a, b): (Uuid, Uuid)) -> bool {
        let heads = (self.heads.get(&a), self.heads.get(&b));
        heads.0.is_some() && heads.0 == heads.1
    }

    fn group(&self, account: Uuid) -> BTreeSet<Uuid> {
        let head = self.heads.get(&account);
        let members = head.and_then(|head| self.members.get(head));
        members
            .cloned()
            .unwrap_or_else(|| BTreeSet::from([account]))
    }

    /// The groups of more than one account.
    pub(super) fn into_groups(self) -> Vec<BTreeSet<Uuid>> {
        self.members.into_values().collect()
    }
}

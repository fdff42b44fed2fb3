//! The records that a device knows to be stored, and the pushes that were never answered: each of those must be
//! stored as a whole or not at all.

use std::collections::{BTreeMap, BTreeSet};

/// The state of a record. Its content follows from the number of the push that last stored it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    ByPush(u32),
    Deleted,
}

/// One push: its changes, by the device's own ids.
#[derive(Clone, Debug)]
pub struct Push {
    pub number: u32,
    pub changes: BTreeMap<String, Kept>,
}

impl Push {
    pub fn has_records(&self) -> bool {
        self.changes.values().any(|kept| *kept != Kept::Deleted)
    }
}

/// What the database holds of one device: each id with every row that has it, and the pushes that left an account.
#[derive(Default)]
pub struct Stored {
    pub rows: BTreeMap<String, Vec<Kept>>,
    pub accounts: BTreeSet<u32>,
}

#[derive(Default)]
pub struct Ledger {
    kept: BTreeMap<String, Kept>,
    /// Each push with records makes an account for them in the same transaction.
    accounts: BTreeSet<u32>,
    doubts: Vec<Push>,
}

impl Ledger {
    pub fn acknowledge(&mut self, push: Push) {
        if push.has_records() {
            self.accounts.insert(push.number);
        }
        self.kept.extend(push.changes);
    }

    pub fn doubt(&mut self, push: Push) {
        self.doubts.push(push);
    }

    pub const fn doubts(&self) -> usize {
        self.doubts.len()
    }

    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// Ids of records that are certainly stored and that no unanswered push has touched.
    pub fn certain(&self) -> Vec<&String> {
        let certain = self.kept.iter().filter(|(id, kept)| {
            **kept != Kept::Deleted
                && !self
                    .doubts
                    .iter()
                    .any(|push| push.changes.contains_key(*id))
        });
        certain.map(|(id, _)| id).collect()
    }

    /// Compares what is stored with what was acknowledged, and finds out which unanswered pushes were stored.
    pub fn compare(&mut self, stored: &Stored) {
        for push in std::mem::take(&mut self.doubts) {
            if self.was_stored(&push, stored) {
                self.acknowledge(push);
            }
        }
        for (id, rows) in &stored.rows {
            let expected = self.kept.get(id);
            assert!(
                rows.len() == 1 && rows.first() == expected,
                "{id}: {rows:?}, not {expected:?}"
            );
        }
        let missing = self.kept.keys().find(|id| !stored.rows.contains_key(*id));
        assert_eq!(missing, None, "acknowledged, and not stored");
        assert_eq!(stored.accounts, self.accounts);
    }

    /// Whether all of the push is stored; asserts that no part alone is.
    fn was_stored(&self, push: &Push, stored: &Stored) -> bool {
        let is = |id: &String, kept: Option<&Kept>| match stored.rows.get(id) {
            Some(rows) => rows.iter().all(|row| Some(row) == kept),
            None => kept.is_none(),
        };
        let all = push.changes.iter().all(|(id, kept)| is(id, Some(kept)));
        let none = push.changes.keys().all(|id| is(id, self.kept.get(id)));
        assert!(all != none, "stored in part: {push:?}");
        all
    }
}

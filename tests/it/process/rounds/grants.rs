//! The grants as the operator knows them, and the edits that were never answered: each was made or not made.

use std::collections::{BTreeMap, BTreeSet};

use sextant_actors::domain::Digest;

/// A grant as the operator knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// `None` when the answer with the key was lost.
    pub key: Option<String>,
    pub sectors: Vec<String>,
    pub is_revoked: bool,
}

#[derive(Clone, Debug)]
pub enum Edit {
    Create(Vec<String>),
    Rotate,
    Sectors(Vec<String>),
    Revoke,
    Remove,
}

impl Edit {
    /// The grant after this edit, with this new key if the edit makes one.
    fn after(&self, before: Option<&Grant>, key: Option<String>) -> Option<Grant> {
        let before = before.cloned();
        match self {
            Self::Create(sectors) => Some(Grant {
                key,
                sectors: sectors.clone(),
                is_revoked: false,
            }),
            Self::Rotate => before.map(|grant| Grant {
                key,
                is_revoked: false,
                ..grant
            }),
            Self::Sectors(sectors) => before.map(|grant| Grant {
                sectors: sectors.clone(),
                ..grant
            }),
            Self::Revoke => before.map(|grant| Grant {
                is_revoked: true,
                ..grant
            }),
            Self::Remove => None,
        }
    }
}

/// A row of the table `agents`.
#[derive(Debug)]
pub struct StoredGrant {
    pub hash: Vec<u8>,
    pub sectors: Vec<String>,
    pub is_revoked: bool,
}

#[derive(Default)]
pub struct Grants {
    in_force: BTreeMap<String, Grant>,
    /// Keys that no edit can make valid again.
    dead: BTreeSet<String>,
    doubts: BTreeMap<String, Edit>,
}

impl Grants {
    pub fn get(&self, agent: &str) -> Option<&Grant> {
        self.in_force.get(agent)
    }

    /// The grants in force, with their keys.
    pub fn live(&self) -> impl Iterator<Item = (&str, &Grant)> {
        let live = self.in_force.values().filter(|grant| !grant.is_revoked);
        live.filter_map(|grant| Some((grant.key.as_deref()?, grant)))
    }

    pub const fn dead(&self) -> &BTreeSet<String> {
        &self.dead
    }

    pub fn is_in_doubt(&self, agent: &str) -> bool {
        self.doubts.contains_key(agent)
    }

    pub fn doubt(&mut self, agent: &str, edit: Edit) {
        self.doubts.insert(agent.to_owned(), edit);
    }

    /// Notes that the edit was answered, with this key if it made one.
    pub fn acknowledge(&mut self, agent: &str, edit: &Edit, key: Option<String>) {
        let before = self.in_force.remove(agent);
        let after = edit.after(before.as_ref(), key);
        let lives_on = |key: &String| {
            let is_same = |after: &Grant| !after.is_revoked && after.key.as_ref() == Some(key);
            after.as_ref().is_some_and(is_same)
        };
        let old_key = before.and_then(|grant| grant.key);
        self.dead.extend(old_key.filter(|key| !lives_on(key)));
        if let Some(after) = after {
            self.in_force.insert(agent.to_owned(), after);
        }
    }

    /// Compares what is stored with what was acknowledged, and finds out which unanswered edits were made.
    pub fn compare(&mut self, stored: &BTreeMap<String, StoredGrant>) {
        for (agent, edit) in std::mem::take(&mut self.doubts) {
            let before = self.in_force.get(&agent);
            if self.is(stored.get(&agent), before) {
                continue;
            }
            let keeps_its_key = matches!(edit, Edit::Sectors(_) | Edit::Revoke);
            let key = before
                .and_then(|grant| grant.key.clone())
                .filter(|_| keeps_its_key);
            let after = edit.after(before, key.clone());
            assert!(
                self.is(stored.get(&agent), after.as_ref()),
                "{agent}: {edit:?} is half made: {stored:?}"
            );
            self.acknowledge(&agent, &edit, key);
        }
        for agent in self.in_force.keys().chain(stored.keys()) {
            let expected = self.in_force.get(agent);
            assert!(
                self.is(stored.get(agent), expected),
                "{agent}: {stored:?}, not {expected:?}"
            );
        }
    }

    fn is(&self, stored: Option<&StoredGrant>, grant: Option<&Grant>) -> bool {
        let (Some(stored), Some(grant)) = (stored, grant) else {
            return stored.is_none() && grant.is_none();
        };
        let has = |key: &String| Digest::of(key).as_bytes().as_slice() == stored.hash;
        let is_its_key = match &grant.key {
            Some(key) => has(key),
            None => !self.dead.iter().any(has) && !self.live().any(|(key, _)| has(&key.to_owned())),
        };
        is_its_key && stored.sectors == grant.sectors && stored.is_revoked == grant.is_revoked
    }
}

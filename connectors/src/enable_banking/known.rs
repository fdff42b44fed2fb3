//! Accounts known again after another consent, by what does not change of them (providers rule 14). Pure.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::link::{AccountMarks, LinkedAccount};
use crate::digest_key::within_limit;

/// The accounts that were there in any consent, by the key under which each is stored: the position of all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct KnownLinkedAccounts {
    accounts: BTreeMap<String, AccountMarks>,
}

impl KnownLinkedAccounts {
    /// Reads what was stored; what means nothing here is a beginning.
    pub(super) fn parse(stored: Option<&Value>) -> Self {
        let parsed = stored.map(|stored| serde_json::from_value(stored.clone()));
        parsed.and_then(Result::ok).unwrap_or_default()
    }

    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_else(|_| json!({}))
    }

    /// Takes the accounts of a consent; answers the key of each, in their order. The primary digest decides; where an account comes with
    /// another, it is the known one that alone shares a digest with it and is not there itself.
    pub(super) fn take(&mut self, linked: &[LinkedAccount]) -> Vec<String> {
        let is_there = |known: &AccountMarks| linked.iter().any(|own| own.marks.hash == known.hash);
        let key_of = |own: &LinkedAccount| {
            let mut all = self.accounts.iter();
            let same = all.find(|(_, known)| {
                known.hash == own.marks.hash && known.currency == own.marks.currency
            });
            let mut alike = self
                .accounts
                .iter()
                .filter(|(_, known)| !is_there(known) && known.is_like(&own.marks));
            let alone = match (alike.next(), alike.next()) {
                (Some(alone), None) => Some(alone),
                _ => None,
            };
            let known = same.or(alone).map(|(key, _)| key.clone());
            known.unwrap_or_else(|| self.new_key(&own.marks))
        };
        let mut keys: Vec<String> = Vec::new();
        for own in linked {
            let key = key_of(own);
            // Two that look like one known account are not both it.
            let key = match keys.contains(&key) {
                true => within_limit(format!("{} {}", own.marks.hash, own.marks.currency)),
                false => key,
            };
            keys.push(key);
        }
        for (own, key) in linked.iter().zip(&keys) {
            self.accounts.insert(key.clone(), own.marks.clone());
        }
        keys
    }

    /// The keys of those that are in no consent now.
    pub(super) fn left_out<'a>(&'a self, keys: &'a [String]) -> impl Iterator<Item = &'a String> {
        self.accounts.keys().filter(|key| !keys.contains(key))
    }

    /// A digest that another account has already, in another currency, is no key by itself.
    fn new_key(&self, marks: &AccountMarks) -> String {
        let hash = &marks.hash;
        match self.accounts.contains_key(hash) {
            true => within_limit(format!("{hash} {}", marks.currency)),
            false => within_limit(hash.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;

    fn linked(hash: &str, others: &[&str], currency: &str) -> LinkedAccount {
        let hashes = others.iter().chain([&hash]);
        LinkedAccount {
            uid: String::new(),
            marks: AccountMarks {
                hash: hash.to_owned(),
                hashes: hashes.map(|own| (*own).to_owned()).collect(),
                currency: currency.to_owned(),
            },
            sent: Map::new(),
        }
    }

    #[test]
    fn an_account_is_known_again_by_its_digests() {
        let mut known = KnownLinkedAccounts::default();
        let first = [linked("a", &["iban"], "EUR"), linked("b", &["iban"], "USD")];
        assert_eq!(known.take(&first), ["a", "b"]);
        // The same in another order, one of them under another primary digest.
        let again = [linked("b", &["iban"], "USD"), linked("c", &["iban"], "EUR")];
        assert_eq!(known.take(&again), ["b", "a"]);
        // What shares no digest is another one, and the one that is not there stays known.
        let other = [linked("c", &["iban"], "EUR"), linked("d", &["pan"], "USD")];
        let keys = known.take(&other);
        assert_eq!(keys, ["a", "d"]);
        assert_eq!(known.left_out(&keys).collect::<Vec<_>>(), ["b"]);
        let stored = known.to_value();
        assert_eq!(KnownLinkedAccounts::parse(Some(&stored)), known);
    }

    #[test]
    fn of_two_that_look_like_one_known_account_one_is_new() {
        let mut known = KnownLinkedAccounts::default();
        known.take(&[linked("a", &["iban"], "EUR")]);
        let two = [linked("x", &["iban"], "EUR"), linked("y", &["iban"], "EUR")];
        assert_eq!(known.take(&two), ["a", "y EUR"]);
        let one_digest = [linked("z", &[], "EUR"), linked("z", &[], "USD")];
        assert_eq!(known.take(&one_digest), ["z", "z USD"]);
        assert_eq!(known.take(&one_digest), ["z", "z USD"]);
    }
}

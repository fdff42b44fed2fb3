//! Accounts under another id: a bank that is linked anew gives its accounts new ones (providers rule 14). Pure.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::account::SentAccount;
use super::institution::Institution;
use crate::digest_key::within_limit;

/// What is kept of the accounts that are there: the position of all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct KnownAccounts {
    /// By the key under which each is stored: the first id that it had.
    pub(super) accounts: BTreeMap<String, KnownAccount>,
}

/// What an account is known again by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct KnownAccount {
    /// The id that it has now.
    pub(super) id: String,
    link: Option<String>,
    bank_name: Option<String>,
    bank_id: Option<String>,
    bank_domain: Option<String>,
    mask: Option<String>,
    currency: Option<String>,
}

impl KnownAccounts {
    /// Reads what was stored; what means nothing here is a beginning.
    pub(super) fn parse(stored: Option<&Value>) -> Self {
        let parsed = stored.map(|stored| serde_json::from_value(stored.clone()));
        parsed.and_then(Result::ok).unwrap_or_default()
    }

    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_else(|_| json!({}))
    }

    /// Takes the accounts that are listed; answers the key of each, in their order. An account with a new id is a known one if it alone is
    /// of the same bank, currency and last four digits as one that is not listed any more, and that one is the only such.
    pub(super) fn take(&mut self, listed: &[SentAccount]) -> Vec<String> {
        let ids: BTreeSet<&str> = listed.iter().map(|own| own.id.as_str()).collect();
        let key_of = |account: &SentAccount| {
            let known = self.key_of(&account.id);
            let again = || self.known_again(&KnownAccount::of(account), listed, &ids);
            let new = || within_limit(account.id.as_str());
            known.or_else(again).unwrap_or_else(new)
        };
        let keys: Vec<_> = listed.iter().map(key_of).collect();
        for (account, key) in listed.iter().zip(&keys) {
            self.accounts.insert(key.clone(), KnownAccount::of(account));
        }
        keys
    }

    /// The accounts that are not listed, by their keys.
    pub(super) fn missing(&self, listed: &[SentAccount]) -> Vec<(String, KnownAccount)> {
        let is_listed = |known: &KnownAccount| listed.iter().any(|own| own.id == known.id);
        let all = self.accounts.iter();
        let missing = all.filter(|(_, known)| !is_listed(known));
        missing
            .map(|(key, known)| (key.clone(), known.clone()))
            .collect()
    }

    /// The key of the account that has this id now.
    pub(super) fn key_of(&self, id: &str) -> Option<String> {
        let mut all = self.accounts.iter();
        all.find(|(_, known)| known.id == id)
            .map(|(key, _)| key.clone())
    }

    fn known_again(
        &self,
        mark: &KnownAccount,
        listed: &[SentAccount],
        ids: &BTreeSet<&str>,
    ) -> Option<String> {
        let is_like =
            |known: &KnownAccount| !ids.contains(known.id.as_str()) && known.is_like(mark);
        let mut alike = self.accounts.iter().filter(|(_, known)| is_like(known));
        let (key, _) = alike.next()?;
        let is_new = |own: &&SentAccount| self.key_of(&own.id).is_none();
        let same = |own: &SentAccount| KnownAccount::of(own).is_like(mark);
        let new = listed.iter().filter(is_new).filter(|own| same(own));
        (alike.next().is_none() && new.count() == 1).then(|| key.clone())
    }
}

impl KnownAccount {
    fn of(account: &SentAccount) -> Self {
        let Institution {
            link,
            name,
            id,
            domain,
        } = account.bank.clone();
        Self {
            id: account.id.clone(),
            link,
            bank_name: name,
            bank_id: id,
            bank_domain: domain,
            mask: account.mask(),
            currency: account.currency.clone(),
        }
    }

    /// Its bank, as an answer names it.
    pub(super) fn bank(&self) -> Institution {
        Institution {
            link: self.link.clone(),
            name: self.bank_name.clone(),
            id: self.bank_id.clone(),
            domain: self.bank_domain.clone(),
        }
    }

    /// Whether both may be one account. A name alone says nothing: many are called alike.
    fn is_like(&self, other: &Self) -> bool {
        let is_same_bank = match (&self.bank_domain, &other.bank_domain) {
            (Some(own), Some(other)) => own == other,
            _ => self.bank_id.is_some() && self.bank_id == other.bank_id,
        };
        is_same_bank
            && self.mask.is_some()
            && self.mask == other.mask
            && self.currency == other.currency
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(id: &str, name: &str, domain: &str) -> SentAccount {
        let sent = json!({"id": id, "name": name, "currency": "EUR", "org": {"domain": domain}});
        SentAccount::read(sent, &[]).unwrap()
    }

    #[test]
    fn a_bank_that_is_linked_anew_keeps_its_accounts() {
        let mut known = KnownAccounts::default();
        let first = [
            account("a", "Giro 1234", "bank.test"),
            account("b", "Giro 5678", "bank.test"),
        ];
        assert_eq!(known.take(&first), ["a", "b"]);
        let again = [
            account("a2", "Checking 1234", "bank.test"),
            account("b", "Giro 5678", "bank.test"),
        ];
        assert_eq!(known.take(&again), ["a", "b"]);
        assert_eq!(known.missing(&again), []);
        let third = [account("a3", "Checking 1234", "bank.test")];
        let mut known = KnownAccounts::parse(Some(&known.to_value()));
        assert_eq!(known.take(&third), ["a"]);
        let missing: Vec<_> = known
            .missing(&third)
            .into_iter()
            .map(|(key, _)| key)
            .collect();
        assert_eq!(missing, ["b"]);
    }

    #[test]
    fn what_could_be_another_account_is_another() {
        let known = |all: &[SentAccount]| {
            let mut known = KnownAccounts::default();
            known.take(all);
            known
        };
        let giro = account("a", "Giro 1234", "bank.test");
        for new in [
            account("x", "Giro 9999", "bank.test"),
            account("x", "Giro 1234", "other.test"),
            account("x", "Giro", "bank.test"),
        ] {
            assert_eq!(
                known(&[account("a", "Giro 1234", "bank.test")]).take(&[new]),
                ["x"]
            );
        }
        // It is still there.
        assert_eq!(
            known(&[account("a", "Giro 1234", "bank.test")])
                .take(&[giro, account("x", "Giro 1234", "bank.test")]),
            ["a", "x"]
        );
        // Two could be it, or it could be two.
        let two = [
            account("a", "Giro 1234", "bank.test"),
            account("b", "Card 1234", "bank.test"),
        ];
        assert_eq!(
            known(&two).take(&[account("x", "Giro 1234", "bank.test")]),
            ["x"]
        );
        let new = [
            account("x", "Giro 1234", "bank.test"),
            account("y", "Card 1234", "bank.test"),
        ];
        assert_eq!(
            known(&[account("a", "Giro 1234", "bank.test")]).take(&new),
            ["x", "y"]
        );
    }
}

//! An answer of either version of the protocol.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use super::account::SentAccount;
use super::banks::{Banks, SentComplaint};
use super::institution::SentBank;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::SIMPLEFIN_ACCOUNTS_MAX;

/// What a bridge told of all banks.
#[derive(Debug)]
pub(super) struct BankAnswer {
    pub(super) banks: Banks,
    pub(super) accounts: Vec<SentAccount>,
    /// Accounts that could not be read, not even which ones they are.
    pub(super) unread: usize,
}

/// Version 1 has `errors`, version 2 `errlist` and `connections`; some bridges send all of them.
#[derive(Deserialize)]
struct SentAnswer {
    errors: Option<Vec<Value>>,
    errlist: Option<Vec<SentComplaint>>,
    connections: Option<Vec<SentBank>>,
    /// An answer without them is no empty one.
    accounts: Vec<Value>,
}

impl BankAnswer {
    /// Reads the body of an answer.
    ///
    /// # Errors
    /// [`FailureKind::Malformed`] for what is none.
    pub(super) fn parse(body: &[u8]) -> Result<Self, SourceFailure> {
        let sent: SentAnswer =
            serde_json::from_slice(body).map_err(|_| malformed("accounts that cannot be read"))?;
        if sent.accounts.len() > SIMPLEFIN_ACCOUNTS_MAX {
            return Err(malformed("more accounts than anybody has"));
        }
        let links = sent.connections.unwrap_or_default();
        let (mut accounts, mut seen, mut unread) = (Vec::new(), BTreeSet::new(), 0);
        for account in sent.accounts {
            match SentAccount::read(account, &links) {
                Some(account) if seen.insert(account.id.clone()) => accounts.push(account),
                // The same account once more.
                Some(_) => {}
                None => unread += 1,
            }
        }
        let banks = Banks::new(
            sent.errlist.unwrap_or_default(),
            sent.errors.unwrap_or_default(),
            &accounts,
        );
        Ok(Self {
            banks,
            accounts,
            unread,
        })
    }
}

fn malformed(what: &str) -> SourceFailure {
    SourceFailure::new(FailureKind::Malformed, format!("the bridge sent {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(body: &str) -> Result<(Vec<String>, usize), FailureKind> {
        let answer = BankAnswer::parse(body.as_bytes()).map_err(|failure| failure.kind)?;
        let ids = answer.accounts.iter().map(|account| account.id.clone());
        Ok((ids.collect(), answer.unread))
    }

    #[test]
    fn an_answer_without_accounts_is_no_empty_one() {
        assert_eq!(ids(r#"{"errors":[],"accounts":[]}"#), Ok((vec![], 0)));
        assert_eq!(ids(r#"{"errlist":null,"accounts":[]}"#), Ok((vec![], 0)));
        for body in [
            "{}",
            "[]",
            "",
            r#"{"accounts":null}"#,
            r#"{"accounts":{}}"#,
            r#"{"errlist":7,"accounts":[]}"#,
        ] {
            assert_eq!(ids(body), Err(FailureKind::Malformed), "{body}");
        }
    }

    #[test]
    fn an_account_without_an_id_is_counted_and_the_others_are_read() {
        let body = r#"{"accounts":[{"name":"A"},7,{"id":""},{"id":"b","name":"B","currency":"EUR","balance":"1"}]}"#;
        assert_eq!(ids(body), Ok((vec!["b".to_owned()], 3)));
    }
}

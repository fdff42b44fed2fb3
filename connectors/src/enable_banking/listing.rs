//! A list of an account's payments, page by page.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use super::client::BankClient;
use super::refusal::BankRefusal;
use super::span::BankSpan;
use crate::limits::{LINKED_LIST_PAGES_MAX, LINKED_LIST_PAYMENTS_MAX};

/// Which payments are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListedStatus {
    Booked,
    Pending,
}

/// One page of a list.
#[derive(Debug, Deserialize)]
struct SentPage {
    /// An answer without them is no empty one.
    transactions: Vec<Value>,
    /// What the next page is asked for by. Null, absent and empty all say that there is none; a page without payments can have one.
    #[serde(default)]
    continuation_key: Option<String>,
}

impl SentPage {
    fn next(&mut self) -> Option<String> {
        self.continuation_key.take().filter(|key| !key.is_empty())
    }
}

/// The payments of a list, to its end.
///
/// # Errors
/// Also for a list that does not end: one of more pages or payments than anybody has, or whose pages lead in a circle.
pub(super) async fn list(
    client: &BankClient,
    uid: &str,
    status: ListedStatus,
    span: BankSpan,
) -> Result<Vec<Value>, BankRefusal> {
    let (mut listed, mut keys) = (Vec::new(), BTreeSet::new());
    let mut next: Option<String> = None;
    for _ in 0..LINKED_LIST_PAGES_MAX {
        let query = query(status, span, next.as_deref());
        let query: Vec<_> = query
            .iter()
            .map(|(name, own)| (*name, own.as_str()))
            .collect();
        let mut page: SentPage = client
            .get(&["accounts", uid, "transactions"], &query)
            .await?;
        next = page.next();
        listed.append(&mut page.transactions);
        let Some(key) = &next else {
            return Ok(listed);
        };
        if !keys.insert(key.clone()) || listed.len() > LINKED_LIST_PAYMENTS_MAX {
            break;
        }
    }
    Err(BankRefusal::malformed(
        "a list of payments that does not end",
    ))
}

fn query(status: ListedStatus, span: BankSpan, next: Option<&str>) -> Vec<(&'static str, String)> {
    let status = match status {
        ListedStatus::Booked => "BOOK",
        ListedStatus::Pending => "PDNG",
    };
    let span = match span {
        BankSpan::Longest => ("strategy", "longest".to_owned()),
        BankSpan::From(start) => ("date_from", start.to_string()),
    };
    let next = next.map(|key| ("continuation_key", key.to_owned()));
    let asked = [("transaction_status", status.to_owned()), span];
    asked.into_iter().chain(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(page: &str) -> Option<String> {
        serde_json::from_str::<SentPage>(page).unwrap().next()
    }

    #[test]
    fn a_last_page_has_no_key_a_null_or_an_empty_one() {
        for last in [
            r#"{"transactions":[]}"#,
            r#"{"transactions":[],"continuation_key":null}"#,
            r#"{"transactions":[],"continuation_key":""}"#,
        ] {
            assert_eq!(next(last), None, "{last}");
        }
        let more = r#"{"transactions":[],"continuation_key":"k"}"#;
        assert_eq!(next(more).as_deref(), Some("k"));
    }

    #[test]
    fn an_answer_without_payments_is_no_empty_list() {
        for page in ["{}", "[]", r#"{"transactions":null}"#] {
            assert!(serde_json::from_str::<SentPage>(page).is_err(), "{page}");
        }
    }
}

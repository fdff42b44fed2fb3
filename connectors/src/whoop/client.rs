//! Requests to the interface, and the answers of one page.

use chrono::{DateTime, SecondsFormat, Utc};
use reqwest::header::HeaderMap;
use reqwest::{StatusCode, Url};
use serde::Deserialize;
use serde_json::Value;

use super::allowance::{self, RequestAllowance};
use super::collection::WhoopCollection;
use crate::bearer::BearerClient;
use crate::failure::{FailureKind, RetryAfter, SourceFailure};
use crate::guard::HttpAnswer;

/// Everything lies below it.
const BASE: &str = "https://api.prod.whoop.com/developer/";

/// Asks as one person, as long as the interface allows.
pub(super) struct WhoopClient {
    bearer: BearerClient,
    allowance: RequestAllowance,
}

/// A time that is asked for: from its start, before its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AskedSpan {
    pub(super) start: Option<DateTime<Utc>>,
    pub(super) end: Option<DateTime<Utc>>,
}

/// One page of a list.
#[derive(Debug, Deserialize, PartialEq)]
pub(super) struct WhoopPage {
    /// Newest first. An answer without them is no empty one.
    pub(super) records: Vec<Value>,
    /// What the next page is asked for by. Null, absent and empty all say that there is none.
    #[serde(default)]
    next_token: Option<String>,
}

impl WhoopPage {
    /// What the next page is asked for by; `None` on the last.
    pub(super) fn next_token(&self) -> Option<&str> {
        self.next_token.as_deref().filter(|token| !token.is_empty())
    }
}

impl WhoopClient {
    pub(super) fn new(bearer: BearerClient) -> Self {
        Self {
            bearer,
            allowance: RequestAllowance::default(),
        }
    }

    /// A page of a collection, of at most `limit` records.
    pub(super) async fn list(
        &mut self,
        collection: WhoopCollection,
        span: AskedSpan,
        token: Option<&str>,
        limit: usize,
    ) -> Result<WhoopPage, SourceFailure> {
        self.allowance.spend()?;
        let mut address = address(collection.path())?;
        let start = span.start.map(|start| ("start", written(start)));
        let end = span.end.map(|end| ("end", written(end)));
        let token = token.map(|token| ("nextToken", token.to_owned()));
        let pairs = [Some(("limit", limit.to_string())), start, end, token];
        address
            .query_pairs_mut()
            .extend_pairs(pairs.into_iter().flatten());
        let answer = self.bearer.get(&address, HeaderMap::new()).await?;
        self.allowance = RequestAllowance::of_headers(&answer.headers);
        if answer.status != StatusCode::OK {
            return Err(refusal(&answer));
        }
        serde_json::from_slice(&answer.body).map_err(|_| malformed("a list that cannot be read"))
    }
}

/// What lies at a path of the interface.
pub(super) fn address(path: &str) -> Result<Url, SourceFailure> {
    let base = Url::parse(BASE).and_then(|base| base.join(path));
    base.map_err(|_| SourceFailure::new(FailureKind::ForbiddenAddress, "no address to ask"))
}

/// What an answer without success says; its rate headers say how long to wait where `Retry-After` does not.
pub(super) fn refusal(answer: &HttpAnswer) -> SourceFailure {
    let failure = answer.failure();
    let told = allowance::wait(&answer.headers).map(RetryAfter::Wait);
    let is_limited = failure.kind == FailureKind::RateLimited;
    let retry_after = failure.retry_after.or(told.filter(|_| is_limited));
    SourceFailure {
        retry_after,
        ..failure
    }
}

pub(super) fn malformed(what: &str) -> SourceFailure {
    let message = format!("the source sent {what}");
    SourceFailure::new(FailureKind::Malformed, message)
}

fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(page: &str) -> Option<String> {
        let page: WhoopPage = serde_json::from_str(page).unwrap();
        page.next_token().map(str::to_owned)
    }

    #[test]
    fn a_last_page_has_no_token_a_null_or_an_empty_one() {
        for last in [
            r#"{"records":[]}"#,
            r#"{"records":[],"next_token":null}"#,
            r#"{"records":[],"next_token":""}"#,
        ] {
            assert_eq!(token(last), None, "{last}");
        }
        let more = r#"{"records":[],"next_token":"MTIzOjEyMzEyMw"}"#;
        assert_eq!(token(more).as_deref(), Some("MTIzOjEyMzEyMw"));
    }

    #[test]
    fn an_answer_without_records_is_no_empty_list() {
        for page in [
            "{}",
            "[]",
            r#"{"records":null}"#,
            r#"{"records":[],"next_token":7}"#,
        ] {
            assert!(serde_json::from_str::<WhoopPage>(page).is_err(), "{page}");
        }
    }
}

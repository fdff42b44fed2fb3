//! Requests to a bridge. Each is for all banks, and counted before it is sent.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use reqwest::Method;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue};

use super::access::SimpleFinAccess;
use super::answer::BankAnswer;
use super::spans::BackSpan;
use crate::basic::basic_authorization;
use crate::failure::{FailureKind, RetryAfter, SourceFailure};
use crate::guard::{HttpAnswer, HttpGuard, HttpRequest};
use crate::limits::{SIMPLEFIN_ANSWER_BYTES_MAX, SIMPLEFIN_LAPSED_REST};
use crate::request_ledger::SharedLedger;
use crate::secret::SourceSecret;

/// What the requests of a sign-in are counted under.
const COUNTED_AS: &str = "";

/// Asks with one access.
#[derive(Clone)]
pub(super) struct SimpleFinClient {
    http: HttpGuard,
    access: SimpleFinAccess,
    ledger: SharedLedger,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BridgeQuestion {
    /// Accounts and balances alone.
    Balances,
    /// Payments from then on, and those that are pending.
    Recent { start: DateTime<Utc> },
    /// Booked payments from the first instant on, before the second.
    Back(BackSpan),
}

impl SimpleFinClient {
    pub(super) const fn new(
        http: HttpGuard,
        access: SimpleFinAccess,
        ledger: SharedLedger,
    ) -> Self {
        Self {
            http,
            access,
            ledger,
        }
    }

    /// One request, if there are not `a_day` within a day yet.
    pub(super) async fn ask(
        &self,
        asked: BridgeQuestion,
        a_day: u32,
    ) -> Result<BankAnswer, SourceFailure> {
        let mut address = self.access.accounts();
        let seconds = |at: DateTime<Utc>| at.timestamp().to_string();
        let one = || "1".to_owned();
        // Pending payments are told to whoever says the word, with whatever value.
        let pairs = match asked {
            BridgeQuestion::Balances => vec![("balances-only", one())],
            BridgeQuestion::Recent { start } => {
                vec![("start-date", seconds(start)), ("pending", one())]
            }
            BridgeQuestion::Back(span) => vec![
                ("start-date", seconds(span.start)),
                ("end-date", seconds(span.end)),
            ],
        };
        address
            .query_pairs_mut()
            .append_pair("version", "2")
            .extend_pairs(pairs);
        let to = self.http.rule().judge(&address)?;
        let request = HttpRequest {
            method: Method::GET,
            headers: self.headers()?,
            body: Bytes::new(),
            answer_bytes_max: SIMPLEFIN_ANSWER_BYTES_MAX,
        };
        self.ledger.0.take(COUNTED_AS, a_day).await?;
        let answer = self.http.send(&to, &request).await?;
        match answer.status.as_u16() {
            200 => BankAnswer::parse(&answer.body),
            _ => Err(refusal(&answer)),
        }
    }

    fn headers(&self) -> Result<HeaderMap, SourceFailure> {
        let password = SourceSecret::new(self.access.password.as_str());
        let authorization = basic_authorization(&self.access.user, &password)?;
        let json = HeaderValue::from_static("application/json");
        Ok([(AUTHORIZATION, authorization), (ACCEPT, json)]
            .into_iter()
            .collect())
    }
}

/// What an answer without accounts says. A bridge says by 403 that the access is over, and by 402 that nobody pays for it.
fn refusal(answer: &HttpAnswer) -> SourceFailure {
    let failure = answer.failure();
    match answer.status.as_u16() {
        401 | 403 => {
            let message = "the bridge does not take the access any more: it was disabled there, or asked too often. Make a new setup token";
            SourceFailure {
                kind: FailureKind::SignInEnded,
                message: message.to_owned(),
                ..failure
            }
        }
        402 => SourceFailure {
            message: "the subscription at the bridge has lapsed: renew it there".to_owned(),
            retry_after: Some(RetryAfter::Wait(SIMPLEFIN_LAPSED_REST)),
            ..failure
        },
        _ => failure,
    }
}

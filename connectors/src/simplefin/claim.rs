//! A token is claimed once: by the first who asks. What it is given for must be kept before anything else is done.

use bytes::Bytes;
use reqwest::Method;
use reqwest::header::{CONTENT_LENGTH, HeaderValue};

use super::access::SimpleFinAccess;
use super::token::SetupToken;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::{HttpAnswer, HttpGuard, HttpRequest};
use crate::limits::SIMPLEFIN_CLAIM_BYTES_MAX;
use crate::provider::{ExchangeError, FormRefusal};

/// What is said of a token that somebody has claimed.
const CLAIMED: &str = "this setup token was claimed before, and gives nothing any more. If it was not you who used it, somebody else may be able \
                       to read your accounts: disable it in your SimpleFIN account. Then make a new one there, and paste that";
/// What is said of one whose claim got no answer.
const UNANSWERED: &str = "the server was asked for the access twice, and its first answer was lost: the setup token is spent. Disable it in \
                          your SimpleFIN account, make a new one there, and paste that";

/// Claims a token, whose field is called `name`.
///
/// # Errors
/// On the field when the token gives nothing any more; else when the server fails. The address is judged before anything is sent.
pub(crate) async fn claim(
    http: &HttpGuard,
    name: &str,
    token: &SetupToken,
) -> Result<SimpleFinAccess, ExchangeError> {
    let (answer, is_second) = ask(http, token).await.map_err(ExchangeError::Source)?;
    match (answer.status.as_u16(), is_second) {
        (200, _) => {
            let text = String::from_utf8_lossy(&answer.body);
            let access = SimpleFinAccess::parse(&text).map_err(ExchangeError::Source)?;
            let judged = http.rule().judge(access.base());
            judged.map_err(ExchangeError::Source)?;
            Ok(access)
        }
        (403, true) => Err(FormRefusal::new(name, UNANSWERED).into()),
        (403, false) => Err(FormRefusal::new(name, CLAIMED).into()),
        (404 | 410, _) => {
            let message =
                "the server knows no such setup token; make a new one in your SimpleFIN account";
            Err(FormRefusal::new(name, message).into())
        }
        _ => Err(ExchangeError::Source(answer.failure())),
    }
}

/// Asks once, and a second time where it is not known whether the first was answered.
async fn ask(http: &HttpGuard, token: &SetupToken) -> Result<(HttpAnswer, bool), SourceFailure> {
    let to = http.rule().judge(&token.claim_at)?;
    let request = HttpRequest {
        method: Method::POST,
        // Some servers want it said that there is no body.
        headers: [(CONTENT_LENGTH, HeaderValue::from_static("0"))]
            .into_iter()
            .collect(),
        body: Bytes::new(),
        answer_bytes_max: SIMPLEFIN_CLAIM_BYTES_MAX,
    };
    match http.send(&to, &request).await {
        Err(failure) if is_lost(&failure) => {
            let answer = http.send(&to, &request).await?;
            Ok((answer, true))
        }
        Ok(answer) => Ok((answer, false)),
        Err(failure) => Err(failure),
    }
}

/// Whether the request may have been answered.
fn is_lost(failure: &SourceFailure) -> bool {
    failure.kind == FailureKind::Unavailable && failure.status.is_none() && !failure.is_unsent
}

//! What an answer without success says (<https://learn.microsoft.com/graph/errors>).

use serde::Deserialize;

use crate::failure::{FailureKind, SourceFailure};
use crate::guard::HttpAnswer;

/// What Graph says of a token that it has forgotten, in lower case. Beside it stands 410.
const LOST: [&str; 6] = [
    "syncstatenotfound",
    "syncstateinvalid",
    "resyncrequired",
    "resyncchangesapplydifferences",
    "resyncchangesuploaddifferences",
    "errorinvalidsyncstatedata",
];

/// That there are too many requests, whatever the status.
const LIMITED: [&str; 3] = [
    "toomanyrequests",
    "activitylimitreached",
    "applicationthrottled",
];

#[derive(Default, Deserialize)]
#[serde(default)]
struct GraphRefusal {
    error: GraphRefusalError,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct GraphRefusalError {
    code: String,
    #[serde(rename = "innerError", alias = "innererror")]
    inner: InnerError,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InnerError {
    code: String,
    #[serde(rename = "request-id")]
    request: String,
}

/// The failure, by its code and the request's id: its sentence may repeat what a person wrote.
pub(super) fn failure_of(answer: &HttpAnswer) -> SourceFailure {
    let refusal: GraphRefusal = serde_json::from_slice(&answer.body).unwrap_or_default();
    let GraphRefusalError { code, inner } = refusal.error;
    let said = [code.as_str(), inner.request.as_str()];
    let said: Vec<_> = said.into_iter().filter(|word| !word.is_empty()).collect();
    let retry_after = answer.failure().retry_after;
    let failure = SourceFailure::of_status(answer.status.as_u16(), retry_after, &said.join(" "));
    let codes = [code, inner.code].map(|code| code.to_ascii_lowercase());
    let is_one_of = |known: &[&str]| codes.iter().any(|code| known.contains(&code.as_str()));
    let kind = match failure.status {
        Some(410) => FailureKind::PositionLost,
        Some(400..=409) if is_one_of(&LOST) => FailureKind::PositionLost,
        Some(400..=599) if is_one_of(&LIMITED) => FailureKind::RateLimited,
        // Graph says 503 and 509 with a time to wait where others say 429.
        Some(503 | 509) if retry_after.is_some() => FailureKind::RateLimited,
        _ => failure.kind,
    };
    SourceFailure { kind, ..failure }
}

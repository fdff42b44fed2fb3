//! What a provider says in place of tokens (RFC 6749 §5.2), and what follows.

use serde::Deserialize;

use super::endpoint::TokenFailure;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::HttpAnswer;

/// Words after which only the person can go on.
const ENDED: [&str; 4] = [
    "invalid_grant",
    "interaction_required",
    "consent_required",
    "login_required",
];
/// The same as codes of Microsoft: expired, inactive, used up, never consented.
const ENDED_CODES: [&str; 4] = ["AADSTS50173", "AADSTS700082", "AADSTS70008", "AADSTS65001"];
/// Words that blame what the operator has registered.
const APP_REFUSED: [&str; 2] = ["invalid_client", "unauthorized_client"];

#[derive(Default, Deserialize)]
struct Refusal {
    #[serde(default)]
    error: String,
    #[serde(default)]
    error_description: String,
}

/// What an answer that issues nothing says.
pub(super) fn of_answer(answer: &HttpAnswer) -> TokenFailure {
    let failure = answer.failure();
    let said: Refusal = serde_json::from_slice(&answer.body).unwrap_or_default();
    let words = format!("{} {}", said.error, said.error_description);
    let told = |kind: FailureKind, message: &str| SourceFailure {
        kind,
        ..SourceFailure::of_status(answer.status.as_u16(), None, "").in_words(message, &words)
    };
    let is_ended = ENDED.contains(&said.error.as_str())
        || ENDED_CODES
            .iter()
            .any(|code| said.error_description.contains(code));
    if is_ended {
        let message = "the provider has ended this sign-in";
        return TokenFailure::Ended(told(FailureKind::SignInEnded, message));
    }
    if APP_REFUSED.contains(&said.error.as_str()) {
        let message = "the provider does not take the client id and secret of your app: check them in Settings, Provider apps";
        return TokenFailure::Passing(told(FailureKind::Rejected, message));
    }
    match failure.kind {
        FailureKind::Unavailable | FailureKind::RateLimited => TokenFailure::Passing(failure),
        // Its answer was a success without a token: what was sent may be spent.
        FailureKind::Malformed => TokenFailure::Unanswered(failure),
        _ => TokenFailure::Opaque(told(
            FailureKind::Rejected,
            "the provider refused to give an access token",
        )),
    }
}

//! What a provider says in place of tokens (RFC 6749 §5.2), and what follows.

use bytes::Bytes;
use serde_json::Value;

use super::token_failure::TokenFailure;
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

/// Fields of a request that are no secrets. What stands in the others is in no message, even where a provider repeats it.
const PUBLIC_FIELDS: [&str; 4] = ["grant_type", "redirect_uri", "client_id", "scope"];
/// What stands in its place.
const TAKEN_OUT: &str = "…";

/// What an answer that issues nothing to a request of these fields says.
pub(super) fn of_answer(answer: &HttpAnswer, sent: &[(&str, &str)]) -> TokenFailure {
    if answer.status.is_success() {
        // What was sent may be spent, and what was issued may stand in the answer, in a form that nobody here reads.
        let message = "the provider answered without an access token";
        return TokenFailure::Unanswered(SourceFailure {
            status: Some(answer.status.as_u16()),
            ..SourceFailure::new(FailureKind::Malformed, message)
        });
    }
    let failure = failure_of(answer, sent);
    let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let word = |name| said.get(name).and_then(Value::as_str).unwrap_or_default();
    let (error, description) = (word("error"), word("error_description"));
    let words = untold(&format!("{error} {description}"), sent);
    let told = |kind: FailureKind, message: &str| SourceFailure {
        kind,
        ..SourceFailure::of_status(answer.status.as_u16(), None, "").in_words(message, &words)
    };
    let is_ended =
        ENDED.contains(&error) || ENDED_CODES.iter().any(|code| description.contains(code));
    if is_ended {
        let message = "the provider has ended this sign-in";
        return TokenFailure::Ended(told(FailureKind::SignInEnded, message));
    }
    if APP_REFUSED.contains(&error) {
        let message = "the provider does not take the client id and secret of your app: check them in Settings, Provider apps";
        return TokenFailure::Passing(told(FailureKind::Rejected, message));
    }
    match failure.kind {
        FailureKind::Unavailable | FailureKind::RateLimited => TokenFailure::Passing(failure),
        FailureKind::Malformed => TokenFailure::Unanswered(failure),
        _ => TokenFailure::Opaque(told(
            FailureKind::Rejected,
            "the provider refused to give an access token",
        )),
    }
}

/// What an answer without success says, without what was sent.
pub(super) fn failure_of(answer: &HttpAnswer, sent: &[(&str, &str)]) -> SourceFailure {
    let said = untold(&String::from_utf8_lossy(&answer.body), sent);
    let answer = HttpAnswer {
        body: Bytes::from(said),
        ..answer.clone()
    };
    answer.failure()
}

/// A text without what was sent in secret, in whatever way it is written there. It is taken out before the text is cut: half of it
/// would be told otherwise.
fn untold(said: &str, sent: &[(&str, &str)]) -> String {
    let is_secret =
        |(name, value): &&(&str, &str)| !PUBLIC_FIELDS.contains(name) && !value.is_empty();
    let secrets = sent.iter().filter(is_secret);
    secrets.fold(said.to_owned(), |said, (_, secret)| {
        let in_form: String = form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let in_json = secret.replace('/', "\\/");
        [secret, &*in_form, &*in_json]
            .iter()
            .fold(said, |said, written| said.replace(written, TAKEN_OUT))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_in_secret_is_taken_out_however_it_is_written() {
        let sent = [
            ("grant_type", "refresh_token"),
            ("refresh_token", "4/a b+c"),
            ("client_secret", ""),
        ];
        assert_eq!(
            untold(r"the refresh_token 4/a b+c, 4%2Fa+b%2Bc, 4\/a b+c", &sent),
            "the refresh_token …, …, …"
        );
    }
}

//! What each error of the interface means, how far it reaches, and what a person should do.

use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::Value;

use crate::failure::{FailureKind, SourceFailure};
use crate::guard::HttpAnswer;

/// An error, taken apart.
#[derive(Debug)]
pub(super) struct BankRefusal {
    pub(super) failure: SourceFailure,
    /// As the interface calls it.
    pub(super) code: Option<String>,
    pub(super) reach: RefusalReach,
    /// From when on the bank would tell.
    pub(super) date_from: Option<NaiveDate>,
}

/// What of a round an error ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusalReach {
    /// All of it.
    Round,
    /// What was asked of one account.
    Account,
    /// The same, and it may go well another time: it says nothing of what was asked.
    Passing,
    /// The bank allows no more for now.
    Spent,
    /// More of the past was asked for than the bank tells.
    Span,
}

/// Errors by their code; the words say what to do.
const TABLE: &[(&[&str], FailureKind, RefusalReach, &str)] = {
    use FailureKind::{
        CredentialRefused, NotFound, RateLimited, Rejected, SignInEnded, Unavailable,
    };
    use RefusalReach::{Account, Passing, Round, Span, Spent};
    &[
        (
            &["EXPIRED_SESSION"],
            SignInEnded,
            Round,
            "the bank's consent has ended: link the bank again",
        ),
        (
            &["REVOKED_SESSION"],
            SignInEnded,
            Round,
            "the bank's consent was withdrawn: link the bank again if it is to be read",
        ),
        (
            &[
                "CLOSED_SESSION",
                "SESSION_DOES_NOT_EXIST",
                "WRONG_SESSION_STATUS",
            ],
            SignInEnded,
            Round,
            "the link to the bank was closed: link the bank again",
        ),
        (
            &["ASPSP_RATE_LIMIT_EXCEEDED"],
            RateLimited,
            Spent,
            "the bank allows no more requests for now; a later round asks again, there is nothing to do",
        ),
        (
            &["ASPSP_ERROR", "ASPSP_TIMEOUT", "WRONG_CONTINUATION_KEY"],
            Unavailable,
            Passing,
            "the bank failed; a later round asks again. If that goes on for days, link the bank again",
        ),
        (
            &[
                "WRONG_TRANSACTIONS_PERIOD",
                "WRONG_DATE_INTERVAL",
                "DATE_FROM_IN_FUTURE",
            ],
            Rejected,
            Span,
            "the bank does not tell as much of the past as was asked for; a later round asks for less",
        ),
        (
            &["ASPSP_PSU_ACTION_REQUIRED"],
            Rejected,
            Account,
            "the bank wants something of you first: sign in at the bank itself and confirm what it asks, then link the bank again if this stays",
        ),
        (
            &["PSU_HEADER_NOT_PROVIDED", "PSU_HEADER_INVALID"],
            Rejected,
            Account,
            "this bank tells only while a person is there, and cannot be read by itself",
        ),
        (
            &[
                "ACCOUNT_DOES_NOT_EXIST",
                "INVALID_ACCOUNT_ID",
                "ASPSP_ACCOUNT_NOT_ACCESSIBLE",
            ],
            NotFound,
            Account,
            "the bank does not give this account any more: link the bank again and tick the account there",
        ),
        (
            &["AUTHORIZATION_NOT_PROVIDED"],
            CredentialRefused,
            Round,
            NOT_TAKEN,
        ),
        (
            &[
                "ACCESS_DENIED",
                "UNAUTHORIZED_ACCESS",
                "UNAUTHORIZED_IP",
                "INVALID_HOST",
            ],
            Rejected,
            Round,
            "Enable Banking does not let the application do this: see in its control panel whether it is active, and what it may do and from where",
        ),
        (
            &["REDIRECT_URI_NOT_ALLOWED"],
            Rejected,
            Round,
            "the application does not have this redirect address: add it in the control panel of Enable Banking",
        ),
        (
            &["WRONG_ASPSP_PROVIDED"],
            NotFound,
            Round,
            "Enable Banking does not have this bank any more: choose it anew from the list",
        ),
        (
            &[
                "EXPIRED_AUTHORIZATION_CODE",
                "WRONG_AUTHORIZATION_CODE",
                "ALREADY_AUTHORIZED",
            ],
            Rejected,
            Round,
            "what the bank's page came back with is used up or too old: begin to link the bank again",
        ),
        (
            &["NO_ACCOUNTS_ADDED"],
            Rejected,
            Round,
            "no account was given: tick accounts on the bank's page, and while the application is restricted, add them to it in the control panel of Enable Banking first",
        ),
    ]
};

const NOT_TAKEN: &str = "Enable Banking does not take the application: its id and its key do not belong together, or it was removed there. Enter the \
                         application again";

/// The body of an error.
#[derive(Default, Deserialize)]
struct SentError {
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    detail: Value,
}

impl BankRefusal {
    /// What an answer without success says. Its code decides, and its status where it has none.
    pub(super) fn of_answer(answer: &HttpAnswer) -> Self {
        let sent: SentError = serde_json::from_slice(&answer.body).unwrap_or_default();
        let failure = answer.failure();
        let code = sent.error.as_deref();
        let row = TABLE
            .iter()
            .find(|(codes, ..)| code.is_some_and(|code| codes.contains(&code)));
        let (kind, reach, words) = match row {
            Some((_, kind, reach, words)) => (*kind, *reach, Some(*words)),
            None => unnamed(&failure),
        };
        let said = sent.message.as_deref().unwrap_or_default();
        let failure = SourceFailure { kind, ..failure };
        Self {
            failure: match words {
                Some(words) => failure.in_words(words, said),
                None => failure,
            },
            code: sent.error.filter(|code| is_word(code)),
            reach,
            date_from: date_in(&sent.detail),
        }
    }

    /// An answer that is none of the interface, about one account.
    pub(super) fn malformed(what: &str) -> Self {
        let message = format!("the source sent {what}");
        Self {
            reach: RefusalReach::Account,
            ..SourceFailure::new(FailureKind::Malformed, message).into()
        }
    }
}

/// Nothing was answered, and nothing else would be.
impl From<SourceFailure> for BankRefusal {
    fn from(failure: SourceFailure) -> Self {
        Self {
            failure,
            code: None,
            reach: RefusalReach::Round,
            date_from: None,
        }
    }
}

impl From<BankRefusal> for SourceFailure {
    fn from(refusal: BankRefusal) -> Self {
        refusal.failure
    }
}

/// What an error without a known code means.
fn unnamed(failure: &SourceFailure) -> (FailureKind, RefusalReach, Option<&'static str>) {
    let reach = match failure.kind {
        FailureKind::Unavailable => RefusalReach::Passing,
        FailureKind::NotFound | FailureKind::Rejected => RefusalReach::Account,
        _ => RefusalReach::Round,
    };
    let is_refused = failure.kind == FailureKind::CredentialRefused;
    (failure.kind, reach, is_refused.then_some(NOT_TAKEN))
}

/// Whether it can be a code: nothing else is kept as one.
fn is_word(code: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_uppercase() || letter == '_';
    code.len() <= 64 && code.chars().all(is_letter)
}

/// The corrected `date_from`, wherever it stands: the interface says no more than that there can be one.
fn date_in(detail: &Value) -> Option<NaiveDate> {
    match detail {
        Value::String(text) => {
            let is_part = |letter: char| letter.is_ascii_digit() || letter == '-';
            let mut words = text.split(|letter| !is_part(letter));
            words.find_map(|word| word.parse().ok())
        }
        Value::Object(parts) => {
            let named = parts.get("date_from").and_then(date_in);
            named.or_else(|| parts.values().find_map(date_in))
        }
        Value::Array(parts) => parts.iter().find_map(date_in),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_corrected_day_is_found_wherever_it_stands() {
        let day = NaiveDate::from_ymd_opt(2026, 8, 29);
        for detail in [
            json!("2026-08-29"),
            json!("date_from must not be before 2026-08-29."),
            json!({"date_to": "2026-11-01", "date_from": "2026-08-29"}),
            json!([{"loc": ["query", "date_from"], "ctx": {"date_from": "2026-08-29"}}]),
        ] {
            assert_eq!(date_in(&detail), day, "{detail}");
        }
        for detail in [json!(null), json!("soon"), json!({"days": 90})] {
            assert_eq!(date_in(&detail), None, "{detail}");
        }
    }
}

//! An error of the interface, taken apart.

mod table;

use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::Value;

pub(super) use self::table::RefusalReach;
use self::table::{NOT_TAKEN, TABLE};
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::HttpAnswer;

/// Why nothing was told.
#[derive(Debug)]
pub(super) struct BankRefusal {
    pub(super) failure: SourceFailure,
    /// As the interface calls it.
    pub(super) code: Option<String>,
    pub(super) reach: RefusalReach,
    /// From when on the bank would tell.
    pub(super) date_from: Option<NaiveDate>,
}

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

    /// An answer that is none of the interface.
    pub(super) fn malformed(what: &str) -> Self {
        let message = format!("the source sent {what}");
        SourceFailure::new(FailureKind::Malformed, message).into()
    }
}

/// Where nothing was answered, nothing else would be; an answer that is none says nothing of others.
impl From<SourceFailure> for BankRefusal {
    fn from(failure: SourceFailure) -> Self {
        let reach = match failure.kind {
            FailureKind::Malformed | FailureKind::TooLarge => RefusalReach::Account,
            _ => RefusalReach::Round,
        };
        Self {
            failure,
            code: None,
            reach,
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

//! The fields of a grant, as they are sent to make or to edit one.

use chrono::{DateTime, TimeDelta, Utc};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::http::problem::Problem;
use crate::http::request::OrNull;

/// The entry that stands for all six sectors (r078).
const ALL_SECTORS: &str = "*";
/// The furthest deadline, in days.
const EXPIRES_IN_DAYS_MAX: i64 = 3650;

/// The names of sectors. Any strings are taken as sent (r062); PostgreSQL alone cannot store U+0000.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
pub(super) struct SectorNames(Vec<String>);

impl SectorNames {
    /// Whether the entry that stands for all sectors is among them.
    pub(super) fn have_all(&self) -> bool {
        self.0.iter().any(|name| name == ALL_SECTORS)
    }

    /// The names as they are stored.
    pub(super) fn into_names(self) -> Vec<String> {
        self.0
    }
}

impl TryFrom<Option<Value>> for SectorNames {
    type Error = &'static str;

    fn try_from(sent: Option<Value>) -> Result<Self, &'static str> {
        let not_an_array = "send sectors as an array of strings";
        let Some(Value::Array(entries)) = sent else {
            return Err(not_an_array);
        };
        let names = entries.into_iter().map(|entry| match entry {
            Value::String(name) if !name.contains('\0') => Ok(name),
            _ => Err(not_an_array),
        });
        names.collect::<Result<_, _>>().map(Self)
    }
}

/// For how many days a key is good.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
pub(super) struct ValidDays(#[schemars(range(min = 1, max = EXPIRES_IN_DAYS_MAX))] i64);

impl TryFrom<Option<Value>> for ValidDays {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        let days = sent.as_ref().and_then(Value::as_i64);
        days.filter(|days| (1..=EXPIRES_IN_DAYS_MAX).contains(days))
            .map(Self)
            .ok_or_else(not_days)
    }
}

/// The deadline that the days make, counted from `now`; null is one that never comes.
///
/// # Errors
/// When it is further away than time can be written.
pub(super) fn deadline(
    days: OrNull<ValidDays>,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, Problem> {
    let Some(ValidDays(days)) = days.value() else {
        return Ok(None);
    };
    let deadline = TimeDelta::try_days(days).and_then(|days| now.checked_add_signed(days));
    match deadline {
        Some(deadline) => Ok(Some(deadline)),
        None => Err(Problem::invalid("expiresInDays", not_days())),
    }
}

fn not_days() -> String {
    format!("send a whole number from 1 to {EXPIRES_IN_DAYS_MAX}, or null for never")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::request::read_text;

    /// As an agent is made.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct NewFields {
        sectors: SectorNames,
        expires_in_days: Option<OrNull<ValidDays>>,
    }

    /// As one is edited.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct EditedFields {
        sectors: Option<SectorNames>,
        expires_in_days: Option<OrNull<ValidDays>>,
    }

    /// Whether both take it; they never differ.
    fn is_taken(body: &str) -> bool {
        let whole = read_text::<NewFields>(body);
        let part = read_text::<EditedFields>(body);
        let whole = whole.map(|sent| (Some(sent.sectors.0), sent.expires_in_days.is_some()));
        let part = part.map(|sent| {
            let names = sent.sectors.map(SectorNames::into_names);
            (names, sent.expires_in_days.is_some())
        });
        assert_eq!(whole, part, "{body}");
        whole.is_ok()
    }

    #[test]
    fn r079_sectors_are_an_array_of_strings() {
        assert!(is_taken(r#"{"sectors":["mail"]}"#));
        for sectors in [
            "null",
            "\"mail\"",
            "{}",
            "[1]",
            "[\"mail\",null]",
            "[[\"mail\"]]",
            "[\"a\\u0000\"]",
        ] {
            assert!(
                !is_taken(&format!(r#"{{"sectors":{sectors}}}"#)),
                "{sectors}"
            );
        }
        assert!(read_text::<NewFields>("{}").is_err());
    }

    #[test]
    fn r063_days_are_whole_from_1_to_3650() {
        let sent = |days: &str| format!(r#"{{"sectors":[],"expiresInDays":{days}}}"#);
        for days in ["1", "90", "3650", "null"] {
            assert!(is_taken(&sent(days)), "{days}");
        }
        for days in [
            "0",
            "-1",
            "3651",
            "1.5",
            "\"90\"",
            "true",
            "[]",
            "1e2",
            "99999999999999999999",
        ] {
            assert!(!is_taken(&sent(days)), "{days}");
        }
    }

    #[test]
    fn a_deadline_is_so_many_days_from_now() {
        let now = DateTime::UNIX_EPOCH;
        assert_eq!(deadline(OrNull::Null, now), Ok(None));
        assert_eq!(
            deadline(OrNull::Value(ValidDays(2)), now),
            Ok(Some(now + TimeDelta::days(2)))
        );
    }
}

//! Instants as a home writes them: text of RFC 3339 with microseconds, or seconds as a float. Both name the same microsecond, so
//! that what is read in both ways has one key.

use chrono::{DateTime, Utc};
use serde_json::Value;

/// An instant in either form, to the microsecond.
pub(super) fn read(value: &Value) -> Option<DateTime<Utc>> {
    match value {
        Value::String(text) => {
            let read = DateTime::parse_from_rfc3339(text).ok()?;
            DateTime::from_timestamp_micros(read.timestamp_micros())
        }
        Value::Number(seconds) => of_seconds(seconds.as_f64()?),
        _ => None,
    }
}

/// How an instant is written in a record.
pub(super) fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::Micros, true)
}

/// A double has 53 bits: today's seconds leave it a quarter of a microsecond, which the rounding takes away.
#[expect(
    clippy::cast_possible_truncation,
    reason = "what is out of range becomes an instant out of range, which is none"
)]
fn of_seconds(seconds: f64) -> Option<DateTime<Utc>> {
    let micros = (seconds * 1e6).round();
    let is_instant = micros.is_finite() && micros.abs() < 1e18;
    is_instant.then(|| DateTime::from_timestamp_micros(micros as i64))?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_no_instant_is_none() {
        for value in [json!("soon"), json!(1e300), json!(null), json!([1])] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn seconds_and_text_name_the_same_microsecond(micros in 0i64..4_000_000_000_000_000) {
            let at = DateTime::from_timestamp_micros(micros).unwrap();
            // As Python's `datetime.timestamp()` divides.
            #[expect(clippy::cast_precision_loss, reason = "the loss is what is tested")]
            let seconds = micros as f64 / 1e6;
            prop_assert_eq!(read(&json!(seconds)), Some(at));
            prop_assert_eq!(read(&json!(written(at))), Some(at));
        }
    }
}

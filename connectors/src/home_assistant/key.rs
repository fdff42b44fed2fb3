//! The keys by which rows are known again.

use chrono::{DateTime, Utc};

use crate::digest_key::within_limit;

/// One state of an entity: a second report of the same millisecond is the same row.
pub(super) fn of_history(entity_key: &str, changed_at: DateTime<Utc>) -> String {
    within_limit(format!("{entity_key}:{}", changed_at.timestamp_millis()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_known_by_its_millisecond() {
        let at = DateTime::from_timestamp_micros(1_700_000_000_123_999).unwrap();
        assert_eq!(of_history("ab12", at), "ab12:1700000000123");
    }
}

//! What a collection goes on from.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::limits::{WHOOP_REREAD, WHOOP_STEP};

/// As it is stored with a page. Nothing in it: everything is to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct WhoopPosition {
    /// When the last reading anew began that came to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) read_at: Option<DateTime<Utc>>,
    /// From here to `read_at` everything has been read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<DateTime<Utc>>,
    /// Before `from` the source has nothing.
    pub(super) is_whole: bool,
}

impl WhoopPosition {
    /// Reads what was stored; what means nothing here is a beginning. So is a position so old that a reading anew would leave a gap
    /// behind it, or be longer than a step.
    pub(super) fn parse(stored: Option<&Value>, now: DateTime<Utc>) -> Self {
        let parsed = stored.map(|stored| serde_json::from_value(stored.clone()));
        let position: Self = parsed.and_then(Result::ok).unwrap_or_default();
        let age = position.read_at.map(|read_at| now - read_at);
        match age.is_some_and(|age| age + WHOOP_REREAD <= WHOOP_STEP) {
            true => position,
            false => Self::default(),
        }
    }

    /// From when on a round judges what is gone.
    pub(super) fn judged_from(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let read_at = self.read_at.map_or(now, |read_at| read_at.min(now));
        read_at - WHOOP_REREAD
    }

    /// After a reading anew of what lies from `start` on.
    pub(super) fn reread(&self, start: DateTime<Utc>, now: DateTime<Utc>) -> Self {
        Self {
            read_at: Some(now),
            from: Some(self.from.map_or(start, |from| from.min(start))),
            is_whole: self.is_whole,
        }
    }

    /// Where a step back would end; `None` when everything in the window has been read, or nothing has been read anew yet.
    pub(super) fn unread_before(&self, since: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
        // Nobody wore one before that, whatever a record says.
        let is_left = |from: &DateTime<Utc>| !self.is_whole && *from > DateTime::UNIX_EPOCH;
        let from = self.from.filter(is_left)?;
        since.is_none_or(|since| since < from).then_some(from)
    }

    /// After everything before `from` was found to be nothing.
    pub(super) fn back_to_the_beginning(&self, from: DateTime<Utc>) -> Self {
        Self {
            is_whole: true,
            ..self.back_to(from)
        }
    }

    /// After a step back to `from`.
    pub(super) fn back_to(&self, from: DateTime<Utc>) -> Self {
        Self {
            from: Some(from),
            ..self.clone()
        }
    }

    /// As it is stored.
    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_else(|_| json!({}))
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn day(number: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(number)
    }

    #[test]
    fn a_position_survives_being_stored_and_nonsense_is_a_beginning() {
        let position = WhoopPosition::default().reread(day(992), day(1000));
        let stored = position.to_value();
        assert_eq!(WhoopPosition::parse(Some(&stored), day(1010)), position);
        for nonsense in [json!({}), json!({"read_at": 7}), json!([]), json!(null)] {
            let parsed = WhoopPosition::parse(Some(&nonsense), day(1010));
            assert_eq!(parsed, WhoopPosition::default(), "{nonsense}");
        }
    }

    #[test]
    fn a_gap_that_a_reading_anew_would_leave_begins_everything_anew() {
        let whole = WhoopPosition {
            is_whole: true,
            ..WhoopPosition::default().reread(day(992), day(1000))
        };
        let stored = whole.to_value();
        assert_eq!(WhoopPosition::parse(Some(&stored), day(1023)), whole);
        let later = WhoopPosition::parse(Some(&stored), day(1024));
        assert_eq!(later, WhoopPosition::default());
        // What was pending when it was last read is read anew, however long ago that was.
        assert_eq!(whole.judged_from(day(1023)), day(993));
        assert_eq!(whole.judged_from(day(999)), day(992), "a clock set back");
    }

    #[test]
    fn steps_back_end_at_the_window_or_where_the_source_begins() {
        let position = WhoopPosition::default();
        assert_eq!(position.unread_before(None), None);
        let position = position.reread(day(992), day(1000));
        assert_eq!(position.unread_before(None), Some(day(992)));
        assert_eq!(position.unread_before(Some(day(991))), Some(day(992)));
        assert_eq!(position.unread_before(Some(day(992))), None);
        let position = position.back_to(day(962));
        assert_eq!(position.unread_before(None), Some(day(962)));
        // Another reading anew does not lose the steps that were made.
        let position = position.reread(day(993), day(1001));
        assert_eq!(position.unread_before(None), Some(day(962)));
        let whole = WhoopPosition {
            is_whole: true,
            ..position
        };
        assert_eq!(whole.unread_before(None), None);
    }
}

//! Which events are wanted: those that are not over before the window. A series goes on, as far as can be told here, and contacts have no
//! time: they are always wanted.
//!
//! What is left out is an item without rows, whose version tells when it was over: a wider window fetches it, and no other round does so
//! anew. What has rows is never left out, so that a narrower window deletes nothing.

use chrono::{DateTime, Days, NaiveDate, Utc};
use serde_json::Value;

use super::kind::DavKind;
use crate::round::SourceRecord;

/// What the version of an item that was left out begins with. ETags are quoted (RFC 9110 §8.8.3).
const LEFT_OUT: &str = "over ";

/// How far back a round looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DavWindow(Option<DateTime<Utc>>);

impl DavWindow {
    pub(super) fn new(kind: DavKind, since: Option<DateTime<Utc>>) -> Self {
        Self(since.filter(|_| matches!(kind, DavKind::Calendar)))
    }

    /// Its beginning; `None` for everything.
    pub(super) const fn since(self) -> Option<DateTime<Utc>> {
        self.0
    }

    /// Whether it reaches further back than what was read with another.
    pub(super) fn is_wider_than(self, read_since: Option<DateTime<Utc>>) -> bool {
        read_since.is_some_and(|read| self.0.is_none_or(|since| since < read))
    }

    /// Whether what is stored is what the server has, as far as it is wanted.
    pub(super) fn is_current(self, stored: &str, etag: &str) -> bool {
        match left_out(stored) {
            Some((over_on, left)) => left == etag && self.is_after(over_on),
            None => stored == etag,
        }
    }

    /// The version and the rows of a resource, of which another version is stored or none.
    pub(super) fn admit(
        self,
        stored: Option<&String>,
        version: String,
        records: Vec<SourceRecord>,
    ) -> (String, Vec<SourceRecord>) {
        let has_rows = stored.is_some_and(|stored| left_out(stored).is_none());
        let over_on = over_on(&records).filter(|day| !has_rows && self.is_after(*day));
        match over_on {
            Some(day) => (format!("{LEFT_OUT}{day} {version}"), Vec::new()),
            None => (version, records),
        }
    }

    fn is_after(self, day: NaiveDate) -> bool {
        self.0.is_some_and(|since| since.date_naive() > day)
    }
}

/// When it was over, and the server's version, of a version that says so.
fn left_out(version: &str) -> Option<(NaiveDate, &str)> {
    let (day, etag) = version.strip_prefix(LEFT_OUT)?.split_once(' ')?;
    Some((day.parse().ok()?, etag))
}

/// The day on which all of it is over, whatever its zone; `None` if it goes on, or tells no time.
fn over_on(records: &[SourceRecord]) -> Option<NaiveDate> {
    let ends = records.iter().map(ends_on);
    let ends: Option<Vec<NaiveDate>> = ends.collect();
    ends?.into_iter().max()
}

fn ends_on(record: &SourceRecord) -> Option<NaiveDate> {
    let fields = &record.fields;
    if fields.contains_key("rrule") {
        return None;
    }
    let ends = ["end_at", "end_date", "start_at", "start_date"].into_iter();
    let mut ends = ends.filter_map(|name| fields.get(name).and_then(Value::as_str));
    // Its day in its own zone, and one more.
    let day: NaiveDate = ends.next()?.get(..10)?.parse().ok()?;
    day.checked_add_days(Days::new(1))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn window(since: Option<&str>) -> DavWindow {
        DavWindow::new(DavKind::Calendar, since.map(|since| since.parse().unwrap()))
    }

    fn record(fields: Value) -> SourceRecord {
        SourceRecord {
            target: "calendar.series",
            source_id: "/a.ics".to_owned(),
            fields: fields.as_object().unwrap().clone(),
        }
    }

    fn admitted(window: DavWindow, stored: Option<&str>, fields: Value) -> String {
        let stored = stored.map(str::to_owned);
        let (version, records) =
            window.admit(stored.as_ref(), "\"1\"".to_owned(), vec![record(fields)]);
        assert_eq!(records.is_empty(), version.starts_with(LEFT_OUT));
        version
    }

    #[test]
    fn what_is_over_is_left_out_unless_it_has_rows() {
        let year = window(Some("2026-01-01T12:00:00Z"));
        let old = json!({"start_at": "2015-03-02T09:00:00Z", "end_at": "2015-03-02T10:00:00Z"});
        let left = "over 2015-03-03 \"1\"";
        assert_eq!(admitted(year, None, old.clone()), left);
        assert_eq!(admitted(year, Some(left), old.clone()), left);
        assert_eq!(admitted(year, Some("\"0\""), old.clone()), "\"1\"");
        assert_eq!(admitted(window(None), None, old), "\"1\"");
        for wanted in [
            json!({"start_at": "2015-03-02T09:00:00Z", "rrule": ["RRULE:FREQ=WEEKLY"]}),
            json!({"start_date": "2025-12-31", "end_date": "2026-01-01"}),
            json!({"start_at": "2025-12-31T23:30:00"}),
            json!({"title": "without a time"}),
        ] {
            assert_eq!(admitted(year, None, wanted.clone()), "\"1\"", "{wanted}");
        }
        let contacts = DavWindow::new(DavKind::Contacts, year.since());
        assert_eq!(contacts.since(), None);
    }

    #[test]
    fn what_was_left_out_is_current_until_the_window_reaches_it() {
        let left = "over 2015-03-03 \"1\"";
        let year = window(Some("2026-01-01T12:00:00Z"));
        assert!(year.is_current(left, "\"1\""));
        assert!(!year.is_current(left, "\"2\""));
        assert!(!window(Some("2015-03-03T00:00:00Z")).is_current(left, "\"1\""));
        assert!(!window(None).is_current(left, "\"1\""));
        assert!(year.is_current("\"1\"", "\"1\""));
        let read = year.since();
        assert!(window(None).is_wider_than(read));
        assert!(window(Some("2025-01-01T00:00:00Z")).is_wider_than(read));
        assert!(!window(Some("2026-02-01T00:00:00Z")).is_wider_than(read));
        assert!(!year.is_wider_than(None), "everything was read");
    }
}

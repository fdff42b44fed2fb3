//! A page of the record and the places its neighbours begin at.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use super::cursor;
use super::request::{PageRequest, Start};
use crate::http::schema::{any, list, object, one_of, or_null, sector, stamp, text};
use crate::store::audit_read::{AuditRow, Position, ScanEnd, ScanResult};

/// One page, the newest row first.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    rows: Vec<AuditRow>,
    /// For `before`: where older rows begin, or null when there are none.
    next: Option<String>,
    /// For `after`: where newer rows begin, or null when none are known.
    prev: Option<String>,
    /// How far back the rows were judged when the time for it ran out; `next` goes on there.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_back_to: Option<DateTime<Utc>>,
    /// The same for a page of newer rows; `prev` goes on there.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_up_to: Option<DateTime<Utc>>,
}

/// The JSON Schema of a page.
pub(super) fn schema() -> Value {
    object([
        ("rows", list(row_schema())),
        ("next", or_null(text())),
        ("prev", or_null(text())),
        ("searched_back_to?", stamp()),
        ("searched_up_to?", stamp()),
    ])
}

/// The JSON Schema of a row.
pub(super) fn row_schema() -> Value {
    object([
        ("id", text()),
        ("agent_id", or_null(text())),
        ("tool", text()),
        ("sector", or_null(sector())),
        ("decision", one_of(&["allow", "deny"])),
        ("deny_reason", or_null(text())),
        ("args", any()),
        (
            "result_count",
            or_null(serde_json::json!({ "type": "integer" })),
        ),
        ("outcome", or_null(one_of(&["ok", "error"]))),
        ("request_id", or_null(text())),
        ("created_at", stamp()),
    ])
}

impl Page {
    /// Makes the page of what was found; one row more than asked for means that there are further ones.
    pub(super) fn of(asked: &PageRequest, found: ScanResult) -> Self {
        match asked.start {
            Start::Newest => Self::older(asked.limit, None, found),
            Start::Before(place) => Self::older(asked.limit, Some(place), found),
            Start::After(place) => Self::newer(asked.limit, place, found),
        }
    }

    fn older(limit: usize, begun_at: Option<Position>, found: ScanResult) -> Self {
        let spent = found.spent_at();
        let (rows, further) = cut(limit, found);
        let newest = rows.first().map(AuditRow::position);
        let prev = begun_at.map(|place| newest.unwrap_or(place.just_older()));
        Self {
            next: further.map(cursor::encode),
            prev: prev.map(cursor::encode),
            searched_back_to: spent.map(|place| place.created_at),
            searched_up_to: None,
            rows,
        }
    }

    fn newer(limit: usize, begun_at: Position, found: ScanResult) -> Self {
        let spent = found.spent_at();
        let (mut rows, further) = cut(limit, found);
        let oldest = rows.first().map(AuditRow::position);
        rows.reverse();
        Self {
            next: Some(cursor::encode(oldest.unwrap_or(begun_at.just_newer()))),
            prev: further.map(cursor::encode),
            searched_back_to: None,
            searched_up_to: spent.map(|place| place.created_at),
            rows,
        }
    }
}

/// The rows to show, and where to go on in the same direction.
fn cut(limit: usize, found: ScanResult) -> (Vec<AuditRow>, Option<Position>) {
    let spent = found.spent_at();
    let mut rows = found.rows;
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().map(AuditRow::position);
    (rows, if has_more { last } else { spent })
}

impl ScanResult {
    fn spent_at(&self) -> Option<Position> {
        match self.end {
            ScanEnd::Spent(place) => Some(place),
            ScanEnd::Exhausted | ScanEnd::Full => None,
        }
    }
}

//! A page of the audit log, and where the pages before and after it begin.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use super::cursor;
use super::page_request::PageStart;
use super::row_view::RowView;
use crate::store::audit_read::{AuditRow, Position, ScanEnd, ScanResult};

/// One page, the newest row first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AuditPage {
    rows: Vec<RowView>,
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

impl AuditPage {
    /// The page of a scan; one row more than asked for means that there are further ones.
    pub(super) fn of(start: PageStart, rows_max: usize, found: ScanResult) -> Self {
        match start {
            PageStart::Newest => Self::older(rows_max, None, found),
            PageStart::Before(place) => Self::older(rows_max, Some(place), found),
            PageStart::After(place) => Self::newer(rows_max, place, found),
        }
    }

    fn older(rows_max: usize, begun_at: Option<Position>, found: ScanResult) -> Self {
        let spent = found.spent_at();
        let (rows, further) = cut(rows_max, found);
        let newest = rows.first().map(AuditRow::position);
        let prev = begun_at.map(|place| newest.unwrap_or(place.just_older()));
        Self {
            next: further.map(cursor::encode),
            prev: prev.map(cursor::encode),
            searched_back_to: spent.map(|place| place.created_at),
            searched_up_to: None,
            rows: rows.into_iter().map(RowView::from).collect(),
        }
    }

    fn newer(rows_max: usize, begun_at: Position, found: ScanResult) -> Self {
        let spent = found.spent_at();
        let (mut rows, further) = cut(rows_max, found);
        let oldest = rows.first().map(AuditRow::position);
        rows.reverse();
        Self {
            next: Some(cursor::encode(oldest.unwrap_or(begun_at.just_newer()))),
            prev: further.map(cursor::encode),
            searched_back_to: None,
            searched_up_to: spent.map(|place| place.created_at),
            rows: rows.into_iter().map(RowView::from).collect(),
        }
    }
}

/// The rows to show, and where to go on in the same direction.
fn cut(rows_max: usize, found: ScanResult) -> (Vec<AuditRow>, Option<Position>) {
    let spent = found.spent_at();
    let mut rows = found.rows;
    let has_more = rows.len() > rows_max;
    rows.truncate(rows_max);
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

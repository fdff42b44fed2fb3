//! The rows of a statement of groups, read.

use chrono::{DateTime, SecondsFormat};
use chrono_tz::Tz;
use serde_json::Value;
use tokio_postgres::Row;

use super::{Found, Page, ReadError};
use crate::query::check::{Bucket, Grouped, Key};
use crate::query::moment::Moment;
use crate::query::{cell, sources};

/// The answers of sources and groups, in this order.
pub(super) fn page(grouped: &Grouped, answers: &[Vec<Row>]) -> Result<Page, ReadError> {
    let answer = |place: usize| answers.get(place).map_or(&[][..], Vec::as_slice);
    let groups = answer(1);
    let mut rows = groups
        .iter()
        .map(|row| found(row, grouped))
        .collect::<Result<Vec<_>, _>>()?;
    // Behind keys and measures: the rows of the group, and the number of all groups.
    let behind = grouped.keys.len() + grouped.measures.len();
    let counted = |row: &Row, place: usize| row.try_get::<_, i64>(place);
    let total = groups.first().map(|row| counted(row, behind + 1));
    let mut matched_rows = 0;
    for row in groups {
        matched_rows += counted(row, behind)?;
    }
    let has_more = rows.len() > grouped.limit;
    rows.truncate(grouped.limit);
    Ok(Page {
        rows,
        has_more,
        matched: Some(total.transpose()?.unwrap_or(0)),
        is_empty: matched_rows == 0,
        has_rows: matched_rows > 0,
        moment: Moment::default(),
        sources: sources::read(answer(0))?,
    })
}

fn found(row: &Row, grouped: &Grouped) -> Result<Found, tokio_postgres::Error> {
    let mut cells = Vec::with_capacity(row.len());
    for (place, key) in grouped.keys.iter().enumerate() {
        let value = cell::read(row, place, key.kind())?;
        cells.push(local(value, key, grouped.time.zone));
    }
    for (place, measure) in grouped.measures.iter().enumerate() {
        let value = cell::read(row, grouped.keys.len() + place, measure.kind())?;
        cells.push(value);
    }
    Ok(Found {
        cells,
        keys: Vec::new(),
        gone: None,
    })
}

/// An hour is one of the operator's day, so it bears the operator's offset.
fn local(value: Value, key: &Key, zone: Tz) -> Value {
    let Some(stamp) = value.as_str().filter(|_| key.bucket == Some(Bucket::Hour)) else {
        return value;
    };
    DateTime::parse_from_rfc3339(stamp).map_or(value.clone(), |hour| {
        let hour = hour.with_timezone(&zone);
        hour.to_rfc3339_opts(SecondsFormat::Secs, false).into()
    })
}

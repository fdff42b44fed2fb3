//! Reads the rows of a statement for groups.

use chrono::{DateTime, FixedOffset, SecondsFormat};
use serde_json::Value;
use tokio_postgres::Row;

use crate::query::check::GroupQuery;
use crate::query::page::{PageRow, ResultPage};
use crate::query::readers::ReadError;
use crate::query::{cell, provenance};

/// The answers of standing and groups, in this order.
pub(super) fn page(grouped: &GroupQuery, answers: &[Vec<Row>]) -> Result<ResultPage, ReadError> {
    let answer = |place: usize| answers.get(place).map_or(&[][..], Vec::as_slice);
    let groups = answer(1);
    let mut rows = groups
        .iter()
        .map(|row| page_row(row, grouped))
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
    Ok(ResultPage {
        rows,
        has_more,
        matched: Some(total.transpose()?.unwrap_or(0)),
        is_empty: matched_rows == 0,
        has_rows: matched_rows > 0,
        provenance: provenance::read(answer(0))?,
        kinds: Vec::new(),
    })
}

fn page_row(row: &Row, grouped: &GroupQuery) -> Result<PageRow, tokio_postgres::Error> {
    let mut cells = Vec::with_capacity(row.len());
    // Behind keys, measures and the two counts.
    let mut offset_place = grouped.keys.len() + grouped.measures.len() + 2;
    for (place, key) in grouped.keys.iter().enumerate() {
        let value = cell::read(row, place, key.kind())?;
        if key.is_hour() {
            cells.push(local(value, row.try_get(offset_place)?));
            offset_place += 1;
        } else {
            cells.push(value);
        }
    }
    for (place, measure) in grouped.measures.iter().enumerate() {
        let value = cell::read(row, grouped.keys.len() + place, measure.kind())?;
        cells.push(value);
    }
    Ok(PageRow {
        cells,
        keys: Vec::new(),
        deleted_id: None,
    })
}

/// An hour of the operator's local time, so written with the UTC offset that was in force then.
fn local(value: Value, offset_seconds: Option<i32>) -> Value {
    let hour = value
        .as_str()
        .and_then(|stamp| DateTime::parse_from_rfc3339(stamp).ok());
    let offset = offset_seconds.and_then(FixedOffset::east_opt);
    match hour.zip(offset) {
        Some((hour, offset)) => {
            let hour = hour.with_timezone(&offset);
            hour.to_rfc3339_opts(SecondsFormat::Secs, false).into()
        }
        None => value,
    }
}

//! The rows of a statement of groups, read.

use chrono::{DateTime, FixedOffset, SecondsFormat};
use serde_json::Value;
use tokio_postgres::Row;

use crate::db::{Cells, StoreError};
use crate::query::check::{Grouped, Key, Measure};
use crate::query::page::{Found, Page};
use crate::query::readers::ReadError;
use crate::query::{cell, standing};

/// The answers of standing and groups.
pub(super) fn page(grouped: &Grouped, standing: &[Row], groups: &[Row]) -> Result<Page, ReadError> {
    let groups = groups
        .iter()
        .map(|row| Group::read(row, grouped))
        .collect::<Result<Vec<_>, _>>()?;
    // Where there is no group, no row tells their number.
    let total = groups.first().map_or(0, |group| group.of_all);
    let matched_rows: i64 = groups.iter().map(|group| group.rows).sum();
    let mut rows: Vec<Found> = groups.into_iter().map(|group| group.found).collect();
    let has_more = rows.len() > grouped.limit;
    rows.truncate(grouped.limit);
    Ok(Page {
        rows,
        has_more,
        matched: Some(total),
        is_empty: matched_rows == 0,
        has_rows: matched_rows > 0,
        standing: standing::read(standing)?,
        kinds: Vec::new(),
    })
}

/// One row of the statement.
struct Group {
    found: Found,
    /// Rows in it.
    rows: i64,
    /// How many groups there are.
    of_all: i64,
}

impl Group {
    /// Keys, measures, both numbers, and of each key that is an hour the offset.
    fn read(row: &Row, grouped: &Grouped) -> Result<Self, StoreError> {
        let mut cells = Cells::of(row);
        let kinds = grouped.keys.iter().map(Key::kind);
        let kinds = kinds.chain(grouped.measures.iter().map(Measure::kind));
        let mut values = kinds
            .map(|kind| cell::read(&mut cells, kind))
            .collect::<Result<Vec<_>, _>>()?;
        let (rows, of_all) = (cells.take()?, cells.take()?);
        for (key, value) in grouped.keys.iter().zip(&mut values) {
            if key.is_hour() {
                *value = local(value, cells.take()?)?;
            }
        }
        cells.end()?;
        let found = Found {
            cells: values,
            keys: Vec::new(),
            gone: None,
        };
        Ok(Self {
            found,
            rows,
            of_all,
        })
    }
}

/// An hour is one of the operator's day, so it bears the offset that was in force then.
fn local(hour: &Value, offset_seconds: Option<i32>) -> Result<Value, StoreError> {
    if hour.is_null() {
        return Ok(Value::Null);
    }
    let instant = hour.as_str().map(DateTime::parse_from_rfc3339);
    let offset = offset_seconds.and_then(FixedOffset::east_opt);
    let (Some(Ok(instant)), Some(offset)) = (instant, offset) else {
        return Err(StoreError::Fault {
            cause: "an hour without its offset".to_owned(),
        });
    };
    let instant = instant.with_timezone(&offset);
    Ok(instant.to_rfc3339_opts(SecondsFormat::Secs, false).into())
}

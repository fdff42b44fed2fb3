//! Reads the rows of a statement for groups.

use std::borrow::Cow;

use chrono::{FixedOffset, SecondsFormat};
use tokio_postgres::Row;

use crate::db::{Cells, StoreError};
use crate::query::cell::{self, CellValue};
use crate::query::check::{GroupKey, GroupQuery, Measure};
use crate::query::page::{PageRow, ResultPage};
use crate::query::provenance;
use crate::query::readers::ReadError;
use crate::query::watermark::WATERMARK_COLUMNS;

/// The page of the statement's rows, without its sources.
pub(super) fn page(grouped: &GroupQuery, groups: &[Row]) -> Result<ResultPage, ReadError> {
    let provenance = provenance::of_rows(groups)?;
    let groups = groups
        .iter()
        .map(|row| GroupRow::read(row, grouped))
        .collect::<Result<Vec<_>, _>>()?;
    // Each row holds the number of all groups, so without a row it is 0.
    let total = groups.first().map_or(0, |group| group.total);
    let matched_rows: i64 = groups.iter().map(|group| group.rows).sum();
    let mut rows: Vec<PageRow> = groups.into_iter().map(|group| group.row).collect();
    let has_more = rows.len() > grouped.limit;
    rows.truncate(grouped.limit);
    Ok(ResultPage {
        rows,
        has_more,
        matched: Some(total),
        is_empty: matched_rows == 0,
        has_rows: matched_rows > 0,
        provenance,
        kinds: Vec::new(),
    })
}

/// One row of the statement.
struct GroupRow {
    row: PageRow,
    /// The number of rows in the group.
    rows: i64,
    /// The number of all groups.
    total: i64,
}

impl GroupRow {
    /// Reads a row of `compile::groups` after its watermark: keys, measures, both numbers, and for each key that is an hour its UTC offset.
    fn read(row: &Row, grouped: &GroupQuery) -> Result<Self, StoreError> {
        let mut cells = Cells::of("groups", row);
        cells.skip(WATERMARK_COLUMNS);
        let kinds = grouped.keys.iter().map(GroupKey::kind);
        let kinds = kinds.chain(grouped.measures.iter().map(Measure::kind));
        let mut values = kinds
            .map(|kind| Ok(cells.take_raw(&cell::sql_type(kind))?.map(Cow::Borrowed)))
            .collect::<Result<Vec<_>, StoreError>>()?;
        let (rows, total) = (cells.take()?, cells.take()?);
        for (key, value) in grouped.keys.iter().zip(&mut values) {
            if key.is_hour() {
                let hour = CellValue::read(value.as_deref(), key.kind())?;
                *value = local(hour, cells.take()?)?.map(|text| Cow::Owned(text.into_bytes()));
            }
        }
        cells.end()?;
        let page_row = PageRow {
            cells: values.iter().map(Option::as_deref).collect(),
            deleted_id: None,
        };
        Ok(Self {
            row: page_row,
            rows,
            total,
        })
    }
}

/// An hour of the operator's local time, so written with the UTC offset that was in force then.
fn local(hour: CellValue<'_>, offset_seconds: Option<i32>) -> Result<Option<String>, StoreError> {
    let offset = offset_seconds.and_then(FixedOffset::east_opt);
    match (hour, offset) {
        (CellValue::Null, _) => Ok(None),
        (CellValue::Time(instant), Some(offset)) => {
            let instant = instant.with_timezone(&offset);
            Ok(Some(instant.to_rfc3339_opts(SecondsFormat::Secs, false)))
        }
        _ => Err(StoreError::Fault {
            cause: "an hour without its offset".to_owned(),
        }),
    }
}

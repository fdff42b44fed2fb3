//! Reads how much data tables have, and which values occur in their fields of few values.

use serde_json::Value;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::catalog::{Field, Kind, Table};
use crate::db::{Cells, StoreError, columns, only};
use crate::query::cell::{self, CellValue};
use crate::query::column;
use crate::query::page::FieldValues;
use crate::query::readers::{CallReader, ReadError, SnapshotMode, missing_answer};
use crate::query::{compile, text};

/// How much data a table has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Coverage {
    /// The number of rows.
    pub rows: i64,
    /// The first and last value of `column::main_time`.
    pub span: Option<(Value, Value)>,
    /// The table's fields of few values (`is_kind`), with the values that occur in them.
    pub kinds: Vec<FieldValues>,
}

/// Reads the coverage of each table, in the order of `tables`.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn coverage(
    reader: &mut CallReader,
    user: Uuid,
    tables: &[&'static Table],
) -> Result<Vec<Coverage>, ReadError> {
    let of_table = |table: &&'static Table| {
        let kinds = kinds(table);
        let values = (!kinds.is_empty()).then(|| compile::values(user, table, &kinds));
        [compile::coverage(user, table)].into_iter().chain(values)
    };
    let statements: Vec<_> = tables.iter().flat_map(of_table).collect();
    let mut answers = reader
        .run_each(&statements, SnapshotMode::PerStatement)
        .await?
        .into_iter();
    let mut next = || answers.next().ok_or_else(missing_answer);
    let covered = tables.iter().map(|table| {
        let mut coverage = table_coverage(table, &next()?)?;
        let kinds = kinds(table);
        if !kinds.is_empty() {
            coverage.kinds = field_values(&kinds, &next()?)?;
        }
        Ok(coverage)
    });
    covered.collect()
}

/// The table's fields of few values.
pub(super) fn kinds(table: &'static Table) -> Vec<&'static Field> {
    table.fields.iter().filter(|field| field.is_kind).collect()
}

/// The rows of `compile::values`, by field.
pub(super) fn field_values(
    kinds: &[&'static Field],
    rows: &[Row],
) -> Result<Vec<FieldValues>, StoreError> {
    let mut fields: Vec<FieldValues> = kinds
        .iter()
        .map(|field| FieldValues {
            field: field.name,
            values: Vec::new(),
            total: 0,
        })
        .collect();
    for row in rows {
        let (index, value, total): (i32, &str, i64) = columns("values", row)?;
        let index = usize::try_from(index).ok();
        let kind = index.and_then(|index| fields.get_mut(index));
        let kind = kind.ok_or_else(|| StoreError::Fault {
            cause: "a value of no kind that was asked for".to_owned(),
        })?;
        kind.values.push(text::clean(value).into_owned());
        kind.total = total;
    }
    Ok(fields)
}

fn table_coverage(table: &Table, rows: &[Row]) -> Result<Coverage, StoreError> {
    let mut cells = Cells::of("coverage", only("coverage", rows)?);
    let rows = cells.take()?;
    let span = match column::main_time(table) {
        Some(column) => Some((
            take_time(&mut cells, column.kind)?,
            take_time(&mut cells, column.kind)?,
        )),
        None => None,
    };
    cells.end()?;
    Ok(Coverage {
        rows,
        span: span.filter(|(first, _)| !first.is_null()),
        kinds: Vec::new(),
    })
}

/// A date or a time as an answer writes it.
fn take_time(cells: &mut Cells<'_>, kind: Kind) -> Result<Value, StoreError> {
    let time = CellValue::read(cells.take_raw(&cell::sql_type(kind))?, kind)?;
    Ok(time.as_text().map_or(Value::Null, |text| text.into()))
}

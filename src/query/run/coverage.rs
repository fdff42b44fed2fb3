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
    /// Whether `rows` is an estimate, and the first of `span` not certain: that of a view of many rows.
    pub is_estimated: bool,
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
    let ends = tables
        .iter()
        .filter_map(|table| compile::coverage(user, table));
    let statements: Vec<_> = [compile::counts(user, tables)]
        .into_iter()
        .chain(ends)
        .collect();
    let mut answers = reader
        .run_each(&statements, SnapshotMode::PerStatement)
        .await?
        .into_iter();
    let mut next = || answers.next().ok_or_else(missing_answer);
    let counts = next()?;
    let covered = tables.iter().map(|table| {
        let (rows, is_estimated, span) = match compile::coverage(user, table) {
            Some(_) => ends_of(table, &next()?)?,
            None => (0, false, None),
        };
        Ok(Coverage {
            rows: match table.is_stored() {
                true => row_count(table, &counts)?,
                false => rows,
            },
            is_estimated,
            span,
            kinds: field_values(table, &kinds(table), &counts)?,
        })
    });
    covered.collect()
}

/// The table's fields of few values.
pub(super) fn kinds(table: &'static Table) -> Vec<&'static Field> {
    table.fields.iter().filter(|field| field.is_kind).collect()
}

/// The values of `kinds`, fields of `table`, from the rows of `compile::counts`.
pub(super) fn field_values(
    table: &Table,
    kinds: &[&'static Field],
    counts: &[Row],
) -> Result<Vec<FieldValues>, StoreError> {
    let target = table.target();
    let mut fields: Vec<FieldValues> = kinds
        .iter()
        .map(|field| FieldValues {
            field: field.name,
            values: Vec::new(),
            total: 0,
        })
        .collect();
    for row in counts {
        let count = Count::read(row)?;
        let mut fields = fields.iter_mut();
        let counted = fields.find(|kind| count.target == target && kind.field == count.field);
        if let Some(kind) = counted {
            kind.values.push(text::clean(count.value).into_owned());
            kind.total = count.total;
        }
    }
    Ok(fields)
}

/// The number of rows of a table that is stored; a table without rows has no count.
fn row_count(table: &Table, counts: &[Row]) -> Result<i64, StoreError> {
    let target = table.target();
    for row in counts {
        let count = Count::read(row)?;
        if count.target == target && count.field.is_empty() {
            return Ok(count.rows);
        }
    }
    Ok(0)
}

/// One row of `compile::counts`.
struct Count<'a> {
    target: &'a str,
    field: &'a str,
    value: &'a str,
    rows: i64,
    total: i64,
}

impl<'a> Count<'a> {
    fn read(row: &'a Row) -> Result<Self, StoreError> {
        let (target, field, value, rows, total) = columns("counts", row)?;
        Ok(Self {
            target,
            field,
            value,
            rows,
            total,
        })
    }
}

/// A span of time: its first and last value.
type Span = (Value, Value);

/// What a row of `compile::coverage` holds: the number of rows of a view, whether it is an estimate, and the first and last time if
/// there is one.
fn ends_of(table: &Table, rows: &[Row]) -> Result<(i64, bool, Option<Span>), StoreError> {
    let mut cells = Cells::of("coverage", only("coverage", rows)?);
    let (rows, is_estimated) = (cells.take()?, cells.take()?);
    let kind = column::main_time(table).map_or(Kind::Timestamp, |column| column.kind);
    let span = (take_time(&mut cells, kind)?, take_time(&mut cells, kind)?);
    cells.end()?;
    let has_time = !span.0.is_null() && !span.1.is_null();
    Ok((rows, is_estimated, has_time.then_some(span)))
}

/// A date or a time as an answer writes it.
fn take_time(cells: &mut Cells<'_>, kind: Kind) -> Result<Value, StoreError> {
    let time = CellValue::read(cells.take_raw(&cell::sql_type(kind))?, kind)?;
    Ok(time.as_text().map_or(Value::Null, |text| text.into()))
}

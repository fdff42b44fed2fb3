//! Runs the statements of a checked query on the connection of a call. Thin: it decides nothing.

mod groups;

use serde_json::Value;
use tokio_postgres::Row;
use uuid::Uuid;

use super::check::{GroupQuery, RowQuery, RowScope};
use super::column::{self, Column};
use super::page::{FieldValues, PageRow, ResultPage};
use super::provenance::{self, Provenance};
use super::readers::{CallReader, ReadError};
use super::{cell, compile, text};
use crate::catalog::{Field, Table};

/// Runs a query for rows. Rows and count are read in one snapshot.
///
/// # Errors
/// When the database does not answer, or not in time.
pub async fn query(reader: &mut CallReader, checked: &RowQuery) -> Result<ResultPage, ReadError> {
    let text_chars = checked.budget.text_chars(checked.is_selected);
    let mut statements = vec![
        provenance::statement(checked.scope.user, [checked.scope.table.sector]),
        compile::rows(checked, text_chars),
    ];
    let answers = if checked.count {
        statements.push(compile::count(checked));
        reader.run_in_one_snapshot(&statements).await?
    } else {
        reader.run_all(&statements).await?
    };
    let mut page = page(checked, &answers)?;
    load_empty_context(&mut page, reader, &checked.scope).await?;
    Ok(page)
}

/// Runs a query for groups.
///
/// # Errors
/// When the database does not answer, or not in time.
pub async fn groups(
    reader: &mut CallReader,
    grouped: &GroupQuery,
) -> Result<ResultPage, ReadError> {
    let scope = &grouped.scope;
    let statements = [
        provenance::statement(scope.user, [scope.table.sector]),
        compile::groups(grouped, grouped.budget.text_chars(true)),
    ];
    let answers = reader.run_all(&statements).await?;
    let mut page = groups::page(grouped, &answers)?;
    load_empty_context(&mut page, reader, scope).await?;
    Ok(page)
}

/// The answers of standing, rows and count, in this order.
fn page(checked: &RowQuery, answers: &[Vec<Row>]) -> Result<ResultPage, ReadError> {
    let answer = |place: usize| answers.get(place).map_or(&[][..], Vec::as_slice);
    let mut rows = answer(1)
        .iter()
        .map(|row| page_row(row, checked))
        .collect::<Result<Vec<_>, _>>()?;
    let counted = answer(2).first().map(|row| row.try_get(0)).transpose()?;
    let has_more = rows.len() > checked.limit;
    rows.truncate(checked.limit);
    let is_whole = !has_more && checked.after.is_none();
    let matching = rows.iter().filter(|row| row.deleted_id.is_none()).count();
    let whole = is_whole.then(|| i64::try_from(matching).unwrap_or(i64::MAX));
    Ok(ResultPage {
        matched: counted.or(whole),
        is_empty: rows.is_empty(),
        has_rows: !rows.is_empty(),
        rows,
        has_more,
        provenance: provenance::read(answer(0))?,
        kinds: Vec::new(),
    })
}

/// A record: its table, and its cells in the order of `column::all`, then `raw` and `extra` if they were asked for.
pub type Record = (&'static Table, Vec<(Column, Value)>);

/// Reads the record of this id from the first of the tables that has it, and the provenance of the first table's sector.
///
/// # Errors
/// When the database does not answer.
pub async fn record(
    reader: &mut CallReader,
    user: Uuid,
    tables: &[&'static Table],
    id: Uuid,
    raw: bool,
) -> Result<(Provenance, Option<Record>), ReadError> {
    let sectors = tables.first().map(|table| table.sector);
    let probes = tables
        .iter()
        .map(|table| compile::record(user, table, id, raw));
    let statements: Vec<_> = [provenance::statement(user, sectors)]
        .into_iter()
        .chain(probes)
        .collect();
    let mut answers = reader.run_all(&statements).await?.into_iter();
    let provenance = provenance::read(&answers.next().unwrap_or_default())?;
    for (table, rows) in tables.iter().zip(answers) {
        if let Some(row) = rows.first() {
            return Ok((provenance, Some((table, record_cells(table, row, raw)?))));
        }
    }
    Ok((provenance, None))
}

fn record_cells(
    table: &'static Table,
    row: &Row,
    raw: bool,
) -> Result<Vec<(Column, Value)>, tokio_postgres::Error> {
    let source = raw.then_some(column::SOURCE_COLUMNS).into_iter().flatten();
    let columns = column::all(table).chain(source);
    let cells = columns
        .enumerate()
        .map(|(place, column)| cell::read(row, place, column.kind).map(|value| (column, value)));
    cells.collect()
}

/// How much data a table has.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
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
pub async fn coverage(
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
    let mut answers = reader.run_all(&statements).await?.into_iter();
    let mut next = || answers.next().unwrap_or_default();
    let covered = tables.iter().map(|table| {
        let mut coverage = table_coverage(table, &next())?;
        let kinds = kinds(table);
        if !kinds.is_empty() {
            coverage.kinds = field_values(&kinds, &next())?;
        }
        Ok(coverage)
    });
    covered.collect()
}

fn kinds(table: &'static Table) -> Vec<&'static Field> {
    table.fields.iter().filter(|field| field.is_kind).collect()
}

fn field_values(
    kinds: &[&'static Field],
    rows: &[Row],
) -> Result<Vec<FieldValues>, tokio_postgres::Error> {
    let mut found: Vec<FieldValues> = kinds
        .iter()
        .map(|field| FieldValues {
            field: field.name,
            values: Vec::new(),
            total: 0,
        })
        .collect();
    for row in rows {
        let place: i32 = row.try_get(0)?;
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let Some(kind) = found.get_mut(place) else {
            continue;
        };
        let value: String = row.try_get(1)?;
        kind.values.push(text::clean(&value).into_owned());
        kind.total = row.try_get(2)?;
    }
    Ok(found)
}

fn table_coverage(table: &Table, rows: &[Row]) -> Result<Coverage, tokio_postgres::Error> {
    let Some(row) = rows.first() else {
        return Ok(Coverage {
            rows: 0,
            span: None,
            kinds: Vec::new(),
        });
    };
    let span = match column::main_time(table) {
        Some(column) => Some((
            cell::read(row, 1, column.kind)?,
            cell::read(row, 2, column.kind)?,
        )),
        None => None,
    };
    Ok(Coverage {
        rows: row.try_get(0)?,
        span: span.filter(|(first, _)| !first.is_null()),
        kinds: Vec::new(),
    })
}

fn page_row(row: &Row, checked: &RowQuery) -> Result<PageRow, tokio_postgres::Error> {
    let selected = checked.select.len();
    let cells = checked.select.iter().enumerate();
    let keys = checked.order.iter().enumerate();
    Ok(PageRow {
        cells: cells
            .map(|(place, column)| cell::read(row, place, column.kind))
            .collect::<Result<_, _>>()?,
        keys: keys
            .map(|(place, key)| cell::read_key(row, selected + place, key.column.kind))
            .collect::<Result<_, _>>()?,
        deleted_id: deleted_id(row, selected, checked)?,
    })
}

/// The id of a row that was deleted or no longer matches. Changes come in the order of ids alone, and the column after the id
/// says whether the row still matches.
fn deleted_id(
    row: &Row,
    selected: usize,
    checked: &RowQuery,
) -> Result<Option<Uuid>, tokio_postgres::Error> {
    if checked.since.is_none() || row.try_get(selected + 1)? {
        return Ok(None);
    }
    row.try_get(selected).map(Some)
}

/// Reads what `empty` needs to explain a page without rows.
async fn load_empty_context(
    page: &mut ResultPage,
    reader: &mut CallReader,
    scope: &RowScope,
) -> Result<(), ReadError> {
    if !page.is_empty {
        page.has_rows = true;
        return Ok(());
    }
    let around = [
        provenance::covered(scope.user, [scope.table.sector]),
        compile::exists(scope),
    ];
    let answers = reader.run_all(&around).await?;
    let answer = |place: usize| answers.get(place).map_or(&[][..], Vec::as_slice);
    page.provenance.sources = provenance::read_covered(answer(0))?;
    let exists = answer(1).first().map(|row| row.try_get(0)).transpose()?;
    page.has_rows = exists.unwrap_or(false);
    let asked = filtered_kinds(scope);
    if page.has_rows && !asked.is_empty() {
        let values = compile::values(scope.user, scope.table, &asked);
        page.kinds = field_values(&asked, &reader.run(&values).await?)?;
    }
    Ok(())
}

/// The table's fields of few values that a condition compares with a value.
fn filtered_kinds(scope: &RowScope) -> Vec<&'static Field> {
    let mut kinds = kinds(scope.table);
    kinds.retain(|field| scope.filter.wants_value_of(field.name));
    kinds
}

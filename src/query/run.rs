//! Checked or Grouped -> Page: runs the statements on the connection of a call. Thin: it decides nothing.

mod groups;

use serde_json::Value;
use tokio_postgres::Row;
use uuid::Uuid;

use super::check::{Checked, Grouped, Scope};
use super::column::{self, Column};
use super::page::{Found, Occurring, Page};
use super::param::Param;
use super::readers::{ReadError, Reader, unanswered};
use super::standing::{self, Standing};
use super::{cell, compile, text};
use crate::catalog::{Field, Table};
use crate::db::{Cells, StoreError, only, only_value};

/// Runs a query. Rows and count are of one snapshot.
///
/// # Errors
/// When the database does not answer, or not in time.
pub async fn query(reader: &mut Reader, checked: &Checked) -> Result<Page, ReadError> {
    let text_chars = checked.budget.text_chars(checked.is_selected);
    let standing = standing::statement(checked.scope.user, [checked.scope.table.sector]);
    let rows = compile::rows(checked, text_chars);
    let mut page = if checked.count {
        let statements = [standing, rows, compile::count(checked)];
        let [standing, rows, count] = reader.run_at_once(&statements).await?;
        page(
            checked,
            &standing,
            &rows,
            Some(only_value("count", &count)?),
        )?
    } else {
        let [standing, rows] = reader.run_all(&[standing, rows]).await?;
        page(checked, &standing, &rows, None)?
    };
    look_around(&mut page, reader, &checked.scope).await?;
    Ok(page)
}

/// Runs a question for groups.
///
/// # Errors
/// When the database does not answer, or not in time.
pub async fn groups(reader: &mut Reader, grouped: &Grouped) -> Result<Page, ReadError> {
    let scope = &grouped.scope;
    let statements = [
        standing::statement(scope.user, [scope.table.sector]),
        compile::groups(grouped, grouped.budget.text_chars(true)),
    ];
    let [standing, rows] = reader.run_all(&statements).await?;
    let mut page = groups::page(grouped, &standing, &rows)?;
    look_around(&mut page, reader, scope).await?;
    Ok(page)
}

/// The answers of standing and rows, and how many rows were counted, if they were.
fn page(
    checked: &Checked,
    standing: &[Row],
    rows: &[Row],
    counted: Option<i64>,
) -> Result<Page, ReadError> {
    let mut rows = rows
        .iter()
        .map(|row| found(row, checked))
        .collect::<Result<Vec<_>, _>>()?;
    let has_more = rows.len() > checked.limit;
    rows.truncate(checked.limit);
    let is_whole = !has_more && checked.after.is_none();
    let matching = rows.iter().filter(|row| row.gone.is_none()).count();
    let whole = is_whole.then(|| i64::try_from(matching).unwrap_or(i64::MAX));
    Ok(Page {
        matched: counted.or(whole),
        is_empty: rows.is_empty(),
        has_rows: !rows.is_empty(),
        rows,
        has_more,
        standing: standing::read(standing)?,
        kinds: Vec::new(),
    })
}

/// A record that was found: its table, and its cells in the order of `column::all`, then `raw` and `extra` if they were asked for.
pub type Record = (&'static Table, Vec<(Column, Value)>);

/// The record of this id in one of the tables, the first that holds it, and what stands behind it.
///
/// # Errors
/// When the database does not answer.
pub async fn record(
    reader: &mut Reader,
    user: Uuid,
    tables: &[&'static Table],
    id: Uuid,
    raw: bool,
) -> Result<(Standing, Option<Record>), ReadError> {
    let sectors = tables.first().map(|table| table.sector);
    let probes = tables
        .iter()
        .map(|table| compile::record(user, table, id, raw));
    let statements: Vec<_> = [standing::statement(user, sectors)]
        .into_iter()
        .chain(probes)
        .collect();
    let mut answers = reader.run_each(&statements).await?.into_iter();
    let standing = standing::read(&answers.next().ok_or_else(unanswered)?)?;
    for (table, rows) in tables.iter().zip(answers) {
        if let Some(row) = rows.first() {
            return Ok((standing, Some((table, record_cells(table, row, raw)?))));
        }
    }
    Ok((standing, None))
}

fn record_cells(
    table: &'static Table,
    row: &Row,
    raw: bool,
) -> Result<Vec<(Column, Value)>, StoreError> {
    let source = raw.then_some(column::SOURCE_COLUMNS).into_iter().flatten();
    let columns = column::all(table).chain(source);
    let mut cells = Cells::of(row);
    let read = columns
        .map(|column| Ok((column, cell::read(&mut cells, column.kind)?)))
        .collect::<Result<_, StoreError>>()?;
    cells.end()?;
    Ok(read)
}

/// How much of a table there is.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    pub rows: i64,
    /// The first and last value of the time that the table is ordered by.
    pub span: Option<(Value, Value)>,
    /// The fields that are kinds, with what occurs in them.
    pub kinds: Vec<Occurring>,
}

/// Counts each table's rows, finds its edges and the values of its kinds, in the order of `tables`.
///
/// # Errors
/// When the database does not answer.
pub async fn coverage(
    reader: &mut Reader,
    user: Uuid,
    tables: &[&'static Table],
) -> Result<Vec<Coverage>, ReadError> {
    let of_table = |table: &&'static Table| {
        let kinds = kinds(table);
        let values = (!kinds.is_empty()).then(|| compile::values(user, table, &kinds));
        [compile::coverage(user, table)].into_iter().chain(values)
    };
    let statements: Vec<_> = tables.iter().flat_map(of_table).collect();
    let mut answers = reader.run_each(&statements).await?.into_iter();
    let mut next = || answers.next().ok_or_else(unanswered);
    let covered = tables.iter().map(|table| {
        let mut coverage = covered(table, &next()?)?;
        let kinds = kinds(table);
        if !kinds.is_empty() {
            coverage.kinds = occurring(&kinds, &next()?)?;
        }
        Ok(coverage)
    });
    covered.collect()
}

fn kinds(table: &'static Table) -> Vec<&'static Field> {
    table.fields.iter().filter(|field| field.is_kind).collect()
}

fn occurring(kinds: &[&'static Field], rows: &[Row]) -> Result<Vec<Occurring>, StoreError> {
    let mut occurring: Vec<Occurring> = kinds
        .iter()
        .map(|field| Occurring {
            field: field.name,
            values: Vec::new(),
            total: 0,
        })
        .collect();
    for row in rows {
        let mut cells = Cells::of(row);
        let (place, value, total): (i32, &str, i64) = (cells.take()?, cells.take()?, cells.take()?);
        cells.end()?;
        let place = usize::try_from(place).ok();
        let kind = place.and_then(|place| occurring.get_mut(place));
        let kind = kind.ok_or_else(|| StoreError::Fault {
            cause: "a value of no kind that was asked for".to_owned(),
        })?;
        kind.values.push(text::clean(value).into_owned());
        kind.total = total;
    }
    Ok(occurring)
}

fn covered(table: &Table, rows: &[Row]) -> Result<Coverage, StoreError> {
    let mut cells = Cells::of(only("coverage", rows)?);
    let rows = cells.take()?;
    let span = match column::main_time(table) {
        Some(column) => Some((
            cell::read(&mut cells, column.kind)?,
            cell::read(&mut cells, column.kind)?,
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

fn found(row: &Row, checked: &Checked) -> Result<Found, StoreError> {
    let mut cells = Cells::of(row);
    let selected = checked.select.iter();
    let selected = selected
        .map(|column| cell::read(&mut cells, column.kind))
        .collect::<Result<_, _>>()?;
    let keys = checked.order.iter();
    let keys = keys
        .map(|key| cell::read_key(&mut cells, key.column.kind))
        .collect::<Result<Vec<_>, _>>()?;
    let gone = match checked.since {
        Some(_) => gone(&keys, cells.take()?)?,
        None => None,
    };
    cells.end()?;
    Ok(Found {
        cells: selected,
        keys,
        gone,
    })
}

/// Changes come in the order of ids alone, and behind the id stands whether the row still matches.
fn gone(keys: &[Option<Param>], matches: bool) -> Result<Option<Uuid>, StoreError> {
    match keys {
        [Some(Param::Id(id))] => Ok((!matches).then_some(*id)),
        _ => Err(StoreError::Fault {
            cause: "changes in another order than that of ids".to_owned(),
        }),
    }
}

/// What stands around a page that has no row.
async fn look_around(page: &mut Page, reader: &mut Reader, scope: &Scope) -> Result<(), ReadError> {
    if !page.is_empty {
        page.has_rows = true;
        return Ok(());
    }
    let around = [
        standing::covered(scope.user, [scope.table.sector]),
        compile::exists(scope),
    ];
    let [covered, exists] = reader.run_all(&around).await?;
    page.standing.sources = standing::read_covered(&covered)?;
    page.has_rows = only_value("exists", &exists)?;
    let asked = asked_kinds(scope);
    if page.has_rows && !asked.is_empty() {
        let values = compile::values(scope.user, scope.table, &asked);
        page.kinds = occurring(&asked, &reader.run(&values).await?)?;
    }
    Ok(())
}

/// The kinds of the table of which the filter asks for a value.
fn asked_kinds(scope: &Scope) -> Vec<&'static Field> {
    let mut kinds = kinds(scope.table);
    kinds.retain(|field| scope.filter.asks_value_of(field.name));
    kinds
}

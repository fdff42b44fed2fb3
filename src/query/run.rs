//! Runs the statements of a checked query on the connection of a call. Thin: it decides nothing.

mod coverage;
mod groups;

pub(crate) use self::coverage::{Coverage, coverage};

use self::coverage::{field_values, kinds};

use tokio_postgres::Row;
use uuid::Uuid;

use super::cell::Cell;
use super::check::{GroupQuery, OrderKey, RowQuery, RowScope};
use super::column::{self, Column};
use super::page::{PageRow, ResultPage};
use super::provenance::{self, Provenance};
use super::raw_row::RawRow;
use super::readers::{CallReader, ReadError, missing_answer};
use super::{cell, compile};
use crate::catalog::{Field, Kind, Table};
use crate::db::{Cells, StoreError, only_value};

/// Runs a query for rows. Rows and count are read in one snapshot.
///
/// # Errors
/// When the database does not answer, or not in time.
pub(crate) async fn query(
    reader: &mut CallReader,
    checked: &RowQuery,
) -> Result<ResultPage, ReadError> {
    let text_chars = checked.budget.text_chars(checked.is_selected);
    let provenance = provenance::statement(checked.scope.user, [checked.scope.table.sector]);
    let rows = compile::rows(checked, text_chars);
    let mut page = if checked.count {
        let statements = [provenance, rows, compile::count(checked)];
        let [provenance, rows, count] = reader.run_in_one_snapshot(&statements).await?;
        page(
            checked,
            &provenance,
            &rows,
            Some(only_value("count", &count)?),
        )?
    } else {
        let [provenance, rows] = reader.run_all(&[provenance, rows]).await?;
        page(checked, &provenance, &rows, None)?
    };
    load_empty_context(&mut page, reader, &checked.scope).await?;
    Ok(page)
}

/// Runs a query for groups.
///
/// # Errors
/// When the database does not answer, or not in time.
pub(crate) async fn groups(
    reader: &mut CallReader,
    grouped: &GroupQuery,
) -> Result<ResultPage, ReadError> {
    let scope = &grouped.scope;
    let statements = [
        provenance::statement(scope.user, [scope.table.sector]),
        compile::groups(grouped, grouped.budget.text_chars(true)),
    ];
    let [provenance, rows] = reader.run_all(&statements).await?;
    let mut page = groups::page(grouped, &provenance, &rows)?;
    load_empty_context(&mut page, reader, scope).await?;
    Ok(page)
}

/// The page of the rows of both statements; `counted` is the number of all matching rows, if they were counted.
fn page(
    checked: &RowQuery,
    provenance: &[Row],
    rows: &[Row],
    counted: Option<i64>,
) -> Result<ResultPage, ReadError> {
    let mut rows = rows
        .iter()
        .map(|row| page_row(row, checked))
        .collect::<Result<Vec<_>, _>>()?;
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
        provenance: provenance::read(provenance)?,
        kinds: Vec::new(),
    })
}

/// A record: its table, its columns in the order of `column::all`, then `raw` and `extra` if they were asked for, and its cells.
pub(crate) type Record = (&'static Table, (Vec<Column>, RawRow));

/// Reads the record of this id from the first of the tables that has it, and the provenance of the first table's sector.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn record(
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
    let mut answers = reader.run_each(&statements).await?.into_iter();
    let provenance = provenance::read(&answers.next().ok_or_else(missing_answer)?)?;
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
) -> Result<(Vec<Column>, RawRow), StoreError> {
    let source = raw.then_some(column::SOURCE_COLUMNS).into_iter().flatten();
    let columns: Vec<Column> = column::all(table).chain(source).collect();
    let mut cells = Cells::of("get_record", row);
    let raw = take_raw(&mut cells, columns.iter().map(|column| column.kind))?;
    cells.end()?;
    Ok((columns, raw))
}

fn page_row(row: &Row, checked: &RowQuery) -> Result<PageRow, StoreError> {
    let mut cells = Cells::of("query", row);
    let selected = checked.select.iter().map(|column| column.kind);
    let keys = checked.order.iter().map(|key| key.column.kind);
    let raw = take_raw(&mut cells, selected.chain(keys))?;
    let deleted_id = match checked.since {
        Some(_) => deleted_id(&raw, &checked.order, cells.take()?)?,
        None => None,
    };
    cells.end()?;
    Ok(PageRow {
        cells: raw,
        deleted_id,
    })
}

/// The next cells, of these kinds, as they are.
fn take_raw(
    cells: &mut Cells<'_>,
    kinds: impl Iterator<Item = Kind>,
) -> Result<RawRow, StoreError> {
    kinds
        .map(|kind| cells.take_raw(&cell::sql_type(kind)))
        .collect()
}

/// The id of a row that was deleted or no longer matches. Changes come in the order of ids alone, so that it is the only key.
fn deleted_id(row: &RawRow, order: &[OrderKey], matches: bool) -> Result<Option<Uuid>, StoreError> {
    let only = (order.len() == 1).then(|| row.cells().last()).flatten();
    match Cell::read(only.flatten(), column::ID.kind)? {
        Cell::Id(id) => Ok((!matches).then_some(id)),
        _ => Err(StoreError::Fault {
            cause: "changes in another order than that of ids".to_owned(),
        }),
    }
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
    let [covered, exists] = reader.run_all(&around).await?;
    page.provenance.sources = provenance::read_covered(&covered)?;
    page.has_rows = only_value("exists", &exists)?;
    let kinds = filtered_kinds(scope);
    if page.has_rows && !kinds.is_empty() {
        let values = compile::values(scope.user, scope.table, &kinds);
        page.kinds = field_values(&kinds, &reader.run(&values).await?)?;
    }
    Ok(())
}

/// The table's fields of few values that a condition compares with a value.
fn filtered_kinds(scope: &RowScope) -> Vec<&'static Field> {
    let mut kinds = kinds(scope.table);
    kinds.retain(|field| scope.filter.wants_value_of(field.name));
    kinds
}

//! Runs the statements of a checked query on the connection of a call. Thin: it decides nothing.

mod coverage;
mod groups;

pub(crate) use self::coverage::{Coverage, coverage};

use self::coverage::{field_values, kinds};

use tokio_postgres::Row;
use uuid::Uuid;

use super::cell::{self, CellValue};
use super::check::{GroupQuery, OrderKey, RowQuery, RowScope};
use super::column::{self, Column};
use super::compile::{self, Statement};
use super::page::{PageRow, ResultPage};
use super::provenance;
use super::raw_row::RawRow;
use super::readers::{CallReader, ReadError, SnapshotMode, missing_answer};
use super::sources::ConnectedSource;
use super::watermark::WATERMARK_COLUMNS;
use crate::catalog::{Field, Kind, Table};
use crate::db::{Cells, StoreError, only_value};

/// What stands behind an answer, as [`provenance::published`] gives it before the call asks for rows; `None` where it must be read
/// with them.
pub(crate) type PublishedSources = Option<Vec<ConnectedSource>>;

/// Runs a query for rows. Rows and count are read in one snapshot.
///
/// # Errors
/// When the database does not answer, or not in time.
pub(crate) async fn query(
    reader: &mut CallReader,
    checked: &RowQuery,
    published: PublishedSources,
) -> Result<ResultPage, ReadError> {
    let text_chars = checked.budget.text_chars(checked.is_selected);
    let rows = compile::rows(checked, text_chars);
    let count = checked.count.then(|| compile::count(checked));
    let asked = PageStatements {
        scope: &checked.scope,
        mode: match checked.count {
            true => SnapshotMode::Shared,
            false => SnapshotMode::PerStatement,
        },
        statements: [rows].into_iter().chain(count).collect(),
    };
    let page_of = |answers: &[Vec<Row>]| row_page(checked, answers);
    page(reader, asked, published, page_of).await
}

/// Runs a query for groups.
///
/// # Errors
/// When the database does not answer, or not in time.
pub(crate) async fn groups(
    reader: &mut CallReader,
    grouped: &GroupQuery,
    published: PublishedSources,
) -> Result<ResultPage, ReadError> {
    let asked = PageStatements {
        scope: &grouped.scope,
        mode: SnapshotMode::PerStatement,
        statements: vec![compile::groups(grouped, grouped.budget.text_chars(true))],
    };
    let page_of =
        |answers: &[Vec<Row>]| groups::page(grouped, answers.first().ok_or_else(missing_answer)?);
    page(reader, asked, published, page_of).await
}

/// The statements of one page, and what they see.
struct PageStatements<'a> {
    scope: &'a RowScope,
    statements: Vec<Statement>,
    mode: SnapshotMode,
}

/// Reads a page. Its rows bring the watermark. A page without rows has none to bring it, and has to be explained: so it is read
/// again, after its provenance and in this order, so that no change lies between them; rows that appear by then are the answer.
async fn page(
    reader: &mut CallReader,
    asked: PageStatements<'_>,
    published: PublishedSources,
    page_of: impl Fn(&[Vec<Row>]) -> Result<ResultPage, ReadError>,
) -> Result<ResultPage, ReadError> {
    let PageStatements {
        scope,
        mut statements,
        mode,
    } = asked;
    if let Some(sources) = published {
        let mut page = page_of(&reader.run_each(&statements, mode).await?)?;
        if !page.is_empty {
            page.provenance.sources = sources;
            return Ok(page);
        }
    }
    statements.insert(0, provenance::of_table(scope.user, scope.table));
    let answers = reader.run_each(&statements, mode).await?;
    let (standing, answers) = answers.split_first().ok_or_else(missing_answer)?;
    let mut page = page_of(answers)?;
    page.provenance = provenance::read(standing)?;
    if page.is_empty {
        load_empty_context(&mut page, reader, scope).await?;
    }
    Ok(page)
}

/// The page of the rows and their number, if they were counted, without its sources.
fn row_page(checked: &RowQuery, answers: &[Vec<Row>]) -> Result<ResultPage, ReadError> {
    let (rows, count) = answers.split_first().ok_or_else(missing_answer)?;
    let counted = count.first().map(|count| only_value("count", count));
    let provenance = provenance::of_rows(rows)?;
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
        matched: counted.transpose()?.or(whole),
        is_empty: rows.is_empty(),
        has_rows: !rows.is_empty(),
        rows,
        has_more,
        provenance,
        kinds: Vec::new(),
    })
}

/// A record: its table, its columns in the order of `column::all`, then `raw` and `extra` if they were asked for, and its cells.
pub(crate) type Record = (&'static Table, (Vec<Column>, RawRow));

/// Reads the record of this id from the first of the tables that has it, and the connections of the first table's sector.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn record(
    reader: &mut CallReader,
    user: Uuid,
    (tables, id, raw): (&[&'static Table], Uuid, bool),
    published: PublishedSources,
) -> Result<(Vec<ConnectedSource>, Option<Record>), ReadError> {
    let sectors = tables.first().map(|table| table.sector);
    let standing = match &published {
        Some(_) => None,
        None => Some(provenance::statement(user, sectors)),
    };
    let (stored, views): (Vec<_>, Vec<_>) = tables.iter().partition(|table| table.is_stored());
    // No index finds a record of a view: it is made of all its rows, which is done only where no table has the record.
    let (first, rest) = match stored.is_empty() {
        true => (views, stored),
        false => (stored, views),
    };
    let probe = |table: &&'static Table| compile::record(user, table, id, raw);
    let statements: Vec<_> = standing
        .into_iter()
        .chain(first.iter().map(probe))
        .collect();
    let answers = reader.run_each(&statements, SnapshotMode::PerStatement);
    let mut answers = answers.await?.into_iter();
    let sources = match published {
        Some(sources) => sources,
        None => provenance::read(&answers.next().ok_or_else(missing_answer)?)?.sources,
    };
    let mut found = first_record(&first, answers, raw)?;
    if found.is_none() && !rest.is_empty() {
        let statements: Vec<_> = rest.iter().map(probe).collect();
        let answers = reader.run_each(&statements, SnapshotMode::PerStatement);
        found = first_record(&rest, answers.await?.into_iter(), raw)?;
    }
    Ok((sources, found))
}

/// The record of the first of these tables that answered with one.
fn first_record(
    tables: &[&'static Table],
    answers: impl Iterator<Item = Vec<Row>>,
    raw: bool,
) -> Result<Option<Record>, StoreError> {
    for (table, rows) in tables.iter().zip(answers) {
        if let Some(row) = rows.first() {
            return Ok(Some((table, record_cells(table, row, raw)?)));
        }
    }
    Ok(None)
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
    cells.skip(WATERMARK_COLUMNS);
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
    let mut row = RawRow::with_capacity(cells.row_bytes());
    for kind in kinds {
        row.push(cells.take_raw(&cell::sql_type(kind))?);
    }
    Ok(row)
}

/// The id of a row that was deleted or no longer matches. Changes come in the order of ids alone, so that it is the only key.
fn deleted_id(row: &RawRow, order: &[OrderKey], matches: bool) -> Result<Option<Uuid>, StoreError> {
    let only = (order.len() == 1).then(|| row.cells().last()).flatten();
    match CellValue::read(only.flatten(), column::ID.kind)? {
        CellValue::Id(id) => Ok((!matches).then_some(id)),
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
    let exists = reader.run(&compile::exists(scope)).await?;
    page.has_rows = only_value("exists", &exists)?;
    let kinds = filtered_kinds(scope);
    if page.has_rows && !kinds.is_empty() {
        // The values may be many.
        reader.leave_pipe();
        let counts = compile::counts(scope.user, &[scope.table]);
        page.kinds = field_values(scope.table, &kinds, &reader.run(&counts).await?)?;
    }
    Ok(())
}

/// The table's fields of few values that a condition compares with a value.
fn filtered_kinds(scope: &RowScope) -> Vec<&'static Field> {
    let mut kinds = kinds(scope.table);
    kinds.retain(|field| scope.filter.wants_value_of(field.name));
    kinds
}

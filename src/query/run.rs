//! Checked -> Found: runs the statements on one reader connection. Thin: it decides nothing.

use serde_json::Value;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, IsolationLevel, Row};
use uuid::Uuid;

use super::cell;
use super::check::Checked;
use super::column::{self, Column};
use super::compile::{self, Statement};
use super::param::Param;
use super::readers::{ReadError, Reader, Readers};
use super::sources::{self, Source};
use crate::catalog::{Kind, Table};

/// One row: the selected cells, and where it stands in the order.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub cells: Vec<Value>,
    pub keys: Vec<Option<Param>>,
}

/// What a query brought.
#[derive(Clone, Debug)]
pub struct Page {
    /// At most `limit` rows.
    pub rows: Vec<Found>,
    /// There are more behind the last.
    pub has_more: bool,
    /// How many match in all, when it was counted or is plain.
    pub matched: Option<i64>,
    /// The table holds rows at all; known when no row came.
    pub has_rows: bool,
    /// The sector's connections.
    pub sources: Vec<Source>,
}

/// Runs a query. Rows and count are of one snapshot.
///
/// # Errors
/// When the database does not answer, or not in time.
pub async fn query(readers: &Readers, checked: &Checked) -> Result<Page, ReadError> {
    let mut reader = readers.get().await?;
    let sources = sources::read(&reader, checked.user, [checked.table.sector]).await?;
    let (mut rows, counted) = if checked.count {
        let transaction = reader
            .build_transaction()
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true)
            .start()
            .await?;
        let counted = number(&*transaction, &compile::count(checked)).await?;
        (page(&*transaction, checked).await?, Some(counted))
    } else {
        (page(&**reader, checked).await?, None)
    };
    let has_more = rows.len() > checked.limit;
    rows.truncate(checked.limit);
    let is_whole = !has_more && checked.after.is_none();
    let has_rows = !rows.is_empty() || holds_rows(&reader, checked).await?;
    Ok(Page {
        matched: counted
            .or_else(|| is_whole.then(|| i64::try_from(rows.len()).unwrap_or(i64::MAX))),
        rows,
        has_more,
        has_rows,
        sources,
    })
}

/// One record, in the order of `column::all`, then `raw` and `extra` if they were asked for.
///
/// # Errors
/// When the database does not answer.
pub async fn record(
    reader: &Reader,
    user: Uuid,
    table: &Table,
    id: Uuid,
    raw: bool,
) -> Result<Option<Vec<(Column, Value)>>, ReadError> {
    let rows = run(&***reader, &compile::record(user, table, id, raw)).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let columns =
        column::all(table).chain(raw.then_some(column::SOURCE_COLUMNS).into_iter().flatten());
    let cells = columns
        .enumerate()
        .map(|(place, column)| cell::read(row, place, column.kind).map(|value| (column, value)));
    Ok(Some(cells.collect::<Result<_, _>>()?))
}

/// How much of a table there is.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    pub rows: i64,
    /// The first and last value of the time that the table is ordered by.
    pub span: Option<(Value, Value)>,
}

/// Counts a table's rows and finds its edges.
///
/// # Errors
/// When the database does not answer.
pub async fn coverage(reader: &Reader, user: Uuid, table: &Table) -> Result<Coverage, ReadError> {
    let rows = run(&***reader, &compile::coverage(user, table)).await?;
    let Some(row) = rows.first() else {
        return Ok(Coverage {
            rows: 0,
            span: None,
        });
    };
    let edge = |place, kind: Kind| cell::read(row, place, kind);
    let span = match column::main_time(table) {
        Some(column) => Some((edge(1, column.kind)?, edge(2, column.kind)?)),
        None => None,
    };
    Ok(Coverage {
        rows: row.try_get(0)?,
        span: span.filter(|(first, _)| !first.is_null()),
    })
}

async fn page(client: &impl GenericClient, checked: &Checked) -> Result<Vec<Found>, ReadError> {
    let text_chars = checked.budget.text_chars(checked.is_selected);
    let rows = run(client, &compile::rows(checked, text_chars)).await?;
    Ok(rows
        .iter()
        .map(|row| found(row, checked))
        .collect::<Result<_, _>>()?)
}

fn found(row: &Row, checked: &Checked) -> Result<Found, tokio_postgres::Error> {
    let selected = checked.select.len();
    let cells = checked.select.iter().enumerate();
    let keys = checked.order.iter().enumerate();
    Ok(Found {
        cells: cells
            .map(|(place, column)| cell::read(row, place, column.kind))
            .collect::<Result<_, _>>()?,
        keys: keys
            .map(|(place, key)| cell::read_key(row, selected + place, key.column.kind))
            .collect::<Result<_, _>>()?,
    })
}

async fn holds_rows(reader: &Reader, checked: &Checked) -> Result<bool, ReadError> {
    let rows = run(&***reader, &compile::exists(checked)).await?;
    rows.first().map_or(Ok(false), |row| Ok(row.try_get(0)?))
}

async fn number(client: &impl GenericClient, statement: &Statement) -> Result<i64, ReadError> {
    let rows = run(client, statement).await?;
    rows.first().map_or(Ok(0), |row| Ok(row.try_get(0)?))
}

/// Types are declared, so that one round trip does: nothing is prepared, and no statement piles up on a connection.
async fn run(client: &impl GenericClient, statement: &Statement) -> Result<Vec<Row>, ReadError> {
    let params: Vec<(&(dyn ToSql + Sync), Type)> = statement
        .params
        .iter()
        .map(|param| (param.as_sql(), param.sql_type()))
        .collect();
    Ok(client.query_typed(&statement.sql, &params).await?)
}

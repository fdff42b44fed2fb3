//! Rows that are hidden behind a record: what other sources have of the same.

use serde::Serialize;
use serde_json::Value;
use sextant_actors::random::Unavailable;
use tokio_postgres::Row;
use uuid::Uuid;

use super::answer_column::AnswerColumn;
use super::cell::{CellValue, DisplayOptions};
use super::column::SOURCE_COLUMNS;
use super::compile;
use super::readers::{CallReader, ReadError};
use crate::catalog::Table;
use crate::db::{StoreError, column, columns};

/// A row that another source has of the same.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HiddenRow {
    id: Uuid,
    connection: String,
    source_id: String,
    /// Why the record is served in its place.
    because: String,
    /// As its source sent it, cleaned.
    raw: Value,
}

/// The rows that are hidden by the record `id` of `table`.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn behind(
    reader: &mut CallReader,
    user: Uuid,
    (table, id): (&Table, Uuid),
) -> Result<Vec<HiddenRow>, ReadError> {
    if !table.is_served_once {
        return Ok(Vec::new());
    }
    let rows = reader.run(&compile::behind(user, table, id)).await?;
    Ok(rows.iter().map(hidden_row).collect::<Result<_, _>>()?)
}

/// The record that is served in the place of the row `id` of one of `tables`, if it is hidden.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn served_in_place(
    reader: &mut CallReader,
    user: Uuid,
    (tables, id): (&[&'static Table], Uuid),
) -> Result<Option<Uuid>, ReadError> {
    for table in tables.iter().filter(|table| table.is_served_once) {
        let rows = reader
            .run(&compile::served_in_place(user, table, id))
            .await?;
        if let Some(row) = rows.first() {
            return Ok(Some(column("served_in_place", row)?));
        }
    }
    Ok(None)
}

fn hidden_row(row: &Row) -> Result<HiddenRow, StoreError> {
    let (id, connection, source_id, raw, because): (_, _, _, Option<Value>, _) =
        columns("behind", row)?;
    Ok(HiddenRow {
        id,
        connection,
        source_id,
        because,
        raw: shown(raw).map_err(|_| StoreError::Fault {
            cause: "a structure needed a fence".to_owned(),
        })?,
    })
}

/// As `raw` of a record is shown: what others wrote is cleaned.
fn shown(raw: Option<Value>) -> Result<Value, Unavailable> {
    let Some(raw) = raw else {
        return Ok(Value::Null);
    };
    let [column, _] = &SOURCE_COLUMNS;
    let whole = DisplayOptions {
        text_chars: None,
        nonce: None,
    };
    match CellValue::Structure(raw).show(&AnswerColumn::from(column), whole)? {
        CellValue::Structure(shown) => Ok(shown),
        _ => Ok(Value::Null),
    }
}

//! Reads the database table by table as of one moment, in a repeatable-read, read-only transaction on a connection of its own.

use std::pin::Pin;

use deadpool_postgres::{Object, Transaction};
use futures_util::StreamExt as _;
use sextant_actors::domain::{OPERATOR, Sector};
use tokio_postgres::{IsolationLevel, Portal, Row, RowStream};

use crate::db::StoreError;

const BEGIN: &str = include_str!("../../sql/statements/export/begin.sql");
/// How many rows are fetched at a time.
const ROWS_AT_ONCE: i32 = 1_000;
/// A batch of lines ends when it is at least this long.
const LINES_BYTES: usize = 256 * 1024;

/// The transaction.
pub(super) struct Snapshot<'a>(Transaction<'a>);

/// RowCursor as lines.
pub(super) struct RowLines {
    /// One line a row, each with its line end.
    pub text: String,
    pub rows: u64,
}

/// A cursor over the rows of one statement.
pub(super) struct RowCursor<'a> {
    transaction: &'a Transaction<'a>,
    portal: Portal,
    stream: Option<Pin<Box<RowStream>>>,
    /// How many rows of the last fetch have come.
    came: i32,
    is_over: bool,
}

impl<'a> Snapshot<'a> {
    /// Takes the snapshot; whatever is read afterwards is of this moment, with its times in UTC.
    pub(super) async fn open(connection: &'a mut Object) -> Result<Self, StoreError> {
        let transaction = connection
            .build_transaction()
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true)
            .start()
            .await?;
        transaction.query_one(BEGIN, &[]).await?;
        Ok(Self(transaction))
    }

    /// Begins to read a statement of one column, `line`. `$1` is the user, `$2`, where the statement has it, the sector.
    pub(super) async fn rows(
        &self,
        sql: &str,
        sector: Option<Sector>,
    ) -> Result<RowCursor<'_>, StoreError> {
        let statement = self.0.prepare(sql).await?;
        let sector = sector.map(Sector::name);
        let portal = match statement.params().len() {
            1 => self.0.bind(&statement, &[&OPERATOR]).await?,
            _ => self.0.bind(&statement, &[&OPERATOR, &sector]).await?,
        };
        Ok(RowCursor {
            transaction: &self.0,
            portal,
            stream: None,
            came: 0,
            is_over: false,
        })
    }

    /// Nothing was changed; the connection may be used again.
    pub(super) async fn close(self) -> Result<(), StoreError> {
        Ok(self.0.commit().await?)
    }
}

impl RowCursor<'_> {
    /// The next lines, each with its end; none when there are no more rows.
    pub(super) async fn next_lines(&mut self) -> Result<Option<RowLines>, StoreError> {
        let mut lines = RowLines {
            text: String::new(),
            rows: 0,
        };
        while lines.text.len() < LINES_BYTES
            && let Some(row) = self.next_row().await?
        {
            lines.text.push_str(row.try_get("line")?);
            lines.text.push('\n');
            lines.rows += 1;
        }
        Ok((lines.rows > 0).then_some(lines))
    }

    async fn next_row(&mut self) -> Result<Option<Row>, StoreError> {
        while !self.is_over {
            let stream = match &mut self.stream {
                Some(stream) => stream,
                None => {
                    let rows = self
                        .transaction
                        .query_portal_raw(&self.portal, ROWS_AT_ONCE);
                    self.came = 0;
                    self.stream.insert(Box::pin(rows.await?))
                }
            };
            if let Some(row) = stream.next().await {
                self.came += 1;
                return Ok(Some(row?));
            }
            self.stream = None;
            self.is_over = self.came < ROWS_AT_ONCE;
        }
        Ok(None)
    }
}

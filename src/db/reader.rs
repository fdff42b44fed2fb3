//! One read at a time on a connection of its own.
//!
//! Dropping a query's future does not stop the query in the server. Whoever drops this guard in the middle of a
//! statement sends a cancel request and gives the connection up: the request may arrive late, and must then not hit
//! the statement of somebody else.

use deadpool_postgres::Object;
use tokio::runtime::Handle;
use tokio_postgres::Row;
use tokio_postgres::config::SslMode;
use tokio_postgres::types::ToSql;

use super::connect::cancel;
use super::error::StoreError;

/// A connection to read with, this caller's alone.
pub struct ExclusiveReader {
    connection: Option<Object>,
    drivers: Handle,
    ssl_mode: SslMode,
    busy: bool,
}

impl ExclusiveReader {
    pub(super) fn new(connection: Object, drivers: Handle, ssl_mode: SslMode) -> Self {
        Self {
            connection: Some(connection),
            drivers,
            ssl_mode,
            busy: false,
        }
    }

    /// Runs one statement with its values bound; prepared once a connection.
    pub async fn query(
        &mut self,
        sql: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let answer = ask(self.begin()?, sql, parameters).await;
        self.finish();
        Ok(answer?)
    }

    /// The connection, for several statements such as a transaction. Until [`Self::finish`] a drop of this guard
    /// cancels what runs and closes the connection.
    pub fn begin(&mut self) -> Result<&mut Object, StoreError> {
        self.busy = true;
        let given_up = || StoreError::Unavailable {
            cause: "the connection was given up".into(),
        };
        self.connection.as_mut().ok_or_else(given_up)
    }

    /// Every answer has been read: the connection may go back to the pool.
    pub fn finish(&mut self) {
        self.busy = false;
    }
}

async fn ask(
    connection: &Object,
    sql: &str,
    parameters: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Row>, tokio_postgres::Error> {
    let statement = connection.prepare_cached(sql).await?;
    connection.query(&statement, parameters).await
}

impl Drop for ExclusiveReader {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take().filter(|_| self.busy) else {
            return;
        };
        let client = Object::take(connection);
        let (token, ssl_mode) = (client.cancel_token(), self.ssl_mode);
        self.drivers.spawn(async move {
            cancel(token, ssl_mode).await;
            drop(client);
        });
    }
}

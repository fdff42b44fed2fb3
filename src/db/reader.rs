//! One read at a time on a connection of its own.
//!
//! Dropping a query's future does not stop the query in the server. Whoever drops this guard in the middle of a
//! statement sends a cancel request and gives the connection up: the request may arrive late, and must then not hit
//! the statement of somebody else. What is not worth that goes on instead, in [`GoingOn`].

use std::pin::Pin;
use std::task::{Context, Poll};

use deadpool_postgres::{Object, Pool};
use tokio::runtime::Handle;
use tokio_postgres::Row;
use tokio_postgres::config::SslMode;
use tokio_postgres::types::ToSql;

use super::connect::cancel;
use super::error::StoreError;
use crate::capacity::Slot;

/// A connection to read with, this caller's alone.
pub struct ExclusiveReader {
    connection: Option<Object>,
    drivers: Handle,
    ssl_mode: SslMode,
    busy: bool,
    permit: Option<Permit>,
}

/// What was given for a connection, and where another is had if that is given up.
struct Permit {
    held: Slot,
    pool: Pool,
}

impl Permit {
    /// Given back when another connection can be had. A database that is away is waited for as long as anybody waits for it.
    async fn end(self) {
        if let Err(error) = self.pool.get().await {
            log::debug!("a reader was not replaced: {error}");
        }
        drop(self.held);
    }
}

impl ExclusiveReader {
    pub(super) fn new(connection: Object, drivers: Handle, ssl_mode: SslMode) -> Self {
        Self {
            connection: Some(connection),
            drivers,
            ssl_mode,
            busy: false,
            permit: None,
        }
    }

    pub(super) fn under(mut self, held: Slot, pool: Pool) -> Self {
        self.permit = Some(Permit { held, pool });
        self
    }

    /// Where work goes on that nobody waits for any more.
    pub const fn drivers(&self) -> &Handle {
        &self.drivers
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
        let (ssl_mode, permit) = (self.ssl_mode, self.permit.take());
        self.drivers.spawn(async move {
            // Its place in the pool is taken for as long as its statement may run.
            cancel(connection.cancel_token(), ssl_mode).await;
            drop(Object::take(connection));
            if let Some(permit) = permit {
                permit.end().await;
            }
        });
    }
}

/// Work that goes on when nobody waits for it any more: what it came to is discarded then, and what it held is given back in order.
pub struct GoingOn<T: Send + 'static> {
    work: Option<Pin<Box<dyn Future<Output = T> + Send>>>,
    drivers: Handle,
}

impl<T: Send + 'static> GoingOn<T> {
    /// `work`, which goes on on `drivers`; it must be bounded in itself.
    pub fn new(drivers: Handle, work: impl Future<Output = T> + Send + 'static) -> Self {
        Self {
            work: Some(Box::pin(work)),
            drivers,
        }
    }
}

impl<T: Send + 'static> Future for GoingOn<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let Some(work) = &mut self.work else {
            return Poll::Pending;
        };
        let polled = work.as_mut().poll(context);
        if polled.is_ready() {
            self.work = None;
        }
        polled
    }
}

impl<T: Send + 'static> Drop for GoingOn<T> {
    fn drop(&mut self) {
        if let Some(work) = self.work.take() {
            self.drivers.spawn(async move {
                drop(work.await);
            });
        }
    }
}

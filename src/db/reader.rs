//! One read at a time on a connection of its own.
//!
//! Dropping a query's future does not stop the query in the server. So a guard that is dropped during a statement sends a
//! cancel request and closes the connection: the request may arrive late, and must not cancel somebody else's statement. Work
//! that is not worth this is run to its end instead, in [`Detached`].

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

/// A connection for reading, used by one caller.
pub struct ExclusiveReader {
    connection: Option<Object>,
    drivers: Handle,
    ssl_mode: SslMode,
    busy: bool,
    permit: Option<Permit>,
}

/// The slot that a connection occupies, and the pool it belongs to.
struct Permit {
    held: Slot,
    pool: Pool,
}

impl Permit {
    /// Frees the slot once a closed connection can be replaced, or the attempt fails.
    async fn release(self) {
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

    /// The runtime for work that nobody waits for any more.
    pub const fn drivers(&self) -> &Handle {
        &self.drivers
    }

    /// Runs one statement with bound values. It is prepared once on each connection.
    ///
    /// # Errors
    /// When the statement fails.
    pub async fn query(
        &mut self,
        sql: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let answer = ask(self.begin()?, sql, parameters).await;
        self.finish();
        Ok(answer?)
    }

    /// The connection, for several statements such as a transaction. Until [`Self::finish`], dropping this guard cancels the
    /// running statement and closes the connection.
    ///
    /// # Errors
    /// Never before the drop.
    pub fn begin(&mut self) -> Result<&mut Object, StoreError> {
        self.busy = true;
        let given_up = || StoreError::Unavailable {
            cause: "the connection was given up".into(),
        };
        self.connection.as_mut().ok_or_else(given_up)
    }

    /// Marks every answer as read, so that the connection may return to the pool.
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
            // The connection counts in the pool as long as its statement may run.
            cancel(connection.cancel_token(), ssl_mode).await;
            drop(Object::take(connection));
            if let Some(permit) = permit {
                permit.release().await;
            }
        });
    }
}

/// Work that runs to its end even if nobody waits for it any more; its result is dropped then.
pub struct Detached<T: Send + 'static> {
    work: Option<Pin<Box<dyn Future<Output = T> + Send>>>,
    drivers: Handle,
}

impl<T: Send + 'static> Detached<T> {
    /// Wraps `work`, which continues on `drivers` if this value is dropped. It must have limits of its own.
    pub fn new(drivers: Handle, work: impl Future<Output = T> + Send + 'static) -> Self {
        Self {
            work: Some(Box::pin(work)),
            drivers,
        }
    }
}

impl<T: Send + 'static> Future for Detached<T> {
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

impl<T: Send + 'static> Drop for Detached<T> {
    fn drop(&mut self) {
        if let Some(work) = self.work.take() {
            self.drivers.spawn(async move {
                drop(work.await);
            });
        }
    }
}

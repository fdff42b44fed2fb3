//! The one way to change more than one thing: a named transaction, done again when another was in the way.
//!
//! Knows when a transaction may be repeated. Must not know what it does.

use std::marker::PhantomData;
use std::ops::Deref;
use std::pin::Pin;
use std::time::Duration;

use deadpool_postgres::{Object, Transaction};
use tokio::time::sleep;

use super::error::StoreError;
use super::lent::Lent;
use super::pool::ServicePool;

/// Times a transaction is tried.
const ATTEMPTS_MAX: u32 = 5;
/// Wait before the second attempt; doubled for each further one.
const BACKOFF: Duration = Duration::from_millis(10);

/// What the work inside a transaction may end with: the store's own error, or one that can hold it beside
/// reasons of its own to roll back.
pub trait TxFailure: From<StoreError> {
    /// The store's error in it, if that is what it is.
    fn as_store(&self) -> Option<&StoreError>;
}

impl TxFailure for StoreError {
    fn as_store(&self) -> Option<&StoreError> {
        Some(self)
    }
}

/// A transaction under way, as the work sees it. `'env` is what the work may borrow from outside.
#[derive(Clone, Copy)]
pub struct InTx<'t, 'env> {
    transaction: &'t Transaction<'t>,
    // Tells the compiler that whatever outlives 'env outlives the transaction; without it no work
    // could borrow anything.
    _outlived_by: PhantomData<&'t &'env ()>,
}

impl<'t> Deref for InTx<'t, '_> {
    type Target = Transaction<'t>;

    fn deref(&self) -> &Self::Target {
        self.transaction
    }
}

/// The work inside a transaction: `Box::pin(async move { … })`. Boxed, so that it may go between threads.
pub type Work<'t, T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 't>>;

/// Runs `work` in a transaction called `name` and commits it; an error of `work` rolls back and is handed on.
///
/// After a serialization failure or a deadlock, inside the work or at the commit, everything is done again a bounded
/// number of times ([`StoreError::Conflict`] when that did not help): the work must have no effect outside its
/// transaction, and must hand on the first error of a statement, since the server rolls back from there. A connection
/// lost during the commit is [`StoreError::FateUnknown`] and never repeated.
pub async fn tx<'env, T, E: TxFailure>(
    pool: &ServicePool,
    name: &'static str,
    mut work: impl for<'t> FnMut(InTx<'t, 'env>) -> Work<'t, T, E> + Send,
) -> Result<T, E> {
    let mut backoff = BACKOFF;
    for _ in 1..ATTEMPTS_MAX {
        match attempt(pool, name, &mut work).await {
            Err(error) if matches!(error.as_store(), Some(StoreError::Conflict)) => {}
            end => return end,
        }
        log::debug!(
            "transaction {name} met another one, again in {} ms",
            backoff.as_millis()
        );
        sleep(backoff).await;
        backoff *= 2;
    }
    attempt(pool, name, &mut work).await
}

async fn attempt<'env, T, E: TxFailure>(
    pool: &ServicePool,
    name: &'static str,
    work: &mut (impl for<'t> FnMut(InTx<'t, 'env>) -> Work<'t, T, E> + Send),
) -> Result<T, E> {
    let mut lent = Lent::new(pool.get().await?);
    let outcome = ended(lent.connection()?, name, work).await;
    lent.give_back();
    outcome
}

/// One transaction from its beginning to its end.
async fn ended<'env, T, E: TxFailure>(
    connection: &mut Object,
    name: &'static str,
    work: &mut (impl for<'t> FnMut(InTx<'t, 'env>) -> Work<'t, T, E> + Send),
) -> Result<T, E> {
    let transaction = connection.transaction().await.map_err(StoreError::from)?;
    match work(InTx {
        transaction: &transaction,
        _outlived_by: PhantomData,
    })
    .await
    {
        Ok(value) => {
            transaction
                .commit()
                .await
                .map_err(|error| fate_after(error, name))?;
            Ok(value)
        }
        Err(error) => {
            // A drop would roll back too, but only some time after the connection is in the pool again.
            let _ = transaction.rollback().await;
            Err(error)
        }
    }
}

/// Whatever ended the connection may have done so after the commit was written.
fn fate_after(error: tokio_postgres::Error, name: &'static str) -> StoreError {
    match StoreError::from(error) {
        StoreError::Unavailable { .. } => StoreError::FateUnknown { transaction: name },
        other => other,
    }
}

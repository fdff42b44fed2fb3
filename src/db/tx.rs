//! The one way to change more than one thing: a named transaction, retried after a conflict with another one.
//!
//! It knows when a transaction may be retried. It must not know what it does.

use std::marker::PhantomData;
use std::ops::Deref;
use std::pin::Pin;
use std::time::Duration;

use deadpool_postgres::{Object, Transaction};
use tokio::time::sleep;

use super::error::StoreError;
use super::lent::Lent;
use super::pool::ServicePool;

/// Attempts at one transaction.
const ATTEMPTS_MAX: u32 = 5;
/// The pause before the second attempt; doubled for each further one.
const BACKOFF: Duration = Duration::from_millis(10);

/// The error type of the work inside a transaction: [`StoreError`], or one that can contain it beside other reasons to roll
/// back.
pub trait TxFailure: From<StoreError> {
    /// The database's error, if it is one.
    fn as_store(&self) -> Option<&StoreError>;
}

impl TxFailure for StoreError {
    fn as_store(&self) -> Option<&StoreError> {
        Some(self)
    }
}

/// A transaction, as the work inside it sees it. `'env` is the lifetime of what the work may borrow from outside.
#[derive(Clone, Copy)]
pub struct InTx<'t, 'env> {
    transaction: &'t Transaction<'t>,
    // Tells the compiler that 'env outlives the transaction; without it, the work could borrow nothing.
    _outlived_by: PhantomData<&'t &'env ()>,
}

impl<'t> Deref for InTx<'t, '_> {
    type Target = Transaction<'t>;

    fn deref(&self) -> &Self::Target {
        self.transaction
    }
}

/// The work inside a transaction: `Box::pin(async move { … })`. Boxed, so that it is `Send`.
pub type TxWork<'t, T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 't>>;

/// Runs `work` in a transaction called `name` and commits it; an error of `work` rolls it back and is returned.
///
/// After a serialization failure or a deadlock, inside the work or at the commit, all of it is retried up to [`ATTEMPTS_MAX`]
/// times in total. So the work must have no effect outside its transaction, and must return the first error of a statement, since
/// the server ignores further ones.
///
/// # Errors
/// The error of `work`; [`StoreError::Conflict`] after the last attempt; [`StoreError::FateUnknown`] if the connection was lost
/// during the commit, which is never retried.
pub async fn tx<'env, T, E: TxFailure>(
    pool: &ServicePool,
    name: &'static str,
    mut work: impl for<'t> FnMut(InTx<'t, 'env>) -> TxWork<'t, T, E> + Send,
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
    work: &mut (impl for<'t> FnMut(InTx<'t, 'env>) -> TxWork<'t, T, E> + Send),
) -> Result<T, E> {
    let mut lent = Lent::new(pool.get().await?);
    let outcome = run(lent.connection()?, name, work).await;
    lent.give_back();
    outcome
}

/// Runs one transaction from `BEGIN` to `COMMIT` or `ROLLBACK`.
async fn run<'env, T, E: TxFailure>(
    connection: &mut Object,
    name: &'static str,
    work: &mut (impl for<'t> FnMut(InTx<'t, 'env>) -> TxWork<'t, T, E> + Send),
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
            // A drop would roll back too, but later, when the connection is in the pool already. A rollback that fails means
            // that the connection is lost, and the work's error says more.
            let _ = transaction.rollback().await;
            Err(error)
        }
    }
}

/// The error of a commit. A lost connection may have been lost after the server committed.
fn fate_after(error: tokio_postgres::Error, name: &'static str) -> StoreError {
    match StoreError::from(error) {
        StoreError::Unavailable { .. } => StoreError::FateUnknown { transaction: name },
        other => other,
    }
}

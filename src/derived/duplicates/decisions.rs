//! What was decided of rows, written many at a time.

use deadpool_postgres::Transaction;
use uuid::Uuid;

use crate::db::{StoreError, expect_rows};

/// Rows that are written together.
const ROWS_AT_ONCE_MAX: usize = 1_000;

/// What stands in the place of a row, and of its account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Serving {
    pub hidden_by: Option<Uuid>,
    pub merged_account: Option<Uuid>,
}

/// Decisions that are to be written by one statement.
pub(super) struct Decisions<'a> {
    transaction: &'a Transaction<'a>,
    user: Uuid,
    statement: &'a str,
    rows: Vec<(Uuid, Serving)>,
}

impl<'a> Decisions<'a> {
    /// None yet. The statement is one of `statements::served_once::merge`.
    pub(super) fn new(transaction: &'a Transaction<'a>, user: Uuid, statement: &'a str) -> Self {
        Self {
            transaction,
            user,
            statement,
            rows: Vec::new(),
        }
    }

    /// Adds what a row is to be, unless it is so.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn add(
        &mut self,
        row: Uuid,
        stands: Serving,
        decided: Serving,
    ) -> Result<(), StoreError> {
        if stands != decided {
            self.rows.push((row, decided));
        }
        match self.rows.len() < ROWS_AT_ONCE_MAX {
            true => Ok(()),
            false => self.write().await,
        }
    }

    /// Writes those that are left.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn write(&mut self) -> Result<(), StoreError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.rows);
        let ids: Vec<Uuid> = rows.iter().map(|(row, _)| *row).collect();
        let hidden: Vec<Option<Uuid>> = rows.iter().map(|(_, own)| own.hidden_by).collect();
        let merged: Vec<Option<Uuid>> = rows.iter().map(|(_, own)| own.merged_account).collect();
        let statement = self.transaction.prepare_cached(self.statement).await?;
        let written = self
            .transaction
            .execute(&statement, &[&self.user, &ids, &hidden, &merged])
            .await?;
        expect_rows("statements::served_once::merge", ids.len() as u64, written)
    }
}

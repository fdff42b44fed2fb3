//! Statistics that keep pace with what a push stores.
//!
//! The server takes statistics about once a minute, of what is committed. Until then it takes a table that a push has just filled
//! for a small one, and may read it whole for each day or each record. So a table that has outgrown its statistics gets new ones
//! in the transaction that filled it, before the next statement is planned. Since a table must have doubled, all rounds together
//! cost about as much as the last.

use crate::catalog::Table;
use crate::db::only_value;
use crate::statements::{statistics::analyze, write::qualified};

use super::failure::StoreFailure;
use super::transaction::PushTransaction;

impl PushTransaction<'_> {
    /// Takes statistics of a table that has outgrown those it has.
    pub(super) async fn keep_statistics(&self, table: &Table) -> Result<(), StoreFailure> {
        let outgrown = include_str!("../../../sql/statements/transaction/outgrown.sql");
        let outgrown = self.transaction.prepare_cached(outgrown).await?;
        let answer = self
            .transaction
            .query(&outgrown, &[&qualified(table)])
            .await?;
        if only_value("transaction/outgrown", &answer)? {
            self.transaction.batch_execute(&analyze(table)).await?;
        }
        Ok(())
    }
}

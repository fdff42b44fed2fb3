//! The import's transaction: checks that the store has no rows, stores the bundle's, and settles the derived rows.

use std::sync::Arc;

use deadpool_postgres::{GenericClient, Transaction};
use sextant_actors::domain::{OPERATOR, Sector};

use super::bundle::Bundle;
use super::lines::{self, ImportBatch};
use super::parts::{AGENTS, CONNECTIONS, ImportPart, Names, SIGN_INS, STATED_BALANCES, of_bundle};
use super::{ImportError, Imported, Unfit};
use crate::catalog;
use crate::db::{ServicePool, StoreError, column, tx};
use crate::derived;
use crate::statements::statistics::analyze;
use crate::store::erase::{self, EraseScope};

const WAIT_PATIENTLY: &str = include_str!("../../sql/statements/transaction/wait_patiently.sql");
const PLAN_EACH_TIME: &str = include_str!("../../sql/statements/transaction/plan_each_time.sql");
const MARK: &str = include_str!("../../sql/statements/transaction/mark.sql");
const RELEASE_MARK: &str = include_str!("../../sql/statements/transaction/release_mark.sql");
const BACK_TO_MARK: &str = include_str!("../../sql/statements/transaction/back_to_mark.sql");
const LOCK: &str = include_str!("../../sql/statements/import/lock.sql");
const FORGET_REMOVED: &str = include_str!("../../sql/statements/import/forget_removed.sql");
const FORGET_BALANCES: &str = include_str!("../../sql/statements/import/forget_balances.sql");
const UNLIKE_CONNECTION: &str = include_str!("../../sql/statements/import/unlike_connection.sql");
const STAMP_EVENTS: &str = include_str!("../../sql/statements/import/stamp_events.sql");

/// The fault of a connection's line.
const ANOTHER_CONNECTION: &str = "a connection with its id is here already, and is one of another sector or table: import into another data directory";

/// Whether an import may begin: there is no row, nor one that is marked as deleted. Connections and agents may be there.
///
/// # Errors
/// When the database cannot be read.
pub async fn is_empty(pool: &ServicePool) -> Result<bool, StoreError> {
    is_empty_within(&pool.get().await?).await
}

async fn is_empty_within(client: &impl GenericClient) -> Result<bool, StoreError> {
    let left = erase::count(client, EraseScope::All).await?;
    Ok(left.is_none_or(|left| left.total() == 0))
}

/// Stores a bundle in a store without rows, and begins a generation of change cursors.
///
/// # Errors
/// Why nothing was stored; after [`StoreError::FateUnknown`] all of it may have been.
pub async fn import_bundle(pool: &ServicePool, bundle: &Bundle) -> Result<Imported, ImportError> {
    let names = Names::of(bundle.manifest());
    let parts = Arc::new(of_bundle(bundle.manifest()));
    let parts = &parts;
    tx(pool, "import", move |transaction| {
        Box::pin(async move {
            let work = ImportTransaction {
                transaction: &transaction,
                parts,
            };
            work.begin().await?;
            let imported = work.store(bundle).await?;
            if names == Names::Former {
                transaction.execute(STAMP_EVENTS, &[&OPERATOR]).await?;
            }
            work.take_statistics().await?;
            for sector in Sector::ALL {
                derived::settle_all(&transaction, OPERATOR, sector)
                    .await
                    .map_err(|cause| settle_error(sector, cause))?;
            }
            Ok(imported)
        })
    })
    .await
}

struct ImportTransaction<'a> {
    transaction: &'a Transaction<'a>,
    parts: &'a Arc<Vec<ImportPart>>,
}

impl ImportTransaction<'_> {
    /// Locks and checks the store, and deletes the remains of removed connections: their rows may come back under the same ids.
    async fn begin(&self) -> Result<(), ImportError> {
        for statement in [WAIT_PATIENTLY, PLAN_EACH_TIME, LOCK] {
            self.transaction.batch_execute(statement).await?;
        }
        if !is_empty_within(self.transaction).await? {
            return Err(ImportError::NotEmpty);
        }
        erase::erase_within(self.transaction, EraseScope::All).await?;
        self.transaction
            .execute(FORGET_REMOVED, &[&OPERATOR])
            .await?;
        Ok(())
    }

    async fn store(&self, bundle: &Bundle) -> Result<Imported, ImportError> {
        let (mut batches, reader) = lines::read(bundle, self.parts);
        let mut imported = Imported::default();
        let stored = loop {
            match batches.recv().await {
                None => break Ok(()),
                Some(Err(cause)) => break Err(cause),
                Some(Ok(batch)) => {
                    if let Err(cause) = self.store_batch(&batch, &mut imported).await {
                        break Err(cause);
                    }
                }
            }
        };
        drop(batches);
        let read = reader.await;
        stored?;
        // A reader that panicked has closed the channel too early.
        read.map_err(|gone| ImportError::File(std::io::Error::other(gone)))?;
        Ok(imported)
    }

    async fn store_batch(
        &self,
        batch: &ImportBatch,
        imported: &mut Imported,
    ) -> Result<(), ImportError> {
        let part = self
            .parts
            .get(batch.part)
            .ok_or_else(|| StoreError::Fault {
                cause: "lines of no part of the export".to_owned(),
            })?;
        if part.table == STATED_BALANCES && batch.first == 1 {
            self.transaction
                .execute(FORGET_BALANCES, &[&OPERATOR])
                .await?;
        }
        let names = match self.insert(part, &batch.lines).await {
            Err(StoreError::Rejected { .. }) => {
                return Err(self.find_faulty_line(part, batch).await?.into());
            }
            stored => stored?,
        };
        let rows = batch.lines.len() as u64;
        match part.table.as_str() {
            AGENTS => note_agents(batch, names, imported),
            SIGN_INS => imported.sign_ins.extend(names),
            CONNECTIONS => {
                self.check_connections_alike(part, batch).await?;
                imported.connections += rows.saturating_sub(names.len() as u64);
                imported.connections_kept.extend(names);
            }
            _ if part.is_data => *imported.tables.entry(part.table.clone()).or_default() += rows,
            _ => {}
        }
        Ok(())
    }

    /// The rows are of this transaction: the server has no statistics of them by which it could plan what derives rows of them.
    async fn take_statistics(&self) -> Result<(), StoreError> {
        for table in catalog::tables().filter(|table| table.is_stored()) {
            self.transaction.batch_execute(&analyze(table)).await?;
        }
        Ok(())
    }

    /// A connection that was there before must be of the same sector and table as the imported one.
    async fn check_connections_alike(
        &self,
        part: &ImportPart,
        batch: &ImportBatch,
    ) -> Result<(), ImportError> {
        let array = array(&batch.lines);
        let found = self
            .transaction
            .query_one(UNLIKE_CONNECTION, &[&OPERATOR, &array])
            .await?;
        let place: Option<i64> = column("import/unlike_connection", &found)?;
        let Some(place) = place else {
            return Ok(());
        };
        let line = batch.first + place.unsigned_abs() - 1;
        Err(Unfit::line(&part.entry(), line, ANOTHER_CONNECTION).into())
    }

    /// Stores lines; when PostgreSQL rejects them none is stored and the transaction can go on. Returns the names that the statement
    /// returns.
    async fn insert(&self, part: &ImportPart, lines: &[String]) -> Result<Vec<String>, StoreError> {
        self.transaction.batch_execute(MARK).await?;
        let statement = self.transaction.prepare_cached(&part.statement).await?;
        let array = array(lines);
        match self
            .transaction
            .query(&statement, &[&OPERATOR, &array])
            .await
        {
            Ok(rows) => {
                self.transaction.batch_execute(RELEASE_MARK).await?;
                let name = |row| column("statements::import", row);
                rows.iter().map(name).collect()
            }
            Err(cause) => {
                let cause = StoreError::from(cause);
                if cause.is_rejected() {
                    self.transaction.batch_execute(BACK_TO_MARK).await?;
                }
                Err(cause)
            }
        }
    }

    /// Finds the first line of a rejected batch that cannot be stored, by halves; the lines before it are stored on the way.
    async fn find_faulty_line(
        &self,
        part: &ImportPart,
        batch: &ImportBatch,
    ) -> Result<Unfit, ImportError> {
        let (mut from, mut lines) = (batch.first, batch.lines.as_slice());
        loop {
            let (before, rest) = lines.split_at(lines.len() / 2);
            if before.is_empty() {
                let refused = self.insert(part, rest).await;
                let fault = refused.err().map_or_else(String::new, describe);
                return Ok(Unfit::line(&part.entry(), from, fault));
            }
            match self.insert(part, before).await {
                Ok(_) => {
                    from += before.len() as u64;
                    lines = rest;
                }
                Err(StoreError::Rejected { .. }) => lines = before,
                Err(cause) => return Err(cause.into()),
            }
        }
    }
}

/// Each row could be stored, but the derived rows cannot be made of them.
fn settle_error(sector: Sector, cause: StoreError) -> ImportError {
    match cause {
        StoreError::Rejected { .. } => {
            Unfit::whole(format!("its rows of {sector} do not go together: {cause}")).into()
        }
        cause => cause.into(),
    }
}

fn array(lines: &[String]) -> String {
    format!("[{}]", lines.join(","))
}

/// The error names columns and a code, never a value.
fn describe(cause: StoreError) -> String {
    format!("it cannot be stored: {cause}")
}

fn note_agents(batch: &ImportBatch, brought: Vec<String>, imported: &mut Imported) {
    // `shape::check` has refused every line that is no agent with a name.
    let names = batch.lines.iter().filter_map(|line| {
        let agent: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(agent.get("name")?.as_str()?.to_owned())
    });
    let kept = names.filter(|name| !brought.contains(name));
    imported.agents_kept.extend(kept);
    imported.agents.extend(brought);
}

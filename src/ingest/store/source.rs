//! Stores what a source has now: its records win over what is stored, whatever their stamps.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;

use crate::catalog::Field;
use crate::ingest::batches::Batches;
use crate::ingest::destination::PushDestination;
use crate::ingest::limits::BATCH_ROWS_MAX;
use crate::ingest::prepare::Rejects;
use crate::ingest::row::{Deletion, PushStep, PushedRecord, SectorRow};
use crate::statements::write::Precedence;

use super::failure::StoreFailure;
use super::run::Touched;
use super::transaction::PushTransaction;

/// One change of a row.
#[derive(Clone, Debug)]
pub(crate) enum SourceStep {
    /// It is there, and whole; its size in bytes decides how many go into one statement.
    Put(Box<PushedRecord>, usize),
    /// The row of this source id is gone.
    Remove(String),
    /// Some fields of a stored row are others now.
    Amend(Box<SectorRow>),
}

/// What the steps changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceCounts {
    pub upserted: u64,
    pub deleted: u64,
}

/// Takes the steps of one table in their order, amendments last, within a transaction of the caller, who settles what is derived.
///
/// # Errors
/// Why the transaction must not be committed.
pub(crate) async fn store_source(
    transaction: &Transaction<'_>,
    to: &PushDestination,
    steps: Vec<SourceStep>,
) -> Result<SourceCounts, StoreFailure> {
    let source = PushTransaction {
        transaction,
        to,
        siblings: &[],
        rejects: Rejects::Listed,
        precedence: Precedence::Source,
    };
    let mut amended = Vec::new();
    let mut rows = Vec::new();
    for step in steps {
        let index = rows.len();
        match step {
            SourceStep::Put(mut root, bytes) => {
                root.index = index;
                rows.push(Ok((PushStep::Store(root), bytes)));
            }
            SourceStep::Remove(source_id) => rows.push(Ok((deletion(index, source_id), 0))),
            SourceStep::Amend(row) => amended.push(*row),
        }
    }
    let mut touched = Touched::of_items(rows.len());
    for batch in Batches::of(to.table, rows.into_iter()) {
        let batch = batch.map_err(StoreFailure::Spool)?;
        source.store_batch(batch, &mut touched).await?;
    }
    let changed = source.amend_rows(&amended).await?;
    source.expand(&touched.series).await?;
    Ok(SourceCounts {
        upserted: touched.stored.inserted + touched.stored.updated + changed,
        deleted: touched.stored.deleted,
    })
}

fn deletion(index: usize, source_id: String) -> PushStep {
    PushStep::Delete(Deletion {
        index,
        source_id,
        updated_at: None,
    })
}

impl PushTransaction<'_> {
    /// Amends rows, those with the same fields together.
    async fn amend_rows(&self, rows: &[SectorRow]) -> Result<u64, StoreFailure> {
        let mut alike: BTreeMap<Vec<&str>, Vec<&SectorRow>> = BTreeMap::new();
        for row in rows {
            let names = row.columns.keys().map(String::as_str).collect();
            alike.entry(names).or_default().push(row);
        }
        let mut changed = 0;
        for (names, rows) in alike {
            let fields = names.iter().filter_map(|name| self.to.table.field(name));
            let fields: Vec<&'static Field> = fields.collect();
            if fields.is_empty() {
                continue;
            }
            for rows in rows.chunks(BATCH_ROWS_MAX) {
                changed += self.amend_fields(self.to.table, &fields, rows).await?;
            }
        }
        Ok(changed)
    }
}

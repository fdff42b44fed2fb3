//! Where the records of an upload go: to the connection of their table, which is made when the first batch for it is stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use sextant_actors::random;
use uuid::Uuid;

use super::batch_writer::BatchWriter;
use super::destinations::{Destination, destination};
use super::error::WorkFailure;
use super::job::{UploadTable, UploadWork};
use super::job_entry::JobEntry;
use crate::catalog::Table;
use crate::intake::{BatchOutcome, PushBatch, RecordRoute, Sink, pushable};
use crate::store::connections::{self, NewPush};

const UNTOLD: &str = "it does not say for which table it is (`target`)";

/// Where the records of one upload go. Its tables are those of the job, by the same index.
pub(super) struct StoreSink {
    entry: Arc<JobEntry>,
    writer: BatchWriter,
    work: UploadWork,
    /// By table: the index of its destination, or why it has none.
    routes: BTreeMap<String, Result<usize, String>>,
    destinations: Vec<(&'static Table, Destination)>,
}

impl StoreSink {
    pub(super) fn new(entry: Arc<JobEntry>, work: UploadWork, writer: BatchWriter) -> Self {
        Self {
            entry,
            writer,
            work,
            routes: BTreeMap::new(),
            destinations: Vec::new(),
        }
    }

    fn find(&mut self, target: &str) -> Result<usize, String> {
        let table = pushable(target)
            .ok_or_else(|| format!("it is for {target}, and that is no table that takes pushes"))?;
        let chosen = self.entry.job().destinations;
        let found = destination(table, &chosen, &self.writer.store.connections.snapshot())?;
        let row = match &found {
            Destination::There(id, label) => {
                UploadTable::new(table.target(), Some(*id), label.clone())
            }
            Destination::New(label) => UploadTable::new(table.target(), None, label.clone()),
        };
        self.destinations.push((table, found));
        self.entry.update(|job| job.tables.push(row));
        Ok(self.destinations.len() - 1)
    }

    /// The connection of a destination, which is made if it is new; in a check nothing is made.
    async fn connection(&mut self, index: usize) -> Result<Option<Uuid>, WorkFailure> {
        let Some((table, there)) = self.destinations.get(index).cloned() else {
            return Err(WorkFailure::Fault("a batch has no destination".to_owned()));
        };
        match (there, self.work) {
            (Destination::There(id, _), _) => Ok(Some(id)),
            (Destination::New(_), UploadWork::Check) => Ok(None),
            (Destination::New(label), UploadWork::Run) => {
                let id = self.make(table, label.clone()).await?;
                if let Some((_, destination)) = self.destinations.get_mut(index) {
                    *destination = Destination::There(id, label);
                }
                Ok(Some(id))
            }
        }
    }

    /// Makes a connection without a secret, and remembers it for the next run.
    async fn make(&self, table: &'static Table, label: String) -> Result<Uuid, WorkFailure> {
        let id = random::identifier().map_err(|cause| WorkFailure::Fault(cause.to_string()))?;
        let new = NewPush {
            id,
            label,
            table,
            secret: None,
        };
        let made =
            connections::create(&self.writer.store.pool, &new, self.writer.store.clock.now()).await;
        if let Err(cause) = self.writer.store.connections.reload(id).await {
            log::warn!("connection {id} was made and cannot be read again yet: {cause}");
        }
        made.map_err(WorkFailure::Store)?;
        let target = table.target();
        self.entry.update(|job| {
            for row in job.tables.iter_mut().filter(|row| row.table == target) {
                row.connection_id = Some(id);
            }
            job.destinations.insert(target, Some(id));
        });
        Ok(id)
    }
}

impl Sink for StoreSink {
    type Error = WorkFailure;

    async fn route(&mut self, target: Option<&str>) -> Result<RecordRoute, WorkFailure> {
        let Some(target) = target else {
            return Ok(RecordRoute::None(UNTOLD.to_owned()));
        };
        if !self.routes.contains_key(target) {
            let found = self.find(target);
            self.routes.insert(target.to_owned(), found);
        }
        Ok(match self.routes.get(target) {
            Some(Ok(index)) => RecordRoute::To(*index),
            Some(Err(reason)) => RecordRoute::None(reason.clone()),
            None => RecordRoute::None(UNTOLD.to_owned()),
        })
    }

    async fn push(
        &mut self,
        connection: usize,
        batch: &PushBatch,
    ) -> Result<BatchOutcome, WorkFailure> {
        let id = self.connection(connection).await?;
        let table = self.destinations.get(connection).map(|(table, _)| *table);
        let outcome = match (self.work, id, table) {
            (UploadWork::Run, Some(id), _) => self.writer.run(id, batch).await?,
            (_, _, Some(table)) => self.writer.check(table, batch)?,
            (_, _, None) => BatchOutcome::Refused(UNTOLD.to_owned()),
        };
        self.entry.folder.save(&self.entry.job())?;
        Ok(outcome)
    }
}

//! One file after another, and each of its records to its connection.

mod destination;

use std::io;
use std::path::PathBuf;

use serde_json::Value;

use self::destination::{PushRouter, RecordRoute};
use super::arguments::PushArguments;
use super::error::PushError;
use super::report::Report;
use super::secrets::EnvironmentSecret;
use super::stop::StopRequest;
use super::verdict::{self, PushCounts, PushVerdict};
use crate::intake::{PushBatch, RECORD_BYTES_MAX, UNNAMED_REASON, Unnamed};
use sextant_formats::{
    EntryPlace, FileEntry, FileError, FileReader, FileSource, FileWalk, FoundFile, PROBLEMS,
    RecordFields, Watcher,
};

const STOPPED: &str = "Stopped. What the table names as stored is stored; run the same push again for the rest, nothing is stored twice.";

pub(super) struct Pusher<'a, 'b> {
    reader: FileReader,
    /// Statements that say of no account that they are its, where those of two would become one.
    unnamed: Option<Unnamed>,
    destination: PushRouter,
    /// One for each connection.
    batches: Vec<PushBatch>,
    report: &'a mut Report<'b>,
    stop: &'a StopRequest,
}

impl<'a, 'b> Pusher<'a, 'b> {
    pub(super) async fn new(
        arguments: &PushArguments,
        url: &str,
        secret: EnvironmentSecret,
        report: &'a mut Report<'b>,
        stop: &'a StopRequest,
    ) -> Result<Self, PushError> {
        if arguments.dry_run {
            report.rehearse();
        }
        let keeps_apart = arguments.create && arguments.options.account.is_none();
        Ok(Self {
            reader: FileReader::new(arguments.options.clone().into()),
            unnamed: keeps_apart.then(Unnamed::default),
            destination: PushRouter::new(arguments, url, secret, report).await?,
            batches: Vec::new(),
            report,
            stop,
        })
    }

    /// Pushes what lies under the paths. Whatever ends it, the table says what was stored.
    pub(super) async fn push_all(mut self, paths: &[PathBuf]) -> Result<bool, PushError> {
        let mut walk = FileWalk::new(paths);
        let pushed = self.push_each(&mut walk).await;
        if pushed.is_err() {
            self.report.fail("the push ended here")?;
            self.report.end()?;
        }
        if self.stop.is_asked() {
            self.report.note(STOPPED)?;
        }
        let is_all_stored = self.report.finish(walk.passed_over())?;
        pushed.map(|()| is_all_stored)
    }

    async fn push_each(&mut self, walk: &mut FileWalk) -> Result<(), PushError> {
        for found in walk {
            if let Some(found) = self.set_aside(found)? {
                self.push_found(found).await?;
            }
            if self.stop.is_asked() {
                return Ok(());
            }
        }
        match self.unnamed.take().and_then(Unnamed::only) {
            Some(found) => self.push_found(found).await,
            None => Ok(()),
        }
    }

    /// Keeps back a statement that names no account until it is known to be the only one; of several all are refused.
    fn set_aside(&mut self, found: FoundFile) -> io::Result<Option<FoundFile>> {
        let Some(unnamed) = &mut self.unnamed else {
            return Ok(Some(found));
        };
        let source = found.source.as_ref();
        if !source.is_ok_and(|source| self.reader.names_no_account(source)) {
            return Ok(Some(found));
        }
        for refused in unnamed.add(found) {
            self.report.begin(&refused, None)?;
            self.report.leave_unread(UNNAMED_REASON)?;
            self.report.end()?;
        }
        Ok(None)
    }

    async fn push_found(&mut self, found: FoundFile) -> Result<(), PushError> {
        let size_bytes = found.source.as_ref().ok().and_then(FileSource::size_bytes);
        let bar = self.report.begin(&found.name, size_bytes)?;
        match found.source {
            Ok(source) => {
                let stop = self.stop.clone();
                let source = source.watched(Watcher::new(move |bytes| {
                    bar.set_position(bytes);
                    stop.check()
                }));
                self.push_source(&source, found.is_doubtful).await?;
            }
            Err(reason) => self.report.leave_unread(&reason)?,
        }
        Ok(self.report.end()?)
    }

    async fn push_source(
        &mut self,
        source: &FileSource,
        is_doubtful: bool,
    ) -> Result<(), PushError> {
        match self.reader.entries(source) {
            Ok(entries) => {
                let broke_off = self.push_entries(entries).await?;
                self.send_all().await?;
                if let Some(reason) = broke_off {
                    self.report.fail(&reason)?;
                }
                self.report
                    .leave_behind(&self.reader.left_behind().take())?;
            }
            Err(FileError::NotThisFormat(why)) if is_doubtful => self.report.pass_over(why)?,
            Err(FileError::Empty) => self.report.find_empty()?,
            Err(error) => self.report.leave_unread(&error.to_string())?,
        }
        Ok(())
    }

    /// Why the entries ended before the file did, if they have.
    async fn push_entries(
        &mut self,
        entries: impl Iterator<Item = Result<FileEntry, FileError>>,
    ) -> Result<Option<String>, PushError> {
        for entry in entries {
            if self.stop.is_asked() {
                return Ok(Some("it was stopped".to_owned()));
            }
            match entry {
                Ok(entry) => self.take(entry).await?,
                Err(error) => return Ok(Some(error.to_string())),
            }
            if self.report.holds_much() {
                self.send_all().await?;
                self.report.print_held()?;
            }
        }
        Ok(None)
    }

    async fn send_all(&mut self) -> Result<(), PushError> {
        for connection in 0..self.batches.len() {
            self.send(connection).await?;
        }
        Ok(())
    }

    async fn take(&mut self, entry: FileEntry) -> Result<(), PushError> {
        let (target, place, fields) = match entry {
            FileEntry::Record {
                target,
                place,
                fields,
            } => (target, place, fields),
            FileEntry::Refused { place, reason } => {
                self.report.refuse(&place, &reason);
                return Ok(());
            }
        };
        for problem in left_out(&fields) {
            self.report.leave_out(&place, problem);
        }
        match self.destination.find(target.as_deref()).await? {
            RecordRoute::To(connection) => self.add(connection, place, &fields).await,
            RecordRoute::Would(table, by) => {
                self.report.plan(&table, &by);
                Ok(())
            }
            RecordRoute::WouldNot(reason) => {
                self.report.plan_none(&reason);
                Ok(())
            }
            RecordRoute::Made(connection, note) => {
                self.report.note(&note)?;
                self.add(connection, place, &fields).await
            }
            RecordRoute::None(reason) => {
                self.report.refuse(&place, &reason);
                Ok(())
            }
        }
    }

    async fn add(
        &mut self,
        connection: usize,
        place: EntryPlace,
        fields: &RecordFields,
    ) -> Result<(), PushError> {
        let Ok(row) = serde_json::to_vec(fields) else {
            self.report.refuse(&place, "it cannot be written as JSON");
            return Ok(());
        };
        if row.len() > RECORD_BYTES_MAX {
            let reason = format!("the record is longer than {RECORD_BYTES_MAX} bytes");
            self.report.refuse(&place, &reason);
            return Ok(());
        }
        if self.batches.len() <= connection {
            self.batches.resize_with(connection + 1, PushBatch::default);
        }
        if self
            .batches
            .get(connection)
            .is_some_and(|batch| !batch.has_room_for(&row))
        {
            self.send(connection).await?;
        }
        if let Some(batch) = self.batches.get_mut(connection) {
            batch.push(place, row);
        }
        Ok(())
    }

    /// Sends what waits for a connection, in halves if the server finds the whole too large.
    async fn send(&mut self, connection: usize) -> Result<(), PushError> {
        // A connection for which nothing waits has no batch.
        let batch = self.batches.get_mut(connection);
        let waiting = batch.map(std::mem::take).unwrap_or_default();
        let mut pending = vec![waiting];
        while let Some(batch) = pending.pop().filter(|batch| !batch.is_empty()) {
            match self.destination.push(connection, &batch).await? {
                PushVerdict::Stored(stored) => self.tell(&batch, &stored),
                PushVerdict::TooLarge if batch.len() > 1 => {
                    let (first, second) = batch.halves();
                    pending.extend([second, first]);
                }
                PushVerdict::TooLarge => self.refuse_all(&batch, verdict::TOO_LARGE),
                PushVerdict::Refused(reason) => self.refuse_all(&batch, &reason),
            }
        }
        Ok(())
    }

    fn tell(&mut self, batch: &PushBatch, stored: &PushCounts) {
        for (index, problems) in &stored.rejected {
            let sentences = problems.iter().map(|problem| {
                let field = problem.field.as_deref();
                problem.sentence(field.and_then(|field| batch.sent(*index, field)))
            });
            let reason = sentences.collect::<Vec<_>>().join("; ");
            if let Some(place) = batch.place(*index) {
                self.report.refuse(place, &reason);
            }
        }
        self.report.store(stored, batch.len());
        self.report.remark(&stored.notes);
    }

    fn refuse_all(&mut self, batch: &PushBatch, reason: &str) {
        batch
            .places()
            .for_each(|place| self.report.refuse(place, reason));
    }
}

/// What the importer could not take of an entry that it took.
fn left_out(fields: &RecordFields) -> impl Iterator<Item = &str> {
    let problems = fields.get(PROBLEMS).and_then(Value::as_array);
    problems.into_iter().flatten().filter_map(Value::as_str)
}

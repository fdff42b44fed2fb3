//! One file after another, and each of its records to its connection.

#[cfg(test)]
mod tests;

use std::io;

use serde_json::Value;
use sextant_formats::{
    EntryPlace, FileEntry, FileError, FileReader, FileSource, FileWalk, FoundFile, OpenQuestion,
    Options, PROBLEMS, RecordFields, Watcher,
};

use super::batch::{PushBatch, RECORD_BYTES_MAX};
use super::listener::{IntakeEvent, Listener};
use super::outcome::{BatchCounts, BatchOutcome};
use super::sink::{RecordRoute, Sink};
use super::stop::StopRequest;
use super::unnamed::{self, Unnamed};

/// Reads files and hands their records to a sink, in batches by connection; a listener is told what becomes of them.
pub(crate) struct FileLoader<'a, S, L> {
    reader: FileReader,
    /// Statements that say of no account that they are its, where those of two would become one.
    unnamed: Option<Unnamed>,
    sink: &'a mut S,
    /// One for each connection.
    batches: Vec<PushBatch>,
    listener: &'a mut L,
    stop: &'a StopRequest,
}

impl<'a, S: Sink, L: Listener> FileLoader<'a, S, L> {
    /// `options` are the person's answers to what files leave open. With `keeps_accounts_apart`, and without an account in the answers,
    /// no two statements that name no account are loaded.
    pub(crate) fn new(
        options: Options,
        keeps_accounts_apart: bool,
        (sink, listener): (&'a mut S, &'a mut L),
        stop: &'a StopRequest,
    ) -> Self {
        let keeps_apart = keeps_accounts_apart && options.account.is_none();
        Self {
            reader: FileReader::new(options),
            unnamed: keeps_apart.then(Unnamed::default),
            sink,
            batches: Vec::new(),
            listener,
            stop,
        }
    }

    /// Loads the files of a walk, until its end or until a stop is asked for.
    ///
    /// # Errors
    /// Nothing more can be stored or told; what was told as stored is stored. The file that was being read has no
    /// [`IntakeEvent::FileEnded`] then.
    pub(crate) async fn load(&mut self, walk: &mut FileWalk) -> Result<(), S::Error> {
        for found in walk {
            if let Some(found) = self.set_aside(found)? {
                self.load_found(found).await?;
            }
            if self.stop.is_asked() {
                return Ok(());
            }
        }
        match self.unnamed.take().and_then(Unnamed::only) {
            Some(found) => self.load_found(found).await,
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
            self.listener.begin_file(&refused, None)?;
            self.leave_unread(unnamed::REASON, Some(OpenQuestion::Account))?;
            self.hear(IntakeEvent::FileEnded)?;
        }
        Ok(None)
    }

    async fn load_found(&mut self, found: FoundFile) -> Result<(), S::Error> {
        let size_bytes = found.source.as_ref().ok().and_then(FileSource::size_bytes);
        let on_progress = self.listener.begin_file(&found.name, size_bytes)?;
        match found.source {
            Ok(source) => {
                let stop = self.stop.clone();
                let source = source.watched(Watcher::new(move |bytes| {
                    on_progress.report(bytes);
                    stop.check()
                }));
                self.load_source(&source, found.is_doubtful).await?;
            }
            Err(reason) => self.leave_unread(&reason, None)?,
        }
        Ok(self.hear(IntakeEvent::FileEnded)?)
    }

    async fn load_source(
        &mut self,
        source: &FileSource,
        is_doubtful: bool,
    ) -> Result<(), S::Error> {
        match self.reader.entries(source) {
            Ok(entries) => {
                let broke_off = self.take_entries(entries).await?;
                self.send_all().await?;
                if let Some(reason) = broke_off {
                    self.hear(IntakeEvent::CutOff { reason: &reason })?;
                }
                let kinds = self.reader.left_behind().take();
                self.hear(IntakeEvent::LeftBehind(&kinds))?;
            }
            Err(FileError::NotThisFormat(why)) if is_doubtful => {
                self.hear(IntakeEvent::PassedOver { reason: why })?;
            }
            Err(FileError::Empty) => self.hear(IntakeEvent::Empty)?,
            Err(error) => self.leave_unread(&error.to_string(), error.question())?,
        }
        Ok(())
    }

    /// Why the entries ended before the file did, if they have.
    async fn take_entries(
        &mut self,
        entries: impl Iterator<Item = Result<FileEntry, FileError>>,
    ) -> Result<Option<String>, S::Error> {
        for entry in entries {
            if self.stop.is_asked() {
                return Ok(Some("it was stopped".to_owned()));
            }
            match entry {
                Ok(entry) => self.take(entry).await?,
                Err(error) => return Ok(Some(error.to_string())),
            }
            if self.listener.is_full() {
                self.send_all().await?;
                self.hear(IntakeEvent::AllAnswered)?;
            }
        }
        Ok(None)
    }

    async fn send_all(&mut self) -> Result<(), S::Error> {
        for connection in 0..self.batches.len() {
            self.send(connection).await?;
        }
        Ok(())
    }

    async fn take(&mut self, entry: FileEntry) -> Result<(), S::Error> {
        let (target, place, fields) = match entry {
            FileEntry::Record {
                target,
                place,
                fields,
            } => (target, place, fields),
            FileEntry::Refused { place, reason } => {
                return Ok(self.refuse(&place, &reason)?);
            }
        };
        for problem in left_out(&fields) {
            self.hear(IntakeEvent::LeftOut {
                place: &place,
                part: problem,
            })?;
        }
        match self.sink.route(target.as_deref()).await? {
            RecordRoute::To(connection) => self.add(connection, place, &fields).await,
            RecordRoute::Would(table, by) => {
                let (table, destination) = (&table, &by);
                Ok(self.hear(IntakeEvent::Planned { table, destination })?)
            }
            RecordRoute::WouldNot(reason) => {
                Ok(self.hear(IntakeEvent::Unplanned { reason: &reason })?)
            }
            RecordRoute::Made(connection, note) => {
                self.hear(IntakeEvent::ConnectionMade { note: &note })?;
                self.add(connection, place, &fields).await
            }
            RecordRoute::None(reason) => Ok(self.refuse(&place, &reason)?),
        }
    }

    async fn add(
        &mut self,
        connection: usize,
        place: EntryPlace,
        fields: &RecordFields,
    ) -> Result<(), S::Error> {
        let Ok(row) = serde_json::to_vec(fields) else {
            return Ok(self.refuse(&place, "it cannot be written as JSON")?);
        };
        if row.len() > RECORD_BYTES_MAX {
            let reason = format!("the record is longer than {RECORD_BYTES_MAX} bytes");
            return Ok(self.refuse(&place, &reason)?);
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

    /// Sends what waits for a connection, in halves if the sink finds the whole too large.
    async fn send(&mut self, connection: usize) -> Result<(), S::Error> {
        // A connection for which nothing waits has no batch.
        let batch = self.batches.get_mut(connection);
        let waiting = batch.map(std::mem::take).unwrap_or_default();
        let mut pending = vec![waiting];
        while let Some(batch) = pending.pop().filter(|batch| !batch.is_empty()) {
            match self.sink.push(connection, &batch).await? {
                BatchOutcome::Stored(counts) => self.report(connection, &batch, &counts)?,
                BatchOutcome::TooLarge(_) if batch.len() > 1 => {
                    let (first, second) = batch.halves();
                    pending.extend([second, first]);
                }
                BatchOutcome::TooLarge(reason) => self.refuse_all(&batch, reason)?,
                BatchOutcome::Refused(reason) => self.refuse_all(&batch, &reason)?,
            }
        }
        Ok(())
    }

    fn report(
        &mut self,
        connection: usize,
        batch: &PushBatch,
        counts: &BatchCounts,
    ) -> io::Result<()> {
        for (index, problems) in &counts.rejected {
            let sentences = problems.iter().map(|problem| {
                let field = problem.field.as_deref();
                problem.sentence(field.and_then(|field| batch.sent(*index, field)))
            });
            let reason = sentences.collect::<Vec<_>>().join("; ");
            if let Some(place) = batch.place(*index) {
                self.refuse(place, &reason)?;
            }
        }
        let rows = batch.len();
        self.hear(IntakeEvent::Stored {
            connection,
            counts,
            rows,
        })
    }

    fn refuse_all(&mut self, batch: &PushBatch, reason: &str) -> io::Result<()> {
        batch
            .places()
            .try_for_each(|place| self.refuse(place, reason))
    }

    fn refuse(&mut self, place: &EntryPlace, reason: &str) -> io::Result<()> {
        self.hear(IntakeEvent::Refused { place, reason })
    }

    fn leave_unread(&mut self, reason: &str, question: Option<OpenQuestion>) -> io::Result<()> {
        self.hear(IntakeEvent::Unread { reason, question })
    }

    fn hear(&mut self, event: IntakeEvent<'_>) -> io::Result<()> {
        self.listener.hear(event)
    }
}

/// What the importer could not take of an entry that it took.
fn left_out(fields: &RecordFields) -> impl Iterator<Item = &str> {
    let problems = fields.get(PROBLEMS).and_then(Value::as_array);
    problems.into_iter().flatten().filter_map(Value::as_str)
}

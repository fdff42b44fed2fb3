//! One file after another, and each of its records to its connection.
//!
//! Records of several small files share a batch, so that ten thousand messages are not ten thousand requests.

mod sending;
#[cfg(test)]
mod tests;

use std::io;

use serde_json::Value;
use sextant_formats::{
    EntryPlace, FileEntry, FileError, FileReader, FileSource, FileWalk, FoundFile, OpenQuestion,
    PROBLEMS, RecordFields, Watcher,
};

use super::answers::Answers;
use super::batch::PushBatch;
use super::listener::{IntakeEvent, Listener};
use super::sink::{RecordRoute, Sink};
use super::stop::StopRequest;
use super::told_files::ToldFiles;
use super::unnamed::{self, Unnamed};

/// Why a file is not read to its end, or not all of it answered, when nothing more can be stored.
const BROKEN_OFF: &str = "the push ended here";
const STOPPED: &str = "it was stopped";

/// Reads files and hands their records to a sink, in batches by connection; a listener is told what becomes of them.
pub(crate) struct FileLoader<'a, S, L> {
    reader: FileReader,
    answers: Answers,
    /// Statements that say of no account that they are its, where those of two would become one.
    unnamed: Option<Unnamed>,
    sink: &'a mut S,
    /// One for each connection.
    batches: Vec<PushBatch>,
    told: ToldFiles<'a, L>,
    stop: &'a StopRequest,
}

impl<'a, S: Sink, L: Listener> FileLoader<'a, S, L> {
    /// With `keeps_accounts_apart`, no two statements are loaded of which neither the file nor an answer names the account.
    pub(crate) fn new(
        answers: Answers,
        keeps_accounts_apart: bool,
        (sink, listener): (&'a mut S, &'a mut L),
        stop: &'a StopRequest,
    ) -> Self {
        Self {
            reader: FileReader::default(),
            answers,
            unnamed: keeps_accounts_apart.then(Unnamed::default),
            sink,
            batches: Vec::new(),
            told: ToldFiles::new(listener),
            stop,
        }
    }

    /// Loads the files of a walk, until its end or until a stop is asked for.
    ///
    /// # Errors
    /// Nothing more can be stored or told; what was told as stored is stored, and each file that was begun was told to end.
    pub(crate) async fn load(&mut self, walk: &mut FileWalk) -> Result<(), S::Error> {
        let loaded = self.load_until_stopped(walk).await;
        if loaded.is_err() {
            // What cannot be told either is no better a reason than the first.
            let _untold = self.told.break_off(BROKEN_OFF);
        }
        loaded
    }

    async fn load_until_stopped(&mut self, walk: &mut FileWalk) -> Result<(), S::Error> {
        for found in walk {
            if let Some(found) = self.set_aside(found)? {
                self.load_found(found).await?;
            }
            if self.stop.is_asked() {
                return self.send_all().await;
            }
        }
        if let Some(found) = self.unnamed.take().and_then(Unnamed::only) {
            self.load_found(found).await?;
        }
        self.send_all().await
    }

    /// Keeps back a statement that names no account until it is known to be the only one; of several all are refused.
    fn set_aside(&mut self, found: FoundFile) -> io::Result<Option<FoundFile>> {
        let is_answered = self.answers.of(&found.name).account.is_some();
        let Some(unnamed) = self.unnamed.as_mut().filter(|_| !is_answered) else {
            return Ok(Some(found));
        };
        let source = found.source.as_ref();
        if !source.is_ok_and(|source| self.reader.names_no_account(source)) {
            return Ok(Some(found));
        }
        for refused in unnamed.add(found) {
            self.told.begin(&refused, Some(0))?;
            let unread = unread(unnamed::REASON, Some(OpenQuestion::Account));
            self.told.end(vec![unread])?;
        }
        Ok(None)
    }

    async fn load_found(&mut self, found: FoundFile) -> Result<(), S::Error> {
        let size_bytes = found.source.as_ref().ok().and_then(FileSource::size_bytes);
        if self.told.wants_answers(size_bytes) {
            self.send_all().await?;
        }
        let on_progress = self.told.begin(&found.name, size_bytes)?;
        self.reader.answer(self.answers.of(&found.name).clone());
        let ending = match found.source {
            Ok(source) => {
                let stop = self.stop.clone();
                let source = source.watched(Watcher::new(move |bytes| {
                    on_progress.report(bytes);
                    stop.check()
                }));
                self.load_source(&source, found.is_doubtful).await?
            }
            Err(reason) => vec![unread(&reason, None)],
        };
        Ok(self.told.end(ending)?)
    }

    /// Loads a file; what is to be told of it at its end.
    async fn load_source(
        &mut self,
        source: &FileSource,
        is_doubtful: bool,
    ) -> Result<Vec<IntakeEvent>, S::Error> {
        Ok(vec![match self.reader.entries(source) {
            Ok(entries) => {
                let broke_off = self.take_entries(entries).await?;
                let cut_off = broke_off.map(|reason| IntakeEvent::CutOff { reason });
                let left_behind = IntakeEvent::LeftBehind(self.reader.left_behind().take());
                return Ok(cut_off.into_iter().chain([left_behind]).collect());
            }
            Err(FileError::NotThisFormat(reason)) if is_doubtful => {
                IntakeEvent::PassedOver { reason }
            }
            Err(FileError::Empty) => IntakeEvent::Empty,
            Err(error) => unread(&error.to_string(), error.question()),
        }])
    }

    /// Why the entries ended before the file did, if they have.
    async fn take_entries(
        &mut self,
        entries: impl Iterator<Item = Result<FileEntry, FileError>>,
    ) -> Result<Option<String>, S::Error> {
        for entry in entries {
            if self.stop.is_asked() {
                return Ok(Some(STOPPED.to_owned()));
            }
            match entry {
                Ok(entry) => self.take(entry).await?,
                Err(error) => return Ok(Some(error.to_string())),
            }
            if self.told.holds_too_much() {
                self.send_all().await?;
                self.told.hear(IntakeEvent::AllAnswered)?;
            }
        }
        Ok(None)
    }

    async fn take(&mut self, entry: FileEntry) -> Result<(), S::Error> {
        let (target, place, fields) = match entry {
            FileEntry::Record {
                target,
                place,
                fields,
            } => (target, place, fields),
            FileEntry::Refused { place, reason } => return Ok(self.refuse(place, reason)?),
        };
        for part in left_out(&fields) {
            let (place, part) = (place.clone(), part.to_owned());
            self.told.hear(IntakeEvent::LeftOut { place, part })?;
        }
        match self.sink.route(target.as_deref()).await? {
            RecordRoute::To(connection) => self.add(connection, place, &fields).await,
            RecordRoute::Would(table, destination) => Ok(self
                .told
                .hear(IntakeEvent::Planned { table, destination })?),
            RecordRoute::WouldNot(reason) => {
                Ok(self.told.hear(IntakeEvent::Unplanned { reason })?)
            }
            RecordRoute::Made(connection, note) => {
                self.told.hear(IntakeEvent::ConnectionMade { note })?;
                self.add(connection, place, &fields).await
            }
            RecordRoute::None(reason) => Ok(self.refuse(place, reason)?),
        }
    }

    fn refuse(&mut self, place: EntryPlace, reason: String) -> io::Result<()> {
        self.told.hear(IntakeEvent::Refused { place, reason })
    }
}

fn unread(reason: &str, question: Option<OpenQuestion>) -> IntakeEvent {
    let reason = reason.to_owned();
    IntakeEvent::Unread { reason, question }
}

/// What the importer could not take of an entry that it took.
fn left_out(fields: &RecordFields) -> impl Iterator<Item = &str> {
    let problems = fields.get(PROBLEMS).and_then(Value::as_array);
    problems.into_iter().flatten().filter_map(Value::as_str)
}

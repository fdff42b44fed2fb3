//! Tells an upload's state what becomes of its files, and keeps every refusal beside them.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use sextant_formats::{EntryPlace, KindCounts};

use super::job::{
    ReadingFile, UploadFileState, UploadRefusal, UploadTable, UploadWork, UploadedFile,
};
use super::job_entry::JobEntry;
use super::limits::NOTES_LISTED_MAX;
use crate::intake::{FileCounts, IntakeEvent, Listener, OnProgress};

/// Hears what becomes of the files of one upload.
pub(super) struct JobListener {
    entry: Arc<JobEntry>,
    work: UploadWork,
    /// What stands before each name: the folder of the files, with a slash.
    root: String,
    refusals: BufWriter<File>,
    current: UploadedFile,
    /// What of all files no table holds.
    left_behind: KindCounts,
}

impl JobListener {
    pub(super) fn new(entry: Arc<JobEntry>, work: UploadWork) -> io::Result<Self> {
        Ok(Self {
            root: format!("{}/", entry.folder.root().display()),
            refusals: entry.folder.create_refusals()?,
            entry,
            work,
            current: UploadedFile::default(),
            left_behind: KindCounts::default(),
        })
    }

    /// Keeps the last refusals, and tells what was left behind.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if !self.left_behind.is_empty() {
            self.note([format!(
                "left behind, since no table holds it: {}",
                self.left_behind
            )]);
        }
        self.refusals.flush()
    }

    fn refuse(&mut self, place: EntryPlace, reason: String, is_partial: bool) -> io::Result<()> {
        let refusal = UploadRefusal {
            path: self.current.path.clone(),
            line: place.line,
            name: place.name,
            reason,
            is_partial,
        };
        serde_json::to_writer(&mut self.refusals, &refusal)?;
        self.refusals.write_all(b"\n")?;
        let refused = u64::from(!is_partial);
        self.current.records.refused += refused;
        self.entry.update(|job| {
            job.totals.records.refused += refused;
            job.add_refusal(refusal);
        });
        Ok(())
    }

    fn store(&mut self, connection: usize, counts: FileCounts) {
        let work = self.work;
        self.current.records.add(work, counts);
        self.entry.update(|job| {
            job.totals.records.add(work, counts);
            if let Some(table) = job.tables.get_mut(connection) {
                table.records.add(work, counts);
            }
        });
    }

    fn note(&self, notes: impl IntoIterator<Item = String>) {
        self.entry.update(|job| {
            for note in notes {
                if job.notes.len() < NOTES_LISTED_MAX && !job.notes.contains(&note) {
                    job.notes.push(note);
                }
            }
        });
    }

    fn end(&mut self) {
        let file = std::mem::take(&mut self.current);
        self.entry.update(|job| {
            job.reading = None;
            job.add_file(file);
        });
    }

    fn set_state(&mut self, state: UploadFileState, reason: Option<String>) {
        self.current.state = state;
        self.current.reason = reason;
    }
}

impl Listener for JobListener {
    fn begin_file(&mut self, name: &str, size_bytes: Option<u64>) -> io::Result<OnProgress> {
        let path = name.strip_prefix(&self.root).unwrap_or(name).to_owned();
        let reading = ReadingFile {
            path: path.clone(),
            bytes_read: 0,
            bytes: size_bytes,
        };
        self.current = UploadedFile {
            path,
            ..UploadedFile::default()
        };
        self.entry.update(|job| job.reading = Some(reading));
        let bytes_read = self.entry.bytes_read();
        bytes_read.store(0, Ordering::Relaxed);
        Ok(OnProgress::new(move |bytes| {
            bytes_read.store(bytes, Ordering::Relaxed);
        }))
    }

    fn hear(&mut self, event: IntakeEvent) -> io::Result<()> {
        match event {
            IntakeEvent::Refused { place, reason } => self.refuse(place, reason, false)?,
            IntakeEvent::LeftOut { place, part } => self.refuse(place, part, true)?,
            IntakeEvent::Stored {
                connection,
                counts,
                notes,
            } => {
                self.store(connection, counts);
                self.note(notes);
            }
            IntakeEvent::ConnectionMade { note } => self.note([note]),
            IntakeEvent::Unread { reason, question } => {
                self.set_state(UploadFileState::Unread, Some(reason));
                self.current.question = question.map(Into::into);
            }
            IntakeEvent::PassedOver { reason } => {
                self.set_state(UploadFileState::PassedOver, Some(reason.to_owned()));
            }
            IntakeEvent::Empty => self.set_state(UploadFileState::Empty, None),
            IntakeEvent::CutOff { reason } => {
                self.set_state(UploadFileState::CutOff, Some(reason));
            }
            IntakeEvent::LeftBehind(kinds) => self.left_behind.merge(&kinds),
            IntakeEvent::FileEnded => self.end(),
            // The sink plans nothing, and nothing is held here.
            IntakeEvent::Planned { .. }
            | IntakeEvent::Unplanned { .. }
            | IntakeEvent::AllAnswered => {}
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        false
    }
}

impl UploadTable {
    /// A table of which nothing has been taken yet.
    pub(super) fn new(table: String, connection_id: Option<uuid::Uuid>, label: String) -> Self {
        Self {
            table,
            connection_id,
            label,
            records: super::job::RecordTotals::default(),
        }
    }
}

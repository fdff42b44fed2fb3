//! The thread that appends entries to the newest segment and acknowledges them. No other code writes entries.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use super::disk_status::DiskTask;
use super::maintenance::Maintenance;
use super::segments::{Segment, name_of};
use super::shared::Journal;
use crate::audit_queue::WriteGroup;
use crate::audit_queue::frame::{self, EntryFrames, HEADER_BYTES, SegmentHeader};
use crate::limits::JOURNAL_BACKOFF;
use crate::ports::{JournalDisk, JournalFile};

pub(super) struct JournalWriter {
    journal: Arc<Journal>,
    disk: Arc<dyn JournalDisk>,
    maintenance: Arc<Maintenance>,
    /// The segment that is written to; none while the disk fails.
    open: Option<OpenSegment>,
    failures: u32,
}

/// The newest segment.
struct OpenSegment {
    file: Arc<dyn JournalFile>,
    bytes: u64,
}

/// A write that broke off.
struct Broken {
    /// How much of it the file has, cut back to whole entries.
    whole: usize,
    error: io::Error,
}

impl JournalWriter {
    pub(super) fn new(
        journal: Arc<Journal>,
        disk: Arc<dyn JournalDisk>,
        maintenance: Maintenance,
    ) -> Self {
        Self {
            journal,
            disk,
            maintenance: Arc::new(maintenance),
            open: None,
            failures: 0,
        }
    }

    /// Runs until the queue is closed and empty.
    pub(super) fn run(mut self) {
        let maintaining = self.spawn_maintenance();
        let mut spent = Vec::new();
        while self.reopen() {
            let Some(group) = self.journal.queue.wait_for_group(spent) else {
                break;
            };
            self.write(&group);
            spent = group.frames;
            spent.clear();
        }
        self.leave_empty_segment();
        self.maintenance.stop();
        if let Some(maintaining) = maintaining {
            let _panic_was_logged = maintaining.join();
        }
        self.journal.end();
    }

    fn spawn_maintenance(&self) -> Option<JoinHandle<()>> {
        let maintenance = Arc::clone(&self.maintenance);
        let spawned = std::thread::Builder::new()
            .name("journal maintenance".to_owned())
            .spawn(move || maintenance.run());
        spawned
            .inspect_err(|error| {
                log::error!("the journal is not made to outlast a power cut: {error}")
            })
            .ok()
    }

    /// Begins a segment if there is none, as often as it takes; false when no more entries will come.
    fn reopen(&mut self) -> bool {
        while self.open.is_none() {
            let wait = JOURNAL_BACKOFF.after(self.failures);
            if self.failures > 0 && !self.journal.queue.wait_unless_closing(wait) {
                return false;
            }
            self.try_to_open();
        }
        true
    }

    pub(super) fn try_to_open(&mut self) {
        if let Err(error) = self.begin(self.journal.queue.last()) {
            self.fail(&error);
        }
    }

    /// A new segment after all others, for entries above `before`.
    fn begin(&mut self, before: u64) -> io::Result<()> {
        let journal = &self.journal;
        let (place, bytes) = {
            let segments = journal.segments();
            (segments.next_place(), segments.bytes())
        };
        if bytes.saturating_add(journal.segment_bytes_max) > journal.bytes_max {
            return Err(io::Error::new(
                io::ErrorKind::QuotaExceeded,
                "the journal is as large as it may be",
            ));
        }
        let file = self.disk.create(&name_of(place))?;
        let header = SegmentHeader {
            journal: journal.id,
            before,
        };
        if let Err(broken) = append(&*file, 0, &header.encode()) {
            let _left_for_the_next_start = self.disk.remove(&name_of(place));
            // A file that could not be removed keeps its name.
            journal.segments().reserve(place);
            return Err(broken.error);
        }
        journal.segments().add(Segment {
            place,
            last: before,
            bytes: HEADER_BYTES as u64,
        });
        journal.count_bytes();
        self.maintenance.watch(Arc::clone(&file));
        self.open = Some(OpenSegment {
            file,
            bytes: HEADER_BYTES as u64,
        });
        if journal.status.mark_working(DiskTask::Write) {
            log::info!("the journal takes entries again");
        }
        journal.queue.open(journal.id);
        Ok(())
    }

    /// Appends a group, to a new segment if this one is full or not to be trusted any more.
    fn write(&mut self, group: &WriteGroup) {
        let bytes = group.frames.len() as u64;
        let is_full = self.open.as_ref().is_none_or(|open| {
            open.bytes > HEADER_BYTES as u64
                && open.bytes.saturating_add(bytes) > self.journal.segment_bytes_max
        });
        if (is_full || self.maintenance.take_distrust())
            && let Err(error) = self.begin(group.first - 1)
        {
            return self.break_off(group, Broken { whole: 0, error });
        }
        let Some(open) = &mut self.open else { return };
        match append(&*open.file, open.bytes, &group.frames) {
            Ok(()) => {
                open.bytes += bytes;
                self.failures = 0;
                self.journal.segments().grow(group.last, open.bytes);
                self.journal.count_bytes();
                self.maintenance.note_work();
                self.journal
                    .queue
                    .acknowledge(group, self.rows(&group.frames));
            }
            Err(broken) => self.break_off(group, broken),
        }
    }

    /// The disk took only a part of the group: the rest is not journaled, and the segment ends there.
    fn break_off(&mut self, group: &WriteGroup, broken: Broken) {
        // `whole` counts bytes of these frames.
        let (whole, rest) = group
            .frames
            .split_at_checked(broken.whole)
            .unwrap_or_default();
        let frames = || EntryFrames::of(self.journal.id, 0, whole);
        let through = frames()
            .last()
            .map_or(group.first - 1, |frame| frame.number);
        if let Some(open) = self.open.take()
            && !whole.is_empty()
        {
            let bytes = open.bytes + whole.len() as u64;
            self.journal.segments().grow(through, bytes);
            self.journal.count_bytes();
            self.maintenance.note_work();
        }
        self.fail(&broken.error);
        let read = |bytes: &[u8]| self.journal.rows_of(bytes);
        self.journal
            .queue
            .fail_group(group, through, self.rows(whole), rest, read);
    }

    fn rows(&self, frames: &[u8]) -> u64 {
        EntryFrames::of(self.journal.id, 0, frames).count() as u64
    }

    fn fail(&mut self, error: &io::Error) {
        self.failures = self.failures.saturating_add(1);
        let now = self.journal.clock.now();
        if self
            .journal
            .status
            .mark_failing(DiskTask::Write, now, error)
        {
            log::error!("the journal takes no entries, until the disk does: {error}");
        }
    }

    /// After a stop with everything committed, one empty segment says where the numbers were, and nothing else is left.
    fn leave_empty_segment(&mut self) {
        let last = self.journal.queue.last();
        if self.journal.queue.is_settled() && self.open.is_some() && self.begin(last).is_ok() {
            self.maintenance.remove_spent(u64::MAX);
        }
    }
}

/// Writes all of it, or cuts the file back to whole entries.
fn append(file: &dyn JournalFile, before: u64, bytes: &[u8]) -> Result<(), Broken> {
    let mut rest = bytes;
    while !rest.is_empty() {
        match file.append(rest) {
            Ok(0) => {
                return Err(cut(
                    file,
                    before,
                    bytes,
                    rest,
                    io::ErrorKind::WriteZero.into(),
                ));
            }
            // A file never takes more than it is given.
            Ok(taken) => rest = rest.split_at_checked(taken).unwrap_or_default().1,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(cut(file, before, bytes, rest, error)),
        }
    }
    Ok(())
}

fn cut(file: &dyn JournalFile, before: u64, bytes: &[u8], rest: &[u8], error: io::Error) -> Broken {
    let written = bytes.len() - rest.len();
    let whole = frame::whole(bytes, written);
    // One that cannot be cut is read as far as it is whole.
    let _as_good_as_it_goes = file.cut(before + whole as u64);
    Broken { whole, error }
}

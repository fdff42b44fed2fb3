//! The journal's thread: it begins segments, takes the turns of writing that callers do not take, and handles what the disk refuses.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use super::append::{Broken, append_all, append_once, append_rest, is_fast};
use super::disk_status::DiskTask;
use super::maintenance::Maintenance;
use super::segments::{Segment, name_of};
use super::shared::Journal;
use crate::audit_queue::frame::{EntryFrames, HEADER_BYTES, SegmentHeader};
use crate::audit_queue::{JournalTask, OpenSegment, WriteTurn};
use crate::limits::JOURNAL_BACKOFF;
use crate::ports::JournalDisk;

pub(super) struct JournalWriter {
    journal: Arc<Journal>,
    disk: Arc<dyn JournalDisk>,
    maintenance: Arc<Maintenance>,
    failures: u32,
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
            failures: 0,
        }
    }

    /// Runs until the queue is closed and empty.
    pub(super) fn run(mut self) {
        let maintaining = self.spawn_maintenance();
        loop {
            match self.journal.queue.wait_for_task() {
                JournalTask::Write(turn) => self.write(turn),
                JournalTask::Finish(turn, attempt) => self.finish(turn, attempt, false),
                JournalTask::Open => self.reopen(),
                JournalTask::Close => break,
            }
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

    /// Begins a segment, after a wait if the disk failed before.
    fn reopen(&mut self) {
        let wait = JOURNAL_BACKOFF.after(self.failures);
        if self.failures == 0 || self.journal.queue.wait_unless_closing(wait) {
            self.try_to_open();
        }
    }

    pub(super) fn try_to_open(&mut self) {
        match self.begin(self.journal.queue.last()) {
            Ok(segment) => self.journal.queue.open(self.journal.id, segment),
            Err(error) => self.fail(&error),
        }
    }

    /// A new segment after all others, for entries above `before`.
    fn begin(&self, before: u64) -> io::Result<OpenSegment> {
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
        if let Err(broken) = append_all(&*file, 0, &header.encode()) {
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
        if journal.status.mark_working(DiskTask::Write) {
            log::info!("the journal takes entries again");
        }
        Ok(OpenSegment {
            file,
            bytes: HEADER_BYTES as u64,
        })
    }

    /// Appends a group, to a new segment if this one is full or not to be trusted any more.
    fn write(&mut self, mut turn: WriteTurn) {
        let bytes = turn.group.frames.len();
        if self.journal.queue.needs_segment(&turn.segment, bytes) {
            match self.begin(turn.group.first - 1) {
                Ok(segment) => turn.segment = segment,
                Err(error) => return self.break_off(turn, Broken { whole: 0, error }),
            }
        }
        let begun = Instant::now();
        let attempt = append_once(&*turn.segment.file, &turn.group.frames);
        self.finish(turn, attempt, is_fast(begun));
    }

    /// Goes on with a write whose first attempt had this result.
    fn finish(&mut self, mut turn: WriteTurn, attempt: io::Result<usize>, is_fast: bool) {
        let OpenSegment { file, bytes } = &turn.segment;
        match append_rest(&**file, *bytes, &turn.group.frames, attempt) {
            Ok(()) => {
                self.failures = 0;
                self.journal.grow(&mut turn);
                self.journal.queue.end_turn(turn, is_fast, false);
            }
            Err(broken) => self.break_off(turn, broken),
        }
    }

    /// The disk took only a part of the group: the rest is not journaled, and the segment ends there.
    fn break_off(&mut self, turn: WriteTurn, broken: Broken) {
        let WriteTurn { segment, group } = turn;
        // `whole` counts bytes of these frames.
        let (whole, rest) = group
            .frames
            .split_at_checked(broken.whole)
            .unwrap_or_default();
        let frames = || EntryFrames::of(self.journal.id, 0, whole);
        let through = frames()
            .last()
            .map_or(group.first - 1, |frame| frame.number);
        if !whole.is_empty() {
            let bytes = segment.bytes + whole.len() as u64;
            self.journal.note_grown(through, bytes);
        }
        let rows = frames().count() as u64;
        self.fail(&broken.error);
        let read = |bytes: &[u8]| self.journal.rows_of(bytes);
        self.journal
            .queue
            .fail_group(&group, through, rows, rest, read);
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
        if self.journal.queue.is_settled() && self.begin(last).is_ok() {
            self.maintenance.remove_spent(u64::MAX);
        }
    }
}

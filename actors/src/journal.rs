//! The journal in front of the database: every entry stands in a local file before its answer leaves (r024).
//!
//! Entries get their numbers in the queue. Who records and finds nobody writing appends what waits there, everything with one write, to
//! the newest of a sequence of bounded files, the segments, and acknowledges it ([`append`]). *Acknowledged means that the kernel has the
//! entry*: no end of this process, however sudden, loses it then. A power cut or a crash of the kernel may: a thread ([`maintenance`])
//! syncs the files about once a second, off the path of the answers, so that a power cut costs what was recorded in about the last second
//! and not yet committed to the database.
//!
//! Another thread ([`writer`]) begins segments, finishes what a caller's write did not, and writes while a write may have to wait for the
//! disk: during a sync, and after a write that was slow until sixteen in a row were fast. Answers wait for it 5 ms at the most. Whether
//! a write will be slow cannot be known before: a disk that hangs between two syncs may hold up the one caller that is writing then, and
//! the thread it runs on; all others have their 5 ms.
//!
//! The database keeps, in the transaction of each flush, the number up to which it has this journal's entries. At start what the
//! segments hold above it is read back; a segment is removed when the database has its last entry.
//!
//! When the disk fails, what could not be written stays in memory on its way to the database, answers leave at once and are counted as
//! unjournaled, and a new segment is tried with a backoff. When memory is full, entries wait in the journal alone and are read back in
//! order.
//!
//! # Why it is written by hand
//! A write-ahead-log crate gives a durable sequence of records. What is needed here is tied to the queue and to the database: one number
//! for an entry in memory, on disk and in `audit_position`; an acknowledgement per entry within 5 ms that a failing disk must not turn
//! into an error; no fsync on the path of an answer; after a torn or damaged place, reading on in the later segments; and a disk that a
//! test can make short, full or failing at every step ([`crate::ports::JournalDisk`]). With a crate all of that would have to be written
//! around it; it would take over only the framing (`audit_queue/frame.rs`).

mod append;
mod disk_status;
mod maintenance;
mod read_back;
mod segments;
mod shared;
mod survey;
#[cfg(test)]
mod tests;
mod writer;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::SetOnce;
use tokio::time::timeout;
use uuid::Uuid;

pub use crate::audit_queue::{JournalAck, JournalState, JournalStats};
pub(crate) use read_back::ReadBack;
pub(crate) use shared::Journal;

use self::disk_status::{DiskStatus, DiskTask};
use self::maintenance::Maintenance;
use self::segments::name_of;
use self::survey::{ForeignFile, Survey, survey};
use self::writer::JournalWriter;
use crate::audit_queue::AuditQueue;
use crate::clock::Clock;
use crate::limits::{JOURNAL_CLOSE_DEADLINE, JOURNAL_LEAP, TreeLimits};
use crate::ports::JournalDisk;
use crate::random;

impl Journal {
    /// The journal on this disk; without a disk every entry is counted as unjournaled.
    pub(crate) fn open(
        disk: Option<Arc<dyn JournalDisk>>,
        queue: Arc<AuditQueue>,
        clock: Arc<dyn Clock>,
        limits: &TreeLimits,
    ) -> Self {
        let status = DiskStatus::default();
        let (id, disk) = identify(disk, &status, &*clock);
        Self {
            id,
            disk,
            queue,
            clock,
            segment_bytes_max: limits.journal_segment_bytes_max,
            bytes_max: limits.journal_bytes_max,
            segments: Mutex::default(),
            status,
            is_unsynced: AtomicBool::new(false),
            has_begun: AtomicBool::new(false),
            begun: SetOnce::new(),
            is_running: AtomicBool::new(false),
            ended: SetOnce::new(),
        }
    }

    /// The id under which the database knows this journal.
    pub(crate) const fn id(&self) -> Uuid {
        self.id
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Acquire)
    }

    /// Resolves [`Journal::wait_begun`]; called by the batcher.
    pub(crate) fn announce(&self) {
        let _first_time = self.begun.set(());
    }

    /// Waits until entries get numbers.
    pub(crate) async fn wait_begun(&self) {
        self.begun.wait().await;
    }

    /// Finds what the database has not, above `position`, and begins to take entries. Blocks.
    pub(crate) fn begin(self: &Arc<Self>, position: u64) {
        if self.has_begun() {
            return;
        }
        let found = self.survey_disk(position);
        if let Some(span) = found.waiting {
            log::info!("{} rows of the record wait in the journal", span.rows);
        }
        *self.segments() = found.segments;
        let last = found.last.max(position).saturating_add(JOURNAL_LEAP);
        self.queue.begin(position, last, found.waiting);
        if let Some(disk) = &self.disk {
            self.set_aside(disk.as_ref(), &found.foreign);
            self.run(disk);
        }
        self.has_begun.store(true, Ordering::Release);
    }

    fn survey_disk(&self, position: u64) -> Survey {
        let Some(disk) = &self.disk else {
            return Survey::default();
        };
        survey(disk.as_ref(), self.id, position).unwrap_or_else(|error| {
            log::error!("the journal cannot be read: {error}");
            Survey::default()
        })
    }

    /// Renames files that are no segment of this journal, for the operator to look at; one shorter than a header is what a start that
    /// broke off left, and is removed.
    fn set_aside(&self, disk: &dyn JournalDisk, foreign: &[ForeignFile]) {
        for ForeignFile {
            place,
            is_unfinished,
        } in foreign
        {
            let name = name_of(*place);
            let moved = match is_unfinished {
                true => disk.remove(&name),
                false => {
                    log::error!(
                        "the journal's file {name} is not this journal's or is damaged; it is set aside"
                    );
                    disk.set_aside(&name)
                }
            };
            if let Err(error) = moved {
                log::error!("the journal's file {name} could not be moved: {error}");
            }
        }
    }

    fn run(self: &Arc<Self>, disk: &Arc<dyn JournalDisk>) {
        let maintenance = Maintenance::new(Arc::clone(self), Arc::clone(disk));
        let mut writer = JournalWriter::new(Arc::clone(self), Arc::clone(disk), maintenance);
        // Opened before the thread runs, so that the very first entry is taken.
        writer.try_to_open();
        let spawned = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || writer.run());
        match spawned {
            Ok(_) => {
                self.is_running.store(true, Ordering::Release);
                self.status.mark_begun();
            }
            Err(error) => {
                log::error!("there is no journal, for want of a thread: {error}");
                self.queue.close();
                self.status
                    .mark_failing(DiskTask::Write, self.clock.now(), &error);
            }
        }
    }

    /// Fills in what the queue does not know: bytes on the disk, state, last error.
    pub(crate) fn fill(&self, stats: &mut JournalStats) {
        self.status.fill(stats);
    }

    /// Takes no more entries, writes what waits and releases the disk, within `JOURNAL_CLOSE_DEADLINE`.
    pub(crate) async fn close(&self) {
        self.close_now();
        if timeout(JOURNAL_CLOSE_DEADLINE, self.ended.wait())
            .await
            .is_err()
        {
            log::error!("the journal did not close in time");
        }
    }

    /// The same without waiting for it.
    fn close_now(&self) {
        self.queue.close();
        if !self.is_running.load(Ordering::Acquire) {
            self.end();
        }
    }
}

/// The id of the journal on the disk, a new one if there is none; without the disk if it cannot be read.
fn identify(
    disk: Option<Arc<dyn JournalDisk>>,
    status: &DiskStatus,
    clock: &dyn Clock,
) -> (Uuid, Option<Arc<dyn JournalDisk>>) {
    let found = disk.as_ref().map(|disk| survey::owner(disk.as_ref()));
    let (owner, disk) = match found {
        Some(Ok(owner)) => (owner, disk),
        Some(Err(error)) => {
            log::error!("there is no journal, its folder cannot be read: {error}");
            status.mark_failing(DiskTask::Write, clock.now(), &error);
            (None, None)
        }
        None => (None, None),
    };
    // Without randomness it is the nil id, whose position in the database continues as that of any other.
    let id = owner.unwrap_or_else(|| random::identifier().unwrap_or_default());
    (id, disk)
}

/// Closes the journal when the tree is dropped.
pub(crate) struct CloseOnDrop(pub(crate) Arc<Journal>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close_now();
    }
}

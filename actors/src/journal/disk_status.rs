use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};

use super::{JournalState, JournalStats};

/// What can fail on its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DiskTask {
    /// Writing entries.
    Write,
    /// Syncing them to the disk.
    Sync,
}

/// Whether writing and syncing work, as the two threads find.
#[derive(Default)]
pub(crate) struct DiskStatus {
    faults: Mutex<Faults>,
    pub(crate) disk_bytes: AtomicU64,
}

#[derive(Default)]
struct Faults {
    has_begun: bool,
    write: Option<DateTime<Utc>>,
    sync: Option<DateTime<Utc>>,
    last_error: Option<io::ErrorKind>,
}

impl Faults {
    fn of(&mut self, work: DiskTask) -> &mut Option<DateTime<Utc>> {
        match work {
            DiskTask::Write => &mut self.write,
            DiskTask::Sync => &mut self.sync,
        }
    }
}

impl DiskStatus {
    pub(crate) fn mark_begun(&self) {
        self.with(|faults| faults.has_begun = true);
    }

    /// Marks the task as working; true when it had failed before.
    pub(crate) fn mark_working(&self, work: DiskTask) -> bool {
        self.with(|faults| faults.of(work).take().is_some())
    }

    /// Marks the task as failing; true when it had worked before.
    pub(crate) fn mark_failing(
        &self,
        work: DiskTask,
        now: DateTime<Utc>,
        error: &io::Error,
    ) -> bool {
        self.with(|faults| {
            faults.last_error = Some(error.kind());
            let since = faults.of(work);
            let is_news = since.is_none();
            since.get_or_insert(now);
            is_news
        })
    }

    pub(crate) fn fill(&self, stats: &mut JournalStats) {
        stats.disk_bytes = self.disk_bytes.load(Ordering::Acquire);
        self.with(|faults| {
            stats.last_error = faults.last_error;
            let since = [faults.write, faults.sync].into_iter().flatten().min();
            stats.state = match since {
                Some(since) => JournalState::Failing { since },
                None if faults.has_begun => JournalState::Ok,
                None => JournalState::Absent,
            };
        });
    }

    fn with<T>(&self, look: impl FnOnce(&mut Faults) -> T) -> T {
        look(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

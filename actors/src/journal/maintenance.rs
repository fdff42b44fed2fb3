//! The thread that syncs the journal to the disk and removes segments that the database has. Nobody waits for it.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::disk_status::DiskTask;
use super::shared::Journal;
use crate::limits::JOURNAL_SYNC_INTERVAL;
use crate::ports::{JournalDisk, JournalFile};

pub(super) struct Maintenance {
    journal: Arc<Journal>,
    disk: Arc<dyn JournalDisk>,
    files: Mutex<Files>,
    stopping: Condvar,
}

/// The files to be synced.
#[derive(Default)]
struct Files {
    /// The newest, and older ones that have not been synced since they were written to.
    watched: Vec<Arc<dyn JournalFile>>,
    has_new_names: bool,
    is_stopping: bool,
}

impl Maintenance {
    pub(super) fn new(journal: Arc<Journal>, disk: Arc<dyn JournalDisk>) -> Self {
        Self {
            journal,
            disk,
            files: Mutex::default(),
            stopping: Condvar::new(),
        }
    }

    /// Syncs this new segment from now on.
    pub(super) fn watch(&self, file: Arc<dyn JournalFile>) {
        let mut files = self.files();
        files.watched.push(file);
        files.has_new_names = true;
        drop(files);
        self.note_unsynced();
    }

    fn note_unsynced(&self) {
        self.journal.is_unsynced.store(true, Ordering::Release);
    }

    pub(super) fn stop(&self) {
        self.files().is_stopping = true;
        self.stopping.notify_all();
    }

    /// Syncs and removes every `JOURNAL_SYNC_INTERVAL` until it is stopped, and then once more.
    pub(super) fn run(&self) {
        loop {
            let is_stopping = self.rest();
            self.sync();
            self.remove_spent(self.journal.queue.committed_through());
            if is_stopping {
                return;
            }
        }
    }

    fn rest(&self) -> bool {
        let waited =
            self.stopping
                .wait_timeout_while(self.files(), JOURNAL_SYNC_INTERVAL, |files| {
                    !files.is_stopping
                });
        waited.unwrap_or_else(PoisonError::into_inner).0.is_stopping
    }

    fn sync(&self) {
        if !self.journal.is_unsynced.swap(false, Ordering::AcqRel) {
            return;
        }
        let (watched, has_new_names) = {
            let mut files = self.files();
            (
                files.watched.clone(),
                std::mem::take(&mut files.has_new_names),
            )
        };
        self.journal.queue.begin_sync();
        let synced = watched.iter().try_for_each(|file| file.sync());
        let named = match has_new_names {
            true => self.disk.sync_names(),
            false => Ok(()),
        };
        let synced = synced.and(named);
        self.journal.queue.end_sync(synced.is_ok());
        match synced {
            Ok(()) => self.drop_synced(watched.len()),
            Err(error) => self.fail(&error),
        }
    }

    /// Forgets the older of `synced` files; the newest may have been written to since.
    fn drop_synced(&self, synced: usize) {
        let mut files = self.files();
        let older = synced.saturating_sub(1);
        files.watched.drain(..older);
        drop(files);
        if self.journal.status.mark_working(DiskTask::Sync) {
            log::info!("the journal outlasts a power cut again");
        }
    }

    fn fail(&self, error: &io::Error) {
        let mut files = self.files();
        files.has_new_names = true;
        // A file whose sync failed is not synced again: the kernel reports such an error once and drops the pages.
        let older = files.watched.len().saturating_sub(1);
        files.watched.drain(..older);
        drop(files);
        self.note_unsynced();
        let now = self.journal.clock.now();
        if self.journal.status.mark_failing(DiskTask::Sync, now, error) {
            log::error!("the journal would not outlast a power cut: {error}");
        }
    }

    /// Removes the segments that the database has to their last entry.
    pub(super) fn remove_spent(&self, committed: u64) {
        let spent = self.journal.segments().spent(committed);
        for segment in spent {
            match self.disk.remove(&segment.name()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    log::warn!("a segment of the journal could not be removed: {error}");
                    return;
                }
                _ => self.journal.segments().remove(segment.place),
            }
        }
        self.journal.count_bytes();
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

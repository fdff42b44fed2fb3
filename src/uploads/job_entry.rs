//! One upload in memory: its state as it is answered, and the request that its work ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::folder::JobFolder;
use super::job::{UploadJob, UploadState, UploadWork};
use crate::intake::StopRequest;

/// One upload. Whoever changes it raises its revision, so that listeners know when to look again.
pub(super) struct JobEntry {
    pub folder: JobFolder,
    job: Mutex<UploadJob>,
    /// Of the file that is being read.
    bytes_read: Arc<AtomicU64>,
    revision: AtomicU64,
    /// Ends the work that is under way.
    stop: Mutex<StopRequest>,
}

impl JobEntry {
    pub(super) fn new(folder: JobFolder, job: UploadJob) -> Arc<Self> {
        Arc::new(Self {
            folder,
            job: Mutex::new(job),
            bytes_read: Arc::default(),
            revision: AtomicU64::new(0),
            stop: Mutex::default(),
        })
    }

    /// The upload as it is now.
    pub(super) fn job(&self) -> UploadJob {
        let mut job = self.lock().clone();
        if let Some(reading) = &mut job.reading {
            reading.bytes_read = self.bytes_read.load(Ordering::Relaxed);
        }
        job
    }

    pub(super) fn state(&self) -> UploadState {
        self.lock().state
    }

    /// Changes it.
    pub(super) fn update<T>(&self, change: impl FnOnce(&mut UploadJob) -> T) -> T {
        let changed = change(&mut self.lock());
        self.revision.fetch_add(1, Ordering::Relaxed);
        changed
    }

    /// How often it was changed, progress within a file included.
    pub(super) fn revision(&self) -> u64 {
        let read = self.bytes_read.load(Ordering::Relaxed);
        self.revision.load(Ordering::Relaxed).wrapping_add(read)
    }

    /// Where the number of bytes read of the present file is counted.
    pub(super) fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// Begins work, if none is under way; what ends it.
    pub(super) fn begin(&self, work: UploadWork) -> Option<StopRequest> {
        let has_begun = self.update(|job| {
            let is_free = !job.state.is_at_work();
            if is_free {
                job.begin(work);
            }
            is_free
        });
        has_begun.then(|| {
            let stop = StopRequest::default();
            *self.stop() = stop.clone();
            stop
        })
    }

    /// Asks the work that is under way to end.
    pub(super) fn ask_to_stop(&self) {
        let _was_asked = self.stop().ask();
    }

    fn lock(&self) -> MutexGuard<'_, UploadJob> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) -> MutexGuard<'_, StopRequest> {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! What becomes of uploads by themselves: read again at a start, removed when they are old, ended at a stop.

use std::io;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::error::UploadError;
use super::folder::JobFolder;
use super::job::{UploadJob, UploadState};
use super::job_entry::JobEntry;
use super::jobs::Uploads;
use super::limits::{JOB_AGE_MAX, JOBS_MAX, STOP_WAIT_MAX};

impl Uploads {
    /// Reads those that are kept. One that was at work when the service stopped was interrupted.
    pub(super) fn load(&self) -> io::Result<()> {
        let entries = match std::fs::read_dir(&self.0.limits.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let name = entry?.file_name();
            let Some(id) = name.to_str().and_then(|name| name.parse::<Uuid>().ok()) else {
                continue;
            };
            let folder = JobFolder::of(&self.0.limits.folder, id);
            match folder.load().and_then(|job| Ok((job, folder.survey()?))) {
                Ok((job, arrived)) => {
                    let entry = JobEntry::new(folder, resumed(job, arrived));
                    self.jobs().insert(id, entry);
                }
                Err(cause) => {
                    log::warn!("upload {id} cannot be read and is removed: {cause}");
                    folder.remove()?;
                }
            }
        }
        Ok(())
    }

    /// Removes those that are too old.
    pub(crate) fn sweep(&self, now: DateTime<Utc>) {
        let is_old = |job: &UploadJob| now - job.created_at > JOB_AGE_MAX;
        let old = self.list().into_iter().filter(is_old);
        for job in old.filter(|job| !job.state.is_at_work()) {
            if let Err(cause) = self.remove(job.id) {
                log::warn!("an old upload could not be removed: {cause:?}");
            }
        }
    }

    /// Removes the oldest upload that is done, if there are as many as may be.
    pub(super) fn make_room(&self) -> Result<(), UploadError> {
        let jobs = self.list();
        if jobs.len() < JOBS_MAX {
            return Ok(());
        }
        let mut oldest_first = jobs.into_iter().rev();
        match oldest_first.find(|job| job.state == UploadState::Done) {
            Some(done) => self.remove(done.id),
            None => Ok(()),
        }
    }

    /// Removes all that are not at work.
    pub(crate) fn clear(&self) {
        for job in self.list() {
            match self.remove(job.id) {
                Ok(()) | Err(UploadError::NotFound) => {}
                Err(cause) => log::warn!("an upload could not be removed: {cause:?}"),
            }
        }
    }

    /// Ends what is at work, after the batch that is being stored: it was interrupted.
    pub(crate) async fn stop(&self) {
        let entries: Vec<_> = self.jobs().values().cloned().collect();
        for entry in entries.iter().filter(|entry| entry.state().is_at_work()) {
            entry.update(|job| job.state = UploadState::Interrupted);
            entry.ask_to_stop();
        }
        // Whatever is at work has the one slot.
        let _ended = self.0.working.take_within(STOP_WAIT_MAX).await;
    }
}

/// A job of before the service started, with the files that are there.
fn resumed(mut job: UploadJob, (files, bytes): (u64, u64)) -> UploadJob {
    if job.state.is_at_work() {
        job.state = UploadState::Interrupted;
    }
    job.reading = None;
    (job.files_received, job.bytes_received) = (files, bytes);
    job
}

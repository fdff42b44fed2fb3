//! The uploads there are, and what is asked of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sextant_actors::random;
use uuid::Uuid;

use super::error::UploadError;
use super::file_answers::FileAnswers;
use super::folder::JobFolder;
use super::free_space::free_bytes;
use super::incoming_file::IncomingFile;
use super::job::{UploadJob, UploadWork};
use super::job_entry::JobEntry;
use super::limits::{FILES_MAX, JOBS_MAX, RECEIVED_AT_ONCE_MAX, UploadLimits};
use super::relative_path::RelativePath;
use super::worker::Worker;
use crate::capacity::Slots;
use crate::ingest::limits::PushLimits;
use crate::intake::Answers;
use crate::pushes::PushStore;

/// All uploads. Clones share them.
#[derive(Clone)]
pub struct Uploads(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) limits: UploadLimits,
    store: PushStore,
    pushes: PushLimits,
    jobs: Mutex<BTreeMap<Uuid, Arc<JobEntry>>>,
    receiving: Slots,
    /// One upload at a time is checked or run.
    pub(super) working: Slots,
}

/// What a person chooses before a check or a run; what is not given stays as it was.
#[derive(Debug, Default)]
pub(crate) struct GivenChoices {
    pub destinations: Option<BTreeMap<String, Option<Uuid>>>,
    pub answers: Option<BTreeMap<String, FileAnswers>>,
}

impl Uploads {
    /// Those that are kept in the folder. One that was at work when the service stopped was interrupted.
    pub(crate) fn open(limits: UploadLimits, store: PushStore, pushes: PushLimits) -> Self {
        let uploads = Self(Arc::new(Inner {
            limits,
            store,
            pushes,
            jobs: Mutex::default(),
            receiving: Slots::new(RECEIVED_AT_ONCE_MAX),
            working: Slots::new(1),
        }));
        if let Err(cause) = uploads.load() {
            log::warn!("the uploads of before cannot be read: {cause}");
        }
        uploads
    }

    /// Those there are, the newest first.
    pub(crate) fn list(&self) -> Vec<UploadJob> {
        let entries: Vec<_> = self.jobs().values().cloned().collect();
        let mut jobs: Vec<_> = entries.iter().map(|entry| entry.job()).collect();
        jobs.sort_by_key(|job| std::cmp::Reverse(job.created_at));
        jobs
    }

    /// A number for each that rises with every change of it.
    pub(crate) fn revisions(&self) -> BTreeMap<Uuid, u64> {
        let jobs = self.jobs();
        let revisions = jobs.iter().map(|(id, entry)| (*id, entry.revision()));
        revisions.collect()
    }

    /// Opens one; where there are as many as may be, the oldest whose records are all stored makes room.
    ///
    /// # Errors
    /// When there are as many as may be, or the disk fails.
    pub(crate) fn create(&self) -> Result<UploadJob, UploadError> {
        let id = random::identifier().map_err(io::Error::other)?;
        let job = UploadJob::new(id, self.0.store.clock.now());
        let folder = JobFolder::of(&self.0.limits.folder, id);
        self.make_room()?;
        let mut jobs = self.jobs();
        if jobs.len() >= JOBS_MAX {
            return Err(UploadError::TooMany);
        }
        folder.create()?;
        folder.save(&job)?;
        jobs.insert(id, JobEntry::new(folder, job.clone()));
        Ok(job)
    }

    /// One as it is now.
    ///
    /// # Errors
    /// When there is none of this id.
    pub(crate) fn job(&self, id: Uuid) -> Result<UploadJob, UploadError> {
        Ok(self.entry(id)?.job())
    }

    /// Begins to receive a file of so many bytes, as far as they are known.
    ///
    /// # Errors
    /// When it cannot be taken: the disk would be too full, or work on the upload has begun.
    pub(crate) async fn receive(
        &self,
        id: Uuid,
        path: RelativePath,
        bytes: u64,
    ) -> Result<IncomingFile, UploadError> {
        let entry = self.entry(id)?;
        let slot = self.0.receiving.take(1).await;
        let job = entry.job();
        if job.state.is_at_work() {
            return Err(UploadError::AtWork);
        }
        if job.files_received >= FILES_MAX {
            return Err(UploadError::TooManyFiles);
        }
        let free = free_bytes(&self.0.limits.folder)?;
        if free.saturating_sub(self.0.limits.free_bytes_min) < bytes.max(1) {
            return Err(UploadError::DiskFull);
        }
        let part = random::identifier().map_err(io::Error::other)?;
        Ok(IncomingFile::create(entry, path, part, slot)?)
    }

    /// The longest pause within a file that is being sent.
    pub(crate) fn silence_max(&self) -> std::time::Duration {
        self.0.limits.silence_max
    }

    /// Begins a check or a run.
    ///
    /// # Errors
    /// When something is at work, there are no files, or a choice cannot be taken.
    pub(crate) fn begin(
        &self,
        id: Uuid,
        work: UploadWork,
        given: GivenChoices,
    ) -> Result<UploadJob, UploadError> {
        let entry = self.entry(id)?;
        if entry.state().is_at_work() {
            return Err(UploadError::AtWork);
        }
        if entry.job().files_received == 0 {
            return Err(UploadError::NoFiles);
        }
        let slot = self.0.working.try_take().ok_or(UploadError::OtherAtWork)?;
        let answers = choose(&entry, given)?;
        let stop = entry.begin(work).ok_or(UploadError::AtWork)?;
        let job = entry.job();
        entry.folder.save(&job)?;
        let worker = Worker {
            entry,
            work,
            answers,
            store: self.0.store.clone(),
            limits: self.0.pushes.clone(),
            stop,
        };
        worker.start(slot)?;
        Ok(job)
    }

    /// Asks the work to end after the batch that is being stored.
    ///
    /// # Errors
    /// When there is no such upload.
    pub(crate) fn cancel(&self, id: Uuid) -> Result<UploadJob, UploadError> {
        let entry = self.entry(id)?;
        entry.ask_to_stop();
        Ok(entry.job())
    }

    /// The file of refusals; `None` before the first check.
    ///
    /// # Errors
    /// When there is no such upload, or the disk fails.
    pub(crate) fn refusals(&self, id: Uuid) -> Result<Option<File>, UploadError> {
        Ok(self.entry(id)?.folder.refusals()?)
    }

    /// Removes one with its files; what it stored stays.
    ///
    /// # Errors
    /// When it is at work, or the disk fails.
    pub(crate) fn remove(&self, id: Uuid) -> Result<(), UploadError> {
        let entry = self.entry(id)?;
        if entry.state().is_at_work() {
            return Err(UploadError::AtWork);
        }
        self.jobs().remove(&id);
        Ok(entry.folder.remove()?)
    }

    fn entry(&self, id: Uuid) -> Result<Arc<JobEntry>, UploadError> {
        self.jobs().get(&id).cloned().ok_or(UploadError::NotFound)
    }

    pub(super) fn jobs(&self) -> MutexGuard<'_, BTreeMap<Uuid, Arc<JobEntry>>> {
        self.0.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps what the person chose; the answers for the readers, by the names under which files are found.
fn choose(entry: &JobEntry, given: GivenChoices) -> Result<Answers, UploadError> {
    let (destinations, answers) = entry.update(|job| {
        let destinations = given
            .destinations
            .unwrap_or_else(|| job.destinations.clone());
        let answers = given.answers.unwrap_or_else(|| job.answers.clone());
        (destinations, answers)
    });
    let root = entry.folder.root();
    let by_name = answers.iter().map(|(path, answers)| {
        let name = format!("{}/{path}", root.display());
        let options = answers.options();
        let options = options.map_err(|why| UploadError::Unfit(format!("{path}: {why}")))?;
        Ok((name, options))
    });
    let by_name = by_name.collect::<Result<_, UploadError>>()?;
    entry.update(|job| {
        job.destinations = destinations;
        job.answers = answers.clone();
    });
    Ok(Answers::by_name(by_name))
}

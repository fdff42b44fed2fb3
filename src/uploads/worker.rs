//! Checks or runs one upload, on a thread of its own: reading files blocks, and storing waits for the database.

use std::sync::Arc;

use sextant_formats::FileWalk;

use super::batch_writer::BatchWriter;
use super::error::WorkFailure;
use super::job::{UploadJob, UploadState, UploadWork};
use super::job_entry::JobEntry;
use super::job_listener::JobListener;
use super::store_sink::StoreSink;
use crate::capacity::Slot;
use crate::ingest::limits::PushLimits;
use crate::intake::{Answers, FileLoader, StopRequest};
use crate::pushes::PushStore;

/// One check or run of one upload.
pub(super) struct Worker {
    pub entry: Arc<JobEntry>,
    pub work: UploadWork,
    pub answers: Answers,
    pub store: PushStore,
    pub limits: PushLimits,
    pub stop: StopRequest,
}

impl Worker {
    /// Starts the thread, which holds the slot until the upload's last state is kept.
    ///
    /// # Errors
    /// When the system gives no thread; the upload has failed then.
    pub(super) fn start(self, slot: Slot) -> std::io::Result<()> {
        // However the thread ends, and if there is none, the upload is not at work any more.
        let end = End {
            entry: Arc::clone(&self.entry),
            result: None,
            slot: Some(slot),
        };
        let thread = std::thread::Builder::new().name("upload".to_owned());
        let started = thread.spawn(move || end.with(self.work_through()));
        started.map(drop)
    }

    fn work_through(self) -> Result<UploadState, WorkFailure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(self.load())
    }

    async fn load(self) -> Result<UploadState, WorkFailure> {
        let Self {
            entry,
            work,
            answers,
            store,
            limits,
            stop,
        } = self;
        let mut listener = JobListener::new(Arc::clone(&entry), work)?;
        let spools = limits.spools.path().to_owned();
        let writer = BatchWriter { store, limits };
        let mut sink = StoreSink::new(Arc::clone(&entry), work, writer);
        let mut walk = FileWalk::new(&entry.folder.top()?).spooling_in(spools);
        let mut loader = FileLoader::new(answers, true, (&mut sink, &mut listener), &stop);
        let loaded = loader.load(&mut walk).await;
        listener.finish()?;
        loaded?;
        let passed_over = walk.passed_over();
        if !passed_over.is_empty() {
            entry.update(|job| job.notes.push(format!("passed over: {passed_over}")));
        }
        Ok(match (stop.is_asked(), work) {
            (true, _) => UploadState::Cancelled,
            (false, UploadWork::Check) => UploadState::Checked,
            (false, UploadWork::Run) => UploadState::Done,
        })
    }
}

/// Ends the work on an upload when it is dropped; without a result it has failed.
struct End {
    entry: Arc<JobEntry>,
    result: Option<Result<UploadState, WorkFailure>>,
    slot: Option<Slot>,
}

impl End {
    fn with(mut self, result: Result<UploadState, WorkFailure>) {
        self.result = Some(result);
    }
}

impl Drop for End {
    fn drop(&mut self) {
        let vanished = || Err(WorkFailure::Fault("its thread ended".to_owned()));
        let mut job = self.entry.job();
        settle(&mut job, self.result.take().unwrap_or_else(vanished));
        if let Err(cause) = self.entry.folder.save(&job) {
            log::warn!("the state of an upload could not be kept: {cause}");
        }
        // Whoever sees that it has ended may begin the next one at once.
        drop(self.slot.take());
        self.entry.update(|now| *now = job);
    }
}

/// The upload after its work has ended. The service's stop may have said already that it was interrupted.
fn settle(job: &mut UploadJob, result: Result<UploadState, WorkFailure>) {
    job.reading = None;
    match result {
        Ok(state) if job.state.is_at_work() => job.state = state,
        Ok(_) => {}
        Err(failure) => {
            log::warn!("an upload ended early: {}", failure.cause());
            job.state = UploadState::Failed;
            job.problem = Some(failure.to_string());
        }
    }
}

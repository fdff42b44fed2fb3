//! Every limit of uploads (docs/operating.md#files-in-the-page).

use std::path::PathBuf;
use std::time::Duration;

use chrono::TimeDelta;

/// The limits that an operator or a test sets.
#[derive(Clone, Debug)]
pub struct UploadLimits {
    /// Where the jobs lie, a folder each.
    pub folder: PathBuf,
    /// Bytes that stay free on the disk of the folder: the database needs them too.
    pub free_bytes_min: u64,
    /// The longest pause within a file that is being sent.
    pub silence_max: Duration,
}

impl UploadLimits {
    /// The defaults, with jobs below this data directory.
    pub fn below(data_dir: &std::path::Path) -> Self {
        Self {
            folder: data_dir.join("uploads"),
            free_bytes_min: 512 * 1024 * 1024,
            silence_max: Duration::from_secs(30),
        }
    }
}

/// Jobs that are kept at one time.
pub(super) const JOBS_MAX: usize = 8;
/// Files of one job.
pub(super) const FILES_MAX: u64 = 100_000;
/// Files that are received at one time, over all jobs; more wait.
pub(super) const RECEIVED_AT_ONCE_MAX: usize = 16;
/// A job that is older is removed, with its files.
pub(super) const JOB_AGE_MAX: TimeDelta = TimeDelta::days(1);
/// Refusals that a job's state lists; all of them are in its file of refusals.
pub(super) const REFUSALS_LISTED_MAX: usize = 1_000;
/// Files that a job's state lists.
pub(super) const FILES_LISTED_MAX: usize = 200;
/// Files that it lists besides if they need the person: a question, or what could not be read.
pub(super) const TROUBLED_FILES_LISTED_MAX: usize = 1_000;
/// Notes of the service and kinds of what is left behind that it lists.
pub(super) const NOTES_LISTED_MAX: usize = 20;
/// Levels of folders below a job's own.
pub(super) const PATH_DEPTH_MAX: usize = 32;
/// Bytes of a path below a job's folder.
pub(super) const PATH_BYTES_MAX: usize = 1_024;
/// Bytes of one component of a path: those of a file's name on the usual disks.
pub(super) const COMPONENT_BYTES_MAX: usize = 255;
/// How often a batch is tried while the database is away.
pub(super) const ATTEMPTS_MAX: u32 = 6;
/// The wait before the second attempt; it doubles.
pub(super) const FIRST_WAIT: Duration = Duration::from_millis(500);
/// How long the service waits for the batch that is being stored when it stops.
pub(super) const STOP_WAIT_MAX: Duration = Duration::from_secs(8);

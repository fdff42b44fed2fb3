//! Why something of an upload cannot be done.

use std::fmt;
use std::io;

use crate::db::StoreError;

/// Why a request about an upload is refused, or fails.
#[derive(Debug)]
pub(crate) enum UploadError {
    /// There is no upload of this id.
    NotFound,
    /// As many are kept as may be.
    TooMany,
    /// It has as many files as it may.
    TooManyFiles,
    /// It is being checked or run.
    AtWork,
    /// Another one is being checked or run.
    OtherAtWork,
    /// It has no files.
    NoFiles,
    /// What was sent cannot be taken; a sentence.
    Unfit(String),
    /// The disk of the data directory is full, or would be.
    DiskFull,
    /// The data directory could not be written or read.
    Disk(io::Error),
}

/// Why a check or a run ended early.
#[derive(Debug)]
pub(super) enum WorkFailure {
    Disk(io::Error),
    Store(StoreError),
    /// The service has no randomness, no thread, or failed at it.
    Fault(String),
}

impl From<io::Error> for UploadError {
    fn from(cause: io::Error) -> Self {
        match is_full(&cause) {
            true => Self::DiskFull,
            false => Self::Disk(cause),
        }
    }
}

impl From<io::Error> for WorkFailure {
    fn from(cause: io::Error) -> Self {
        Self::Disk(cause)
    }
}

impl WorkFailure {
    /// What the log says of it.
    pub(super) fn cause(&self) -> String {
        match self {
            Self::Disk(cause) => cause.to_string(),
            Self::Store(cause) => cause.to_string(),
            Self::Fault(cause) => cause.clone(),
        }
    }
}

impl fmt::Display for WorkFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const AGAIN: &str =
            "What is named as stored is stored; run it again, nothing is stored twice.";
        match self {
            Self::Disk(cause) if is_full(cause) => write!(
                formatter,
                "the disk of the data directory is full: make room. {AGAIN}"
            ),
            Self::Disk(_) => write!(
                formatter,
                "the data directory could not be written or read; the service's log says why. {AGAIN}"
            ),
            Self::Store(cause) if cause.is_transient() => {
                write!(formatter, "the database cannot be reached. {AGAIN}")
            }
            Self::Store(_) | Self::Fault(_) => write!(
                formatter,
                "the service failed at it; its log says why. {AGAIN}"
            ),
        }
    }
}

fn is_full(cause: &io::Error) -> bool {
    matches!(
        cause.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

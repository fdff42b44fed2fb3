//! Files that people drop into the page: received, checked, and stored as pushes are.
//!
//! A job is a folder below the data directory, so that folders, mailboxes and archives are walked as `sextant push` walks them. A check
//! reads everything and stores nothing; a run reads again and stores. One job is at work at a time, on a thread of its own.
//!
//! ```text
//! jobs.rs        the jobs there are, and what is asked of them   worker.rs       the thread of a check or run
//! upkeep.rs      what becomes of them by themselves              store_sink.rs   where its records go
//! job.rs         a job as it is answered and kept                batch_writer.rs one batch, checked or stored
//! job_entry.rs   the same in memory                              destinations.rs to which connection (pure)
//! folder.rs      the same on the disk                            job_listener.rs what became of each file
//! incoming_file.rs  a file while it arrives                      file_answers.rs what the person answers
//! relative_path.rs, free_space.rs, limits.rs                     error.rs        why something cannot be done
//! ```
//!
//! Knows nothing of HTTP.

mod batch_writer;
mod destinations;
mod error;
mod file_answers;
mod folder;
mod free_space;
mod incoming_file;
mod job;
mod job_entry;
mod job_listener;
mod jobs;
mod limits;
mod relative_path;
mod store_sink;
mod upkeep;
mod worker;

pub use jobs::Uploads;
pub use limits::UploadLimits;

pub(crate) use error::UploadError;
pub(crate) use file_answers::FileAnswers;
pub(crate) use job::{UploadJob, UploadState, UploadTotals, UploadWork};
pub(crate) use jobs::GivenChoices;
pub(crate) use relative_path::RelativePath;

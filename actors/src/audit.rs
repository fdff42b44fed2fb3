//! The audit log: every call becomes one row, and this is how rows reach the database.
//!
//! Entries go into a bounded queue that the handle owns, and get their numbers there; who records appends them to the journal's local
//! file, and the batcher drains the queue, so that its crash loses nothing and recording never waits for it. A flush is one statement, which also advances
//! the database's position in the journal's numbers; after any error the position is read before anything is sent again. A row is
//! counted as waiting until it has been committed. Nothing here reads a row back from the database, and nothing here refuses a
//! call (r024).

mod batch;
mod batcher;
mod handle;
mod metrics;
mod progress;
mod refusals;
mod step;
mod throttle;
mod witness;

pub use crate::audit_queue::AuditStats;
pub use crate::domain::TRUNCATED;
pub use crate::entry::{AuditEntry, REDACTED, SafeArgs, is_secretive};
pub use handle::AuditHandle;
pub use metrics::{AuditMetrics, CallCount, CallResult, DurationCounts, DurationHistogram};
pub use witness::Witness;

pub(crate) use batcher::AuditBatcher;

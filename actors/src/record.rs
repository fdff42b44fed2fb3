//! The record: what an entry holds, how it is made safe to store, and how it reaches the batcher.

mod entry;
mod handle;

pub use entry::{Entry, EntryDraft};
pub use handle::{AuditHandle, AuditStats, Witness};

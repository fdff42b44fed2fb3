//! The connections: what they are, and the snapshot that ingest checks a push against.
//!
//! The snapshot is read without a message (`published`). Whoever changes a connection has it reloaded and waits for that; one that
//! could not be read is missing from the snapshot, so that nothing is decided by what it used to be.

mod actor;
mod fetch;
mod handle;
mod published;

pub use fetch::{Fetched, PUSH_ONLY, UNAVAILABLE};
pub use handle::ConnectionsHandle;

pub(crate) use actor::ConnectionsActor;
pub(crate) use published::PublishedConnections;

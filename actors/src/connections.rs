//! The connections: what they are, and the snapshot that ingest checks a push against and that agents' answers tell of.
//!
//! The snapshot is read without a message (`published`). Whoever changes a connection, or how its pushes and syncs fare, has it
//! reloaded after the commit and waits for that (`handle`). A changed connection that could not be read is missing from the
//! snapshot, so that nothing is decided by what it used to be; and a snapshot that misses any change says so.
//!
//! Each connection that is read from its source has an actor (`readers`), which follows the snapshot.

mod actor;
mod asked;
mod fetch;
mod handle;
mod published;
mod readers;
mod snapshot;

pub use asked::NotBegun;
pub use fetch::{Fetched, PUSH_ONLY};
pub use handle::ConnectionsHandle;
pub use snapshot::ConnectionSnapshot;

pub(crate) use actor::ConnectionsActor;
pub(crate) use published::PublishedConnections;
pub(crate) use readers::SourceReaders;

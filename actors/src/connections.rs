//! The connections: what they are, and the snapshot that ingest checks a push against.

mod handle;
mod push;

pub use handle::{ConnectionsHandle, Fetched};
pub use push::{ConnectionState, PushConnection};

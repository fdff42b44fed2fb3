//! Files on their way to the store: their records by connection and batch.
//!
//! ```text
//! batch.rs    rows to one gzipped body     route.rs           a connection, and the form of its id
//! unnamed.rs  statements without account   new_connection.rs  for which tables one is made, and its label
//! ```
//!
//! Knows the catalogue and `sextant_formats`; nothing of terminals, HTTP or the database.

mod batch;
mod new_connection;
mod route;
mod unnamed;

pub use batch::PushBatch;

pub(crate) use batch::RECORD_BYTES_MAX;
pub(crate) use new_connection::{label, pushable};
pub(crate) use route::{Route, connection_id};
pub(crate) use unnamed::{REASON as UNNAMED_REASON, Unnamed};

//! A device's push, from bytes to rows: decoded and validated outside any transaction, then stored in one.
//!
//! ```text
//! body (a spooled file) -> decode -> text -> items -> record -> prepare (a second spool of good rows) -> store (one transaction)
//! ```
//! It knows the catalogue and the database, and nothing of HTTP: the route is in `http/ingest`. User, sector and table
//! come from the connection, never from the payload (r084). The memory used is bounded by one batch, not by the body.

mod batches;
mod budget;
pub mod decode;
mod destination;
mod fields;
mod identity;
mod inferred_day;
mod instant;
mod items;
pub mod limits;
mod namesakes;
mod prepare;
mod problem;
mod record;
mod roll;
mod row;
mod rules;
mod series;
mod similar_names;
mod source_record;
mod spool_folder;
pub(crate) mod store;
mod text;
pub mod units;
mod value;
mod zstd_frames;

pub use destination::PushDestination;
pub use prepare::{Prepared, Rejects, prepare};
pub use problem::{RecordProblem, Unreadable};
pub use roll::roll;
pub(crate) use source_record::{read_amended, read_whole};
pub use spool_folder::SpoolFolder;

pub use store::{
    PushRefusal, RecordOutcome, StoreFailure, StoredCounts, note_refused, store, store_within,
};
pub(crate) use store::{SourceStep, store_source};

//! A device's push, from bytes to rows: decoded and validated outside any transaction, then stored in one.
//!
//! ```text
//! body (a spooled file) -> decode -> text -> items -> record -> prepare (a second spool of good rows) -> store (one transaction)
//! ```
//! It knows the catalogue and the database, and nothing of HTTP: the surface stands in `http/ingest`. User, sector
//! and table come from the connection, never from the payload (r084). Memory is bounded by one batch, not by the body.

mod batches;
mod budget;
pub mod decode;
mod destination;
mod fields;
mod identity;
mod instant;
mod items;
pub mod limits;
mod inferred_day;
mod namesakes;
mod similar_names;
mod prepare;
mod problem;
mod record;
mod roll;
mod row;
mod rules;
mod series;
pub mod store;
mod text;
pub mod units;
mod value;

pub use destination::Destination;
pub use prepare::{Prepared, Rejects, prepare};
pub use problem::{RecordProblem, Unreadable};
pub use roll::roll;
pub use row::{Deletion, Root, Row, Step};
pub use store::{StoreFailure, Stored, store, store_within};

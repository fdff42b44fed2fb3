//! Everything through real surfaces: a real server, real processes, real faults.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, in its helpers too, and says what it skipped"
)]

mod calls;
mod db;
mod query;
mod support;

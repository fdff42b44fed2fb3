//! Everything through real surfaces: a real server, real processes, real faults.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, in its helpers too, and says what it skipped"
)]

mod agents;
mod audit;
mod console;
mod db;
mod import;
mod ingest;
mod mcp;
mod push;
mod statements;
mod support;
mod tidy;

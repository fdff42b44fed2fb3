//! The integration tests, in one binary: a folder for each surface, tested through real servers and processes, and
//! `tidy` for the architecture itself.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, in its helpers too, and says what it skipped"
)]

mod agents;
mod audit;
mod audit_log;
mod banks;
mod bridge;
mod calls;
mod consent;
mod console;
mod db;
mod derived;
mod doctor;
mod duplicates;
mod erase;
mod export;
mod exposure;
mod faults;
mod file_import;
mod flows;
mod golden;
mod html;
mod import;
mod ingest;
mod mcp;
mod neighbours;
mod occurrences;
mod process;
mod push;
mod query;
mod read_mirror;
mod sample;
mod sealing;
mod sign_ins;
mod statements;
mod support;
mod sync;
mod teach;
mod tidy;
mod uploads;

//! What leaves the process, word for word: nothing of it is renamed, added or lost unseen.
//!
//! | file | what it keeps |
//! |---|---|
//! | `agents` | what an agent is told before it asks: the handshake, `tools/list`, `get_schema` |
//! | `crates` | the crates that are built in, with their licences, in `static/crates.txt` |
//! | `errors` | each code and status of the JSON surfaces and of the agent port |
//! | `help` | `--help` of the program and of each command |
//! | `metrics` | the families of `/metrics`, their types and labels |
//! | `openapi` | the document of the Console port |
//! | `types` | the same as types of the Console's scripts, in `static/api.d.ts` |
//! | `written` | the SQL by which each table is written, exported and erased |
//!
//! The SQL of queries is in `query/golden`. All golden files are in `golden/files`; `support::golden` says how they
//! are renewed.

mod agents;
mod crates;
mod errors;
mod help;
mod metrics;
mod openapi;
mod types;
mod written;

/// The path of a golden file.
fn file(name: &str) -> String {
    format!("tests/it/golden/files/{name}")
}

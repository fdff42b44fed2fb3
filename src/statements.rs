//! The statements that write, look up, erase, export and restore the sectors' tables, made from the catalogue alone, so that a
//! table added there needs no line here. Pure: text in, text out.
//!
//! | file | what its statements do |
//! |---|---|
//! | `write` | store pushed rows, make tombstones, resolve references |
//! | `occupants` | look up what is stored under the ids that a pushed record might get |
//! | `statistics` | take statistics of a table, for the planner |
//! | `erase` | count and erase the rows of connections |
//! | `held` | count what a connection has brought |
//! | `export` | read whole tables |
//! | `import` | take exported lines back |
//! | `served_once` | say which of several equal rows is served |
//!
//! Identifiers come from the catalogue only, always quoted; every value is bound. Queries of agents are made in
//! `query/compile` instead, and a statement for fixed tables is a file in `sql/statements`.

pub mod erase;
pub mod export;
pub mod held;
pub mod import;
pub mod occupants;
pub mod served_once;
pub(crate) mod statistics;
pub mod write;

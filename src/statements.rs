//! The statements that write, look up, erase, export and restore the sectors' tables, made from the catalogue alone, so that a
//! table added there needs no line here. Pure: text in, text out.
//!
//! | file | what its statements do |
//! |---|---|
//! | `write` | store pushed rows, make tombstones, resolve references |
//! | `namesakes` | tell what is stored under the names that pushed records might get |
//! | `erase` | count and erase the rows of connections |
//! | `export` | read whole tables |
//! | `import` | take exported lines back |
//!
//! Identifiers come from the catalogue only, always quoted; every value is bound. What reads for an agent is not here but
//! in `query/compile`, and a statement that names its tables itself is a file in `sql/statements`.

pub mod erase;
pub mod export;
pub mod import;
pub mod namesakes;
pub mod write;

//! The one compiler: Checked -> SQL and bound parameters. Pure.
//!
//! Identifiers come from the catalogue only, always quoted; every value is bound, but for the limit, a number within our
//! own bound; every table is read with `user_id = $1` first; reads leave tombstones out. One file for each kind of
//! statement; `source` says which of two tables groups are read from.

mod builder;
mod changes;
mod conditions;
mod coverage;
mod groups;
mod keyset;
mod ranked;
mod read;
mod record;
mod source;
mod values;

pub use coverage::coverage;
pub use groups::{groups, groups_of_rows};
pub use read::{count, exists, rows};
pub use record::record;
pub use values::values;

use super::param::Param;

/// A statement and what it binds, in order.
#[derive(Clone, Debug)]
pub struct Statement {
    pub sql: String,
    pub params: Vec<Param>,
    pub plan: Plan,
}

/// For how long PostgreSQL's plan of a statement is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Whatever is bound, the same plan does: the statement is kept prepared.
    Lasting,
    /// What is bound decides: rare words want their index, frequent ones the order's.
    Momentary,
}

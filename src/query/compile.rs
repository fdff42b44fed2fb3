//! Compiles a checked query to SQL and bound parameters. Pure.
//!
//! Identifiers come from the catalogue only and are always quoted; every value is bound, except `LIMIT`, a number that was
//! checked before; every table is read with `user_id = $1` first; deleted rows are left out. One file for each kind of
//! statement; `source` decides whether groups are read from the table's rows or from sums of them.

mod behind;
mod builder;
mod changes;
mod conditions;
mod counts;
mod coverage;
mod groups;
mod keyset;
mod ranked;
mod read;
mod record;
mod source;

pub use behind::{behind, served_in_place};
pub use counts::counts;
pub use coverage::coverage;
pub use groups::{groups, groups_of_rows};
pub use read::{count, exists, rows};
pub use record::record;
pub use source::months_for;

use super::param::Param;

/// A statement and the values that it binds, in order: `$1` is the user's id.
#[derive(Clone, Debug)]
pub struct Statement {
    pub sql: String,
    pub params: Vec<Param>,
    pub plan: Plan,
}

/// For how long PostgreSQL's plan of a statement can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// One plan serves all values: the statement is kept prepared.
    Lasting,
    /// The best plan depends on the values: rare words need their index, frequent ones that of the order.
    Momentary,
}

//! The query engine: from the arguments an agent sent to the answer it reads.
//!
//! ```text
//! Value -> Request -> Checked -> Statement -> Found -> answer
//!        request   check      compile      run      answer
//! ```
//!
//! What a checked question costs (`cost`) and asks of the database (`effort`) is known before anything is read for it.
//!
//! Each type exists only if the step before it succeeded. Everything but [`run`] and [`readers`] is pure.
//! One compiler serves the whole catalogue: nothing here names a table. Whether the sector is granted was decided
//! by the tool service before anything here is called.

pub mod answer;
pub mod answer_column;
pub mod arguments;
pub mod budget;
pub mod cell;
pub mod check;
pub mod column;
pub mod compile;
pub mod cost;
pub mod cursor;
pub mod effort;
pub mod empty;
pub mod fault;
pub mod nearest;
pub mod operators;
pub mod page;
pub mod param;
pub mod provenance;
pub mod readers;
pub mod repair;
pub mod request;
pub mod run;
pub mod sources;
pub mod text;
pub mod time;
pub mod watermark;

/// Rows an answer may have at the most (docs/asking.md#limits).
pub const ROWS_MAX: usize = 1000;
/// Rows an answer has when nothing is said.
pub const ROWS_DEFAULT: usize = 50;
/// Keys that `order_by` may have; each makes the cursor longer.
pub const ORDER_KEYS_MAX: usize = 4;
/// Keys that `group_by` may have.
pub const GROUP_KEYS_MAX: usize = 8;
/// Hits of a search that are ranked, the newest: each costs a look at its words.
pub const RANKED_HITS_MAX: usize = 2000;

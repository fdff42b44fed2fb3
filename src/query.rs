//! The query engine: from the arguments an agent sent to the answer it reads.
//!
//! ```text
//! Value -> Request -> CheckedQuery -> Statement -> ResultPage -> AnswerText
//!        request   check           compile      run          answer
//! ```
//!
//! What a checked query costs (`cost`) and how it uses the database (`effort`) is known before anything is read for it.
//!
//! Each type exists only if the step before it succeeded. Everything but [`run`] and [`readers`] is pure.
//! One compiler serves the whole catalogue: nothing here names a table. Whether the sector is granted was decided
//! by the tool service before anything here is called.

pub(crate) mod answer;
pub(crate) mod answer_column;
pub(crate) mod arguments;
pub(crate) mod behind;
pub(crate) mod budget;
pub(crate) mod cell;
pub mod check;
pub mod column;
pub mod compile;
pub(crate) mod cost;
pub mod cursor;
pub mod effort;
pub(crate) mod empty;
pub(crate) mod ends;
pub(crate) mod fault;
pub(crate) mod json_object;
pub(crate) mod nearest;
pub(crate) mod numeric;
pub(crate) mod operators;
pub(crate) mod page;
pub mod param;
pub(crate) mod provenance;
pub(crate) mod raw_row;
pub mod readers;
pub(crate) mod repair;
pub mod request;
pub(crate) mod run;
pub(crate) mod sources;
pub mod text;
pub mod time;
pub mod watermark;

/// The most rows that an answer may have (docs/asking.md#limits).
pub const ROWS_MAX: usize = 1000;
/// The most rows of an answer when the request names no `limit`.
pub(crate) const ROWS_DEFAULT: usize = 50;
/// The most keys of `order_by`; each makes the cursor longer.
pub(crate) const ORDER_KEYS_MAX: usize = 4;
/// The most keys of `group_by`.
pub(crate) const GROUP_KEYS_MAX: usize = 8;
/// The newest hits of a search that are ranked; PostgreSQL reads the search vector of each.
pub(crate) const RANKED_HITS_MAX: usize = 2000;

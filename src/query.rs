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

/// The most rows that an answer may have (docs/asking.md#limits).
pub const ROWS_MAX: usize = 1000;
/// The most rows of an answer when the request names no `limit`.
pub const ROWS_DEFAULT: usize = 50;
/// The most keys of `order_by`; each makes the cursor longer.
pub const ORDER_KEYS_MAX: usize = 4;
/// The most keys of `group_by`.
pub const GROUP_KEYS_MAX: usize = 8;
/// The newest hits of a search that are ranked; PostgreSQL reads the search vector of each.
pub const RANKED_HITS_MAX: usize = 2000;

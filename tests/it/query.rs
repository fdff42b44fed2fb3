//! The query engine against a real PostgreSQL.
//!
//! | file | what it proves |
//! |---|---|
//! | `house` | the tool service of a migrated database, with rows of every kind |
//! | `golden` | the compiled SQL, word for word |
//! | `schema` | catalogue and schema agree; every statement of every table is accepted |
//! | `operators` | each operator on each kind of field |
//! | `changes` | a snapshot with the changes since it equals the present rows |
//! | `months` | monthly sums: exact whatever happens, and answers from them are those of the rows |
//! | `counts` | kept counts: exact whatever happens, and read without the rows |
//! | `ends` | the first and last day of a table, read from few pages |
//! | `pushers` | devices that push at one time |
//! | `groups` | keys, buckets of local time, and what is computed of each group |
//! | `paging` | the pages of an answer add up to the whole, while rows are added and deleted |
//! | `differential` | random queries against a naive evaluation |
//! | `properties` | what holds for every query, whatever happens meanwhile |
//! | `chance` | seeded choice |
//! | `prepared` | the statements that a connection keeps prepared |
//! | `provenance` | what stands behind an answer is never newer than its rows |
//! | `ranked` | the best of the newest hits first |
//! | `decimals` | decimals against PostgreSQL's own text of them |
//! | `written` | what the tools answer, byte for byte |
//! | `answers` | counts, sources, empty reasons, search, budget |

pub mod chance;
pub mod house;

mod answers;
mod changes;
pub mod counts;
mod decimals;
mod differential;
mod ends;
mod golden;
mod groups;
pub mod months;
mod operators;
mod paging;
mod prepared;
mod properties;
mod provenance;
mod pushers;
mod ranked;
mod schema;
mod written;

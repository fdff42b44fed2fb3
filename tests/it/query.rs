//! The query engine against a real PostgreSQL.
//!
//! | file | what it proves |
//! |---|---|
//! | `house` | the desk of a migrated database, with rows of every kind |
//! | `golden` | the compiled SQL, word for word |
//! | `schema` | catalogue and schema agree; every statement of every table is accepted |
//! | `operators` | each operator on each kind of field |
//! | `paging` | pages put together are the whole, while rows come and go |
//! | `prepared` | what a connection keeps prepared |
//! | `answers` | counts, sources, empty reasons, search, budget |

pub mod house;

mod answers;
mod golden;
mod operators;
mod paging;
mod prepared;
mod schema;

//! PostgreSQL: brought up, taken, brought forward, and worked with through the service's pool and those of readers.
//!
//! | file | what it holds |
//! |---|---|
//! | `database` | opening and stopping: the one thing the composition root calls |
//! | `embedded` | the private cluster |
//! | `suitability` | whether a foreign server can hold our data |
//! | `lock`, `process_mark` | one process to a database, and who has it |
//! | `migrate` | the schema's steps |
//! | `roles` | the role agents read as |
//! | `drivers`, `connect`, `tls` | the runtime the connections live on, and how they are made |
//! | `pool` | the service's connections, and how any are made |
//! | `readers`, `reader` | the connections of reads, by what they are for, and one that is lent |
//! | `tx`, `lent` | named, repeated transactions, and the connection each is lent |
//! | `rows`, `error` | how many rows a statement may touch; what can go wrong |
//!
//! Knows no table of the six sectors and no actor. SQL text lies in `sql/`.

mod connect;
mod database;
mod drivers;
pub mod embedded;
mod error;
mod lent;
mod lock;
mod migrate;
mod pool;
mod process_mark;
mod reader;
mod readers;
mod roles;
mod rows;
mod suitability;
mod tls;
mod tx;

pub use database::{Database, DatabaseError, DatabaseOptions, Place};
pub use drivers::Drivers;
pub use error::StoreError;
pub use lent::Lent;
pub use lock::{Holder, LockError, LockState, ServiceLock, Standing};
pub use migrate::{MIGRATIONS, MigrateError, Migration, migrate};
pub use pool::{PoolLimits, PoolUse, ReaderEntry, ServicePool};
pub use process_mark::{APPLICATION_NAME, ProcessMark};
pub use reader::{ExclusiveReader, GoingOn};
pub use readers::{ReaderPool, Readers};
pub use roles::{READER_ROLE, RoleError, ensure_reader, grant_reader};
pub use rows::{Cells, count, expect_at_most_one, expect_one, expect_rows, only, only_value};
pub use suitability::SuitabilityError;
pub use tx::{InTx, TxFailure, Work, tx};

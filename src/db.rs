//! PostgreSQL: starts the private server or connects to a foreign one, locks it, migrates the schema, and holds the connection
//! pools of the service and of the readers.
//!
//! | file | what it holds |
//! |---|---|
//! | `database` | opening and stopping, which only the composition root calls |
//! | `embedded` | the private cluster |
//! | `suitability` | whether a foreign server can store our data |
//! | `lock`, `process_mark` | at most one process uses a database; which one |
//! | `migrate` | the migrations of the schema |
//! | `roles` | the role of agents' reads |
//! | `drivers`, `connect`, `tls` | the runtime of the connections, and how one is opened |
//! | `pool` | the service's pool, and how every pool is built |
//! | `readers`, `reader` | the pools of reads, and one connection of them |
//! | `tx`, `lent` | named transactions that are retried, and the connection of each |
//! | `rows` | the one reader of rows: how many there are, their columns by number and type |
//! | `error`, `statement_error` | errors of the pools' statements; those of the start |
//!
//! It knows no table of the six sectors and no actor. SQL text is in `sql/`.
//!
//! Two things are written here although a crate exists (docs/decisions.md):
//!
//! - The private cluster, beside `postgresql_embedded`: that crate downloads a server at the first start, while here the
//!   system's packages install PostgreSQL and keep it patched; a server that outlived its service must be adopted or stopped, never
//!   started twice; and the server must not run as root.
//! - Migrations, beside `refinery`: each step is one transaction and is recorded with a digest, an edited step and a database of
//!   a newer program are refused, and all of it runs on the connection that first entered the database, under the service's
//!   lock. That takes some 250 lines.

mod connect;
mod database;
mod drivers;
pub mod embedded;
mod error;
mod lent;
mod lock;
mod migrate;
mod pipe;
mod pool;
mod process_mark;
mod reader;
mod readers;
mod roles;
mod rows;
mod statement_error;
mod suitability;
mod tls;
mod tx;

pub use database::{Database, DatabaseError, DatabaseOptions, Place};
pub use drivers::Drivers;
pub use error::StoreError;
pub use lent::Lent;
pub use lock::{Holder, LockError, LockState, ServiceLock, Standing};
pub use migrate::{MIGRATIONS, MigrateError, Migration, migrate};
pub use pipe::{PipeTurn, Pipes};
pub use pool::{PoolLimits, PoolUse, ReaderEntry, ServicePool};
pub use process_mark::{APPLICATION_NAME, ProcessMark};
pub use reader::{Detached, ExclusiveReader};
pub use readers::{ReaderPool, Readers};
pub use roles::{READER_ROLE, RoleError, ensure_reader, grant_reader};
pub use rows::{
    Cells, column, columns, count, expect_at_most_one, expect_one, expect_rows, only, only_value,
};
pub use statement_error::StatementError;
pub use suitability::SuitabilityError;
pub use tx::{InTx, TxFailure, TxWork, tx};

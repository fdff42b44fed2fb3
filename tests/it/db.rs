//! The database room, on real servers.
//!
//! | file | what it proves |
//! |---|---|
//! | `private_cluster` | found, created, adopted, recovered, stopped; as root and as a user |
//! | `ways_out` | each obstacle to a start, produced for real, and the message that says what to do |
//! | `binaries` | the order in which PostgreSQL is searched |
//! | `service_lock` | one process for each database |
//! | `roles` | what the reader may do, here and with `DATABASE_URL` |
//! | `owners` | no row of a sector without its user and connection |
//! | `rows` | the error for a row of another form |
//! | `schema` | migrations, and databases that are not suitable |
//! | `tls` | an encrypted connection to another server |
//! | `transactions` | retried, refused, with an unknown outcome |
//! | `readers` | time limits and cancelled reads |

mod binaries;
mod owners;
mod private_cluster;
mod readers;
mod roles;
mod rows;
mod schema;
mod service_lock;
mod tls;
mod transactions;
mod ways_out;

use sextant::db::{Database, StoreError};
use tokio_postgres::Row;

/// Reads rows as agents do.
async fn read_rows(database: &Database, sql: &str) -> Result<Vec<Row>, StoreError> {
    let mut reader = database.readers().other.get().await?;
    reader.query(sql, &[]).await
}

//! The database room, on real servers.
//!
//! | file | what it proves |
//! |---|---|
//! | `private_cluster` | found, created, adopted, recovered, stopped; as root and as a user |
//! | `ways_out` | each thing that can stand in the way, made for real, and the sentence that leads out |
//! | `binaries` | the order PostgreSQL is searched in |
//! | `service_lock` | one process to a database |
//! | `roles` | what the reader may do, here and behind `DATABASE_URL` |
//! | `rows` | what a row of another form is |
//! | `schema` | migrations, and databases that do not suit |
//! | `tls` | an encrypted way to a foreign server |
//! | `transactions` | repeated, refused, of unknown fate |
//! | `readers` | time limits and cancelled reads |

mod binaries;
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

/// Rows as agents read them.
async fn read_rows(database: &Database, sql: &str) -> Result<Vec<Row>, StoreError> {
    let mut reader = database.readers().other.get().await?;
    reader.query(sql, &[]).await
}

//! Prepares a cluster, so that the service can connect as an ordinary role.
//!
//! Every step checks whether it is needed or may be repeated, so that the next start completes what a kill interrupted. It knows
//! the superuser's connection; it must not know tables.

use std::path::Path;

use tokio::runtime::Handle;
use tokio_postgres::{Client, Error};

use super::superuser::superuser_config;
use crate::db::connect::connect;

const FIND_WAL_COMPRESSION: &str =
    include_str!("../../../sql/statements/cluster/find_wal_compression.sql");
const SET_WAL_COMPRESSION: &str =
    include_str!("../../../sql/statements/cluster/set_wal_compression.sql");
const FIND_TOAST_COMPRESSION: &str =
    include_str!("../../../sql/statements/cluster/find_toast_compression.sql");
const SET_TOAST_COMPRESSION: &str =
    include_str!("../../../sql/statements/cluster/set_toast_compression.sql");
const RELOAD: &str = include_str!("../../../sql/statements/cluster/reload.sql");

/// The database of the service.
pub(super) const DATABASE: &str = "sextant";
/// The role that owns the database.
pub(super) const SERVICE_ROLE: &str = "sextant";

/// Creates the roles, the database and the rights of the private cluster whose socket is in `run`.
///
/// # Errors
/// When the server cannot be reached or refuses a statement.
pub(super) async fn bootstrap(run: &Path) -> Result<(), Error> {
    let drivers = Handle::current();
    let (cluster, _driver) = connect(&superuser_config(run, "postgres"), &drivers).await?;
    cluster
        .batch_execute(include_str!(
            "../../../sql/statements/cluster/settle_roles.sql"
        ))
        .await?;
    create_database(&cluster).await?;
    compress(&cluster).await?;
    let (database, _driver) = connect(&superuser_config(run, DATABASE), &drivers).await?;
    database
        .batch_execute(include_str!(
            "../../../sql/statements/cluster/harden_database.sql"
        ))
        .await
}

async fn create_database(cluster: &Client) -> Result<(), Error> {
    let found = cluster
        .query_opt(
            include_str!("../../../sql/statements/cluster/find_database.sql"),
            &[],
        )
        .await?;
    if found.is_some() {
        return Ok(());
    }
    cluster
        .batch_execute(include_str!(
            "../../../sql/statements/cluster/create_database.sql"
        ))
        .await
}

/// Has the write-ahead log and long values compressed with lz4, if the server was built with it: the default for long values takes
/// several times as long (benches/README.md, "First syncs").
async fn compress(cluster: &Client) -> Result<(), Error> {
    for (find, set) in [
        (FIND_WAL_COMPRESSION, SET_WAL_COMPRESSION),
        (FIND_TOAST_COMPRESSION, SET_TOAST_COMPRESSION),
    ] {
        if cluster.query_opt(find, &[]).await?.is_some() {
            cluster.batch_execute(set).await?;
            cluster.query_opt(RELOAD, &[]).await?;
        }
    }
    Ok(())
}

//! What a fresh cluster needs before the service may enter as an ordinary role.
//!
//! Every step asks first or may be repeated: a kill in the middle is mended at the next start.
//! Knows the superuser's connection; must not know tables.

use std::path::Path;

use tokio::runtime::Handle;
use tokio_postgres::{Client, Error};

use super::superuser::superuser_config;
use crate::db::connect::connect;

/// The database of the service, and the role that owns it.
pub const DATABASE: &str = "sextant";
pub const SERVICE_ROLE: &str = "sextant";

/// Roles, database and rights of the private cluster.
pub async fn bootstrap(run: &Path) -> Result<(), Error> {
    let drivers = Handle::current();
    let (cluster, _driver) = connect(&superuser_config(run, "postgres"), &drivers).await?;
    cluster
        .batch_execute(include_str!(
            "../../../sql/statements/cluster/settle_roles.sql"
        ))
        .await?;
    make_database(&cluster).await?;
    compress_wal(&cluster).await?;
    let (database, _driver) = connect(&superuser_config(run, DATABASE), &drivers).await?;
    database
        .batch_execute(include_str!(
            "../../../sql/statements/cluster/harden_database.sql"
        ))
        .await
}

async fn make_database(cluster: &Client) -> Result<(), Error> {
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

/// Only a server that was built with lz4 lists it among the values.
async fn compress_wal(cluster: &Client) -> Result<(), Error> {
    let possible = cluster
        .query_opt(
            include_str!("../../../sql/statements/cluster/find_wal_compression.sql"),
            &[],
        )
        .await?;
    if possible.is_none() {
        return Ok(());
    }
    cluster
        .batch_execute(include_str!(
            "../../../sql/statements/cluster/set_wal_compression.sql"
        ))
        .await?;
    cluster
        .query_opt(
            include_str!("../../../sql/statements/cluster/reload.sql"),
            &[],
        )
        .await
        .map(drop)
}

//! Connects to the private server as the bootstrap superuser, and checks whether a server answers.

use std::fs;
use std::path::Path;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::timeout;

use super::initdb::SUPERUSER;
use super::run_dir::SOCKET_PORT;
use crate::db::connect::connect;
use crate::db::process_mark::APPLICATION_NAME;

/// The time limit for one connection attempt and its query.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// Whether a server answers a query on this socket, and works on `data`.
pub(super) async fn answers(run: &Path, data: &Path) -> bool {
    let Ok(Ok(Some(directory))) = timeout(ANSWER_TIMEOUT, query_data_directory(run)).await else {
        return false;
    };
    fs::canonicalize(&directory).is_ok_and(|directory| directory == data)
        || Path::new(&directory) == data
}

async fn query_data_directory(run: &Path) -> Result<Option<String>, tokio_postgres::Error> {
    let (client, _driver) = connect(&superuser_config(run, "postgres"), &Handle::current()).await?;
    let row = client
        .query_opt(
            include_str!("../../../sql/statements/cluster/data_directory.sql"),
            &[],
        )
        .await?;
    row.map(|row| row.try_get(0)).transpose()
}

/// How the bootstrap superuser connects to a database of the private server.
pub(super) fn superuser_config(run: &Path, database: &str) -> tokio_postgres::Config {
    let mut config = tokio_postgres::Config::new();
    config
        .host_path(run)
        .port(SOCKET_PORT)
        .user(SUPERUSER)
        .dbname(database)
        .application_name(APPLICATION_NAME);
    config
}

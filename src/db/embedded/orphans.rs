//! Ends the connections that a killed service left in an adopted server: each continues with its last statement.
//!
//! Their transactions could block the bootstrap or the migrations, or commit in the middle of them.

use std::path::Path;

use tokio::runtime::Handle;
use tokio_postgres::Error;

use super::superuser::superuser_config;
use crate::db::connect::connect;

/// How long one of them may take to end. A commit that is under way may still succeed.
const END_TIMEOUT_MS: i64 = 10_000;

/// Ends them. Only the holder of the data directory may call this, before it opens connections of its own.
///
/// # Errors
/// When the server cannot be reached or refuses the statement.
pub(super) async fn end(run: &Path) -> Result<(), Error> {
    let (cluster, _driver) =
        connect(&superuser_config(run, "postgres"), &Handle::current()).await?;
    let statement = include_str!("../../../sql/statements/cluster/end_orphans.sql");
    for orphan in cluster.query(statement, &[&END_TIMEOUT_MS]).await? {
        let (pid, ended): (i32, bool) = (orphan.try_get("pid")?, orphan.try_get("ended")?);
        if ended {
            log::info!("ended the database backend {pid}, which a killed service had left");
        } else {
            log::warn!("the database backend {pid}, which a killed service had left, goes on");
        }
    }
    Ok(())
}

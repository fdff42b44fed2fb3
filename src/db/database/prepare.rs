//! The steps between a server that runs and a database that is in use: the first connection, migrations, roles, pools.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config};

use crate::db::connect::{CONNECT_TIMEOUT, connect};
use crate::db::lock::ServiceLock;
use crate::db::migrate::{MIGRATIONS, migrate};
use crate::db::pool::{PoolLimits, ReaderEntry, ServicePool};
use crate::db::process_mark::APPLICATION_NAME;
use crate::db::readers::Readers;
use crate::db::roles::{RoleError, ensure_reader, grant_reader};
use crate::db::rows::destructure;
use crate::db::statement_error::StatementError;

use super::error::DatabaseError;

/// The time limit for the first connection.
const ENTER_TIMEOUT: Duration = Duration::from_secs(15);
/// The pause between two attempts to connect to a server that is starting.
const ENTER_POLL: Duration = Duration::from_millis(100);

/// How the service and the readers connect.
pub(super) struct Access {
    pub(super) service: Config,
    pub(super) readers: Config,
    pub(super) reader: ReaderLogin,
}

/// As whom the readers' connections log in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReaderLogin {
    /// In the private cluster: the reader role has a login of its own.
    Own,
    /// On a foreign server: connections log in as the owner and switch to the reader role.
    SetRole,
    /// On a foreign server without the reader role: reads run as the owner.
    Owner,
}

/// Opens the first connection. Waits for a server that is starting, within [`ENTER_TIMEOUT`].
///
/// # Errors
/// When the server refuses the connection, or is not ready in time.
pub(super) async fn enter(config: &Config, drivers: &Handle) -> Result<Client, DatabaseError> {
    let mut config = config.clone();
    config
        .application_name(APPLICATION_NAME)
        .connect_timeout(CONNECT_TIMEOUT);
    let entered = timeout(ENTER_TIMEOUT, async {
        loop {
            match connect(&config, drivers).await {
                Err(error) if error.code() == Some(&SqlState::CANNOT_CONNECT_NOW) => {}
                end => break end,
            }
            sleep(ENTER_POLL).await;
        }
    });
    match entered.await {
        Ok(Ok((client, _driver))) => Ok(client),
        Ok(Err(error)) => Err(DatabaseError::Unreachable(error)),
        Err(_) => Err(DatabaseError::Silent {
            waited_s: ENTER_TIMEOUT.as_secs(),
        }),
    }
}

/// Migrates the schema, grants the rights of the reader role and makes the pools. Returns warnings for the operator too.
///
/// # Errors
/// The step that failed.
pub(super) async fn prepare(
    client: &mut Client,
    access: &Access,
    limits: PoolLimits,
    drivers: Handle,
    lock: &ServiceLock,
) -> Result<(ServicePool, Readers, Vec<String>), DatabaseError> {
    migrate(client, MIGRATIONS)
        .await
        .map_err(DatabaseError::Migrate)?;
    let mut warnings = prepare_reader(client, access.reader)
        .await
        .map_err(DatabaseError::Role)?;
    warnings.extend(too_few_connections(client, limits).await);
    let entry = if access.reader == ReaderLogin::SetRole {
        ReaderEntry::SetRole
    } else {
        ReaderEntry::AsConnected
    };
    let service = ServicePool::new(
        access.service.clone(),
        limits,
        drivers.clone(),
        lock.standing(),
    );
    let readers = Readers::new(&access.readers, limits, &drivers, &lock.standing(), entry);
    Ok((
        service.map_err(DatabaseError::Pool)?,
        readers.map_err(DatabaseError::Pool)?,
        warnings,
    ))
}

/// Creates the reader role where that is needed and grants its rights. Returns warnings for the operator.
async fn prepare_reader(client: &Client, reader: ReaderLogin) -> Result<Vec<String>, RoleError> {
    match reader {
        ReaderLogin::Own => {}
        ReaderLogin::SetRole => ensure_reader(client).await?,
        ReaderLogin::Owner => {
            return Ok(vec![
                "reader_role = false: agents' reads run as the owner of the database, read-only but without a role \
                 of their own"
                    .into(),
            ]);
        }
    }
    grant_reader(client).await?;
    Ok(Vec::new())
}

/// A warning when the server accepts fewer connections than the service may open. A server that does not say how many it
/// accepts gives no warning; the start does not depend on it.
async fn too_few_connections(client: &Client, limits: PoolLimits) -> Option<String> {
    let taken = match connections_max(client).await {
        Ok(taken) => taken,
        Err(error) => {
            log::debug!("the server's number of connections could not be read: {error}");
            return None;
        }
    };
    let needed = limits.connections_max();
    (taken < needed).then(|| {
        format!(
            "PostgreSQL takes {taken} connections and the service may need {needed}: raise max_connections, or some \
             calls will be told that the database is not reachable"
        )
    })
}

async fn connections_max(client: &Client) -> Result<usize, StatementError> {
    let ask = include_str!("../../../sql/statements/server/connections_max.sql");
    let row = client.query_one(ask, &[]).await?;
    let (taken,): (i32,) = destructure("server/connections_max", &row)?;
    usize::try_from(taken).map_err(|_| StatementError::Shape {
        statement: "server/connections_max",
        fault: "a number below zero".to_owned(),
    })
}

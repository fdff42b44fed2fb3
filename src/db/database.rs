//! The database as the composition root sees it: opens it, gives out its pools, stops it.
//!
//! It knows the order of the steps: server, suitability, lock, migrations, roles, pools. It must not know the environment.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config};

use super::connect::{CONNECT_TIMEOUT, connect};
use super::embedded::{Cluster, ClusterOptions};
use super::lock::{Revive, ServiceLock, Standing};
use super::migrate::{MIGRATIONS, migrate};
use super::pool::{PoolLimits, ReaderEntry, ServicePool};
use super::process_mark::APPLICATION_NAME;
use super::readers::Readers;
use super::roles::{RoleError, ensure_reader, grant_reader};
use super::rows::destructure;
use super::statement_error::StatementError;
use super::suitability;

mod error;

pub use error::DatabaseError;

/// The time limit for the first connection.
const ENTER_TIMEOUT: Duration = Duration::from_secs(15);
/// The pause between two attempts to connect to a server that is starting.
const ENTER_POLL: Duration = Duration::from_millis(100);

/// Which PostgreSQL holds the data.
#[derive(Debug)]
pub enum Place {
    /// The private cluster in the service's data directory.
    Private(ClusterOptions),
    /// The server that `DATABASE_URL` names.
    Foreign(String),
}

/// What is needed to open a database.
#[derive(Debug)]
pub struct DatabaseOptions {
    pub place: Place,
    /// For a foreign server: whether agents' reads run as a role of their own.
    pub reader_role: bool,
    pub limits: PoolLimits,
    /// The runtime of the connections; it must outlive every actor.
    pub drivers: Handle,
}

/// An open database, locked for this process, with the schema of this program.
pub struct Database {
    service: ServicePool,
    readers: Readers,
    lock: ServiceLock,
    cluster: Option<Arc<Cluster>>,
    warnings: Vec<String>,
}

impl Database {
    /// Starts the private server or connects to the foreign one, locks the database and migrates it. If a later step fails, a
    /// server that was started is stopped again.
    ///
    /// # Errors
    /// The step that failed, with what the operator can do.
    pub async fn open(options: DatabaseOptions) -> Result<Self, DatabaseError> {
        match options.place {
            Place::Private(cluster) => {
                let cluster = Arc::new(
                    Cluster::start(cluster)
                        .await
                        .map_err(DatabaseError::Cluster)?,
                );
                let access = Access {
                    service: cluster.service_config().await,
                    readers: cluster.reader_config().await,
                    reader: ReaderLogin::Own,
                };
                let opened = take(
                    access,
                    options.limits,
                    options.drivers,
                    Some(cluster.clone()),
                )
                .await;
                if opened.is_err() {
                    stop_cluster(&cluster).await;
                }
                opened
            }
            Place::Foreign(url) => {
                let config: Config = url.parse().map_err(|_| DatabaseError::BadUrl)?;
                let reader = if options.reader_role {
                    ReaderLogin::SetRole
                } else {
                    ReaderLogin::Owner
                };
                let access = Access {
                    service: config.clone(),
                    readers: config,
                    reader,
                };
                take(access, options.limits, options.drivers, None).await
            }
        }
    }

    /// The pool of the service's own connections.
    pub fn service(&self) -> &ServicePool {
        &self.service
    }

    /// The pools of reads.
    pub fn readers(&self) -> &Readers {
        &self.readers
    }

    /// The state of the lock; `standing().taken()` resolves when another process has it and this one must stop.
    pub fn standing(&self) -> Standing {
        self.lock.standing()
    }

    /// Warnings for the operator, one sentence each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The private cluster; `None` for a foreign server.
    pub fn cluster(&self) -> Option<&Cluster> {
        self.cluster.as_deref()
    }

    /// Closes the pools, releases the lock, and stops a private server.
    ///
    /// # Errors
    /// When the private server does not stop in time.
    pub async fn stop(self) -> Result<(), DatabaseError> {
        self.service.close();
        self.readers.close();
        self.lock.release().await;
        match self.cluster {
            Some(cluster) => cluster.stop().await.map_err(DatabaseError::Cluster),
            None => Ok(()),
        }
    }
}

/// How the service and the readers connect.
struct Access {
    service: Config,
    readers: Config,
    reader: ReaderLogin,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReaderLogin {
    /// In the private cluster: the reader role has a login of its own.
    Own,
    /// On a foreign server: connections log in as the owner and switch to the reader role.
    SetRole,
    /// On a foreign server without the reader role: reads run as the owner.
    Owner,
}

async fn take(
    access: Access,
    limits: PoolLimits,
    drivers: Handle,
    cluster: Option<Arc<Cluster>>,
) -> Result<Database, DatabaseError> {
    let mut client = enter(&access.service, &drivers).await?;
    suitability::check(&client)
        .await
        .map_err(DatabaseError::Unsuitable)?;
    let lock = ServiceLock::take(
        access.service.clone(),
        drivers.clone(),
        reviving(cluster.clone()),
    )
    .await
    .map_err(DatabaseError::Lock)?;
    match prepare(&mut client, &access, limits, drivers, &lock).await {
        Ok((service, readers, warnings)) => Ok(Database {
            service,
            readers,
            lock,
            cluster,
            warnings,
        }),
        Err(error) => {
            lock.release().await;
            Err(error)
        }
    }
}

/// Opens the first connection. Waits for a server that is starting, within [`ENTER_TIMEOUT`].
async fn enter(config: &Config, drivers: &Handle) -> Result<Client, DatabaseError> {
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

async fn prepare(
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
    let ask = include_str!("../../sql/statements/server/connections_max.sql");
    let row = client.query_one(ask, &[]).await?;
    let (taken,): (i32,) = destructure("server/connections_max", &row)?;
    usize::try_from(taken).map_err(|_| StatementError::Shape {
        statement: "server/connections_max",
        fault: "a number below zero".to_owned(),
    })
}

/// Starts a private server that has ended again, before its lock is taken anew.
fn reviving(cluster: Option<Arc<Cluster>>) -> Revive {
    Box::new(move || {
        let cluster = cluster.clone();
        Box::pin(async move {
            let Some(cluster) = cluster else { return };
            if let Err(error) = cluster.revive().await {
                log::error!("{error}");
            }
        })
    })
}

async fn stop_cluster(cluster: &Cluster) {
    if let Err(error) = cluster.stop().await {
        log::error!("{error}");
    }
}

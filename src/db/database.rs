//! The database as the composition root sees it: opened, used through its pools, stopped.
//!
//! Knows the order: server, suitability, lock, schema, roles, pools. Must not know the environment.

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
use super::suitability;

mod error;

pub use error::DatabaseError;

/// For the first connection, its greeting included.
const ENTER_TIMEOUT: Duration = Duration::from_secs(15);
/// Between two attempts to enter a server that is starting.
const ENTER_POLL: Duration = Duration::from_millis(100);

/// Which PostgreSQL holds the data.
#[derive(Debug)]
pub enum Place {
    /// The service's own, in its data directory.
    Private(ClusterOptions),
    /// Another one, reached as `DATABASE_URL` says.
    Foreign(String),
}

/// Everything opening depends on.
#[derive(Debug)]
pub struct DatabaseOptions {
    pub place: Place,
    /// Behind `DATABASE_URL`: whether agents' reads run as a role of their own.
    pub reader_role: bool,
    pub limits: PoolLimits,
    /// The runtime of the connections; must outlive every actor.
    pub drivers: Handle,
}

/// An open database, locked for this process, at the schema of this program.
pub struct Database {
    service: ServicePool,
    readers: Readers,
    lock: ServiceLock,
    cluster: Option<Arc<Cluster>>,
    warnings: Vec<String>,
}

impl Database {
    /// Brings the database up and takes it; what was started for it is stopped again when a later step fails.
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
                    entry: Entry::Own,
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
                let entry = if options.reader_role {
                    Entry::Role
                } else {
                    Entry::Owner
                };
                let access = Access {
                    service: config.clone(),
                    readers: config,
                    entry,
                };
                take(access, options.limits, options.drivers, None).await
            }
        }
    }

    /// The service's own connections.
    pub fn service(&self) -> &ServicePool {
        &self.service
    }

    /// Agents' reads.
    pub fn readers(&self) -> &Readers {
        &self.readers
    }

    /// How the lock stands; `standing().taken()` returns when another process has the database and this one has to stop.
    pub fn standing(&self) -> Standing {
        self.lock.standing()
    }

    /// What the operator should know, in sentences.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The private cluster, if that is what this is.
    pub fn cluster(&self) -> Option<&Cluster> {
        self.cluster.as_deref()
    }

    /// Closes the pools, lets go of the lock, and stops a private server last.
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

/// How service and readers enter.
struct Access {
    service: Config,
    readers: Config,
    entry: Entry,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// A private cluster, where the reader has a login.
    Own,
    /// A foreign one, where the owner puts the reader's role on.
    Role,
    /// A foreign one without that role.
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

/// The first connection. A server that is starting is waited for, one that says nothing is not.
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
    let mut warnings = settle_reader(client, access.entry)
        .await
        .map_err(DatabaseError::Role)?;
    warnings.extend(too_few_connections(client, limits).await);
    let entry = if access.entry == Entry::Role {
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

async fn settle_reader(client: &Client, entry: Entry) -> Result<Vec<String>, RoleError> {
    match entry {
        Entry::Own => {}
        Entry::Role => ensure_reader(client).await?,
        Entry::Owner => {
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

/// Said of a server that takes fewer connections than may be needed at once; one that does not tell is not asked twice.
async fn too_few_connections(client: &Client, limits: PoolLimits) -> Option<String> {
    let ask = include_str!("../../sql/statements/server/connections_max.sql");
    let row = client.query_one(ask, &[]).await.ok()?;
    let taken = usize::try_from(row.try_get::<_, i32>(0).ok()?).ok()?;
    let needed = limits.connections_max();
    (taken < needed).then(|| {
        format!(
            "PostgreSQL takes {taken} connections and the service may need {needed}: raise max_connections, or some \
             calls will be told that the database is not reachable"
        )
    })
}

/// A private server that has ended is started again before its lock is asked for.
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

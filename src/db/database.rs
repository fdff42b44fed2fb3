//! The database as the composition root sees it: opens it, gives out its pools, stops it.
//!
//! It knows the order of the steps: server, suitability, lock, migrations, roles, pools. It must not know the environment.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio_postgres::Config;

use super::embedded::{Cluster, ClusterOptions};
use super::lock::{Revive, ServiceLock, Standing};
use super::pool::{PoolLimits, ServicePool};
use super::readers::Readers;
use super::suitability;

mod error;
mod prepare;

use self::prepare::{Access, ReaderLogin, enter, prepare};

pub use error::DatabaseError;

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

//! The private cluster as the service sees it: starts it, says how to connect to it, restarts and stops it.
//!
//! It knows the order of the steps; every step is in a file of its own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};
use tokio_postgres::Config;
use tokio_postgres::error::SqlState;

use super::binaries::{Binaries, SearchPlaces, find};
use super::bootstrap::{DATABASE, SERVICE_ROLE, bootstrap};
use super::error::{ClusterError, POSTGRES_MAJOR_MIN};
use super::initdb;
use super::layout::Layout;
use super::lock_file::LockFile;
use super::orphans;
use super::owner::ClusterOwner;
use super::run_dir::{self, SOCKET_PORT};
use super::server::Server;
use super::settings::{Durability, arguments};
use super::startup::{StartOutcome, start};
use super::superuser::superuser_config;
use super::survivor::find_survivor;
use crate::db::roles::READER_ROLE;
use crate::db::statement_error::StatementError;

/// Connections that the server accepts by default.
const CONNECTIONS_MAX: u32 = 100;
/// How long processes of a killed server may keep its shared memory.
const ORPHANS_TIMEOUT: Duration = Duration::from_secs(10);
const ORPHANS_POLL: Duration = Duration::from_millis(50);
/// In the log of a server that did not start because of them.
const ORPHANS_MESSAGE: &str = "shared memory block";
/// In the log of a server that did not start because another one runs on the same data.
const RUNNING_MESSAGE: &str = "lock file \"postmaster.pid\" already exists";

/// The options of a private cluster. The caller reads them from the environment.
#[derive(Clone, Debug)]
pub struct ClusterOptions {
    /// The service's data directory.
    pub home: PathBuf,
    pub places: SearchPlaces,
    /// `XDG_RUNTIME_DIR`, for the socket when its path in the data directory would be too long.
    pub runtime_dir: Option<PathBuf>,
    pub durability: Durability,
    pub connections_max: u32,
}

impl ClusterOptions {
    /// A durable cluster in `home`.
    pub fn new(home: impl Into<PathBuf>, places: SearchPlaces) -> Self {
        Self {
            home: home.into(),
            places,
            runtime_dir: None,
            durability: Durability::Full,
            connections_max: CONNECTIONS_MAX,
        }
    }
}

/// A running private cluster and the lock on its data directory.
///
/// Dropping it leaves the server running, as a kill would: the next start adopts it.
#[derive(Debug)]
pub struct Cluster {
    options: ClusterOptions,
    layout: Layout,
    running: Mutex<Running>,
    _lock: LockFile,
}

#[derive(Debug)]
struct Running {
    server: Server,
    run: PathBuf,
}

impl Running {
    /// Prepares the server for the service. Only an adopted server can have connections of an earlier service.
    async fn prepare(&self) -> Result<(), StatementError> {
        if self.server.is_adopted() {
            orphans::end(&self.run).await?;
        }
        Ok(bootstrap(&self.run).await?)
    }
}

impl Cluster {
    /// Locks the data directory, adopts the server that runs there or starts one (and creates the cluster if there is none),
    /// and prepares its roles and database.
    ///
    /// # Errors
    /// The step that failed, with what the operator can do.
    pub async fn start(options: ClusterOptions) -> Result<Self, ClusterError> {
        let layout = Layout::prepare(&options.home)?;
        let lock = LockFile::take(&layout.lock)?;
        refuse_old(&layout)?;
        let mut running = adopt_or_launch(&options, &layout).await?;
        log::info!(
            "database server pid {} on {}",
            running.server.pid(),
            layout.data.display()
        );
        if let Err(error) = running.prepare().await {
            running.server.stop().await?;
            return Err(bootstrap_failure(error, &layout));
        }
        Ok(Self {
            options,
            layout,
            running: Mutex::new(running),
            _lock: lock,
        })
    }

    /// How the service connects: as the owner of its database, which is not a superuser.
    pub async fn service_config(&self) -> Config {
        self.config(SERVICE_ROLE, DATABASE).await
    }

    /// How agents' reads connect.
    pub async fn reader_config(&self) -> Config {
        self.config(READER_ROLE, DATABASE).await
    }

    /// How the bootstrap superuser connects; the service itself never does.
    pub async fn superuser_config(&self) -> Config {
        superuser_config(&self.socket_dir().await, DATABASE)
    }

    async fn config(&self, user: &str, database: &str) -> Config {
        let mut config = Config::new();
        config
            .host_path(self.socket_dir().await)
            .port(SOCKET_PORT)
            .user(user)
            .dbname(database);
        config
    }

    /// The directory of the socket.
    pub async fn socket_dir(&self) -> PathBuf {
        self.running.lock().await.run.clone()
    }

    /// The server's pid.
    pub async fn server_pid(&self) -> i32 {
        self.running.lock().await.server.pid().as_raw()
    }

    /// The directory of the cluster's files.
    pub fn data(&self) -> &Path {
        &self.layout.data
    }

    /// Starts the server again if it has ended, and returns whether it had.
    ///
    /// # Errors
    /// When it cannot be started.
    pub async fn revive(&self) -> Result<bool, ClusterError> {
        let mut running = self.running.lock().await;
        if !running.server.has_ended() {
            return Ok(false);
        }
        let revived = adopt_or_launch(&self.options, &self.layout).await?;
        log::warn!(
            "database server had ended, started again as pid {}",
            revived.server.pid()
        );
        // The configurations that were given out name the old socket directory. A start on the same data chooses the same one,
        // unless the server was adopted with another.
        *running = revived;
        Ok(true)
    }

    /// Stops the server, also one that was adopted. The lock on the data directory is released with this value.
    ///
    /// # Errors
    /// When it does not end in time.
    pub async fn stop(&self) -> Result<(), ClusterError> {
        self.running.lock().await.server.stop().await
    }
}

fn bootstrap_failure(error: StatementError, layout: &Layout) -> ClusterError {
    if error.code() == Some(&SqlState::DISK_FULL) {
        return ClusterError::DiskFull {
            path: layout.cluster.clone(),
        };
    }
    ClusterError::Bootstrap(error)
}

fn refuse_old(layout: &Layout) -> Result<(), ClusterError> {
    match layout.cluster_major()? {
        Some(major) if major < POSTGRES_MAJOR_MIN => Err(ClusterError::ClusterTooOld {
            data: layout.data.clone(),
            major,
        }),
        _ => Ok(()),
    }
}

/// The server that runs on the data, or a new one.
async fn adopt_or_launch(
    options: &ClusterOptions,
    layout: &Layout,
) -> Result<Running, ClusterError> {
    match adopt(layout).await? {
        Some(running) => Ok(running),
        None => launch(options, layout).await,
    }
}

async fn adopt(layout: &Layout) -> Result<Option<Running>, ClusterError> {
    let found = find_survivor(layout).await?;
    Ok(found.map(|(server, run)| Running { server, run }))
}

/// Starts a server. While processes of a killed predecessor still run, the start is repeated, up to [`ORPHANS_TIMEOUT`].
async fn launch(options: &ClusterOptions, layout: &Layout) -> Result<Running, ClusterError> {
    let (owner, binaries, run) = prepare(options.clone(), layout.clone()).await?;
    let arguments = arguments(
        &run,
        owner.is_foreign(),
        options.connections_max,
        options.durability,
    );
    let deadline = Instant::now() + ORPHANS_TIMEOUT;
    loop {
        // A server that was started just before its service was killed may become visible only now.
        if let Some(running) = adopt(layout).await? {
            return Ok(running);
        }
        run_dir::remove_socket(&run)?;
        match start(&binaries.postgres(), &owner, layout, &run, &arguments).await? {
            StartOutcome::Ready(server) => return Ok(Running { server, run }),
            StartOutcome::Ended { said } if is_blocked(&said) && Instant::now() < deadline => {
                sleep(ORPHANS_POLL).await;
            }
            StartOutcome::Ended { said } => return Err(start_failure(said, layout)),
        }
    }
}

/// Whether a server ended because of another one, which will end too or can be adopted.
fn is_blocked(said: &str) -> bool {
    said.contains(ORPHANS_MESSAGE) || said.contains(RUNNING_MESSAGE)
}

fn start_failure(said: String, layout: &Layout) -> ClusterError {
    if said.contains("No space left on device") {
        return ClusterError::DiskFull {
            path: layout.cluster.clone(),
        };
    }
    ClusterError::StartFailed {
        said,
        log: layout.log.clone(),
    }
}

/// Finds the programs and the user, checks that the user can reach the data, and creates what is missing.
async fn prepare(
    options: ClusterOptions,
    layout: Layout,
) -> Result<(ClusterOwner, Binaries, PathBuf), ClusterError> {
    initdb::wait_for_predecessor(&layout).await?;
    let prepared = tokio::task::spawn_blocking(move || {
        let owner = ClusterOwner::of(&layout.cluster)?;
        let major = layout.cluster_major()?;
        let binaries = find(
            &options.places,
            major.map(|major| (major, layout.data.as_path())),
        )?;
        owner.check_parents(&binaries.postgres())?;
        owner.check_parents(&layout.cluster)?;
        layout.hand_over(&owner)?;
        if major.is_none() {
            initdb::create(
                &layout,
                &owner,
                &binaries,
                options.durability == Durability::Full,
            )?;
        }
        let run = run_dir::choose(&layout, &owner, options.runtime_dir.as_deref());
        run_dir::make(&run, &owner)?;
        Ok((owner, binaries, run))
    });
    prepared.await.unwrap_or(Err(ClusterError::Interrupted))
}

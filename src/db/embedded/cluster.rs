//! The private cluster as the service sees it: started, reachable, revived, stopped.
//!
//! Knows the order of the steps; every step lives in a file of its own.

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
use super::owner::Owner;
use super::run_dir::{self, SOCKET_PORT};
use super::server::Server;
use super::settings::{Durability, arguments};
use super::startup::{Start, start};
use super::superuser::superuser_config;
use super::survivor::survivor;
use crate::db::roles::READER_ROLE;

/// Connections the server takes, unless a caller asks for more.
const CONNECTIONS_MAX: u32 = 100;
/// How long the orphans of a killed server may hold its shared memory.
const ORPHANS_TIMEOUT: Duration = Duration::from_secs(10);
const ORPHANS_POLL: Duration = Duration::from_millis(50);
/// What a server says while they do.
const ORPHANS_SAID: &str = "shared memory block";
/// What it says while another one runs on the same data.
const RUNNING_SAID: &str = "lock file \"postmaster.pid\" already exists";

/// Everything a private cluster depends on; the environment is read by the caller.
#[derive(Clone, Debug)]
pub struct ClusterOptions {
    /// The service's data directory.
    pub home: PathBuf,
    pub places: SearchPlaces,
    /// `XDG_RUNTIME_DIR`, for a socket whose path beside the data would be too long.
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
    /// Brings it to where the service can use it. A server of our own has no one's connections but ours.
    async fn settle(&self) -> Result<(), tokio_postgres::Error> {
        if self.server.is_adopted() {
            orphans::end(&self.run).await?;
        }
        bootstrap(&self.run).await
    }
}

impl Cluster {
    /// Locks the data directory, adopts the server found there or starts one (creating the cluster when there
    /// is none), and brings its roles and database to where the service can use them.
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
        if let Err(error) = running.settle().await {
            running.server.stop().await?;
            return Err(refused(error, &layout));
        }
        Ok(Self {
            options,
            layout,
            running: Mutex::new(running),
            _lock: lock,
        })
    }

    /// How the service connects: as the owner of its database, no superuser.
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

    /// The directory the socket lies in.
    pub async fn socket_dir(&self) -> PathBuf {
        self.running.lock().await.run.clone()
    }

    /// The server's pid.
    pub async fn server_pid(&self) -> i32 {
        self.running.lock().await.server.pid().as_raw()
    }

    /// Where the cluster's files lie.
    pub fn data(&self) -> &Path {
        &self.layout.data
    }

    /// Starts the server again when it has ended; says whether it had.
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
        // The configurations handed out name the old directory; a start on the same data chooses it again
        // unless an adopted server had another.
        *running = revived;
        Ok(true)
    }

    /// Stops the server, also one that was adopted. The lock on the data directory goes with this value.
    pub async fn stop(&self) -> Result<(), ClusterError> {
        self.running.lock().await.server.stop().await
    }
}

fn refused(error: tokio_postgres::Error, layout: &Layout) -> ClusterError {
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

/// The server that runs on the data, or a new one. What a killed one left of itself is out of its way then.
async fn adopt_or_launch(
    options: &ClusterOptions,
    layout: &Layout,
) -> Result<Running, ClusterError> {
    match adopted(layout).await? {
        Some(running) => Ok(running),
        None => launch(options, layout).await,
    }
}

async fn adopted(layout: &Layout) -> Result<Option<Running>, ClusterError> {
    let found = survivor(layout).await?;
    Ok(found.map(|(server, run)| Running { server, run }))
}

/// Starts a server; one whose killed predecessor has orphans yet is tried again until they are gone.
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
        // One that was started the moment before its service was killed may show only now.
        if let Some(running) = adopted(layout).await? {
            return Ok(running);
        }
        run_dir::sweep(&run)?;
        match start(&binaries.postgres(), &owner, layout, &run, &arguments).await? {
            Start::Ready(server) => return Ok(Running { server, run }),
            Start::Ended { said } if is_in_the_way(&said) && Instant::now() < deadline => {
                sleep(ORPHANS_POLL).await;
            }
            Start::Ended { said } => return Err(ended(said, layout)),
        }
    }
}

/// Whether a server ended because of another one, which ends too or can be adopted.
fn is_in_the_way(said: &str) -> bool {
    said.contains(ORPHANS_SAID) || said.contains(RUNNING_SAID)
}

fn ended(said: String, layout: &Layout) -> ClusterError {
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

/// Finds programs and user, checks the way to the data, and makes what is missing.
async fn prepare(
    options: ClusterOptions,
    layout: Layout,
) -> Result<(Owner, Binaries, PathBuf), ClusterError> {
    initdb::predecessor_ended(&layout).await?;
    let prepared = tokio::task::spawn_blocking(move || {
        let owner = Owner::of(&layout.cluster)?;
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

//! One PostgreSQL for all test processes of a run.
//!
//! Test processes hold a shared lock on a file in `target/`. The first one starts a cluster under the system's
//! temporary directory (the server's user must be able to reach it) and a reaper: a process of its own that waits for
//! the exclusive lock, and so removes the cluster when the last test process has ended, however it ended. A cluster
//! left by a run that was killed is found through its note.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use sextant::db::embedded::{Cluster, ClusterOptions, Durability, SearchPlaces};
use sextant::db::{APPLICATION_NAME, MIGRATIONS, migrate};
use sha2::{Digest, Sha256};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, Config, NoTls};

use super::users::{helper_argument, start_detached};

/// Between two test programs of one `cargo test` nobody holds the lock for a moment.
const REAPER_PATIENCE: Duration = Duration::from_secs(3);
/// Many tests run at once, each with its own pools.
const CONNECTIONS_MAX: u32 = 400;

/// The cluster that all tests share, as this process knows it.
pub struct SharedCluster {
    pub socket_dir: PathBuf,
    /// The name of a migrated database to which nobody is connected.
    pub template: String,
    _started: Option<Cluster>,
    _user: File,
}

/// The shared cluster; the first caller starts it.
pub fn shared() -> &'static SharedCluster {
    static SHARED: OnceLock<SharedCluster> = OnceLock::new();
    // On a thread of its own: a test's runtime cannot block on another runtime.
    SHARED.get_or_init(|| {
        std::thread::spawn(|| runtime().block_on(join()))
            .join()
            .unwrap()
    })
}

/// The runtime for work on the cluster; it lives to the end of the process.
pub fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap()
    })
}

/// Searches for PostgreSQL where the service would.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests stand in for the configuration"
)]
pub fn search_places() -> SearchPlaces {
    SearchPlaces::system(
        std::env::var_os("PG_BIN_DIR").map(PathBuf::from),
        std::env::var_os("PATH"),
    )
}

async fn join() -> SharedCluster {
    let setup = lock_file("cluster.setup");
    setup.lock().unwrap();
    let user = lock_file("cluster.users");
    let alone = user.try_lock().is_ok();
    user.unlock().unwrap();
    user.lock_shared().unwrap();
    let (socket_dir, started) = match running().await {
        Some(socket_dir) => (socket_dir, None),
        None => start().await,
    };
    if alone {
        start_detached(REAPER);
    }
    let template = make_template(&socket_dir).await;
    SharedCluster {
        socket_dir,
        template,
        _started: started,
        _user: user,
    }
}

/// The directory of the cluster that the note names, if its server answers.
async fn running() -> Option<PathBuf> {
    let note = Note::read()?;
    if try_connect(&superuser(&note.socket_dir, "postgres"))
        .await
        .is_some()
    {
        return Some(note.socket_dir);
    }
    note.remove_cluster().await;
    None
}

async fn start() -> (PathBuf, Option<Cluster>) {
    let home = std::env::temp_dir().join(format!("sextant-tests-{}", std::process::id()));
    let cluster = Cluster::start(options(&home))
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let socket_dir = cluster.socket_dir().await;
    Note {
        home,
        socket_dir: socket_dir.clone(),
    }
    .write();
    let client = connect(&superuser(&socket_dir, "postgres")).await;
    client
        .batch_execute("GRANT sextant_reader TO sextant")
        .await
        .unwrap();
    (socket_dir, Some(cluster))
}

fn options(home: &Path) -> ClusterOptions {
    ClusterOptions {
        durability: Durability::Disposable,
        connections_max: CONNECTIONS_MAX,
        ..ClusterOptions::new(home, search_places())
    }
}

/// Makes a migrated database. Its name is a digest of the migrations, so that an edited migration makes a new one.
async fn make_template(socket_dir: &Path) -> String {
    let digest = MIGRATIONS
        .iter()
        .fold(Sha256::new(), |digest, step| digest.chain_update(step.sql))
        .finalize();
    let template = format!(
        "template_{:02x}{:02x}{:02x}{:02x}",
        digest[0], digest[1], digest[2], digest[3]
    );
    let client = connect(&superuser(socket_dir, "postgres")).await;
    let found = client
        .query_opt("SELECT 1 FROM pg_database WHERE datname = $1", &[&template])
        .await
        .unwrap();
    if found.is_some() {
        return template;
    }
    // Renamed last, so that a run killed in between leaves no incomplete template.
    client
        .batch_execute("DROP DATABASE IF EXISTS template_unfinished WITH (FORCE)")
        .await
        .unwrap();
    client
        .batch_execute("CREATE DATABASE template_unfinished TEMPLATE sextant OWNER sextant")
        .await
        .unwrap();
    let mut service = connect(&config(socket_dir, "sextant", "template_unfinished")).await;
    migrate(&mut service, MIGRATIONS).await.unwrap();
    sextant::db::grant_reader(&service).await.unwrap();
    drop(service);
    super::eventually::eventually("the template is left alone", async || {
        client
            .batch_execute(&format!(
                "ALTER DATABASE template_unfinished RENAME TO {template}"
            ))
            .await
            .is_ok()
    })
    .await;
    template
}

/// How a role connects to a database of the shared cluster.
pub fn config(socket_dir: &Path, user: &str, database: &str) -> Config {
    let mut config = Config::new();
    config
        .host_path(socket_dir)
        .port(5432)
        .user(user)
        .dbname(database)
        .application_name(APPLICATION_NAME);
    config
}

pub fn superuser(socket_dir: &Path, database: &str) -> Config {
    config(socket_dir, "postgres", database)
}

/// A connection whose driver runs on the current runtime.
pub async fn connect(config: &Config) -> Client {
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn try_connect(config: &Config) -> Option<Client> {
    let (client, connection) = config.connect(NoTls).await.ok()?;
    tokio::spawn(connection);
    Some(client)
}

/// What a run writes to a file about its cluster.
struct Note {
    home: PathBuf,
    socket_dir: PathBuf,
}

impl Note {
    fn read() -> Option<Self> {
        let text = fs::read_to_string(in_target("cluster.note")).ok()?;
        let mut lines = text.lines();
        Some(Self {
            home: lines.next()?.into(),
            socket_dir: lines.next()?.into(),
        })
    }

    fn write(&self) {
        fs::write(
            in_target("cluster.note"),
            format!("{}\n{}\n", self.home.display(), self.socket_dir.display()),
        )
        .unwrap();
    }

    /// Stops the cluster, whoever started it, and removes it and this note.
    async fn remove_cluster(&self) {
        if self.home.is_dir() {
            let cluster = Cluster::start(options(&self.home)).await.unwrap();
            cluster.stop().await.unwrap();
            fs::remove_dir_all(&self.home).unwrap();
        }
        fs::remove_file(in_target("cluster.note")).unwrap();
    }
}

fn in_target(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn lock_file(name: &str) -> File {
    fs::create_dir_all(env!("CARGO_TARGET_TMPDIR")).unwrap();
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(in_target(name))
        .unwrap()
}

const REAPER: &str = "support::cluster::reaper";

/// Not a test: the process that removes the cluster after the last test process.
#[test]
#[ignore = "a part played in a process of its own"]
fn reaper() {
    if helper_argument(REAPER).is_none() {
        return;
    }
    loop {
        let users = lock_file("cluster.users");
        users.lock().unwrap();
        users.unlock().unwrap();
        runtime().block_on(async { tokio::time::sleep(REAPER_PATIENCE).await });
        let setup = lock_file("cluster.setup");
        setup.lock().unwrap();
        if users.try_lock().is_ok() {
            if let Some(note) = Note::read() {
                runtime().block_on(note.remove_cluster());
            }
            return;
        }
    }
}

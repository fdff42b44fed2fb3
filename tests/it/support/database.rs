//! A database of its own for a test: made from the migrated template, dropped with this value.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use serde_json::Value;
use sextant::db::{Database, DatabaseError, DatabaseOptions, Drivers, Place, PoolLimits};
use tokio_postgres::{Client, Config};

use super::cluster::{config, connect, runtime, search_places, shared, superuser};

/// A drop that takes longer is left to the reaper, which removes the whole cluster.
const DROP_TIMEOUT: Duration = Duration::from_secs(10);

/// A database that one test uses alone.
pub struct TestDatabase {
    name: String,
}

impl TestDatabase {
    /// Creates it at the newest schema, with the reader's rights.
    pub async fn create() -> Self {
        Self::made_with(&format!(
            "OWNER sextant TEMPLATE {} STRATEGY file_copy",
            shared().template
        ))
        .await
    }

    /// Creates it without tables, with these options of `CREATE DATABASE`.
    pub async fn made_with(options: &str) -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "test_{}_{}",
            std::process::id(),
            MADE.fetch_add(1, Ordering::Relaxed)
        );
        // Rights on a database are not copied from its template.
        administer(vec![
            format!("CREATE DATABASE {name} {options}"),
            format!("REVOKE ALL ON DATABASE {name} FROM PUBLIC"),
            format!("GRANT CONNECT ON DATABASE {name} TO sextant_reader"),
        ])
        .await;
        Self { name }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// How the service connects: as the owner.
    pub fn service_config(&self) -> Config {
        self.config_of("sextant")
    }

    /// How agents' reads connect.
    pub fn reader_config(&self) -> Config {
        self.config_of("sextant_reader")
    }

    /// How another role of the cluster connects; `postgres` is the superuser.
    pub fn config_of(&self, user: &str) -> Config {
        config(&shared().socket_dir, user, &self.name)
    }

    /// The value of `DATABASE_URL` for the service.
    pub fn url(&self) -> String {
        self.url_of("sextant")
    }

    pub fn url_of(&self, user: &str) -> String {
        let host = encoded(&shared().socket_dir);
        format!("postgres://{user}@{host}:5432/{}", self.name)
    }

    /// A connection as the owner, beside the service's own.
    pub async fn connect(&self) -> Client {
        connect(&self.service_config()).await
    }

    /// All rows of a statement's result, as objects.
    pub async fn rows(&self, statement: &str) -> Vec<Value> {
        let statement = format!("SELECT to_jsonb(found) FROM ({statement}) AS found");
        let rows = self.connect().await.query(&statement, &[]).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// The whole database as `pg_dump` writes it.
    pub fn dump(&self) -> String {
        let programs = sextant::db::embedded::find(&search_places(), None).unwrap();
        dump(programs.dir(), &shared().socket_dir, &self.name)
    }

    /// A connection as the superuser.
    pub async fn connect_as_superuser(&self) -> Client {
        connect(&self.config_of("postgres")).await
    }

    /// Opens it as the service does when `DATABASE_URL` is set.
    pub async fn open(&self) -> Result<Database, DatabaseError> {
        self.open_as("sextant", true).await
    }

    pub async fn open_as(&self, user: &str, reader_role: bool) -> Result<Database, DatabaseError> {
        open_at(self.url_of(user), reader_role).await
    }
}

/// Opens what this address names as the service does.
pub async fn open_at(url: String, reader_role: bool) -> Result<Database, DatabaseError> {
    Database::open(DatabaseOptions {
        place: Place::Foreign(url),
        reader_role,
        limits: PoolLimits::default(),
        drivers: drivers(),
    })
    .await
}

/// A whole database as `pg_dump` writes it.
pub fn dump(programs: &Path, socket_dir: &Path, database: &str) -> String {
    let output = Command::new(programs.join("pg_dump"))
        .args(["--username", "postgres", "--dbname", database, "--host"])
        .arg(socket_dir)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The runtime on which this test process runs its database drivers.
pub fn drivers() -> tokio::runtime::Handle {
    static DRIVERS: std::sync::OnceLock<Drivers> = std::sync::OnceLock::new();
    DRIVERS
        .get_or_init(|| Drivers::start().unwrap())
        .handle()
        .unwrap()
}

/// Runs statements as the superuser, outside any test database.
pub async fn administer(statements: Vec<String>) {
    /// Idle superuser connections, kept for reuse: each new one costs the server a process.
    static IDLE: Mutex<Vec<Client>> = Mutex::new(Vec::new());
    let socket_dir = &shared().socket_dir;
    let work = runtime().spawn(async move {
        let idle = IDLE.lock().unwrap().pop();
        let client = match idle.filter(|client| !client.is_closed()) {
            Some(client) => client,
            None => connect(&superuser(socket_dir, "postgres")).await,
        };
        for statement in statements {
            client
                .batch_execute(&statement)
                .await
                .unwrap_or_else(|error| panic!("{statement}: {error:?}"));
        }
        IDLE.lock().unwrap().push(client);
    });
    work.await.unwrap();
}

fn encoded(path: &Path) -> String {
    path.to_str()
        .unwrap()
        .replace('%', "%25")
        .replace('/', "%2F")
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (done, wait) = mpsc::channel();
        let statement = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        runtime().spawn(async move {
            administer(vec![statement]).await;
            done.send(())
        });
        // If the drop failed, the reaper removes the database; the test is not affected.
        let _ = wait.recv_timeout(DROP_TIMEOUT);
    }
}

//! Direct access to the database that a service has in its folder.

use std::fs;
use std::path::{Path, PathBuf};

use tokio_postgres::{Client, Config, NoTls};

/// The folder of its socket.
pub fn socket(home: &Path) -> PathBuf {
    let file = fs::read_to_string(home.join("data/postgres/data/postmaster.pid")).unwrap();
    PathBuf::from(file.lines().nth(4).unwrap())
}

/// A connection as `role`; the service's own is `sextant`.
pub async fn connect(home: &Path, role: &str) -> Client {
    let mut config = Config::new();
    config.host_path(socket(home)).user(role).dbname("sextant");
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

//! Every room of `src/`, from the top down: which rooms it uses, and which of the watched crates it names.
//!
//! Both lists are exact: a use that is not listed fails, and so does a listed one that no code needs any more. A room
//! uses only rooms further down.

/// One top-level module below `src/`.
pub struct Room {
    pub name: &'static str,
    uses: &'static str,
    crates: &'static str,
}

impl Room {
    /// The rooms that it uses.
    pub fn uses(&self) -> impl Iterator<Item = &'static str> {
        self.uses.split_whitespace()
    }

    /// Those of [`WATCHED`] that it names.
    pub fn crates(&self) -> impl Iterator<Item = &'static str> {
        self.crates.split_whitespace()
    }
}

/// The crates by which rooms differ: the project's own, and those that reach the network or the database.
pub const WATCHED: [&str; 12] = [
    "actix_http",
    "actix_server",
    "actix_service",
    "actix_web",
    "deadpool_postgres",
    "reqwest",
    "rmcp",
    "sextant_actors",
    "sextant_connectors",
    "sextant_formats",
    "tokio_postgres",
    "tokio_rustls",
];

/// A room's name, the rooms that it uses, and the watched crates that it names.
pub const fn room(name: &'static str, uses: &'static str, crates: &'static str) -> Room {
    Room { name, uses, crates }
}

pub const ROOMS: &[Room] = &[
    room("main", "cli config", ""),
    room(
        "cli",
        "app sample export intake db catalog host tls config",
        "reqwest rmcp sextant_actors sextant_formats",
    ),
    room(
        "app",
        "http doctor bridge calls uploads sign_ins import export sync tokens pushes ingest store derived db sealing capacity providers config",
        "actix_web sextant_actors",
    ),
    room(
        "http",
        "doctor bridge calls sample uploads sign_ins import export query pushes ingest store db sealing catalog capacity host exposure providers config",
        "actix_http actix_server actix_service actix_web rmcp sextant_actors sextant_connectors",
    ),
    room(
        "doctor",
        "host exposure",
        "sextant_actors sextant_connectors",
    ),
    room(
        "calls",
        "query sync db catalog capacity providers",
        "sextant_actors sextant_connectors",
    ),
    room("sample", "ingest store db catalog", "sextant_actors"),
    room(
        "uploads",
        "intake pushes ingest store db catalog capacity providers",
        "sextant_actors sextant_formats",
    ),
    room(
        "sign_ins",
        "tokens store db sealing catalog providers",
        "sextant_actors sextant_connectors",
    ),
    room(
        "bridge",
        "store db sealing exposure config",
        "sextant_actors sextant_connectors",
    ),
    room("intake", "ingest catalog", "sextant_formats"),
    room(
        "import",
        "export store derived statements db catalog providers",
        "deadpool_postgres sextant_actors sextant_formats tokio_postgres",
    ),
    room(
        "export",
        "statements db capacity",
        "deadpool_postgres sextant_actors tokio_postgres",
    ),
    room(
        "query",
        "local_days db catalog capacity providers",
        "deadpool_postgres sextant_actors sextant_formats tokio_postgres",
    ),
    room(
        "sync",
        "tokens ingest store derived db sealing catalog providers",
        "deadpool_postgres sextant_actors sextant_connectors tokio_postgres",
    ),
    room(
        "tokens",
        "store db sealing providers",
        "sextant_actors sextant_connectors",
    ),
    room(
        "pushes",
        "ingest db catalog capacity providers",
        "sextant_actors",
    ),
    room(
        "ingest",
        "derived statements db catalog",
        "deadpool_postgres sextant_actors sextant_formats tokio_postgres",
    ),
    room(
        "store",
        "derived statements db sealing catalog config",
        "deadpool_postgres sextant_actors sextant_connectors tokio_postgres",
    ),
    room(
        "derived",
        "statements local_days db catalog",
        "deadpool_postgres sextant_actors tokio_postgres",
    ),
    room("statements", "catalog", "sextant_actors"),
    room("local_days", "", ""),
    room(
        "db",
        "capacity tls config",
        "deadpool_postgres tokio_postgres tokio_rustls",
    ),
    room("sealing", "config", "sextant_actors"),
    room("catalog", "", "sextant_actors"),
    room("capacity", "", "sextant_actors"),
    room("providers", "config", "sextant_actors sextant_connectors"),
    room("exposure", "host", ""),
    room("tls", "", ""),
    room(
        "config",
        "host",
        "sextant_actors sextant_connectors tokio_postgres",
    ),
    room("host", "", ""),
];

/// The crates of the workspace beside the root, by folder, and which of [`WATCHED`] each may depend on.
pub const CRATES: &[(&str, &[&str])] = &[
    ("actors", &[]),
    (
        "connectors",
        &["reqwest", "sextant_formats", "tokio_rustls"],
    ),
    ("formats", &[]),
];

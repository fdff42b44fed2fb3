//! Every room of `src/`, from the top down: which rooms it uses, and which of the crates that shape a room it names.
//!
//! Both lists are exact: a use that is not listed fails, and so does a listing that nothing needs any more. A room uses only
//! rooms further down.

/// One module below `src/`.
pub struct Room {
    pub name: &'static str,
    pub uses: &'static [&'static str],
    /// Of [`WATCHED`].
    pub crates: &'static [&'static str],
}

/// The crates that tell rooms apart: the house's own, and those that reach the network or the database.
pub const WATCHED: [&str; 10] = [
    "actix_http",
    "actix_server",
    "actix_service",
    "actix_web",
    "deadpool_postgres",
    "reqwest",
    "rmcp",
    "sextant_actors",
    "tokio_postgres",
    "tokio_rustls",
];

const fn room(
    name: &'static str,
    uses: &'static [&'static str],
    crates: &'static [&'static str],
) -> Room {
    Room { name, uses, crates }
}

pub const ROOMS: &[Room] = &[
    room("main", &["cli", "config"], &[]),
    room(
        "cli",
        &[
            "app", "sample", "export", "db", "catalog", "config", "import",
        ],
        &["reqwest", "rmcp", "sextant_actors"],
    ),
    room(
        "app",
        &[
            "http", "calls", "restore", "export", "ingest", "store", "derived", "db", "config",
        ],
        &["actix_web", "sextant_actors"],
    ),
    room(
        "http",
        &[
            "calls",
            "sample",
            "restore",
            "export",
            "query",
            "ingest",
            "store",
            "db",
            "catalog",
            "providers",
            "config",
        ],
        &[
            "actix_http",
            "actix_server",
            "actix_service",
            "actix_web",
            "rmcp",
            "sextant_actors",
        ],
    ),
    room("calls", &["query", "db", "catalog"], &["sextant_actors"]),
    room(
        "sample",
        &["ingest", "store", "db", "catalog"],
        &["sextant_actors"],
    ),
    room(
        "restore",
        &[
            "export",
            "store",
            "derived",
            "statements",
            "db",
            "catalog",
            "providers",
            "import",
        ],
        &["deadpool_postgres", "sextant_actors", "tokio_postgres"],
    ),
    room(
        "export",
        &["statements", "db"],
        &["deadpool_postgres", "sextant_actors", "tokio_postgres"],
    ),
    room(
        "query",
        &["local_days", "db", "catalog", "providers", "html"],
        &["deadpool_postgres", "sextant_actors", "tokio_postgres"],
    ),
    room(
        "ingest",
        &["derived", "statements", "db", "catalog", "occurrences"],
        &["deadpool_postgres", "sextant_actors", "tokio_postgres"],
    ),
    room(
        "store",
        &["derived", "statements", "db", "catalog"],
        &["deadpool_postgres", "sextant_actors", "tokio_postgres"],
    ),
    room(
        "derived",
        &["local_days", "db", "catalog"],
        &["deadpool_postgres", "sextant_actors", "tokio_postgres"],
    ),
    room("statements", &["catalog"], &["sextant_actors"]),
    room("local_days", &[], &[]),
    room(
        "db",
        &["config"],
        &["deadpool_postgres", "tokio_postgres", "tokio_rustls"],
    ),
    room("catalog", &[], &["sextant_actors"]),
    room("providers", &[], &[]),
    room("config", &[], &["sextant_actors", "tokio_postgres"]),
    room("import", &["html"], &[]),
    room("html", &[], &[]),
    room("occurrences", &[], &[]),
];

/// The crates of the workspace beside the root, by folder: which of [`WATCHED`] each may depend on.
pub const CRATES: &[(&str, &[&str])] = &[("actors", &[])];

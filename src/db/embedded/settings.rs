//! The settings a private server is started with.
//!
//! They travel on its command line at every start, so that the files `initdb` wrote stay untouched.

use std::path::Path;

use super::run_dir::SOCKET_PORT;

/// How much a crash of the machine may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Every acknowledged row survives.
    Full,
    /// Nothing needs to: a cluster that is thrown away, as in tests.
    Disposable,
}

/// Held in memory by the server for all its connections; touched lazily.
const SHARED_BUFFERS: &str = "256MB";
/// Write-ahead log between two checkpoints: a big import must not force one every few seconds.
const WAL_SIZE_MAX: &str = "2GB";

/// Arguments of `postgres`: a socket in `run` only its user may open (or, for a service of another user,
/// only who may enter `run`), no TCP, and a log that repeats no value of a row or a statement.
pub fn arguments(
    run: &Path,
    foreign_owner: bool,
    connections_max: u32,
    durability: Durability,
) -> Vec<String> {
    let socket_mode = if foreign_owner { "0777" } else { "0700" };
    let mut settings = vec![
        "listen_addresses=".to_owned(),
        format!("unix_socket_directories={}", quoted(run)),
        format!("unix_socket_permissions={socket_mode}"),
        format!("port={SOCKET_PORT}"),
        format!("max_connections={connections_max}"),
        format!("shared_buffers={SHARED_BUFFERS}"),
        format!("max_wal_size={WAL_SIZE_MAX}"),
        // Compiling a plan costs more than most of our queries do.
        "jit=off".into(),
        "timezone=UTC".into(),
        "log_timezone=UTC".into(),
        "log_checkpoints=off".into(),
        "logging_collector=off".into(),
        // DETAIL lines and statements would carry personal data into the log.
        "log_error_verbosity=terse".into(),
        "log_min_error_statement=panic".into(),
    ];
    if durability == Durability::Disposable {
        settings.extend(
            [
                "fsync=off",
                "synchronous_commit=off",
                "full_page_writes=off",
            ]
            .map(str::to_owned),
        );
    }
    settings
        .into_iter()
        .flat_map(|setting| ["-c".to_owned(), setting])
        .collect()
}

/// The setting is a list, so a path with a comma or a space must be quoted.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display().to_string().replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_disposable_cluster_gives_up_durability() {
        let full = arguments(Path::new("/run"), false, 100, Durability::Full);
        assert!(!full.iter().any(|setting| setting.contains("fsync")));
        assert!(full.contains(&"unix_socket_permissions=0700".into()));
        let disposable = arguments(Path::new("/run"), true, 100, Durability::Disposable);
        assert!(disposable.contains(&"fsync=off".into()));
    }
}

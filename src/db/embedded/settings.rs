//! The settings of a private server. They are passed on its command line at every start, so that the files that `initdb` wrote
//! stay unchanged.

use std::path::Path;

use super::run_dir::SOCKET_PORT;

/// What survives a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Every committed row.
    Full,
    /// Nothing: for temporary clusters, as in tests.
    Disposable,
}

/// The shared page cache. The operating system provides its memory only as it is used.
const SHARED_BUFFERS: &str = "256MB";
/// Write-ahead log between two checkpoints: a large import must not cause one every few seconds.
const WAL_SIZE_MAX: &str = "2GB";

/// The arguments of `postgres`: a socket in `run` that only its user may open (for a service of another user: whoever may enter
/// `run`), no TCP, and a log without values of rows and without statements.
pub(super) fn arguments(
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
        // Compiling a plan takes longer than most of our queries.
        "jit=off".into(),
        "timezone=UTC".into(),
        "log_timezone=UTC".into(),
        "log_checkpoints=off".into(),
        "logging_collector=off".into(),
        // DETAIL lines and statements would write personal data into the log.
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

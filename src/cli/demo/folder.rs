use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use crate::config::{Config, ConfigError, ConfigSources, Environment};

/// Short, because the path of a Unix socket is limited to about 100 bytes.
const PREFIX: &str = "sextant-";
/// PostgreSQL does not run as root: its user must be able to enter the folder, and nobody to list it.
const MODE_OF_ROOT: u32 = 0o711;
/// What a demonstration takes over from its surroundings: where things are, never what the real service is set to.
const TAKEN_OVER: [&str; 7] = [
    "PATH",
    "HOME",
    "PG_BIN_DIR",
    "XDG_RUNTIME_DIR",
    "TIMEZONE",
    "TZ",
    "RUST_LOG",
];
/// The log, unless it is asked for: what the person looks at is something else.
const LOG_FILTER: &str = "error";
/// How often the audit log is written; short, because the demonstration waits for it.
const FLUSH_INTERVAL: Duration = Duration::from_millis(100);

/// A temporary folder, removed when it is dropped.
pub(super) struct Folder(Option<TempDir>);

impl Folder {
    pub(super) fn make() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        if nix::unistd::geteuid().is_root() {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(MODE_OF_ROOT))?;
        }
        Ok(Self(Some(folder)))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.as_ref().map_or(Path::new(""), TempDir::path)
    }

    /// A private database here, free ports on loopback, and nothing of the person's own configuration.
    pub(super) fn config(&self, environment: Environment) -> Result<Config, ConfigError> {
        let asks_for_log = environment.get("RUST_LOG").is_some();
        let mut config = Config::load(&ConfigSources {
            file: None,
            data_dir: Some(self.path().to_owned()),
            environment: environment.only(&TAKEN_OVER),
        })?;
        config.bind = IpAddr::V4(Ipv4Addr::LOCALHOST);
        (config.rest_port, config.mcp_port) = (0, 0);
        config.limits.audit_flush_interval = FLUSH_INTERVAL;
        if !asks_for_log {
            config.log_filter = LOG_FILTER.to_owned();
        }
        Ok(config)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(Err(cause)) = self.0.take().map(TempDir::close) {
            log::error!("the throw-away folder could not be removed: {cause}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_real_service_is_taken_over() {
        let folder = Folder::make().unwrap();
        let config = folder
            .config(Environment::of([
                ("DATABASE_URL", "postgresql://db.example.org/real"),
                ("REST_PORT", "not even a number"),
                ("DATA_DIR", "/precious"),
                ("BIND", "0.0.0.0"),
                ("PATH", "/usr/bin"),
            ]))
            .unwrap();
        assert_eq!(config.database_url, None);
        assert_eq!((config.rest_port, config.mcp_port), (0, 0));
        assert_eq!(config.data_dir, folder.path());
        assert!(config.bind.is_loopback() && config.search_path.is_some());
    }
}

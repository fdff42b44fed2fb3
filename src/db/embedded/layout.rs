//! The files and directories in the data directory.
//!
//! ```text
//! <home>/                 of the service: mode 0711 if root created it (the server's user must pass through), else 0700
//!   sextant.lock          locked by the process that uses this directory; contains its pid
//!   postgres.log          the server's log
//!   postgres/             owned by the server's user with all below, closed to everybody else
//!     data/               the cluster     data.tmp/   a cluster being created
//!     run/                the socket, unless the path would be too long for one
//! ```

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::error::ClusterError;
use super::owner::Owner;

/// Default data directory of a service started by root.
const ROOT_HOME: &str = "/var/lib/sextant";
/// The server's own directory in it.
const CLUSTER: &str = "postgres";

/// The paths, all absolute and free of symbolic links.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub cluster: PathBuf,
    pub data: PathBuf,
    pub data_unfinished: PathBuf,
    pub run: PathBuf,
    pub log: PathBuf,
    pub lock: PathBuf,
}

/// Whether a data directory contains a cluster. It does not look inside, which only the server's user may.
pub fn holds_cluster(home: &Path) -> bool {
    home.join(CLUSTER).is_dir()
}

impl Layout {
    /// Creates the data directory if it is missing, and resolves its path.
    ///
    /// # Errors
    /// When the directory cannot be created or resolved.
    pub(super) fn prepare(home: &Path) -> Result<Self, ClusterError> {
        if !home.is_dir() {
            fs::create_dir_all(home).map_err(ClusterError::filesystem(home))?;
            let mode = if nix::unistd::geteuid().is_root() {
                0o711
            } else {
                0o700
            };
            fs::set_permissions(home, fs::Permissions::from_mode(mode))
                .map_err(ClusterError::filesystem(home))?;
        }
        let home = fs::canonicalize(home).map_err(ClusterError::filesystem(home))?;
        let cluster = home.join(CLUSTER);
        Ok(Self {
            data: cluster.join("data"),
            data_unfinished: cluster.join("data.tmp"),
            run: cluster.join("run"),
            log: home.join("postgres.log"),
            lock: home.join("sextant.lock"),
            cluster,
        })
    }

    /// Creates the server's directory and gives it to `owner`: only this directory, none above it.
    ///
    /// # Errors
    /// When it cannot be created or given away.
    pub(super) fn hand_over(&self, owner: &Owner) -> Result<(), ClusterError> {
        if !self.cluster.is_dir() {
            fs::create_dir(&self.cluster).map_err(ClusterError::filesystem(&self.cluster))?;
        }
        owner.take(&self.cluster)
    }

    /// The major version in `PG_VERSION`; `None` if there is no cluster yet.
    ///
    /// # Errors
    /// When the data directory exists but has no readable version.
    pub(super) fn cluster_major(&self) -> Result<Option<u32>, ClusterError> {
        if !self.data.exists() {
            return Ok(None);
        }
        fs::read_to_string(self.data.join("PG_VERSION"))
            .ok()
            .and_then(|text| text.trim().split('.').next()?.parse().ok())
            .map(Some)
            .ok_or_else(|| ClusterError::NotACluster {
                data: self.data.clone(),
            })
    }
}

/// The default data directory: `/var/lib/sextant` for root, else in the user's data directory (XDG Base Directory).
///
/// # Errors
/// When neither variable is set.
pub fn default_home(
    xdg_data_home: Option<&Path>,
    home: Option<&Path>,
) -> Result<PathBuf, ClusterError> {
    home_for(nix::unistd::geteuid().is_root(), xdg_data_home, home)
}

fn home_for(
    root: bool,
    xdg_data_home: Option<&Path>,
    home: Option<&Path>,
) -> Result<PathBuf, ClusterError> {
    if root {
        return Ok(ROOT_HOME.into());
    }
    // The XDG Base Directory specification says that a relative path must be ignored.
    let xdg = xdg_data_home
        .filter(|dir| dir.is_absolute())
        .map(Path::to_path_buf);
    xdg.or_else(|| home.map(|home| home.join(".local/share")))
        .map(|base| base.join("sextant"))
        .ok_or(ClusterError::NoHome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_lies_where_the_system_expects_it() {
        let (xdg, home) = (Path::new("/data"), Path::new("/home/ada"));
        assert_eq!(
            home_for(true, Some(xdg), Some(home)).unwrap(),
            Path::new("/var/lib/sextant")
        );
        assert_eq!(
            home_for(false, Some(xdg), Some(home)).unwrap(),
            Path::new("/data/sextant")
        );
        assert_eq!(
            home_for(false, None, Some(home)).unwrap(),
            Path::new("/home/ada/.local/share/sextant")
        );
        assert_eq!(
            home_for(false, Some(Path::new("relative")), Some(home)).unwrap(),
            Path::new("/home/ada/.local/share/sextant")
        );
        assert!(matches!(
            home_for(false, None, None),
            Err(ClusterError::NoHome)
        ));
    }
}

//! What lies where in the data directory.
//!
//! ```text
//! <home>/                 the service's own: 0711 when root made it (the server's user must pass), else 0700
//!   sextant.lock          held by the one process that uses this directory; holds its pid
//!   postgres.log          what the server says
//!   postgres/             the server's user owns this and all below, nobody else may enter
//!     data/               the cluster     data.tmp/   a cluster being made
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

#[derive(Clone, Debug)]
pub struct Layout {
    pub cluster: PathBuf,
    pub data: PathBuf,
    pub data_unfinished: PathBuf,
    pub run: PathBuf,
    pub log: PathBuf,
    pub lock: PathBuf,
}

/// Whether a data directory holds a cluster, as far as anybody who may enter it can see.
pub fn holds_cluster(home: &Path) -> bool {
    home.join(CLUSTER).is_dir()
}

impl Layout {
    /// Makes the data directory when it is missing; its path is free of symbolic links from here on.
    pub fn prepare(home: &Path) -> Result<Self, ClusterError> {
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

    /// Makes the server's own directory and gives it to `owner`: this directory and nothing above it.
    pub fn hand_over(&self, owner: &Owner) -> Result<(), ClusterError> {
        if !self.cluster.is_dir() {
            fs::create_dir(&self.cluster).map_err(ClusterError::filesystem(&self.cluster))?;
        }
        owner.take(&self.cluster)
    }

    /// The major version in `PG_VERSION`; none when there is no cluster yet.
    pub fn cluster_major(&self) -> Result<Option<u32>, ClusterError> {
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

/// Where data lies when nobody says: `/var/lib/sextant` for root, else the user's own data directory.
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
    // The XDG specification tells to ignore a relative path.
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

//! The directory of the server's socket: short enough for a socket address, closed to everybody else.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::error::ClusterError;
use super::layout::Layout;
use super::owner::Owner;

/// `sun_path` holds 108 bytes on Linux and 104 elsewhere, the closing zero included.
const SOCKET_PATH_BYTES_MAX: usize = if cfg!(target_os = "linux") { 107 } else { 103 };
/// The port is only a name here: the server listens on no TCP port.
pub const SOCKET_PORT: u16 = 5432;
/// Bytes of the data directory's digest in the name of a short directory.
const NAME_DIGEST_BYTES: usize = 8;

/// Where the socket lies: beside the data, or under `runtime_dir` or `/tmp` when that path is too long.
pub fn choose(layout: &Layout, owner: &Owner, runtime_dir: Option<&Path>) -> PathBuf {
    if fits(&layout.run) {
        return layout.run.clone();
    }
    let name = short_name(&layout.data);
    // XDG_RUNTIME_DIR of root is closed to the server's user.
    let own = runtime_dir
        .filter(|dir| dir.is_absolute() && !owner.is_foreign())
        .map(|dir| dir.join(&name));
    own.filter(|dir| fits(dir))
        .unwrap_or_else(|| Path::new("/tmp").join(name))
}

fn fits(dir: &Path) -> bool {
    let socket = dir.join(format!(".s.PGSQL.{SOCKET_PORT}"));
    socket.as_os_str().as_bytes().len() <= SOCKET_PATH_BYTES_MAX
}

fn short_name(data: &Path) -> String {
    let digest = Sha256::digest(data.as_os_str().as_bytes());
    let hex: String = digest
        .iter()
        .take(NAME_DIGEST_BYTES)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("sextant-{hex}")
}

/// Makes the directory, or takes it over when it is already the server's or root's own.
pub fn make(dir: &Path, owner: &Owner) -> Result<(), ClusterError> {
    match fs::DirBuilder::new().mode(0o700).create(dir) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            refuse_a_stranger_s(dir, owner)?
        }
        Err(error) => return Err(ClusterError::filesystem(dir)(error)),
    }
    owner.take(dir)
}

fn refuse_a_stranger_s(dir: &Path, owner: &Owner) -> Result<(), ClusterError> {
    let found = fs::symlink_metadata(dir).map_err(ClusterError::filesystem(dir))?;
    let ours = found.uid() == owner.uid || found.uid() == nix::unistd::geteuid().as_raw();
    if found.is_dir() && ours {
        return Ok(());
    }
    Err(ClusterError::RunDirTaken { dir: dir.into() })
}

/// Removes socket and lock of a server that is gone.
///
/// Only to be called when the data directory is locked and no server runs on it: the lock file of a
/// dead server stops a new one when its pid has been given to another process of the same user.
pub fn sweep(dir: &Path) -> Result<(), ClusterError> {
    for name in [
        format!(".s.PGSQL.{SOCKET_PORT}"),
        format!(".s.PGSQL.{SOCKET_PORT}.lock"),
    ] {
        remove_if_there(&dir.join(name))?;
    }
    Ok(())
}

/// Removes a file; that it was not there is no error.
pub fn remove_if_there(path: &Path) -> Result<(), ClusterError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ClusterError::filesystem(path)(error))
        }
        _ => Ok(()),
    }
}

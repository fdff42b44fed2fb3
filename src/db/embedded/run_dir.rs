//! The directory of the server's socket: with a path short enough for a socket address, and closed to other users.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::error::ClusterError;
use super::layout::Layout;
use super::owner::Owner;

/// `sun_path` has 108 bytes on Linux and 104 elsewhere, the terminating zero included.
const SOCKET_PATH_BYTES_MAX: usize = if cfg!(target_os = "linux") { 107 } else { 103 };
/// Only a part of the socket's file name: the server listens on no TCP port.
pub(super) const SOCKET_PORT: u16 = 5432;
/// Bytes of the data directory's digest in the name of a short directory.
const NAME_DIGEST_BYTES: usize = 8;

/// The directory of the socket: beside the data, or under `runtime_dir` or `/tmp` when that path would be too long.
pub(super) fn choose(layout: &Layout, owner: &Owner, runtime_dir: Option<&Path>) -> PathBuf {
    if fits(&layout.run) {
        return layout.run.clone();
    }
    let name = short_name(&layout.data);
    // The server's user may not enter root's XDG_RUNTIME_DIR.
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

/// Creates the directory, or uses an existing one that belongs to the server's user or the service's.
///
/// # Errors
/// When it cannot be created or belongs to another user.
pub(super) fn make(dir: &Path, owner: &Owner) -> Result<(), ClusterError> {
    match fs::DirBuilder::new().mode(0o700).create(dir) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            refuse_other_owner(dir, owner)?
        }
        Err(error) => return Err(ClusterError::filesystem(dir)(error)),
    }
    owner.take(dir)
}

fn refuse_other_owner(dir: &Path, owner: &Owner) -> Result<(), ClusterError> {
    let found = fs::symlink_metadata(dir).map_err(ClusterError::filesystem(dir))?;
    let ours = found.uid() == owner.uid || found.uid() == nix::unistd::geteuid().as_raw();
    if found.is_dir() && ours {
        return Ok(());
    }
    Err(ClusterError::RunDirTaken { dir: dir.into() })
}

/// Removes the socket and the lock file of a server that has ended. The lock file of such a server prevents a new one from
/// starting when its pid belongs to another process of the same user by now.
///
/// Call it only while the data directory is locked and no server runs on it.
///
/// # Errors
/// When a file cannot be removed.
pub(super) fn remove_socket(dir: &Path) -> Result<(), ClusterError> {
    for name in [
        format!(".s.PGSQL.{SOCKET_PORT}"),
        format!(".s.PGSQL.{SOCKET_PORT}.lock"),
    ] {
        remove_if_there(&dir.join(name))?;
    }
    Ok(())
}

/// Removes a file if it exists.
///
/// # Errors
/// When it cannot be removed.
pub(super) fn remove_if_there(path: &Path) -> Result<(), ClusterError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ClusterError::filesystem(path)(error))
        }
        _ => Ok(()),
    }
}

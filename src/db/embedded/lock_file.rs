//! At most one process uses a data directory: a file lock that the kernel releases when its holder ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::error::ClusterError;

/// The lock on a data directory, held while this value lives.
#[derive(Debug)]
pub(super) struct LockFile {
    file: File,
}

impl LockFile {
    /// Takes the lock and writes this process's pid into the file.
    ///
    /// # Errors
    /// When another process holds it, with its pid.
    pub(super) fn take(path: &Path) -> Result<Self, ClusterError> {
        let mut file = open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(ClusterError::Held {
                    directory: path.parent().unwrap_or(path).into(),
                    pid: pid_in(&mut file),
                });
            }
            Err(TryLockError::Error(error)) => return Err(ClusterError::filesystem(path)(error)),
        }
        write_pid(&mut file).map_err(ClusterError::filesystem(path))?;
        Ok(Self { file })
    }
}

impl Drop for LockFile {
    /// Closing the file is not enough: a child that is being forked holds a copy of it until it executes its program.
    fn drop(&mut self) {
        if let Err(error) = self.file.unlock() {
            log::warn!("the lock on the data directory was not let go of: {error}");
        }
    }
}

fn open(path: &Path) -> Result<File, ClusterError> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
        .map_err(ClusterError::filesystem(path))
}

fn write_pid(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

fn pid_in(file: &mut File) -> Option<i32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

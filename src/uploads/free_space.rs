//! What is free on the disk of a folder.

use std::io;
use std::path::Path;

use nix::sys::statvfs::statvfs;

/// Bytes that this process may still write there.
pub(super) fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = statvfs(folder)?;
    Ok(disk.blocks_available().saturating_mul(disk.fragment_size()))
}

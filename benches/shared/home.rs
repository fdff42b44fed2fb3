//! Where a benchmark keeps its files.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use tempfile::TempDir;

/// A temporary folder that the database's own user can traverse.
pub fn home() -> TempDir {
    let home = tempfile::Builder::new().prefix("sx").tempdir().unwrap();
    fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
    home
}

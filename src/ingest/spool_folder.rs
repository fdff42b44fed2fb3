//! Where bodies and their good records are spooled, into files that never have a name.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const OWNER_ONLY: u32 = 0o700;

/// The folder of spools; the service's lies in its data directory, so that no other disk is filled.
#[derive(Clone, Debug)]
pub struct SpoolFolder(Arc<Path>);

impl SpoolFolder {
    /// This folder, which is made when the first file is.
    pub fn at(path: PathBuf) -> Self {
        Self(path.into())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file that is gone when its handle is dropped, however the process ends.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn create(&self) -> io::Result<File> {
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(OWNER_ONLY).create(&self.0)?;
        tempfile::tempfile_in(&self.0)
    }
}

impl Default for SpoolFolder {
    fn default() -> Self {
        Self::at(std::env::temp_dir())
    }
}

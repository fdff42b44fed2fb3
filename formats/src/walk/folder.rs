//! What one folder holds, in the order of the names; hidden files are left out.
//!
//! A link is followed to a file that lies within the folder that was named, and nowhere else: not out of it, and not to
//! a folder, so that no walk is endless.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;

/// One thing in a folder.
pub(super) enum FolderEntry {
    Folder(PathBuf),
    File(PathBuf),
    /// A link that is not followed, a pipe, a device.
    Special,
    Unreadable(PathBuf, io::Error),
}

/// The rest of a folder.
pub(super) struct FolderListing {
    /// The folder that was named, without links in its path.
    root: Arc<Path>,
    paths: vec::IntoIter<PathBuf>,
}

impl FolderListing {
    /// The listing of a folder that lies in another, or of one that was named.
    pub(super) fn read(folder: &Path, outer: Option<&Self>) -> io::Result<Self> {
        let root = match outer {
            Some(outer) => Arc::clone(&outer.root),
            None => folder.canonicalize()?.into(),
        };
        let listed = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        let is_hidden = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
        let visible = listed.iter().filter(|entry| !is_hidden(entry));
        let mut paths: Vec<_> = visible.map(fs::DirEntry::path).collect();
        paths.sort();
        Ok(Self {
            root,
            paths: paths.into_iter(),
        })
    }

    /// For the listings of folders within.
    pub(super) fn root_only(&self) -> Self {
        Self {
            root: Arc::clone(&self.root),
            paths: Vec::new().into_iter(),
        }
    }

    fn entry(&self, path: PathBuf) -> FolderEntry {
        match path.symlink_metadata() {
            Err(error) => FolderEntry::Unreadable(path, error),
            Ok(metadata) if metadata.is_symlink() => match self.leads_to_a_file_within(&path) {
                true => FolderEntry::File(path),
                false => FolderEntry::Special,
            },
            Ok(metadata) if metadata.is_dir() => FolderEntry::Folder(path),
            Ok(metadata) if metadata.is_file() => FolderEntry::File(path),
            Ok(_) => FolderEntry::Special,
        }
    }

    fn leads_to_a_file_within(&self, link: &Path) -> bool {
        link.canonicalize()
            .is_ok_and(|target| target.starts_with(&self.root) && target.is_file())
    }
}

impl Iterator for FolderListing {
    type Item = FolderEntry;

    fn next(&mut self) -> Option<FolderEntry> {
        let path = self.paths.next()?;
        Some(self.entry(path))
    }
}

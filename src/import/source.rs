//! Where a file's bytes come from.
//!
//! Several formats say at their end what their beginning means (a time zone after the events that use it, the
//! balance after the transactions), so a source can be opened as often as an importer needs; none has to hold
//! the file in memory. Knows nothing of formats.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::archive::Member;

/// A named run of bytes that can be read from its start any number of times.
#[derive(Debug, Clone)]
pub enum Source {
    File(PathBuf),
    /// Bytes in memory under the name of the file they came from.
    Bytes {
        name: String,
        bytes: Arc<[u8]>,
    },
    /// A file within an archive, unpacked as it is read.
    Member(Member),
}

impl Source {
    pub fn open(&self) -> io::Result<Box<dyn BufRead + Send>> {
        match self {
            Self::File(path) => Ok(Box::new(BufReader::new(File::open(path)?))),
            Self::Bytes { bytes, .. } => Ok(Box::new(Cursor::new(Arc::clone(bytes)))),
            Self::Member(member) => member.open(),
        }
    }

    /// The file's name without folder and extension: the best title it has, if it gives itself none.
    pub fn stem(&self) -> String {
        let stem = self.path().file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    pub(super) fn extension(&self) -> String {
        let extension = self.path().extension().unwrap_or_default();
        extension.to_string_lossy().into_owned()
    }

    pub(super) fn is_folder(&self) -> bool {
        matches!(self, Self::File(path) if path.is_dir())
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Bytes { name, .. } => Path::new(name),
            Self::Member(member) => Path::new(member.name()),
        }
    }
}

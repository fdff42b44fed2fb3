//! `.gz` of a file of any kind that is read: unpacked as it is read, within the bounds of an archive, as often as a reader
//! opens it. It is called by its name without that ending.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bounded_unpack::BoundedUnpack;
use crate::source::FileSource;

const ENDING: &str = "gz";

/// A file that is packed by itself.
#[derive(Debug, Clone)]
pub struct Gzipped {
    packed: Arc<FileSource>,
    path: PathBuf,
}

impl Gzipped {
    pub fn open(&self) -> io::Result<Box<dyn BufRead + Send>> {
        let unpacked = BoundedUnpack::of(self.packed.open()?, true);
        Ok(Box::new(BufReader::new(unpacked)))
    }

    /// The path of what is in it.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The file itself, or what is in it if its name says that it is packed.
pub(crate) fn unpack_by_name(source: FileSource) -> FileSource {
    let is_packed = source.extension().eq_ignore_ascii_case(ENDING) && !source.is_folder();
    if !is_packed {
        return source;
    }
    FileSource::Gzipped(Gzipped {
        path: source.path().with_extension(""),
        packed: Arc::new(source),
    })
}

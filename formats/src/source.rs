//! Where a file's bytes come from.
//!
//! Several formats say at their end what their beginning means (a time zone after the events that use it, the
//! balance after the transactions), so a source can be opened as often as a reader needs; none has to hold
//! the file in memory. Knows nothing of formats.
//!
//! ```text
//! zip_archive     the members of a .zip
//! bounded_unpack  what comes out of a .tar, .tgz or .gz, within limits
//! spool           files out of an archive that can be read only once
//! utf16           UTF-16 read as UTF-8
//! ```

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::bounded_unpack::BoundedUnpack;
pub(crate) use self::spool::SpooledFile;
pub use self::zip_archive::{BoundedFile, Member, MemberFault, ZipDirectory};

pub(crate) mod bounded_unpack;
pub(crate) mod spool;
pub(crate) mod utf16;
mod zip_archive;

const GZIP_EXTENSION: &str = "gz";

/// A named run of bytes that can be read from its start any number of times.
#[derive(Debug, Clone)]
pub enum FileSource {
    /// A file or a folder on this computer, by its path.
    File(PathBuf),
    /// Bytes in memory under the name of the file they came from.
    Bytes {
        /// The name of the file that they came from.
        name: String,
        /// All of them.
        bytes: Arc<[u8]>,
    },
    /// A file within an archive, unpacked as it is read.
    Member(Member),
    /// A file within an archive that can be read once only, unpacked to a place of its own.
    Spooled(SpooledFile),
    /// A file that is packed by itself, unpacked as it is read.
    Gzipped {
        /// The file itself.
        packed: Arc<FileSource>,
        /// The path of what is in it: its own without the ending.
        path: PathBuf,
    },
    /// A folder of mail within an archive: its path there, and the messages in it.
    Maildir {
        /// The path of the folder within the archive.
        name: Arc<str>,
        /// One source a message.
        messages: Arc<[FileSource]>,
    },
    /// Another source, with a watcher of its progress.
    Watched(Arc<FileSource>, Watcher),
}

/// A callback that gets the progress of each reading, in bytes; an error from it ends the reading.
#[derive(Clone)]
pub struct Watcher(Arc<dyn Fn(u64) -> io::Result<()> + Send + Sync>);

impl Watcher {
    /// `report` gets the number of bytes read since the source was opened.
    pub fn new(report: impl Fn(u64) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(report))
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

impl FileSource {
    /// Its bytes from the first on, unpacked.
    ///
    /// # Errors
    /// The file is not there or damaged, the archive marks it as unreadable ([`MemberFault`]), or it is a folder.
    pub fn open(&self) -> io::Result<Box<dyn BufRead + Send>> {
        match self {
            Self::File(path) => Ok(Box::new(BufReader::new(File::open(path)?))),
            Self::Bytes { bytes, .. } => Ok(Box::new(Cursor::new(Arc::clone(bytes)))),
            Self::Member(member) => member.open(),
            Self::Spooled(spooled) => Ok(Box::new(BufReader::new(spooled.open()))),
            Self::Gzipped { packed, .. } => {
                let unpacked = BoundedUnpack::new(packed.open()?, true);
                Ok(Box::new(BufReader::new(unpacked)))
            }
            Self::Maildir { .. } => Err(io::ErrorKind::IsADirectory.into()),
            Self::Watched(source, watcher) => Ok(Box::new(Watched {
                reader: source.open()?,
                watcher: watcher.clone(),
                read_bytes: 0,
            })),
        }
    }

    /// The same source, whose progress `watcher` gets.
    pub fn watched(self, watcher: Watcher) -> Self {
        Self::Watched(Arc::new(self), watcher)
    }

    /// The file itself, or what is in it if its name says that it is packed by itself (`.gz`).
    pub(super) fn unpack_by_name(self) -> Self {
        let is_packed = self.extension().eq_ignore_ascii_case(GZIP_EXTENSION) && !self.is_folder();
        if !is_packed {
            return self;
        }
        Self::Gzipped {
            path: self.path().with_extension(""),
            packed: Arc::new(self),
        }
    }

    /// The size of its content in bytes, if one reading returns exactly that many.
    pub fn size_bytes(&self) -> Option<u64> {
        match self {
            Self::File(path) => {
                let metadata = path.metadata().ok()?;
                metadata.is_file().then_some(metadata.len())
            }
            Self::Bytes { bytes, .. } => Some(bytes.len() as u64),
            Self::Member(member) => Some(member.size_bytes()),
            Self::Spooled(spooled) => Some(spooled.size_bytes()),
            Self::Gzipped { .. } | Self::Maildir { .. } => None,
            Self::Watched(source, _) => source.size_bytes(),
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
        match self {
            Self::File(path) => path.is_dir(),
            Self::Maildir { .. } => true,
            Self::Watched(source, _) => source.is_folder(),
            Self::Bytes { .. } | Self::Member(_) | Self::Spooled(_) | Self::Gzipped { .. } => false,
        }
    }

    /// The messages of a folder of mail within an archive.
    pub(super) fn messages(&self) -> Option<&Arc<[FileSource]>> {
        match self {
            Self::Maildir { messages, .. } => Some(messages),
            Self::Watched(source, _) => source.messages(),
            Self::File(_)
            | Self::Bytes { .. }
            | Self::Member(_)
            | Self::Spooled(_)
            | Self::Gzipped { .. } => None,
        }
    }

    /// Its path on this computer, unless it is inside an archive or in memory.
    pub(super) fn path_on_disk(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Watched(source, _) => source.path_on_disk(),
            _ => None,
        }
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Bytes { name, .. } => Path::new(name),
            Self::Member(member) => Path::new(member.name()),
            Self::Spooled(spooled) => Path::new(spooled.name()),
            Self::Gzipped { path, .. } => path,
            Self::Maildir { name, .. } => Path::new(&**name),
            Self::Watched(source, _) => source.path(),
        }
    }
}

struct Watched {
    reader: Box<dyn BufRead + Send>,
    watcher: Watcher,
    read_bytes: u64,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.read_bytes += read as u64;
        (self.watcher.0)(self.read_bytes)?;
        Ok(read)
    }
}

impl BufRead for Watched {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        (self.watcher.0)(self.read_bytes)?;
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.read_bytes += amount as u64;
        self.reader.consume(amount);
    }
}

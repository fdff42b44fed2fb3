//! The files of a `.tar` or `.tgz`, one after another.
//!
//! Such an archive can be read only from its beginning, and readers open a file more than once: a file of a kind that
//! is read is unpacked to a temporary file, which is gone when it has been read. The others are skipped.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tar::{Archive, Entry};

use super::kinds::{is_shadow, kind_of};
use crate::error::FileError;
use crate::readers::mail::maildir;
use crate::readers::{reader_by_name, reader_of};
use crate::source::FileSource;
use crate::source::bounded_unpack::{Allowance, BoundedUnpack};
use crate::source::spool::{Spool, SpoolFileError, SpooledFile};
use crate::text::decode;

/// The files of one archive.
const FILES_MAX: usize = 1_000_000;
/// What may be read to learn of the next file: its header, and a long name before it.
const HEADER_BYTES_MAX: u64 = 1024 * 1024;
/// The longest file that is unpacked to a temporary one.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024 * 1024;
/// Bytes of a file that are examined to decide whether to unpack it.
const LOOK_BYTES: u64 = 4 * 1024;
/// The unit in which a tar is written.
const BLOCK_BYTES: u64 = 512;

/// One entry of a tar.
pub(super) enum TarEntry {
    /// Of a kind that may be read.
    File(SpooledFile),
    /// A folder of mail, with all of its messages that stand together.
    Maildir(FileSource),
    /// An archive itself.
    Nested(String),
    /// It is of a kind that is read, but cannot be; the reason.
    Unread(String, String),
    /// The archive cannot be read further.
    Broken(String),
    /// Of a kind that is not read.
    Other(String),
    /// A link or a device.
    Link,
}

impl TarEntry {
    /// Whether it has a path below this one; all things have one below the archive's own.
    pub(super) fn is_within(&self, folder: &str) -> bool {
        let path = match self {
            Self::File(file) => file.name(),
            Self::Nested(path) | Self::Unread(path, _) | Self::Other(path) => path,
            Self::Maildir(_) | Self::Broken(_) => return false,
            Self::Link => return true,
        };
        folder.is_empty()
            || path
                .strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
    }
}

/// The spool of the folder of mail that is being read.
type MailSpool = Option<(String, Spool)>;

/// Where files are kept that can be read only once.
struct Spools {
    folder: Option<PathBuf>,
    messages: MailSpool,
}

/// Iterates over the files of an archive.
pub(super) struct Tarball {
    unpacked: BoundedUnpack,
    allowance: Allowance,
    spools: Spools,
    files: usize,
    is_over: bool,
}

impl Tarball {
    /// Opens an archive; what of it can be read only once is kept in `spools`, or in the system's folder for temporary files.
    pub(super) fn open(
        path: &Path,
        is_gzipped: bool,
        spools: Option<PathBuf>,
    ) -> Result<Self, FileError> {
        let unpacked = BoundedUnpack::new(File::open(path)?, is_gzipped);
        Ok(Self {
            allowance: unpacked.allowance(),
            unpacked,
            spools: Spools {
                folder: spools,
                messages: None,
            },
            files: 0,
            is_over: false,
        })
    }

    /// The next entry that is no folder, and all of the archive up to the one after it.
    fn read(&mut self) -> io::Result<Option<TarEntry>> {
        loop {
            let begin = self.unpacked.read_bytes;
            self.allowance.set(HEADER_BYTES_MAX);
            let mut archive = Archive::new(&mut self.unpacked);
            let Some(entry) = archive.entries()?.next() else {
                return match self.unpacked.read_bytes == begin {
                    true => Err(io::ErrorKind::UnexpectedEof.into()),
                    false => Ok(None),
                };
            };
            let mut entry = entry?;
            self.allowance.set(u64::MAX);
            let found = read_entry(&mut entry, &mut self.spools)?;
            io::copy(&mut entry, &mut io::sink())?;
            let padding_bytes = padding_bytes_after(&entry)?;
            io::copy(
                &mut (&mut self.unpacked).take(padding_bytes),
                &mut io::sink(),
            )?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
}

impl Iterator for Tarball {
    type Item = TarEntry;

    fn next(&mut self) -> Option<TarEntry> {
        if self.is_over {
            return None;
        }
        self.files += 1;
        if self.files > FILES_MAX {
            self.is_over = true;
            let reason =
                "the archive holds more than a million files: unpack it and push the folder";
            return Some(TarEntry::Broken(reason.to_owned()));
        }
        let read = self.read();
        self.is_over = !matches!(read, Ok(Some(_)));
        read.unwrap_or_else(|error| {
            let is_cut_off =
                self.unpacked.is_at_end || error.kind() == io::ErrorKind::UnexpectedEof;
            Some(TarEntry::Broken(broken(&error, is_cut_off)))
        })
    }
}

/// What an entry is; `None` for what is no file at all.
fn read_entry(
    entry: &mut Entry<'_, impl Read>,
    spools: &mut Spools,
) -> io::Result<Option<TarEntry>> {
    let kind = entry.header().entry_type();
    if kind.is_dir() || kind.is_pax_global_extensions() {
        return Ok(None);
    }
    if !(kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse()) {
        return Ok(Some(TarEntry::Link));
    }
    let name: String = decode(&entry.path_bytes(), None)
        .chars()
        .filter(|char| !char.is_control())
        .collect();
    if is_shadow(&name) {
        return Ok(None);
    }
    if kind_of(&name).is_some() {
        return Ok(Some(TarEntry::Nested(name)));
    }
    let size_bytes = entry.size();
    if let Some(root) = maildir::root_in_archive(&name) {
        let spooled = spools
            .of(root)
            .and_then(|spool| spool.add(&name, entry, FILE_BYTES_MAX));
        return to_tar_entry(name, spooled, size_bytes);
    }
    let mut begin = Vec::new();
    entry.take(LOOK_BYTES).read_to_end(&mut begin)?;
    if !is_format_read(&name, &begin)? {
        return Ok(Some(TarEntry::Other(name)));
    }
    let spooled = SpooledFile::new(
        spools.folder.as_deref(),
        &name,
        &mut begin.as_slice().chain(entry),
        FILE_BYTES_MAX,
    );
    to_tar_entry(name, spooled, size_bytes)
}

impl Spools {
    /// Messages of one folder lie in one temporary file: there may be very many of them.
    fn of(&mut self, root: &str) -> Result<&mut Spool, SpoolFileError> {
        let Self { folder, messages } = self;
        if messages.as_ref().is_none_or(|(known, _)| known != root) {
            *messages = None;
        }
        match messages {
            Some((_, spool)) => Ok(spool),
            None => {
                let spool = Spool::new(folder.as_deref())?;
                Ok(&mut messages.insert((root.to_owned(), spool)).1)
            }
        }
    }
}

fn to_tar_entry(
    name: String,
    spooled: Result<SpooledFile, SpoolFileError>,
    size_bytes: u64,
) -> io::Result<Option<TarEntry>> {
    match spooled {
        Ok(spooled) if spooled.size_bytes() < size_bytes => {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
        Ok(spooled) => Ok(Some(TarEntry::File(spooled))),
        Err(SpoolFileError::Read(error)) => Err(error),
        Err(SpoolFileError::Write(error)) => {
            let reason = format!("it cannot be unpacked to a temporary file: {error}");
            Ok(Some(TarEntry::Unread(name, reason)))
        }
        Err(SpoolFileError::TooLarge) => {
            let reason = "it is longer than 64 GiB: unpack the archive and push it by itself";
            Ok(Some(TarEntry::Unread(name, reason.to_owned())))
        }
    }
}

/// Formats are known by names and by the very first bytes.
fn is_format_read(name: &str, begin: &[u8]) -> io::Result<bool> {
    let source = FileSource::Bytes {
        name: name.to_owned(),
        bytes: begin.into(),
    };
    match source.unpack_by_name() {
        // Its beginning cannot be unpacked by itself.
        packed @ FileSource::Gzipped { .. } => Ok(reader_by_name(&packed).is_some()),
        source => Ok(reader_of(&source)?.is_some()),
    }
}

/// A sparse file is longer than what is stored of it.
fn padding_bytes_after(entry: &Entry<'_, impl Read>) -> io::Result<u64> {
    let stored_bytes = match entry.header().entry_type().is_gnu_sparse() {
        true => entry.header().entry_size()?,
        false => entry.size(),
    };
    Ok((BLOCK_BYTES - stored_bytes % BLOCK_BYTES) % BLOCK_BYTES)
}

fn broken(error: &io::Error, is_cut_off: bool) -> String {
    match is_cut_off {
        true => {
            "the archive was cut off here: fetch it again; what came before was read".to_owned()
        }
        false => format!("the archive cannot be read further, {error}"),
    }
}

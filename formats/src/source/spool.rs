//! Files out of an archive that can be read only once, kept where they can be read again.
//!
//! They lie in a temporary file that has no name, so that nothing is left of them, however the program ends.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;

/// Bytes that are copied at a time.
const BUFFER_BYTES: usize = 64 * 1024;

/// A temporary file that holds several files, one behind the other.
#[derive(Debug)]
pub(crate) struct Spool {
    file: Arc<File>,
    end: u64,
}

/// A file that was read to its end, with its name.
#[derive(Debug, Clone)]
pub struct SpooledFile {
    name: Arc<str>,
    file: Arc<File>,
    begin: u64,
    size_bytes: u64,
}

/// Why a file could not be kept.
#[derive(Debug)]
pub enum SpoolFileError {
    /// Reading the archive failed.
    Read(io::Error),
    /// Writing the temporary file failed.
    Write(io::Error),
    /// It is longer than it may be.
    TooLarge,
}

impl Spool {
    /// One in a folder, or in the system's for temporary files.
    pub(crate) fn new(folder: Option<&Path>) -> Result<Self, SpoolFileError> {
        let file = match folder {
            Some(folder) => fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder)),
            None => tempfile::tempfile(),
        };
        let file = file.map_err(SpoolFileError::Write)?;
        Ok(Self {
            file: Arc::new(file),
            end: 0,
        })
    }

    /// Reads all of `reader`, if that is no more than `bytes_max`.
    pub(crate) fn add(
        &mut self,
        name: &str,
        reader: &mut impl Read,
        bytes_max: u64,
    ) -> Result<SpooledFile, SpoolFileError> {
        let mut buffer = vec![0; BUFFER_BYTES];
        let begin = self.end;
        let mut size_bytes = 0_u64;
        loop {
            let read = reader.read(&mut buffer).map_err(SpoolFileError::Read)?;
            if read == 0 {
                break;
            }
            size_bytes += read as u64;
            if size_bytes > bytes_max {
                return Err(SpoolFileError::TooLarge);
            }
            let bytes = buffer.get(..read).unwrap_or_default();
            self.file
                .write_all_at(bytes, self.end)
                .map_err(SpoolFileError::Write)?;
            self.end += read as u64;
        }
        Ok(SpooledFile {
            name: name.into(),
            file: Arc::clone(&self.file),
            begin,
            size_bytes,
        })
    }
}

impl SpooledFile {
    /// Reads the only file of a spool.
    pub fn new(
        folder: Option<&Path>,
        name: &str,
        reader: &mut impl Read,
        bytes_max: u64,
    ) -> Result<Self, SpoolFileError> {
        Spool::new(folder)?.add(name, reader, bytes_max)
    }

    /// Its path within the archive.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its length.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Its bytes; each reader has its own position in the one temporary file.
    pub fn open(&self) -> impl Read + Send + 'static {
        SpooledReader {
            file: Arc::clone(&self.file),
            at: self.begin,
        }
        .take(self.size_bytes)
    }
}

struct SpooledReader {
    file: Arc<File>,
    at: u64,
}

impl Read for SpooledReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_readers_at_once_each_read_all() {
        let spooled = SpooledFile::new(None, "a", &mut &b"0123456789"[..], 10).unwrap();
        let (mut first, mut second) = (spooled.open(), spooled.open());
        let mut begun = [0; 4];
        first.read_exact(&mut begun).unwrap();
        let (mut rest, mut whole) = (String::new(), String::new());
        second.read_to_string(&mut whole).unwrap();
        first.read_to_string(&mut rest).unwrap();
        assert_eq!((rest.as_str(), whole.as_str()), ("456789", "0123456789"));
    }

    #[test]
    fn one_byte_more_than_may_be_is_too_large() {
        let spooled = SpooledFile::new(None, "a", &mut &b"0123456789"[..], 9);
        assert!(matches!(spooled, Err(SpoolFileError::TooLarge)));
    }

    #[test]
    fn files_of_one_spool_do_not_run_into_one_another() {
        let mut spool = Spool::new(None).unwrap();
        assert!(spool.add("long", &mut &b"0123456789"[..], 9).is_err());
        let files =
            ["one", "", "three"].map(|text| spool.add(text, &mut text.as_bytes(), 9).unwrap());
        for file in files {
            let mut text = String::new();
            file.open().read_to_string(&mut text).unwrap();
            assert_eq!(text, file.name());
        }
    }
}

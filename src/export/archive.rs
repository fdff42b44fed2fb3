//! Writes the zip: entries one after the other into a buffer that is taken as it fills. An entry's sizes follow it in a data
//! descriptor, in the ZIP64 form for more than 4 GB.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use chrono::{Datelike, NaiveDateTime, Timelike};
use sha2::{Digest, Sha256};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Permissions of an unpacked entry: its owner reads and writes, as with the bundle itself.
const MODE: u32 = 0o600;

/// The zip's bytes until they are sent.
#[derive(Clone, Default)]
struct ZipBuffer(Arc<Mutex<Vec<u8>>>);

impl ZipBuffer {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for ZipBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An entry's unpacked length and digest.
pub(super) struct EntryDigest {
    pub bytes: u64,
    /// In hexadecimal, lower case.
    pub sha256: String,
}

/// A zip that is being written.
#[derive(Default)]
pub(super) struct Archive {
    /// None when it is finished.
    zip: Option<ZipWriter<StreamWriter<ZipBuffer>>>,
    buffer: ZipBuffer,
    stamp: DateTime,
    bytes: u64,
    digest: Sha256,
}

impl Archive {
    /// An empty zip whose entries have this local modification time.
    pub(super) fn with_timestamp(local: NaiveDateTime) -> Self {
        let buffer = ZipBuffer::default();
        Self {
            zip: Some(ZipWriter::new_stream(buffer.clone())),
            buffer,
            stamp: stamp(local),
            ..Self::default()
        }
    }

    /// Begins an entry; the one before must be closed.
    pub(super) fn open(&mut self, name: &str) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(self.stamp)
            .unix_permissions(MODE)
            .large_file(true);
        self.writer()?.start_file(name, options)?;
        self.bytes = 0;
        self.digest = Sha256::new();
        Ok(())
    }

    /// Adds bytes to the entry.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer()?.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        self.digest.update(bytes);
        Ok(())
    }

    /// Ends the entry and returns its digest.
    pub(super) fn close(&mut self) -> io::Result<EntryDigest> {
        let digest = std::mem::take(&mut self.digest).finalize();
        Ok(EntryDigest {
            bytes: self.bytes,
            sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// Writes the central directory.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if let Some(zip) = self.zip.take() {
            zip.finish()?;
        }
        Ok(())
    }

    /// Takes the bytes that are ready to be sent.
    pub(super) fn take(&mut self) -> Bytes {
        self.buffer.take().into()
    }

    fn writer(&mut self) -> io::Result<&mut ZipWriter<StreamWriter<ZipBuffer>>> {
        self.zip
            .as_mut()
            .ok_or_else(|| io::Error::other("the archive is finished"))
    }
}

/// A zip's timestamp; the format knows no time before 1980.
fn stamp(local: NaiveDateTime) -> DateTime {
    // Months to seconds are small; a year that is none, and a time before 1980, become the beginning of 1980.
    let part = |number: u32| u8::try_from(number).unwrap_or_default();
    let year = u16::try_from(local.year()).unwrap_or_default();
    let date = (part(local.month()), part(local.day()));
    let time = (
        part(local.hour()),
        part(local.minute()),
        part(local.second()),
    );
    // As above.
    DateTime::from_date_and_time(year, date.0, date.1, time.0, time.1, time.2).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    #[test]
    fn what_went_in_comes_out_and_is_told_of() {
        let local = "2026-11-21T17:30:10".parse().unwrap();
        let mut archive = Archive::with_timestamp(local);
        let mut bytes = Vec::new();
        for (name, text) in [("a.jsonl", "{}\n"), ("empty", ""), ("b", "bb")] {
            archive.open(name).unwrap();
            archive.write(text.as_bytes()).unwrap();
            assert_eq!(archive.close().unwrap().bytes, text.len() as u64);
            bytes.extend(archive.take());
        }
        archive.finish().unwrap();
        bytes.extend(archive.take());
        let mut read = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut text = String::new();
        read.by_name("a.jsonl")
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "{}\n");
        assert_eq!(read.len(), 3);
    }

    #[test]
    fn the_digest_is_of_what_was_written() {
        let mut archive = Archive::with_timestamp("2026-11-21T17:30:10".parse().unwrap());
        archive.open("a").unwrap();
        archive.write(b"ab").unwrap();
        archive.write(b"c").unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(archive.close().unwrap().sha256, abc);
    }
}

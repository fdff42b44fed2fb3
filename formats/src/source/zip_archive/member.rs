//! One file within a zip: what its directory says of it, and its bytes.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use zip::CompressionMethod;

/// Bytes that are read of the archive, and unpacked, at a time.
const BUFFER_BYTES: usize = 64 * 1024;
/// What every member's own header begins with, and how long it is without name and extra fields.
const HEADER_MAGIC: [u8; 4] = *b"PK\x03\x04";
const HEADER_BYTES: usize = 30;

/// A member of an archive: it can be opened any number of times.
#[derive(Debug, Clone)]
pub struct Member {
    archive: Arc<Path>,
    name: Arc<str>,
    location: MemberLocation,
    fault: Option<MemberFault>,
}

/// Where a member's bytes lie, and what must come out.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemberLocation {
    pub header_at: u64,
    pub packed_bytes: u64,
    pub size_bytes: u64,
    pub crc32: u32,
    pub is_deflated: bool,
}

/// Why an undamaged member is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberFault {
    /// It needs a password.
    Encrypted,
    /// A symbolic link: it names another file.
    Link,
    /// It is larger than a member may be, or too many times larger than its packed bytes.
    Bomb,
    /// It is neither stored nor deflated.
    Method(CompressionMethod),
}

impl fmt::Display for MemberFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encrypted => f.write_str("it is encrypted: unpack the archive with its password"),
            Self::Link => f.write_str("it is a link to another file, not a file"),
            Self::Bomb => f.write_str(
                "it would unpack to far more than any honest file: it is taken for a zip bomb",
            ),
            Self::Method(method) => write!(
                f,
                "it is packed in a way that is not read ({method}): unpack the archive first"
            ),
        }
    }
}

impl Member {
    pub(super) fn from_parts(
        archive: Arc<Path>,
        name: String,
        location: MemberLocation,
        fault: Option<MemberFault>,
    ) -> Self {
        Self {
            archive,
            name: name.into(),
            location,
            fault,
        }
    }

    /// The archive it is in.
    pub fn archive(&self) -> &Path {
        &self.archive
    }

    /// Its path within the archive, for showing: never a path on this computer.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its length unpacked, as the directory says.
    pub fn size_bytes(&self) -> u64 {
        self.location.size_bytes
    }

    pub(super) fn packed_bytes(&self) -> u64 {
        self.location.packed_bytes
    }

    /// Why it cannot be opened, if the directory already shows that.
    pub fn fault(&self) -> Option<MemberFault> {
        self.fault
    }

    /// Its bytes. An error among them means that what came before may be kept, and that the rest is lost.
    ///
    /// # Errors
    /// Its [`fault`](Self::fault), or the archive cannot be opened or is damaged where it begins.
    pub fn open(&self) -> io::Result<Box<dyn BufRead + Send>> {
        if let Some(fault) = self.fault {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                fault.to_string(),
            ));
        }
        let mut file = File::open(&self.archive)?;
        let data_at = data_at(&mut file, self.location.header_at)?;
        file.seek(SeekFrom::Start(data_at))?;
        let packed = BufReader::with_capacity(BUFFER_BYTES, file.take(self.location.packed_bytes));
        let unpacked: Box<dyn Read + Send> = match self.location.is_deflated {
            true => Box::new(DeflateDecoder::new(packed)),
            false => Box::new(packed),
        };
        let checked = CheckedMember {
            unpacked,
            crc: Crc::new(),
            left_bytes: self.location.size_bytes,
            crc32: self.location.crc32,
        };
        Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, checked)))
    }
}

/// Where a member's packed bytes begin: after its own header, whose name and extra fields have their own lengths.
fn data_at(file: &mut File, header_at: u64) -> io::Result<u64> {
    let mut header = [0; HEADER_BYTES];
    file.seek(SeekFrom::Start(header_at))?;
    file.read_exact(&mut header)
        .map_err(|_| damaged("the archive ends before it"))?;
    let [magic @ .., name_low, name_high, extra_low, extra_high] = header;
    if !magic.starts_with(&HEADER_MAGIC) {
        return Err(damaged("it is not where the archive's directory says"));
    }
    let name_bytes = u16::from_le_bytes([name_low, name_high]);
    let extra_bytes = u16::from_le_bytes([extra_low, extra_high]);
    let lengths = u64::from(name_bytes) + u64::from(extra_bytes);
    header_at
        .checked_add(HEADER_BYTES as u64 + lengths)
        .ok_or_else(|| damaged("it is not where the archive's directory says"))
}

/// Reads the unpacked bytes and checks length and CRC-32 against the directory.
struct CheckedMember<R> {
    unpacked: R,
    crc: Crc,
    /// Bytes that may still follow.
    left_bytes: u64,
    crc32: u32,
}

impl<R: Read> Read for CheckedMember<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self
            .unpacked
            .read(buffer)
            .map_err(|error| damaged(&format!("it cannot be unpacked further, {error}")))?;
        if read == 0 && !buffer.is_empty() {
            return self.end();
        }
        self.left_bytes = self
            .left_bytes
            .checked_sub(read as u64)
            .ok_or_else(|| damaged("it is longer than it says"))?;
        self.crc.update(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

impl<R> CheckedMember<R> {
    fn end(&self) -> io::Result<usize> {
        match (self.left_bytes, self.crc.sum() == self.crc32) {
            (0, true) => Ok(0),
            (0, false) => Err(damaged("its checksum does not fit its bytes")),
            _ => Err(damaged("it is shorter than it says")),
        }
    }
}

fn damaged(how: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the archive is damaged here: {how}"),
    )
}

//! The members of a zip, each as a stream; nothing is ever unpacked onto a disk. All that reads zips uses the bounds here.
//!
//! Members are unpacked here and not by the zip crate, which opens one only while it holds the whole archive: a reader opens a
//! member as often as it needs, and by itself.
//!
//! A zip says what it holds in a directory at its end. All that can be known of a member beforehand is checked
//! there: that it is not encrypted, that its method is known, and that it is no bomb (its size, and how often it
//! is larger than its packed bytes). A member at fault is listed with its fault and costs itself alone; what the others
//! come to together is bounded too. What the directory says is then held against what comes out: a member ends with an
//! error as soon as it gives more bytes than it may, and at its end if it gave fewer or others (CRC-32).
//!
//! Names of members are for showing and for telling formats apart by their endings; no file is ever opened by
//! them, so `..`, an absolute path or a name twice can do no harm.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use zip::read::ZipFileEntry;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use self::member::MemberLocation;
pub use self::member::{Member, MemberFault};
use crate::error::FileError;
use crate::text::decode;

mod member;

/// The bytes that are read of a directory: some hundred thousand members.
const DIRECTORY_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The members of one archive; a photo library's part has some ten thousand.
const MEMBERS_MAX: usize = 100_000;
/// A member's bytes, unpacked.
const MEMBER_BYTES_MAX: u64 = 256 * 1024 * 1024 * 1024;
/// The bytes of all members together, unpacked.
const ARCHIVE_BYTES_MAX: u64 = 1024 * 1024 * 1024 * 1024;
/// How many times larger than its packed bytes a member may be. Health exports reach 30, a bomb a thousand.
const RATIO_MAX: u64 = 250;
/// Below this many bytes no ratio matters.
const SMALL_MEMBER_BYTES: u64 = 16 * 1024 * 1024;

/// How many times larger than the archive its members may be together: small ones, too, take their time.
const ARCHIVE_RATIO_MAX: u64 = 100;
/// Below this many bytes no ratio of the archive matters.
const SMALL_ARCHIVE_BYTES: u64 = 64 * 1024 * 1024;

/// What a zip's directory lists.
#[derive(Debug)]
pub struct ZipDirectory {
    members: Vec<Member>,
}

impl ZipDirectory {
    /// Reads the directory, and no member.
    ///
    /// # Errors
    /// It is no zip, it lists too many members, or what it lists would unpack to more than a bound.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file = File::open(path)?;
        let archive_bytes = file.metadata()?.len();
        let bounded = BoundedFile::new(file, DIRECTORY_BYTES_MAX);
        let directory = ZipArchive::new(BufReader::new(bounded));
        let listed = directory.map_err(unreadable)?.metadata();
        if listed.len() > MEMBERS_MAX {
            return Err(FileError::NotThisFormat(
                "the archive holds more than 100000 files: unpack it and push the folder",
            ));
        }
        let archive: Arc<Path> = Arc::from(path);
        // `entry` fails only beyond the end of the list.
        let entries = (0..listed.len()).filter_map(|index| listed.entry(index).ok());
        let members = entries
            .filter(|entry| !entry.is_dir())
            .map(|entry| Member::new(Arc::clone(&archive), &entry))
            .collect();
        Self { members }.check_bounds(archive_bytes)
    }

    /// The files in it, in the directory's order; folders are no members.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The same, owned.
    pub fn into_members(self) -> Vec<Member> {
        self.members
    }

    /// Members that share their packed bytes are how a small archive holds a huge one.
    fn check_bounds(self, archive_bytes: u64) -> Result<Self, FileError> {
        let total = |bytes: fn(&Member) -> u64| {
            let all = self.members.iter().map(bytes);
            all.fold(0_u64, u64::saturating_add)
        };
        if total(|member| member.packed_bytes()) > archive_bytes {
            return Err(FileError::NotThisFormat(
                "it is no honest archive: its files lie on top of one another, as in a zip bomb",
            ));
        }
        let readable = self
            .members
            .iter()
            .filter(|member| member.fault().is_none());
        let readable = readable
            .map(Member::size_bytes)
            .fold(0, u64::saturating_add);
        if readable
            > archive_bytes
                .saturating_mul(ARCHIVE_RATIO_MAX)
                .max(SMALL_ARCHIVE_BYTES)
        {
            return Err(FileError::NotThisFormat(
                "the archive would unpack to far more than any honest one: it is taken for a zip bomb; unpack it and push what you need of it",
            ));
        }
        if total(Member::size_bytes) > ARCHIVE_BYTES_MAX {
            return Err(FileError::NotThisFormat(
                "the archive would unpack to more than a terabyte: push what you need of it as single files",
            ));
        }
        Ok(self)
    }
}

impl Member {
    fn new(archive: Arc<Path>, entry: &ZipFileEntry<'_>) -> Self {
        let location = MemberLocation {
            header_at: entry.header_start(),
            packed_bytes: entry.compressed_size(),
            size_bytes: entry.size(),
            crc32: entry.crc32(),
            is_deflated: entry.compression() == CompressionMethod::Deflated,
        };
        Self::from_parts(archive, name_of(entry), location, fault_of(entry))
    }
}

/// A name that is not UTF-8 may be in any code page; its extension is the same in all of them.
fn name_of(entry: &ZipFileEntry<'_>) -> String {
    let name = decode(entry.name_raw(), None);
    let shown = name.chars().filter(|char| !char.is_control());
    shown.collect::<String>().replace('\\', "/")
}

fn fault_of(entry: &ZipFileEntry<'_>) -> Option<MemberFault> {
    let (size, packed) = (entry.size(), entry.compressed_size());
    let is_bomb = size > MEMBER_BYTES_MAX || size > SMALL_MEMBER_BYTES && size / RATIO_MAX > packed;
    match entry.compression() {
        _ if entry.encrypted() => Some(MemberFault::Encrypted),
        _ if entry.is_symlink() => Some(MemberFault::Link),
        CompressionMethod::Stored | CompressionMethod::Deflated => {
            is_bomb.then_some(MemberFault::Bomb)
        }
        other => Some(MemberFault::Method(other)),
    }
}

fn unreadable(error: ZipError) -> FileError {
    match error {
        ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => error.into(),
        ZipError::UnsupportedArchive(_) => FileError::NotThisFormat(
            "it is a part of an archive in several parts: join them, or unpack them, first",
        ),
        _ => FileError::NotThisFormat(
            "it is no zip, or it was cut off: the directory at its end is missing or broken; fetch it again",
        ),
    }
}

/// A file of which no more than so many bytes are read: a zip's directory may claim to be of any length.
#[derive(Debug)]
pub struct BoundedFile {
    file: File,
    left_bytes: u64,
}

impl BoundedFile {
    /// Reads no more than `left_bytes` of `file`; the read that would exceed them is an error. Seeking is free.
    pub const fn new(file: File, left_bytes: u64) -> Self {
        Self { file, left_bytes }
    }
}

impl Read for BoundedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.left_bytes = self
            .left_bytes
            .checked_sub(read as u64)
            .ok_or_else(|| io::Error::other("the archive's directory is too large"))?;
        Ok(read)
    }
}

impl Seek for BoundedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

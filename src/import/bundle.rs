//! Checks a zip against its own manifest before a row is read: it holds each entry once, and nothing else, and no entry is longer
//! than the manifest says.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use zip::{CompressionMethod, ZipArchive};

use super::{ImportError, Unfit};
use crate::export::bundle::{BundleError, manifest};
use crate::export::contents;
use crate::export::manifest::{Manifest, NAME};
use sextant_formats::BoundedFile;

/// The largest central directory that is read.
const DIRECTORY_BYTES_MAX: u64 = 1024 * 1024;
/// A bundle has some fifty entries.
const ENTRIES_MAX: usize = 200;
/// The largest sum of all entries, unpacked.
const UNPACKED_BYTES_MAX: u64 = 512 * 1024 * 1024 * 1024;
/// The largest compression ratio of the whole. Rows reach 20; only texts of one repeated letter come near.
const RATIO_MAX: u64 = 250;
/// Up to this many unpacked bytes any ratio is accepted.
const SMALL_BYTES: u64 = 256 * 1024 * 1024;
/// The largest manifest, unpacked.
const MANIFEST_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The signature of the end-of-central-directory record, and its length without a comment.
const END_MAGIC: &[u8] = b"PK\x05\x06";
const END_BYTES: usize = 22;

/// A bundle in a file whose directory and manifest have been checked; its entries have not been read.
#[derive(Clone, Debug)]
pub struct Bundle {
    file: Arc<File>,
    manifest: Manifest,
}

/// The zip, to be read entry by entry.
pub(crate) type Zip<'a> = ZipArchive<BufReader<&'a File>>;

impl Bundle {
    /// Opens a file and checks its directory and manifest. Blocks.
    ///
    /// # Errors
    /// [`ImportError::Unfit`] for what is wrong with it, [`ImportError::File`] if it cannot be read.
    pub fn open(file: File) -> Result<Self, ImportError> {
        let bytes = file.metadata().map_err(ImportError::File)?.len();
        check_end(&file, bytes)?;
        // The directory alone is read, through a reader that gives no more than a directory may have.
        let probe = file.try_clone().map_err(ImportError::File)?;
        ZipArchive::new(BufReader::new(BoundedFile::new(probe, DIRECTORY_BYTES_MAX)))
            .map_err(|cause| damaged(cause.into()))?;
        let mut zip =
            ZipArchive::new(BufReader::new(&file)).map_err(|cause| damaged(cause.into()))?;
        let listed = list_entries(&mut zip, bytes)?;
        let manifest = manifest(&mut zip).map_err(damaged)?;
        check_manifest(&listed, &manifest)?;
        Ok(Self {
            file: Arc::new(file),
            manifest,
        })
    }

    /// What the bundle says of itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Opens the zip again; one reader at a time.
    pub(super) fn zip(&self) -> Result<Zip<'_>, ImportError> {
        ZipArchive::new(BufReader::new(&*self.file)).map_err(|cause| damaged(cause.into()))
    }
}

/// The end-of-central-directory record must be the last bytes of the file, without a comment: readers search backwards for it, and
/// would accept trailing bytes.
fn check_end(mut file: &File, bytes: u64) -> Result<(), ImportError> {
    let no_zip = || Unfit::whole("it is no whole zip: its end is missing");
    let start = bytes.checked_sub(END_BYTES as u64).ok_or_else(no_zip)?;
    let mut end = [0; END_BYTES];
    file.seek(SeekFrom::Start(start))
        .map_err(ImportError::File)?;
    file.read_exact(&mut end).map_err(ImportError::File)?;
    file.rewind().map_err(ImportError::File)?;
    if end.starts_with(END_MAGIC) && end.ends_with(&[0, 0]) {
        return Ok(());
    }
    Err(no_zip().into())
}

/// The entries by name, with their unpacked sizes in bytes according to the directory.
fn list_entries<R: Read + Seek>(
    zip: &mut ZipArchive<R>,
    file_bytes: u64,
) -> Result<Vec<(String, u64)>, ImportError> {
    if zip.has_duplicate_names() {
        return Err(Unfit::whole("the zip holds an entry twice").into());
    }
    if zip.offset() != 0 || !zip.comment().is_empty() {
        return Err(Unfit::whole("the zip holds bytes that no export writes").into());
    }
    if zip.len() > ENTRIES_MAX {
        return Err(Unfit::whole("the zip holds more entries than any export").into());
    }
    let (mut listed, mut packed, mut unpacked) = (Vec::new(), 0_u64, 0_u64);
    for index in 0..zip.len() {
        let entry = zip
            .by_index_data(index)
            .map_err(|cause| damaged(cause.into()))?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let is_plain = matches!(
            entry.compression(),
            CompressionMethod::Stored | CompressionMethod::Deflated
        );
        if entry.encrypted() || !entry.is_file() || !is_plain {
            return Err(
                Unfit::whole("the zip holds an entry of a kind that no export writes").into(),
            );
        }
        packed = packed.saturating_add(entry.compressed_size());
        unpacked = unpacked.saturating_add(entry.size());
        if name == NAME && entry.size() > MANIFEST_BYTES_MAX {
            return Err(Unfit::entry(NAME, "it is too long to be a manifest").into());
        }
        listed.push((name, entry.size()));
    }
    let unpacked_max = file_bytes.saturating_mul(RATIO_MAX).max(SMALL_BYTES);
    if packed > file_bytes || unpacked > unpacked_max.min(UNPACKED_BYTES_MAX) {
        return Err(Unfit::whole("the zip would unpack to more than any export holds").into());
    }
    Ok(listed)
}

/// The entries that such a bundle must have, those of its manifest and those of the zip must be the same.
fn check_manifest(listed: &[(String, u64)], manifest: &Manifest) -> Result<(), ImportError> {
    let expected: BTreeSet<String> = contents::names(manifest.sector, manifest.version).collect();
    let told: BTreeSet<String> = manifest.entries().map(|(name, _, _)| name).collect();
    if let Some(missing) = expected.difference(&told).next() {
        let fault = format!("it does not tell of {missing}");
        return Err(Unfit::entry(NAME, fault).into());
    }
    if told.len() != expected.len() {
        return Err(Unfit::entry(NAME, "it tells of what no export holds").into());
    }
    for (name, bytes, _) in manifest.entries() {
        let there = listed.iter().find(|(there, _)| *there == name);
        match there {
            None => return Err(Unfit::entry(&name, "it is missing").into()),
            Some((_, size)) if *size != bytes => {
                return Err(Unfit::entry(&name, "it is not as long as the manifest says").into());
            }
            Some(_) => {}
        }
    }
    if listed.len() != told.len() + 1 {
        return Err(Unfit::whole("the zip holds what its manifest does not tell of").into());
    }
    Ok(())
}

/// Tells a file that cannot be read from one whose content is wrong.
pub(super) fn damaged(cause: BundleError) -> ImportError {
    match cause {
        BundleError::Read(cause) if is_read_failure(&cause) => ImportError::File(cause),
        cause => Unfit::whole(cause.to_string()).into(),
    }
}

/// Whether the operating system failed to read the file; other errors come from its content.
pub(super) fn is_read_failure(cause: &std::io::Error) -> bool {
    cause.raw_os_error().is_some()
}

//! Checks that a received bundle is whole, by its manifest.

use std::fmt;
use std::io::{self, Read, Seek};

use sha2::{Digest, Sha256};
use zip::ZipArchive;
use zip::result::ZipError;

use super::manifest::{FORMAT, Manifest, NAME, READ, VERSION};

/// The longest manifest that is read.
const MANIFEST_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// How many bytes of an entry are read at a time.
const READ_BYTES: usize = 64 * 1024;

/// Why a file is no bundle, or not a whole one.
#[derive(Debug)]
pub enum BundleError {
    Read(io::Error),
    /// It is no zip, or a broken one.
    Zip(ZipError),
    /// Its manifest is not there or cannot be read.
    Manifest(String),
    /// It was written in a form that this program does not know.
    Version(u32),
    /// An entry is not what the manifest says.
    Entry {
        name: String,
        fault: &'static str,
    },
}

impl fmt::Display for BundleError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(cause) => write!(formatter, "it cannot be read: {cause}"),
            Self::Zip(cause) => write!(formatter, "it is no whole zip: {cause}"),
            Self::Manifest(cause) => write!(formatter, "it is no export of Sextant: {cause}"),
            Self::Version(version) => write!(
                formatter,
                "it is an export of version {version}, and this program reads versions up to {VERSION}; use the program that wrote it, or a newer one"
            ),
            Self::Entry { name, fault } => write!(formatter, "its {name} {fault}"),
        }
    }
}

impl std::error::Error for BundleError {}

impl From<ZipError> for BundleError {
    fn from(cause: ZipError) -> Self {
        match cause {
            ZipError::Io(cause) => Self::Read(cause),
            cause => Self::Zip(cause),
        }
    }
}

/// Reads the manifest.
///
/// # Errors
/// When there is none, or its format or version is unknown.
pub fn manifest(zip: &mut ZipArchive<impl Read + Seek>) -> Result<Manifest, BundleError> {
    let entry = match zip.by_name(NAME) {
        Ok(entry) => entry,
        Err(ZipError::FileNotFound) => return Err(manifest_fault("it has no manifest.json")),
        Err(cause) => return Err(cause.into()),
    };
    let mut text = String::new();
    entry
        .take(MANIFEST_BYTES_MAX)
        .read_to_string(&mut text)
        .map_err(BundleError::Read)?;
    let manifest: Manifest = serde_json::from_str(&text)
        .map_err(|cause| manifest_fault(&format!("manifest.json: {cause}")))?;
    match (manifest.format.as_str(), manifest.version) {
        (FORMAT, version) if READ.contains(&version) => Ok(manifest),
        (FORMAT, version) => Err(BundleError::Version(version)),
        _ => Err(manifest_fault("its manifest.json is another program's")),
    }
}

fn manifest_fault(cause: &str) -> BundleError {
    BundleError::Manifest(cause.to_owned())
}

/// Reads every entry and compares its length and digest with the manifest.
///
/// # Errors
/// The first entry that differs, or is missing in the zip or in the manifest.
pub fn check(file: impl Read + Seek) -> Result<Manifest, BundleError> {
    let mut zip = ZipArchive::new(file)?;
    let manifest = manifest(&mut zip)?;
    for (name, bytes, sha256) in manifest.entries() {
        let mut entry = zip.by_name(&name).map_err(|cause| match cause {
            ZipError::FileNotFound => entry_fault(&name, "is missing"),
            cause => cause.into(),
        })?;
        let (read, digest) = digest(&mut entry).map_err(BundleError::Read)?;
        if (read, digest.as_str()) != (bytes, sha256) {
            return Err(entry_fault(
                &name,
                "is not what was written: it was damaged",
            ));
        }
    }
    let told = manifest.tables.len() + manifest.files.len() + 1;
    if zip.len() != told {
        return Err(manifest_fault(
            "it holds what its manifest.json does not name",
        ));
    }
    Ok(manifest)
}

fn entry_fault(name: &str, fault: &'static str) -> BundleError {
    BundleError::Entry {
        name: name.to_owned(),
        fault,
    }
}

fn digest(entry: &mut impl Read) -> io::Result<(u64, String)> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; READ_BYTES];
    let mut bytes = 0;
    loop {
        let read = entry.read(&mut buffer)?;
        if read == 0 {
            let hex = hasher
                .finalize()
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            return Ok((bytes, hex));
        }
        // No more is read than the buffer holds.
        hasher.update(buffer.get(..read).unwrap_or_default());
        bytes += read as u64;
    }
}

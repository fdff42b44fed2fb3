//! The key in the data directory: a file that only its owner reads. Blocking.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::key::SealingKey;

/// Its name below the data directory.
const NAME: &str = "credentials.key";
/// Only the owner reads and writes.
const OWNER_ONLY: u32 = 0o600;
/// What a group or others must not be allowed.
const OTHERS: u32 = 0o077;
/// Bytes that are read: more than a key and a line's end have.
const BYTES_MAX: u64 = 256;

/// Where the key is kept.
#[derive(Clone, Debug)]
pub struct KeyFile(PathBuf);

/// Why the key cannot be read or written.
#[derive(Debug)]
pub enum KeyFileError {
    /// Somebody else may read it.
    Open(PathBuf),
    /// It holds no key.
    NoKey(PathBuf),
    /// There is one already.
    Exists(PathBuf),
    /// The disk.
    Disk(PathBuf, io::Error),
}

impl KeyFile {
    /// That of a data directory.
    pub fn of(data_dir: &Path) -> Self {
        Self(data_dir.join(NAME))
    }

    /// Where the one that is to replace it is kept until it does.
    pub fn next(&self) -> Self {
        Self(self.0.with_extension("key.next"))
    }

    /// Has the next key take this one's place, at once; the old one is gone. Nothing is done where there is no next one.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn take_next(&self) -> Result<(), KeyFileError> {
        match fs::rename(self.next().0, &self.0) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
            renamed => renamed
                .and_then(|()| self.sync_folder())
                .map_err(|cause| self.disk(cause)),
        }
    }

    /// The key, if there is one.
    ///
    /// # Errors
    /// When the file can be read by others, holds no key, or cannot be read.
    pub fn read(&self) -> Result<Option<SealingKey>, KeyFileError> {
        let file = match File::open(&self.0) {
            Ok(file) => file,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(self.disk(cause)),
        };
        let about = file.metadata().map_err(|cause| self.disk(cause))?;
        if about.permissions().mode() & OTHERS != 0 {
            return Err(KeyFileError::Open(self.0.clone()));
        }
        let mut text = String::new();
        let read = file.take(BYTES_MAX).read_to_string(&mut text);
        read.map_err(|cause| self.disk(cause))?;
        let key = SealingKey::parse(&text);
        key.map(Some)
            .ok_or_else(|| KeyFileError::NoKey(self.0.clone()))
    }

    /// Writes a key where none is, and makes its folder if need be. It is on the disk when this returns, and never half there: a name
    /// is given to it last.
    ///
    /// # Errors
    /// When there is one already, or it cannot be written.
    pub fn create(&self, key: &SealingKey) -> Result<(), KeyFileError> {
        let beside = self.0.with_extension("key.new");
        let made = fs::create_dir_all(self.folder());
        let written = made
            .and_then(|()| write(&beside, key))
            .and_then(|()| fs::hard_link(&beside, &self.0));
        let removed = fs::remove_file(&beside);
        match written {
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {
                Err(KeyFileError::Exists(self.0.clone()))
            }
            written => written
                .and(removed)
                .and_then(|()| self.sync_folder())
                .map_err(|cause| self.disk(cause)),
        }
    }

    /// So that a name that was given or taken outlasts a power cut.
    fn sync_folder(&self) -> io::Result<()> {
        File::open(self.folder())?.sync_all()
    }

    fn folder(&self) -> &Path {
        self.0.parent().unwrap_or(Path::new("."))
    }

    fn disk(&self, cause: io::Error) -> KeyFileError {
        KeyFileError::Disk(self.0.clone(), cause)
    }
}

/// Writes a file anew, whatever an earlier attempt left.
fn write(path: &Path, key: &SealingKey) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(cause),
        _ => {}
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(OWNER_ONLY)
        .open(path)?;
    writeln!(file, "{}", key.text())?;
    file.sync_all()
}

impl fmt::Display for KeyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(path) => {
                let path = path.display();
                write!(
                    f,
                    "{path} can be read by others than its owner; close it with: chmod 600 {path}"
                )
            }
            Self::NoKey(path) => write!(
                f,
                "{} holds no key; put back the one that was there, or remove the file and enter each credential again",
                path.display()
            ),
            Self::Exists(path) => write!(f, "{} is there already", path.display()),
            Self::Disk(path, cause) => write!(f, "{}: {cause}", path.display()),
        }
    }
}

impl std::error::Error for KeyFileError {}

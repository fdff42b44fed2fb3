//! The journal's folder: mode 0700, its files 0600, used by one process at a time. The lock is released when the process ends.

use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sextant_actors::ports::{JournalDisk, JournalFile};

/// The folder's name in the data directory.
pub(crate) const FOLDER: &str = "journal";
/// The file whose lock is the folder's.
const LOCK: &str = "lock";
/// The extension that is added to a file that is set aside.
const ASIDE: &str = "aside";

const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// The locked folder.
#[derive(Debug)]
pub(crate) struct JournalFolder {
    path: PathBuf,
    lock: Mutex<Option<File>>,
}

impl JournalFolder {
    /// Creates the folder if it is missing, and locks it.
    ///
    /// # Errors
    /// When it cannot be created, or another process holds the lock.
    pub(crate) fn open(path: PathBuf) -> io::Result<Self> {
        DirBuilder::new()
            .recursive(true)
            .mode(FOLDER_MODE)
            .create(&path)?;
        std::fs::set_permissions(&path, Permissions::from_mode(FOLDER_MODE))?;
        let lock = private_file()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path.join(LOCK))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::Error(error) => error,
            TryLockError::WouldBlock => io::Error::new(
                io::ErrorKind::ResourceBusy,
                "another process writes a journal there",
            ),
        })?;
        Ok(Self {
            path,
            lock: Mutex::new(Some(lock)),
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(FILE_MODE);
    options
}

impl JournalDisk for JournalFolder {
    fn names(&self) -> io::Result<Vec<String>> {
        let files = std::fs::read_dir(&self.path)?;
        // A name that is not UTF-8 is none of the journal's.
        let names = files.map(|file| Ok(file?.file_name().into_string().ok()));
        names.filter_map(Result::transpose).collect()
    }

    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = File::open(self.file(name))?;
        file.take(bytes_max).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn JournalFile>> {
        let file = private_file()
            .append(true)
            .create_new(true)
            .open(self.file(name))?;
        Ok(Arc::new(SegmentFile(file)))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        std::fs::remove_file(self.file(name))
    }

    fn set_aside(&self, name: &str) -> io::Result<()> {
        let aside = Path::new(name).with_added_extension(ASIDE);
        std::fs::rename(self.file(name), self.path.join(aside))
    }

    fn sync_names(&self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }

    fn release(&self) {
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        // Closing it unlocks it.
        *lock = None;
    }
}

/// One file of the folder.
struct SegmentFile(File);

impl JournalFile for SegmentFile {
    fn append(&self, bytes: &[u8]) -> io::Result<usize> {
        (&self.0).write(bytes)
    }

    fn cut(&self, bytes: u64) -> io::Result<()> {
        self.0.set_len(bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }
}

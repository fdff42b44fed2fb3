//! The disk, as the journal uses it. The service gives it a folder; a test gives it faults.

use std::io;
use std::sync::Arc;

/// A folder of the journal's own, held by one process at a time.
pub trait JournalDisk: Send + Sync + 'static {
    /// The names of the files in it.
    ///
    /// # Errors
    /// What the system says.
    fn names(&self) -> io::Result<Vec<String>>;
    /// A file's bytes, the first `bytes_max` of them.
    ///
    /// # Errors
    /// What the system says.
    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>>;
    /// Begins a file, which must not be there yet.
    ///
    /// # Errors
    /// What the system says.
    fn create(&self, name: &str) -> io::Result<Arc<dyn JournalFile>>;
    /// Removes a file.
    ///
    /// # Errors
    /// What the system says.
    fn remove(&self, name: &str) -> io::Result<()>;
    /// Renames a file to what is no segment's name, for somebody to look at.
    ///
    /// # Errors
    /// What the system says.
    fn set_aside(&self, name: &str) -> io::Result<()>;
    /// Has the names, as they are now, outlast a power cut.
    ///
    /// # Errors
    /// What the system says.
    fn sync_names(&self) -> io::Result<()>;
    /// Lets go of the folder, for the next process.
    fn release(&self);
}

/// A file that grows at its end.
pub trait JournalFile: Send + Sync {
    /// Writes to the end; how many bytes the system has taken, which may be fewer.
    ///
    /// # Errors
    /// What the system says.
    fn append(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Cuts the file back to so many bytes.
    ///
    /// # Errors
    /// What the system says.
    fn cut(&self, bytes: u64) -> io::Result<()>;
    /// Has what was written outlast a power cut.
    ///
    /// # Errors
    /// What the system says.
    fn sync(&self) -> io::Result<()>;
}

//! The disk as the journal uses it: a folder in the service, a disk with faults in tests.

use std::io;
use std::sync::Arc;

/// A folder of the journal's own, held by one process at a time.
pub trait JournalDisk: Send + Sync + 'static {
    /// The names of the files in it.
    ///
    /// # Errors
    /// The error of the operating system.
    fn names(&self) -> io::Result<Vec<String>>;
    /// A file's bytes, the first `bytes_max` of them.
    ///
    /// # Errors
    /// The error of the operating system.
    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>>;
    /// Begins a file, which must not be there yet.
    ///
    /// # Errors
    /// The error of the operating system.
    fn create(&self, name: &str) -> io::Result<Arc<dyn JournalFile>>;
    /// Removes a file.
    ///
    /// # Errors
    /// The error of the operating system.
    fn remove(&self, name: &str) -> io::Result<()>;
    /// Renames a file to a name that is no segment's, for the operator to look at.
    ///
    /// # Errors
    /// The error of the operating system.
    fn set_aside(&self, name: &str) -> io::Result<()>;
    /// Syncs the folder's names, so that created and removed files outlast a power cut.
    ///
    /// # Errors
    /// The error of the operating system.
    fn sync_names(&self) -> io::Result<()>;
    /// Releases the folder for the next process.
    fn release(&self);
}

/// A file that grows at its end.
pub trait JournalFile: Send + Sync {
    /// Writes to the end; returns how many bytes the system has taken, which may be fewer.
    ///
    /// # Errors
    /// The error of the operating system.
    fn append(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Cuts the file back to so many bytes.
    ///
    /// # Errors
    /// The error of the operating system.
    fn cut(&self, bytes: u64) -> io::Result<()>;
    /// Syncs what was written, so that it outlasts a power cut.
    ///
    /// # Errors
    /// The error of the operating system.
    fn sync(&self) -> io::Result<()>;
}

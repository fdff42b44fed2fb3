//! What a walk returns.

use crate::source::FileSource;

/// A file to read, or a failure to report.
#[derive(Debug)]
pub struct FoundFile {
    /// The name for reports: its path; within an archive, after the path of the archive.
    pub name: String,
    /// The file, or why it cannot be read: a sentence for the person whose file it is.
    pub source: Result<FileSource, String>,
    /// Whether it may be of another kind than its name says without that being a fault.
    pub is_doubtful: bool,
}

impl FoundFile {
    /// A file to read.
    pub(super) fn readable(name: String, source: FileSource, is_doubtful: bool) -> Self {
        Self {
            name,
            source: Ok(source),
            is_doubtful,
        }
    }

    /// A failure to report.
    pub(super) fn unreadable(name: String, reason: String) -> Self {
        Self {
            name,
            source: Err(reason),
            is_doubtful: false,
        }
    }
}

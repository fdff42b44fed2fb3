//! One file that is arriving: under a name that nothing reads until all of it is there.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::io::AsyncWriteExt as _;
use uuid::Uuid;

use super::error::UploadError;
use super::job_entry::JobEntry;
use super::relative_path::RelativePath;
use crate::capacity::Slot;

/// A file of an upload while it arrives; dropped before its end, nothing of it stays.
pub(crate) struct IncomingFile {
    entry: Arc<JobEntry>,
    path: RelativePath,
    file: tokio::fs::File,
    /// Where it lies, as long as it has not been put into its place.
    part: Option<PathBuf>,
    bytes: u64,
    _slot: Slot,
}

impl IncomingFile {
    pub(super) fn create(
        entry: Arc<JobEntry>,
        path: RelativePath,
        id: Uuid,
        slot: Slot,
    ) -> io::Result<Self> {
        let (file, part) = entry.folder.create_part(id)?;
        Ok(Self {
            entry,
            path,
            file: tokio::fs::File::from_std(file),
            part: Some(part),
            bytes: 0,
            _slot: slot,
        })
    }

    /// Writes what came next.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<(), UploadError> {
        self.file.write_all(bytes).await?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Puts the whole file into its place; its bytes. One that was there under the same path is replaced.
    ///
    /// # Errors
    /// When the disk is full or fails, or work on the upload has begun.
    pub(crate) async fn finish(mut self) -> Result<u64, UploadError> {
        self.file.flush().await?;
        let place = match self.entry.folder.place(&self.path) {
            Ok(place) => place,
            Err(cause) if is_taken(&cause) => return Err(taken()),
            Err(cause) => return Err(cause.into()),
        };
        let before = std::fs::metadata(&place);
        if before.as_ref().is_ok_and(std::fs::Metadata::is_dir) {
            return Err(taken());
        }
        let Some(part) = self.part.take() else {
            return Err(UploadError::NotFound);
        };
        let bytes = self.bytes;
        self.entry.update(|job| {
            if job.state.is_at_work() {
                self.part = Some(part);
                return Err(UploadError::AtWork);
            }
            std::fs::rename(part, place)?;
            job.files_received += u64::from(before.is_err());
            let replaced = before.map_or(0, |before| before.len());
            job.bytes_received = job.bytes_received.saturating_sub(replaced) + bytes;
            Ok(bytes)
        })
    }
}

impl Drop for IncomingFile {
    fn drop(&mut self) {
        // A part that cannot be removed is removed with its job.
        let _removed = self.part.take().map(std::fs::remove_file);
    }
}

/// A file stands where a folder would have to, or the other way round.
fn is_taken(cause: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory};
    matches!(cause.kind(), AlreadyExists | IsADirectory | NotADirectory)
}

fn taken() -> UploadError {
    UploadError::Unfit(
        "a file of this upload has the name of a folder of this one: rename one of them".to_owned(),
    )
}

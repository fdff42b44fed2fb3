//! The upload that a path names, and how its errors are answered.

use std::io;

use uuid::Uuid;

use crate::http::problem::{Code, Problem};
use crate::uploads::UploadError;

/// The id in a path. A text that is no id is the id of no upload.
///
/// # Errors
/// When it is none.
pub(super) fn id_in_path(id: &str) -> Result<Uuid, Problem> {
    id.parse().map_err(|_| UploadError::NotFound.into())
}

impl From<UploadError> for Problem {
    fn from(error: UploadError) -> Self {
        match error {
            UploadError::NotFound => Self::new(
                Code::NotFound,
                "there is no upload of this id; GET /api/uploads lists them",
            ),
            UploadError::TooMany => Self::new(
                Code::Conflict,
                "there are as many uploads as are kept; remove one (DELETE /api/uploads/{id})",
            ),
            UploadError::TooManyFiles => Self::new(
                Code::Conflict,
                "this upload has as many files as one may have; put the others into another one, or into a zip",
            ),
            UploadError::AtWork => Self::new(
                Code::Conflict,
                "this upload is being checked or run; wait until that has ended, or cancel it",
            ),
            UploadError::OtherAtWork => Self::new(
                Code::Conflict,
                "another upload is being checked or run; wait until that has ended, or cancel it",
            ),
            UploadError::NoFiles => Self::new(
                Code::Conflict,
                "this upload has no files yet; send them first",
            ),
            UploadError::Unfit(why) => Self::new(Code::Invalid, why),
            UploadError::DiskFull => Self::new(
                Code::Unavailable,
                "the disk of the data directory has no room for this file: make room, then send it again; nothing of it was kept",
            ),
            UploadError::Disk(cause) => of_disk(&cause),
        }
    }
}

/// The data directory could not be written or read; the log says why.
fn of_disk(cause: &io::Error) -> Problem {
    log::error!("an upload could not be kept: {cause}");
    Problem::new(
        Code::Internal,
        "the file could not be kept here; the service's log says why",
    )
}

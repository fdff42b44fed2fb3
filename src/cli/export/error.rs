//! Why there is no bundle.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::export::bundle::BundleError;

/// Why there is no bundle.
#[derive(Debug)]
pub(crate) enum ExportCommandError {
    /// The file is there already.
    Present(PathBuf),
    File {
        path: PathBuf,
        cause: io::Error,
    },
    /// The service could not be asked, or the answer ended too early.
    Lost(String),
    /// The service refused, in its own words.
    Refused(String),
    /// What arrived is not what was sent.
    Damaged(BundleError),
    Output(io::Error),
}

impl fmt::Display for ExportCommandError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Present(path) => write!(
                formatter,
                "{} is there already; name another file, or replace it with --force",
                path.display()
            ),
            Self::File { path, cause } => {
                write!(formatter, "{} cannot be written: {cause}", path.display())
            }
            Self::Lost(cause) => write!(formatter, "the export broke off: {cause}"),
            Self::Refused(words) => write!(formatter, "the service refused the export: {words}"),
            Self::Damaged(cause) => write!(formatter, "what arrived is no whole export: {cause}"),
            Self::Output(cause) => write!(formatter, "the export cannot be printed: {cause}"),
        }
    }
}

impl std::error::Error for ExportCommandError {}

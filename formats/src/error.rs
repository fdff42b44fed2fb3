//! Why a file as a whole cannot be read.

use std::fmt;
use std::io;

/// Why a file as a whole cannot be read, or cannot be read further.
#[derive(Debug)]
pub enum FileError {
    /// The file cannot be opened, or its bytes cannot be read.
    Unreadable(io::Error),
    /// The extension names no format that is read.
    UnknownFormat {
        /// That of the file.
        extension: String,
        /// Those that are read, as they are listed for a person: `.ics, .vcf`.
        known: String,
    },
    /// The content is not what the extension says.
    NotThisFormat(&'static str),
    /// The content contradicts itself, and no answer of a person's helps.
    Undecided(&'static str),
    /// The content leaves open what it means, and only the person can say it.
    Open {
        /// What an answer would have to say.
        question: OpenQuestion,
        /// What is not known, and the option of the command line that answers it.
        why: &'static str,
    },
    /// There is nothing in it, and that is no fault.
    Empty,
}

/// What a file leaves open; its answer is the field of the same name in [`Options`](crate::Options).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenQuestion {
    /// Whose account its bookings are of.
    Account,
    /// The currency of its amounts.
    Currency,
    /// In which order its dates are written.
    DateOrder,
    /// Whether amounts without a minus came in or were spent.
    Positive,
}

impl FileError {
    /// The question whose answer makes the file readable.
    pub fn question(&self) -> Option<OpenQuestion> {
        match self {
            Self::Open { question, .. } => Some(*question),
            _ => None,
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "the file cannot be read: {error}"),
            Self::UnknownFormat { extension, known } => write!(
                f,
                "files ending in `{extension}` are not read; known are {known}, .gz of these, .zip, .tar, .tgz"
            ),
            Self::Empty => f.write_str("there is nothing in it"),
            Self::NotThisFormat(why) | Self::Undecided(why) | Self::Open { why, .. } => {
                f.write_str(why)
            }
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::UnknownFormat { .. }
            | Self::NotThisFormat(_)
            | Self::Undecided(_)
            | Self::Open { .. }
            | Self::Empty => None,
        }
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

//! Why a record, or a body as a whole, cannot be stored.

use std::fmt;

use serde::Serialize;

use super::decode::is_too_large;
use super::limits::FIELD_SHOWN_CHARACTERS_MAX;

/// A problem of one record, as it is listed in the answer: the record's position in the push, from 0, the field (empty for
/// the record as a whole), and a message that says what to send instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordProblem {
    pub index: usize,
    pub field: String,
    pub message: String,
}

/// A problem of a field, before the position of its record is added.
#[derive(Debug, PartialEq)]
pub(super) struct FieldFault {
    pub field: String,
    pub message: String,
}

impl FieldFault {
    pub(super) fn new(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: shown(field),
            message: message.into(),
        }
    }

    /// The fault as one of the record that contains this one under `name`.
    pub(super) fn inside(self, name: &str) -> Self {
        Self {
            field: format!("{name}.{}", self.field),
            message: self.message,
        }
    }
}

impl fmt::Display for FieldFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.as_str() {
            "" => formatter.write_str(&self.message),
            field => write!(formatter, "{field} {}", self.message),
        }
    }
}

/// A field's name, cut to [`FIELD_SHOWN_CHARACTERS_MAX`]: devices choose names, of any length.
fn shown(name: &str) -> String {
    match name.char_indices().nth(FIELD_SHOWN_CHARACTERS_MAX) {
        // `end` is where a character begins.
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// The body as a whole cannot be read.
#[derive(Debug)]
pub enum Unreadable {
    /// It is not what its content type says; the message never quotes the body.
    Malformed(String),
    /// It is larger than allowed once decoded.
    TooLarge,
    /// A spool file of this process could not be written or read.
    Spool(std::io::Error),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Malformed(fault) => write!(formatter, "the body cannot be read: {fault}"),
            Unreadable::TooLarge => {
                formatter.write_str("the body is larger than allowed once it is decoded")
            }
            Unreadable::Spool(cause) => write!(formatter, "the body could not be spooled: {cause}"),
        }
    }
}

impl std::error::Error for Unreadable {}

impl Unreadable {
    /// The error of reading the body.
    pub fn from_read(cause: std::io::Error) -> Self {
        if is_too_large(&cause) {
            Unreadable::TooLarge
        } else {
            Unreadable::Malformed(cause.to_string())
        }
    }
}

impl From<std::io::Error> for Unreadable {
    fn from(cause: std::io::Error) -> Self {
        Unreadable::Spool(cause)
    }
}

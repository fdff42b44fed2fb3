use std::fmt;

use serde::Serialize;

use super::decode::is_too_large;
use super::limits::FIELD_SHOWN_CHARACTERS_MAX;

/// What is wrong with one record: its place in the push, the field, and a sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordProblem {
    pub index: usize,
    pub field: String,
    pub message: String,
}

/// What is wrong with a field of a record.
#[derive(Debug, PartialEq)]
pub struct Fault {
    pub field: String,
    pub message: String,
}

impl Fault {
    pub fn new(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: shown(field),
            message: message.into(),
        }
    }

    /// The same fault of a record that stands inside another, as `name`.
    pub fn inside(self, name: &str) -> Self {
        Self {
            field: format!("{name}.{}", self.field),
            message: self.message,
        }
    }
}

/// A field's name, or its beginning: it may be the device's own, and as long as it likes.
fn shown(name: &str) -> String {
    match name.char_indices().nth(FIELD_SHOWN_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// The body as a whole cannot be taken.
#[derive(Debug)]
pub enum Unreadable {
    /// It is not what its content type says, with the place.
    Malformed(String),
    /// It is larger than allowed once decoded.
    TooLarge,
    /// A spool file could not be written or read here.
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
    /// The body could not be read on.
    pub fn of_reading(cause: std::io::Error) -> Self {
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

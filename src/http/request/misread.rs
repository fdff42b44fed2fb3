//! Why an object of a request could not be read, as serde reports it and as a problem states it.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use crate::http::problem::{Code, Problem};

/// Why an object of a request could not be read.
#[derive(Debug)]
pub enum Misread {
    /// The field is missing, and its type has no message of its own for that.
    Missing,
    /// The field is none of this, such as `text`.
    NotA(&'static str),
    /// A message that says what is to be sent.
    Message(String),
    /// The name of a field, and a message that says what is to be sent in it.
    Field(String, String),
}

impl Misread {
    /// The same, of this field.
    pub fn at(self, field: &str) -> Self {
        let message = match self {
            Misread::Missing => format!("send {field}"),
            Misread::NotA(what) => format!("send {field} as {what}"),
            Misread::Message(message) => message,
            Misread::Field(..) => return self,
        };
        Misread::Field(field.to_owned(), message)
    }
}

impl From<Misread> for Problem {
    fn from(misread: Misread) -> Self {
        match misread {
            Misread::Field(field, message) => Problem::invalid(field, message),
            other => Problem::new(Code::Invalid, other.to_string()),
        }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misread::Missing => formatter.write_str("a field is missing"),
            Misread::NotA(what) => write!(formatter, "send {what}"),
            Misread::Message(message) | Misread::Field(_, message) => formatter.write_str(message),
        }
    }
}

impl std::error::Error for Misread {}

impl de::Error for Misread {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Misread::Message(message.to_string())
    }

    /// Without the value that was sent, which no problem may carry.
    fn invalid_type(_sent: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Misread::Message(format!("send {expected}"))
    }

    fn invalid_value(sent: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(sent, expected)
    }

    fn unknown_variant(_sent: &str, expected: &'static [&'static str]) -> Self {
        Misread::Message(format!("send one of {}", expected.join(", ")))
    }
}

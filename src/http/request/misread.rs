use std::fmt;

use serde::de::{self, Expected, Unexpected};

use crate::http::problem::{Code, Problem};

/// Why an object of a request could not be read.
#[derive(Debug)]
pub enum Misread {
    /// The field is missing, and its type has no words of its own for that.
    Missing,
    /// The field is none of this, such as `text`.
    NotA(&'static str),
    /// What is to be sent.
    Words(String),
    /// What is to be sent in this field.
    Field(String, String),
}

impl Misread {
    /// The same, of this field.
    pub fn at(self, field: &str) -> Self {
        let words = match self {
            Misread::Missing => format!("send {field}"),
            Misread::NotA(what) => format!("send {field} as {what}"),
            Misread::Words(words) => words,
            Misread::Field(..) => return self,
        };
        Misread::Field(field.to_owned(), words)
    }
}

impl From<Misread> for Problem {
    fn from(misread: Misread) -> Self {
        match misread {
            Misread::Field(field, words) => Problem::invalid(field, words),
            other => Problem::new(Code::Invalid, other.to_string()),
        }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misread::Missing => formatter.write_str("a field is missing"),
            Misread::NotA(what) => write!(formatter, "send {what}"),
            Misread::Words(words) | Misread::Field(_, words) => formatter.write_str(words),
        }
    }
}

impl std::error::Error for Misread {}

impl de::Error for Misread {
    fn custom<T: fmt::Display>(words: T) -> Self {
        Misread::Words(words.to_string())
    }

    /// Without the value that was sent, which no problem may carry.
    fn invalid_type(_sent: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Misread::Words(format!("send {expected}"))
    }

    fn invalid_value(sent: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(sent, expected)
    }

    fn unknown_variant(_sent: &str, expected: &'static [&'static str]) -> Self {
        Misread::Words(format!("send one of {}", expected.join(", ")))
    }
}

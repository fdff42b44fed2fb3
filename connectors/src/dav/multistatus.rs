//! Answers of WebDAV (RFC 4918 §13 and §16), read element by element.
//!
//! Only predefined entities and characters by number are resolved; any other stays as it is written, so a document type
//! expands to nothing. A document that ends before its elements do is no answer: what a cut list lacks is not gone.

mod reader;

pub(super) use self::reader::is_token_refused;

use super::names::DavElement;
use crate::failure::{FailureKind, SourceFailure};

/// The answers for several resources.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Multistatus {
    pub(super) responses: Vec<DavResponse>,
    /// What a list of changes goes on from (RFC 6578).
    pub(super) sync_token: Option<String>,
}

/// The answer for one resource, or for several that share a status.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct DavResponse {
    pub(super) hrefs: Vec<String>,
    pub(super) status: Option<u16>,
    /// The properties that were found. One of several values is there several times.
    properties: Vec<(DavElement, String)>,
}

impl DavResponse {
    /// The first value of a property that says something.
    pub(super) fn text(&self, property: DavElement) -> Option<&str> {
        self.all(property).find(|text| !text.is_empty())
    }

    /// All values of a property.
    pub(super) fn all(&self, property: DavElement) -> impl Iterator<Item = &str> {
        let found = self.properties.iter();
        found
            .filter(move |(element, _)| *element == property)
            .map(|(_, text)| text.as_str())
    }

    /// Whether the resource is of this type.
    pub(super) fn is(&self, kind: DavElement) -> bool {
        self.all(kind).next().is_some()
    }
}

fn malformed() -> SourceFailure {
    let message = "the source's answer is none of WebDAV";
    SourceFailure::new(FailureKind::Malformed, message)
}

#[cfg(test)]
mod tests;

//! A file in a common format: a head, sections made of rows, a foot. Also the readers of members of those rows.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_actors::domain::Sector;

use super::ExportRequest;

/// One file of a bundle.
pub(crate) struct Document {
    /// Its name in the bundle.
    pub name: &'static str,
    pub sector: Sector,
    pub head: fn(&ExportRequest) -> Vec<u8>,
    pub sections: &'static [Section],
    pub foot: &'static str,
}

/// The SQL of its rows, and the function that writes one of them.
pub(crate) struct Section {
    pub sql: &'static str,
    pub write: fn(&Value, &ExportRequest, &mut Vec<u8>),
}

/// A member's text; `None` if it is missing, empty or no text.
pub(super) fn text<'a>(row: &'a Value, name: &str) -> Option<&'a str> {
    row.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// The items of a list; none if the member is missing.
pub(super) fn list<'a>(row: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    row.get(name)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// The texts of a list; other items do not occur in the catalogue's lists of texts.
pub(super) fn texts<'a>(row: &'a Value, name: &str) -> impl Iterator<Item = &'a str> {
    list(row, name).filter_map(Value::as_str)
}

/// A member's instant, if it has one.
pub(super) fn instant(row: &Value, name: &str) -> Option<DateTime<Utc>> {
    text(row, name)?.parse().ok()
}

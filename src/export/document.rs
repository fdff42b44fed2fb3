//! A file in a format that people know: what begins it, sections made of rows, what ends it.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_actors::domain::Sector;

use super::ExportRequest;

/// One file.
pub struct Document {
    pub name: &'static str,
    pub sector: Sector,
    pub head: fn(&ExportRequest) -> Vec<u8>,
    pub sections: &'static [Section],
    pub foot: &'static str,
}

/// Rows, and how one of them is written.
pub struct Section {
    pub sql: &'static str,
    pub write: fn(&Value, &ExportRequest, &mut Vec<u8>),
}

/// A member's text, if it has one.
pub fn text<'a>(row: &'a Value, name: &str) -> Option<&'a str> {
    row.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// The members of a list.
pub fn list<'a>(row: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    row.get(name)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// The texts of a list.
pub fn texts<'a>(row: &'a Value, name: &str) -> impl Iterator<Item = &'a str> {
    list(row, name).filter_map(Value::as_str)
}

/// A member's instant, if it has one.
pub fn instant(row: &Value, name: &str) -> Option<DateTime<Utc>> {
    text(row, name)?.parse().ok()
}

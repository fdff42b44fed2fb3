//! Rows of the record as lines of RFC 4180, with the names of r020 in the first.
//!
//! A spreadsheet takes a cell that begins with one of a few signs for a formula, and agents choose what stands in some cells:
//! such a cell gets an apostrophe before it (docs/operating.md#reading-the-audit). The arguments stand exactly as recorded (r046): they are JSON.

use std::borrow::Cow;

use actix_web::web::Bytes;
use chrono::SecondsFormat;
use csv::{Terminator, Writer, WriterBuilder};

use crate::store::audit_read::AuditRow;

/// The columns: all but `user_id` (r044).
const COLUMNS: [&str; 11] = [
    "id",
    "agent_id",
    "tool",
    "sector",
    "decision",
    "deny_reason",
    "args",
    "result_count",
    "outcome",
    "request_id",
    "created_at",
];
/// What begins a formula in one spreadsheet or another; the last two are skipped before it is looked for.
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Lines that wait to be sent.
pub(super) struct Lines(Writer<Vec<u8>>);

impl Lines {
    /// The first line alone.
    pub(super) fn with_header() -> Self {
        let mut lines = Self::empty();
        lines.write(&COLUMNS.map(Cow::Borrowed));
        lines
    }

    fn empty() -> Self {
        Self(
            WriterBuilder::new()
                .terminator(Terminator::CRLF)
                .from_writer(Vec::new()),
        )
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: &AuditRow) {
        let count = row.result_count.map(|count| count.to_string());
        let created_at = row.created_at.to_rfc3339_opts(SecondsFormat::Micros, true);
        let args = row.args.as_ref().map_or("", |args| args.get());
        self.write(&[
            row.id.to_string().into(),
            plain(row.agent_id.as_deref()),
            plain(Some(&row.tool)),
            plain(row.sector.as_deref()),
            plain(Some(&row.decision)),
            plain(row.deny_reason.as_deref()),
            args.into(),
            plain(count.as_deref()),
            plain(row.outcome.as_deref()),
            plain(row.request_id.as_deref()),
            created_at.into(),
        ]);
    }

    /// How many bytes wait.
    pub(super) fn bytes(&self) -> usize {
        self.0.get_ref().len()
    }

    /// Takes out what waits.
    pub(super) fn take(&mut self) -> Bytes {
        let lines = std::mem::replace(self, Self::empty());
        // A vector takes every byte.
        lines.0.into_inner().map(Bytes::from).unwrap_or_default()
    }

    fn write(&mut self, cells: &[Cow<'_, str>; COLUMNS.len()]) {
        // A vector takes every byte, and all lines have as many cells.
        let _ = self
            .0
            .write_record(cells.iter().map(|cell| cell.as_bytes()));
    }
}

/// A text that no spreadsheet takes for a formula; nothing is an empty cell.
fn plain(text: Option<&str>) -> Cow<'_, str> {
    match text {
        Some(text) if text.starts_with(FORMULA_STARTS) => format!("'{text}").into(),
        Some(text) => text.into(),
        None => "".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_like_a_formula_begins_with_an_apostrophe() {
        for start in FORMULA_STARTS {
            let text = format!("{start}1+1");
            assert_eq!(plain(Some(&text)), format!("'{text}"));
        }
        for text in ["", "a=1", "'=1", "1-1"] {
            assert_eq!(plain(Some(text)), text);
        }
        assert_eq!(plain(None), "");
    }
}

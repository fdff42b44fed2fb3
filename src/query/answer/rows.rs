//! The rows of an answer: whole rows, as many as fit.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::query::budget::{TEXT_CHARS_MIN, TOKENS_MAX};
use crate::query::cell::{self, DisplayOptions};
use crate::query::column::ID;
use crate::query::fault::CallFault;
use crate::query::page::{PageRow, ResultPage};
use crate::query::request::RowFormat;
use crate::query::text::CLIPPED;

use super::spec::AnswerSpec;
use crate::query::answer_column::AnswerColumn;

/// The rows of an answer as JSON: each is written once, so that its length is known.
#[derive(Default)]
pub(super) struct AnswerRows {
    entries: Vec<AnswerEntry>,
    /// A text in them was clipped.
    pub(super) is_clipped: bool,
}

/// A row, or the id of a row that was deleted or no longer matches.
struct AnswerEntry {
    json: Box<RawValue>,
    is_deleted: bool,
}

impl AnswerRows {
    /// The first rows of `page` that, with the cursor after them, take at most `room` bytes. While not even one fits, texts
    /// are clipped to half the length.
    ///
    /// # Errors
    /// When no row fits, however short its texts.
    pub(super) fn fit(
        spec: &AnswerSpec<'_>,
        page: &ResultPage,
        room: usize,
        nonce: &str,
    ) -> Result<Self, CallFault> {
        let mut text_chars = spec.text_chars;
        loop {
            let options = DisplayOptions {
                text_chars: Some(text_chars),
                nonce,
            };
            let rows = Self::fill(spec, page, room, options);
            if rows.consumed() > 0 || page.rows.is_empty() {
                return Ok(rows);
            }
            if text_chars == TEXT_CHARS_MIN {
                return Err(row_too_large(spec));
            }
            text_chars = (text_chars / 2).max(TEXT_CHARS_MIN);
        }
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.of(false).count()
    }

    /// The number of rows of the page that the answer includes, as rows or as deleted ids.
    pub(super) fn consumed(&self) -> usize {
        self.entries.len()
    }

    /// The ids of rows that were deleted or no longer match.
    pub(super) fn deleted(&self) -> Vec<Box<RawValue>> {
        self.of(true).cloned().collect()
    }

    fn of(&self, is_deleted: bool) -> impl Iterator<Item = &Box<RawValue>> {
        let entries = self.entries.iter();
        entries
            .filter(move |entry| entry.is_deleted == is_deleted)
            .map(|entry| &entry.json)
    }

    fn fill(
        spec: &AnswerSpec<'_>,
        page: &ResultPage,
        room: usize,
        options: DisplayOptions<'_>,
    ) -> Self {
        let mut filled = Self::default();
        let mut left = room;
        for row in &page.rows {
            // JSON values with text keys can always be written; were it not so, the row would be refused as too large.
            let Ok(entry) = AnswerEntry::of(spec, row, options) else {
                break;
            };
            let Some(rest) = left.checked_sub(entry.bytes()) else {
                break;
            };
            left = rest;
            filled.entries.push(entry);
        }
        filled.make_room_for_cursor(spec, page, left);
        let is_clipped = filled.of(false).any(|row| row.get().contains(CLIPPED));
        filled.is_clipped = is_clipped;
        filled
    }

    /// Removes rows from the end until the cursor after the last one fits into `room` bytes.
    fn make_room_for_cursor(&mut self, spec: &AnswerSpec<'_>, page: &ResultPage, mut room: usize) {
        while let Some(last) = self.entries.len().checked_sub(1) {
            let row = page.rows.get(last);
            let cursor = row.and_then(|row| spec.cursor(row, page.provenance.watermark));
            if cursor.is_none_or(|cursor| cursor.len() <= room) {
                return;
            }
            room += self.entries.pop().map_or(0, |entry| entry.bytes());
        }
    }
}

impl AnswerEntry {
    fn of(
        spec: &AnswerSpec<'_>,
        row: &PageRow,
        options: DisplayOptions<'_>,
    ) -> Result<Self, serde_json::Error> {
        let json = match row.deleted_id {
            Some(id) => to_raw_value(&id.to_string()),
            None => to_raw_value(&AnswerRow::of(spec, row, options)),
        };
        Ok(Self {
            json: json?,
            is_deleted: row.deleted_id.is_some(),
        })
    }

    /// Its bytes in the array, with the comma after it.
    fn bytes(&self) -> usize {
        self.json.get().len() + 1
    }
}

/// The fault when not even one row fits the budget.
pub(super) fn row_too_large(spec: &AnswerSpec<'_>) -> CallFault {
    let tokens = spec.budget.tokens();
    let fault = CallFault::new(format!(
        "one row with these columns is larger than the budget of {tokens} tokens: `select` fewer columns, or raise `budget`"
    ));
    match u64::try_from(tokens) {
        Ok(TOKENS_MAX..) => fault.set("select", vec![ID.name]),
        _ => fault.set("budget", TOKENS_MAX),
    }
}

impl Serialize for AnswerRows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.of(false))
    }
}

/// One row as an array or an object.
struct AnswerRow<'a> {
    columns: &'a [AnswerColumn<'a>],
    format: RowFormat,
    cells: Vec<Cow<'a, Value>>,
}

impl<'a> AnswerRow<'a> {
    fn of(spec: &'a AnswerSpec<'_>, row: &'a PageRow, options: DisplayOptions<'_>) -> Self {
        let cells = row.cells.iter().zip(&spec.columns);
        Self {
            columns: &spec.columns,
            format: spec.format,
            cells: cells
                .map(|(value, column)| cell::show(value, column, options))
                .collect(),
        }
    }
}

impl Serialize for AnswerRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.format {
            RowFormat::Rows => self.cells.serialize(serializer),
            RowFormat::Records => {
                let mut record = serializer.serialize_map(Some(self.cells.len()))?;
                for (column, cell) in self.columns.iter().zip(&self.cells) {
                    record.serialize_entry(column.name, cell)?;
                }
                record.end()
            }
        }
    }
}

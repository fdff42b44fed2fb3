//! The rows of an answer: whole ones, as many as there is room for.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use crate::query::budget::TEXT_CHARS_MIN;
use crate::query::cell::{self, Show};
use crate::query::check::Checked;
use crate::query::column::Column;
use crate::query::cursor;
use crate::query::fault::Fault;
use crate::query::request::Format;
use crate::query::run::{Found, Page};
use crate::query::text::CLIPPED;

/// Rows as they are written.
pub(super) struct Rows<'a> {
    columns: &'a [Column],
    format: Format,
    rows: Vec<Vec<Value>>,
    /// Some text was clipped.
    pub(super) is_clipped: bool,
}

impl<'a> Rows<'a> {
    /// No rows.
    pub(super) fn none(checked: &'a Checked) -> Self {
        Self {
            columns: &checked.select,
            format: checked.format,
            rows: Vec::new(),
            is_clipped: false,
        }
    }

    /// The first rows of `page` that take at most `room` bytes, together with the cursor behind them. If not even one
    /// does, texts are clipped harder until one does.
    ///
    /// # Errors
    /// When no row fits, however short its texts.
    pub(super) fn fit(
        checked: &'a Checked,
        page: &Page,
        room: usize,
        nonce: &str,
    ) -> Result<Self, Fault> {
        let mut text_chars = checked.budget.text_chars(checked.is_selected);
        loop {
            let show = Show {
                text_chars: Some(text_chars),
                nonce,
            };
            let rows = Self::fill(checked, page, room, show);
            if rows.len() > 0 || page.rows.is_empty() {
                return Ok(rows);
            }
            if text_chars == TEXT_CHARS_MIN {
                return Err(too_wide(checked));
            }
            text_chars = (text_chars / 2).max(TEXT_CHARS_MIN);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    fn fill(checked: &'a Checked, page: &Page, room: usize, show: Show<'_>) -> Self {
        let mut filled = Self::none(checked);
        let mut used = 0;
        for found in &page.rows {
            let cells = show_row(checked, found, show);
            let text = serde_json::to_string(&filled.row(&cells)).unwrap_or_default();
            used += text.len() + 1;
            let cursor = cursor::encode(&checked.digest, &found.keys);
            if used + cursor.map_or(0, |cursor| cursor.len()) > room {
                break;
            }
            filled.is_clipped |= text.contains(CLIPPED);
            filled.rows.push(cells);
        }
        filled
    }

    fn row<'b>(&'b self, cells: &'b [Value]) -> Row<'b> {
        Row {
            columns: self.columns,
            format: self.format,
            cells,
        }
    }
}

fn show_row(checked: &Checked, found: &Found, show: Show<'_>) -> Vec<Value> {
    let cells = found.cells.iter().zip(&checked.select);
    cells
        .map(|(value, column)| cell::show(value, column, show))
        .collect()
}

fn too_wide(checked: &Checked) -> Fault {
    let tokens = checked.budget.tokens();
    Fault::new(format!(
        "one row with these columns is larger than the budget of {tokens} tokens: `select` fewer columns, or raise `budget`"
    ))
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.len()))?;
        for cells in &self.rows {
            rows.serialize_element(&self.row(cells))?;
        }
        rows.end()
    }
}

struct Row<'a> {
    columns: &'a [Column],
    format: Format,
    cells: &'a [Value],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.format {
            Format::Rows => self.cells.serialize(serializer),
            Format::Records => {
                let mut record = serializer.serialize_map(Some(self.cells.len()))?;
                for (column, cell) in self.columns.iter().zip(self.cells) {
                    record.serialize_entry(column.name, cell)?;
                }
                record.end()
            }
        }
    }
}

//! The rows of an answer: whole ones, as many as there is room for.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use crate::query::budget::TEXT_CHARS_MIN;
use crate::query::cell::{self, Show};
use crate::query::cursor;
use crate::query::fault::Fault;
use crate::query::request::Format;
use crate::query::run::{Found, Page};
use crate::query::text::CLIPPED;

use super::form::{Form, Head, Rest};

/// Rows as they are written.
pub(super) struct Rows<'a> {
    heads: &'a [Head<'a>],
    format: Format,
    rows: Vec<Vec<Value>>,
    /// Some text was clipped.
    pub(super) is_clipped: bool,
}

impl<'a> Rows<'a> {
    /// No rows.
    pub(super) fn none(form: &'a Form<'_>) -> Self {
        Self {
            heads: &form.heads,
            format: form.format,
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
        form: &'a Form<'_>,
        page: &Page,
        room: usize,
        nonce: &str,
    ) -> Result<Self, Fault> {
        let mut text_chars = form.text_chars;
        loop {
            let show = Show {
                text_chars: Some(text_chars),
                nonce,
            };
            let rows = Self::fill(form, page, room, show);
            if rows.len() > 0 || page.rows.is_empty() {
                return Ok(rows);
            }
            if text_chars == TEXT_CHARS_MIN {
                return Err(too_wide(form));
            }
            text_chars = (text_chars / 2).max(TEXT_CHARS_MIN);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    fn fill(form: &'a Form<'_>, page: &Page, room: usize, show: Show<'_>) -> Self {
        let mut filled = Self::none(form);
        let mut used = 0;
        for found in &page.rows {
            let cells = show_row(form, found, show);
            let text = serde_json::to_string(&filled.row(&cells)).unwrap_or_default();
            used += text.len() + 1;
            if used + rest_bytes(form, found) > room {
                break;
            }
            filled.is_clipped |= text.contains(CLIPPED);
            filled.rows.push(cells);
        }
        filled
    }

    fn row<'b>(&'b self, cells: &'b [Value]) -> Row<'b> {
        Row {
            heads: self.heads,
            format: self.format,
            cells,
        }
    }
}

/// What the way to the rows behind this one takes.
fn rest_bytes(form: &Form<'_>, found: &Found) -> usize {
    let cursor = match form.rest {
        Rest::Cursor(digest) => cursor::encode(digest, &found.keys),
        Rest::Narrower => None,
    };
    cursor.map_or(0, |cursor| cursor.len())
}

fn show_row(form: &Form<'_>, found: &Found, show: Show<'_>) -> Vec<Value> {
    let cells = found.cells.iter().zip(&form.heads);
    cells
        .map(|(value, head)| cell::show(value, head, show))
        .collect()
}

fn too_wide(form: &Form<'_>) -> Fault {
    let tokens = form.budget.tokens();
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
    heads: &'a [Head<'a>],
    format: Format,
    cells: &'a [Value],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.format {
            Format::Rows => self.cells.serialize(serializer),
            Format::Records => {
                let mut record = serializer.serialize_map(Some(self.cells.len()))?;
                for (head, cell) in self.heads.iter().zip(self.cells) {
                    record.serialize_entry(head.name, cell)?;
                }
                record.end()
            }
        }
    }
}

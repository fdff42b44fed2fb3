//! The rows of an answer: whole ones, as many as there is room for.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use crate::query::budget::TEXT_CHARS_MIN;
use crate::query::cell::{self, Show};
use crate::query::fault::Fault;
use crate::query::param::Param;
use crate::query::request::Format;
use crate::query::run::{Found, Page};
use crate::query::text::CLIPPED;

use super::form::{Form, Head};

/// Rows as they are written.
pub(super) struct Rows<'a> {
    heads: &'a [Head<'a>],
    format: Format,
    rows: Vec<Vec<Value>>,
    /// The ids of what is gone, as JSON.
    gone: Vec<String>,
    /// Rows, and ids of what is gone.
    taken: usize,
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
            gone: Vec::new(),
            taken: 0,
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
            if rows.taken > 0 || page.rows.is_empty() {
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

    /// How many of the page are told: as rows, or as gone.
    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    /// Takes the ids of what is gone.
    pub(super) fn take_gone(&mut self) -> Vec<Value> {
        let ids = std::mem::take(&mut self.gone);
        ids.iter()
            .filter_map(|id| serde_json::from_str(id).ok())
            .collect()
    }

    fn entry(&self, form: &Form<'_>, found: &Found, show: Show<'_>) -> Entry {
        if found.is_gone {
            let id = match found.keys.as_slice() {
                [Some(Param::Id(id))] => id.to_string(),
                _ => String::new(),
            };
            return Entry {
                text: Value::from(id).to_string(),
                cells: None,
            };
        }
        let cells = show_row(form, found, show);
        Entry {
            text: serde_json::to_string(&self.row(&cells)).unwrap_or_default(),
            cells: Some(cells),
        }
    }

    fn fill(form: &'a Form<'_>, page: &Page, room: usize, show: Show<'_>) -> Self {
        let mut filled = Self::none(form);
        let mut used = 0;
        for found in &page.rows {
            let entry = filled.entry(form, found, show);
            used += entry.text.len() + 1;
            let cursor = form.cursor(found, page.moment);
            if used + cursor.map_or(0, |cursor| cursor.len()) > room {
                break;
            }
            filled.taken += 1;
            filled.is_clipped |= entry.text.contains(CLIPPED);
            match entry.cells {
                Some(cells) => filled.rows.push(cells),
                None => filled.gone.push(entry.text),
            }
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

/// One of the page as it is written: a row, or without cells the id of what is gone.
struct Entry {
    text: String,
    cells: Option<Vec<Value>>,
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

//! The rows of an answer: whole ones, as many as there is room for.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::query::budget::TEXT_CHARS_MIN;
use crate::query::cell::{self, Show};
use crate::query::check::Checked;
use crate::query::column::Column;
use crate::query::cursor;
use crate::query::fault::Fault;
use crate::query::request::Format;
use crate::query::run::{Found, Page};
use crate::query::text::CLIPPED;

/// Rows as they are written: each was made once, and its length is known.
#[derive(Default)]
pub(super) struct Rows {
    rows: Vec<Box<RawValue>>,
    /// Some text was clipped.
    pub(super) is_clipped: bool,
}

impl Rows {
    /// The first rows of `page` that take at most `room` bytes, together with the cursor behind them. If not even one
    /// does, texts are clipped harder until one does.
    ///
    /// # Errors
    /// When no row fits, however short its texts.
    pub(super) fn fit(
        checked: &Checked,
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

    fn fill(checked: &Checked, page: &Page, room: usize, show: Show<'_>) -> Self {
        let mut filled = Self::default();
        let mut left = room;
        for found in &page.rows {
            let Ok(row) = to_raw_value(&Row::of(checked, found, show)) else {
                break;
            };
            let Some(rest) = left.checked_sub(row.get().len() + 1) else {
                break;
            };
            left = rest;
            filled.rows.push(row);
        }
        filled.leave_room(checked, page, left);
        let mut texts = filled.rows.iter().map(|row| row.get());
        filled.is_clipped = texts.any(|row| row.contains(CLIPPED));
        filled
    }

    /// Takes rows away until the cursor behind the last has room.
    fn leave_room(&mut self, checked: &Checked, page: &Page, mut room: usize) {
        while let Some(last) = self.rows.len().checked_sub(1) {
            let found = page.rows.get(last);
            let cursor = found.and_then(|found| cursor::encode(&checked.digest, &found.keys));
            if cursor.is_none_or(|cursor| cursor.len() <= room) {
                return;
            }
            room += self.rows.pop().map_or(0, |row| row.get().len() + 1);
        }
    }
}

fn too_wide(checked: &Checked) -> Fault {
    let tokens = checked.budget.tokens();
    Fault::new(format!(
        "one row with these columns is larger than the budget of {tokens} tokens: `select` fewer columns, or raise `budget`"
    ))
}

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rows.serialize(serializer)
    }
}

struct Row<'a> {
    columns: &'a [Column],
    format: Format,
    cells: Vec<Cow<'a, Value>>,
}

impl<'a> Row<'a> {
    fn of(checked: &'a Checked, found: &'a Found, show: Show<'_>) -> Self {
        let cells = found.cells.iter().zip(&checked.select);
        Self {
            columns: &checked.select,
            format: checked.format,
            cells: cells
                .map(|(value, column)| cell::show(value, column, show))
                .collect(),
        }
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.format {
            Format::Rows => self.cells.serialize(serializer),
            Format::Records => {
                let mut record = serializer.serialize_map(Some(self.cells.len()))?;
                for (column, cell) in self.columns.iter().zip(&self.cells) {
                    record.serialize_entry(column.name, cell)?;
                }
                record.end()
            }
        }
    }
}

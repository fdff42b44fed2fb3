//! Page -> answer: compact JSON that keeps its budget. Pure; the nonce is drawn by the caller.
//!
//! Whole rows only: what does not fit is left for the next page, and a row that does not fit alone is clipped harder.

use chrono::{DateTime, Utc};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use super::budget::TEXT_CHARS_MIN;
use super::cell::{self, Show, stamp};
use super::check::Checked;
use super::column::Column;
use super::cursor;
use super::empty::{self, Empty};
use super::fault::Fault;
use super::request::Format;
use super::run::{Found, Page};
use super::sources::Source;
use super::text::CLIPPED;
use super::time::LocalTime;

/// Bytes kept free for the numbers and the note that are known only when the rows are.
const RESERVE_BYTES: usize = 400;
/// The part of an answer that the list of sources may take.
const SOURCES_SHARE: usize = 4;

/// A finished answer.
#[derive(Debug)]
pub struct Answer {
    /// Compact JSON.
    pub text: String,
    /// Rows in it.
    pub returned: usize,
}

#[derive(serde::Serialize)]
struct Envelope<'a> {
    target: String,
    columns: Vec<&'static str>,
    rows: Rows<'a>,
    returned: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<i64>,
    next_cursor: Option<String>,
    as_of: Option<String>,
    sources: Vec<Value>,
    untrusted: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    empty: Option<Empty>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fetched: Option<&'a Value>,
}

/// Writes the answer to `checked`; `fetched` is what a live fetch did before.
///
/// # Errors
/// When the budget does not hold even one row.
pub fn write(
    checked: &Checked,
    page: &Page,
    time: &LocalTime,
    nonce: &str,
    fetched: Option<&Value>,
) -> Result<Answer, Fault> {
    let mut envelope = frame(checked, page, time, fetched);
    let room = checked
        .budget
        .bytes()
        .saturating_sub(size(&envelope) + RESERVE_BYTES);
    let shown = shown_rows(checked, page, room, nonce)?;
    envelope.returned = shown.rows.len();
    let is_cut = shown.rows.len() < page.rows.len();
    if is_cut || page.has_more {
        let last = shown
            .rows
            .len()
            .checked_sub(1)
            .and_then(|last| page.rows.get(last));
        envelope.next_cursor = last.and_then(|row| cursor::encode(&checked.digest, &row.keys));
        if envelope.next_cursor.is_none() {
            envelope.notes.push("there are more rows, but the last one's order key is too long for a cursor: order by another field to page".into());
        }
    }
    if is_cut {
        envelope.notes.push(format!(
            "cut at the budget of {} tokens: next_cursor goes on",
            checked.budget.tokens()
        ));
    }
    if shown.is_clipped {
        envelope.notes.push(format!(
            "texts that end in {CLIPPED} go on: get_record gives them whole"
        ));
    }
    envelope.rows = shown.into();
    let text =
        serde_json::to_string(&envelope).map_err(|_| Fault::new("the answer cannot be written"))?;
    Ok(Answer {
        text,
        returned: envelope.returned,
    })
}

/// Everything but the rows.
fn frame<'a>(
    checked: &Checked,
    page: &Page,
    time: &LocalTime,
    fetched: Option<&'a Value>,
) -> Envelope<'a> {
    let is_first = checked.after.is_none();
    let mut notes = checked.notes.clone();
    let sources = brief_sources(checked, &page.sources, time.now, &mut notes);
    Envelope {
        target: checked.table.target(),
        columns: checked.select.iter().map(|column| column.name).collect(),
        rows: Rows {
            columns: &[],
            format: checked.format,
            rows: Vec::new(),
        },
        returned: 0,
        matched: page.matched,
        next_cursor: None,
        as_of: as_of(checked, &page.sources).map(stamp),
        sources,
        untrusted: untrusted(&checked.select),
        empty: (page.rows.is_empty() && is_first)
            .then(|| empty::explain(checked, &page.sources, page.has_rows, time)),
        notes,
        fetched,
    }
}

/// The names of the columns whose text others wrote.
pub fn untrusted(columns: &[Column]) -> Vec<&'static str> {
    let foreign = columns.iter().filter(|column| column.untrusted);
    foreign.map(|column| column.name).collect()
}

/// Up to when the answer is whole: the least fresh of the connections that fill the table and have ever synced.
fn as_of(checked: &Checked, sources: &[Source]) -> Option<DateTime<Utc>> {
    let feeding = sources.iter().filter(|source| source.feeds(checked.table));
    feeding.filter_map(|source| source.as_of).min()
}

fn brief_sources(
    checked: &Checked,
    sources: &[Source],
    now: DateTime<Utc>,
    notes: &mut Vec<String>,
) -> Vec<Value> {
    let mut room = checked.budget.bytes() / SOURCES_SHARE;
    let mut brief = Vec::with_capacity(sources.len());
    for source in sources {
        let shown = source.brief(now);
        let Some(rest) = room.checked_sub(shown.to_string().len() + 1) else {
            let left = sources.len() - brief.len();
            notes.push(format!(
                "{left} further sources are not listed: describe_context lists all"
            ));
            break;
        };
        room = rest;
        brief.push(shown);
    }
    brief
}

/// The rows that fit, and how they are written.
struct Shown<'a> {
    columns: &'a [Column],
    format: Format,
    rows: Vec<Vec<Value>>,
    is_clipped: bool,
}

fn shown_rows<'a>(
    checked: &'a Checked,
    page: &Page,
    room: usize,
    nonce: &str,
) -> Result<Shown<'a>, Fault> {
    let mut text_chars = checked.budget.text_chars(checked.is_selected);
    loop {
        let shown = fill(
            checked,
            page,
            room,
            Show {
                text_chars: Some(text_chars),
                nonce,
            },
        );
        if !shown.rows.is_empty() || page.rows.is_empty() {
            return Ok(shown);
        }
        if text_chars == TEXT_CHARS_MIN {
            let tokens = checked.budget.tokens();
            return Err(Fault::new(format!(
                "one row with these columns is larger than the budget of {tokens} tokens: `select` fewer columns, or raise `budget`"
            )));
        }
        text_chars = (text_chars / 2).max(TEXT_CHARS_MIN);
    }
}

/// Whole rows while there is room, each with the cursor that would follow it.
fn fill<'a>(checked: &'a Checked, page: &Page, room: usize, show: Show<'_>) -> Shown<'a> {
    let mut shown = Shown {
        columns: &checked.select,
        format: checked.format,
        rows: Vec::new(),
        is_clipped: false,
    };
    let mut used = 0;
    for found in &page.rows {
        let cells = show_row(checked, found, show);
        let row = Row {
            columns: &checked.select,
            format: checked.format,
            cells: &cells,
        };
        let text = serde_json::to_string(&row).unwrap_or_default();
        used += text.len() + 1;
        let cursor = cursor::encode(&checked.digest, &found.keys).map_or(0, |cursor| cursor.len());
        if used + cursor > room {
            break;
        }
        shown.is_clipped |= text.contains(CLIPPED);
        shown.rows.push(cells);
    }
    shown
}

fn show_row(checked: &Checked, found: &Found, show: Show<'_>) -> Vec<Value> {
    let cells = found.cells.iter().zip(&checked.select);
    cells
        .map(|(value, column)| cell::show(value, column, show))
        .collect()
}

fn size(envelope: &Envelope<'_>) -> usize {
    serde_json::to_string(envelope).map_or(0, |text| text.len())
}

struct Rows<'a> {
    columns: &'a [Column],
    format: Format,
    rows: Vec<Vec<Value>>,
}

impl<'a> From<Shown<'a>> for Rows<'a> {
    fn from(shown: Shown<'a>) -> Self {
        Self {
            columns: shown.columns,
            format: shown.format,
            rows: shown.rows,
        }
    }
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.rows.len()))?;
        for cells in &self.rows {
            rows.serialize_element(&Row {
                columns: self.columns,
                format: self.format,
                cells,
            })?;
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

#[cfg(test)]
mod tests;

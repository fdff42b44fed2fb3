//! Page -> answer: compact JSON that keeps its budget. Pure; the nonce is drawn by the caller.
//!
//! Whole rows only: what does not fit is left for the next page, and a row that does not fit alone is clipped harder.

mod rows;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use self::rows::Rows;
use super::cell::stamp;
use super::check::Checked;
use super::column::Column;
use super::cursor;
use super::empty::{self, Empty};
use super::fault::Fault;
use super::run::Page;
use super::sources::{self, Source};
use super::text::CLIPPED;
use super::time::LocalTime;

/// Bytes kept free for the numbers and the note that are known only when the rows are.
const RESERVE_BYTES: usize = 400;
/// The part of an answer that the list of sources may take.
const SOURCES_SHARE: usize = 4;
/// The part of an answer that the list of what was fetched may take.
const FETCHED_SHARE: usize = 8;

/// Said where a cursor would have to carry too much.
const NO_CURSOR: &str = "there are more rows, but the last one's order key is too long for a cursor: order by another field to page";

/// A finished answer.
#[derive(Debug)]
pub struct Answer {
    /// Compact JSON.
    pub text: String,
    /// Rows in it.
    pub returned: usize,
}

#[derive(Serialize)]
struct Envelope {
    target: String,
    columns: Vec<&'static str>,
    rows: Rows,
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
    fetched: Option<Vec<Value>>,
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
    let taken = size(&envelope) + RESERVE_BYTES;
    let room = checked.budget.bytes().saturating_sub(taken);
    let rows = Rows::fit(checked, page, room, nonce)?;
    envelope.returned = rows.len();
    if rows.is_clipped {
        let note = format!("texts that end in {CLIPPED} go on: get_record gives them whole");
        envelope.notes.push(note);
    }
    envelope.rows = rows;
    go_on(&mut envelope, checked, page);
    let text =
        serde_json::to_string(&envelope).map_err(|_| Fault::new("the answer cannot be written"))?;
    Ok(Answer {
        text,
        returned: envelope.returned,
    })
}

/// The way to the rows that are not here.
fn go_on(envelope: &mut Envelope, checked: &Checked, page: &Page) {
    let is_cut = envelope.returned < page.rows.len();
    if !is_cut && !page.has_more {
        return;
    }
    if is_cut {
        let tokens = checked.budget.tokens();
        let note = format!("cut at the budget of {tokens} tokens: next_cursor goes on");
        envelope.notes.push(note);
    }
    let last = envelope.returned.checked_sub(1);
    let last = last.and_then(|last| page.rows.get(last));
    envelope.next_cursor = last.and_then(|row| cursor::encode(&checked.digest, &row.keys));
    if envelope.next_cursor.is_none() {
        envelope.notes.push(NO_CURSOR.to_owned());
    }
}

/// Everything but the rows.
fn frame(checked: &Checked, page: &Page, time: &LocalTime, fetched: Option<&Value>) -> Envelope {
    let is_first = checked.after.is_none();
    let mut notes = checked.notes.clone();
    let sources = page.sources.iter().map(|source| source.brief(time.now));
    let sources = within(checked.budget.bytes() / SOURCES_SHARE, sources, |left| {
        let note = format!("{left} further sources are not listed: describe_context lists all");
        notes.push(note);
    });
    let fetched = fetched.and_then(Value::as_array).map(|fetched| {
        let room = checked.budget.bytes() / FETCHED_SHARE;
        within(room, fetched.iter().cloned(), |left| {
            notes.push(format!("{left} further of `fetched` are not listed"));
        })
    });
    Envelope {
        target: checked.table.target(),
        columns: checked.select.iter().map(|column| column.name).collect(),
        rows: Rows::default(),
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
    let feeding = sources::feeding(checked.table, sources);
    feeding.iter().filter_map(|source| source.as_of).min()
}

/// The first of `items` that go into `room` bytes; `left_out` is told how many do not.
fn within(
    mut room: usize,
    items: impl ExactSizeIterator<Item = Value>,
    left_out: impl FnOnce(usize),
) -> Vec<Value> {
    let total = items.len();
    let mut listed = Vec::with_capacity(total);
    for item in items {
        let Some(rest) = room.checked_sub(item.to_string().len() + 1) else {
            left_out(total - listed.len());
            break;
        };
        room = rest;
        listed.push(item);
    }
    listed
}

fn size(envelope: &Envelope) -> usize {
    serde_json::to_string(envelope).map_or(0, |text| text.len())
}

#[cfg(test)]
mod tests;

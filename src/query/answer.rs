//! Page -> answer: compact JSON that keeps its budget. Pure; the nonce is drawn by the caller.
//!
//! Whole rows only: what does not fit is left for the next page, and a row that does not fit alone is clipped harder.

mod rows;
mod spec;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

pub use self::spec::Form;
pub use super::answer_column::Head;

use self::rows::Rows;
use self::spec::Rest;
use super::cell::stamp;
use super::check::Scope;
use super::empty::{self, Empty, NO_MATCH};
use super::fault::Fault;
use super::page::Page;
use super::sources::{self, Source};
use super::text::CLIPPED;
use super::time::LocalTime;
use super::watermark;

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
struct Envelope<'a> {
    target: String,
    columns: Vec<&'a str>,
    rows: Rows,
    returned: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted: Option<Vec<Box<RawValue>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<i64>,
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change_cursor: Option<String>,
    as_of: Option<String>,
    sources: Vec<Value>,
    untrusted: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    empty: Option<Empty>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fetched: Option<Vec<Value>>,
}

/// Writes the answer to a question; `fetched` is what a live fetch did before.
///
/// # Errors
/// When the budget does not hold even one row, or what changed cannot be told.
pub fn write(
    form: &Form<'_>,
    page: &Page,
    time: &LocalTime,
    nonce: &str,
    fetched: Option<&[Value]>,
) -> Result<Answer, Fault> {
    if form
        .since
        .is_some_and(|since| !since.is_comparable(&page.standing.moment))
    {
        return Err(watermark::expired());
    }
    let mut envelope = frame(form, page, time, fetched);
    let taken = size(&envelope) + RESERVE_BYTES;
    let room = form.budget.bytes().saturating_sub(taken);
    let rows = Rows::fit(form, page, room, nonce)?;
    envelope.returned = rows.len();
    envelope.deleted = form.since.map(|_| rows.gone());
    if rows.is_clipped {
        let note = format!("texts that end in {CLIPPED} go on: get_record gives them whole");
        envelope.notes.push(note);
    }
    envelope.rows = rows;
    go_on(&mut envelope, form, page);
    let text =
        serde_json::to_string(&envelope).map_err(|_| Fault::new("the answer cannot be written"))?;
    // Names and notes alone may be more than was promised.
    if text.len() > form.budget.bytes() {
        return Err(rows::too_wide(form));
    }
    Ok(Answer {
        text,
        returned: envelope.returned,
    })
}

/// The way to the rows that are not here.
fn go_on(envelope: &mut Envelope<'_>, form: &Form<'_>, page: &Page) {
    let taken = envelope.rows.taken();
    let is_cut = taken < page.rows.len();
    if !is_cut && !page.has_more {
        return;
    }
    let tokens = form.budget.tokens();
    let (what, otherwise) = match form.rest {
        Rest::Cursor { .. } => ("", ""),
        Rest::Ranked => ("hits", "leave `order_by` out to page through all of them"),
        Rest::Narrower => (
            "groups",
            "group by less or narrow `where`; groups have no cursor",
        ),
    };
    if !what.is_empty() {
        let cut = if is_cut {
            format!("cut at the budget of {tokens} tokens: raise `budget`")
        } else {
            format!("there are more {what} than `limit`: raise it")
        };
        envelope.notes.push(format!("{cut}, or {otherwise}"));
        return;
    }
    if is_cut {
        let note = format!("cut at the budget of {tokens} tokens: next_cursor goes on");
        envelope.notes.push(note);
    }
    let last = taken.checked_sub(1);
    let last = last.and_then(|last| page.rows.get(last));
    envelope.next_cursor = last.and_then(|row| form.cursor(row, page.standing.moment));
    if envelope.next_cursor.is_none() {
        envelope.notes.push(NO_CURSOR.to_owned());
    }
}

/// Everything but the rows.
fn frame<'a>(
    form: &'a Form<'_>,
    page: &Page,
    time: &LocalTime,
    fetched: Option<&[Value]>,
) -> Envelope<'a> {
    let mut notes = form.notes.to_vec();
    let sources = page
        .standing
        .sources
        .iter()
        .map(|source| source.brief(time.now));
    let sources = within(form.budget.bytes() / SOURCES_SHARE, sources, |left| {
        notes.push(sources_left_out(left));
    });
    let fetched = fetched.map(|fetched| {
        let room = form.budget.bytes() / FETCHED_SHARE;
        within(room, fetched.iter().cloned(), |left| {
            notes.push(fetched_left_out(left));
        })
    });
    Envelope {
        target: form.scope.table.target(),
        columns: form.heads.iter().map(|head| head.name).collect(),
        rows: Rows::default(),
        returned: 0,
        deleted: form.since.map(|_| Vec::new()),
        matched: page.matched,
        next_cursor: None,
        change_cursor: form
            .change_digest
            .map(|digest| form.begun(page.standing.moment).encode(digest)),
        as_of: as_of(form.scope, &page.standing.sources).map(stamp),
        sources,
        untrusted: untrusted(&form.heads),
        empty: (page.is_empty && form.is_first).then(|| explain(form, page, time)),
        notes,
        fetched,
    }
}

fn explain(form: &Form<'_>, page: &Page, time: &LocalTime) -> Empty {
    let mut empty = empty::explain(form.scope, page, time);
    if form.since.is_some() && empty.reason == NO_MATCH {
        empty.hint = "nothing has changed since that `change_cursor`".to_owned();
    }
    empty
}

/// The names of the columns whose text others wrote.
pub fn untrusted<'a>(heads: &[Head<'a>]) -> Vec<&'a str> {
    let foreign = heads.iter().filter(|head| head.untrusted);
    foreign.map(|head| head.name).collect()
}

/// Up to when the answer is whole: the least fresh of the connections that fill the table and have ever synced.
fn as_of(scope: &Scope, sources: &[Source]) -> Option<DateTime<Utc>> {
    let feeding = sources::feeding(scope.table, sources);
    feeding.iter().filter_map(|source| source.as_of).min()
}

/// Said where not all connections are listed.
pub fn sources_left_out(left: usize) -> String {
    format!("{left} further sources are not listed: describe_context lists all")
}

/// Said where not everything that was fetched is listed.
pub fn fetched_left_out(left: usize) -> String {
    format!("{left} further of `fetched` are not listed")
}

/// The first of `items` that go into `room` bytes; `left_out` is told how many do not.
pub fn within(
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

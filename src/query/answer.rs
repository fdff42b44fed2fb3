//! Writes a result page as an answer: compact JSON within its budget. Pure; the nonce is drawn by the caller.
//!
//! Whole rows only: rows that do not fit are left for the next page, and the texts of a first row that does not fit are clipped
//! shorter.

mod rows;
mod spec;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

pub(crate) use self::spec::AnswerSpec;
pub(crate) use super::answer_column::AnswerColumn;

use self::rows::AnswerRows;
use self::spec::Continuation;
use super::cell::rfc3339;
use super::check::RowScope;
use super::empty::{self, EmptyReason, NO_MATCH};
use super::fault::CallFault;
use super::page::ResultPage;
use super::sources::{self, ConnectedSource};
use super::text::CLIPPED;
use super::time::LocalTime;
use super::watermark;

/// Bytes reserved for the numbers and the notes that are known only after the rows were chosen.
const RESERVE_BYTES: usize = 400;
/// The list of sources may take one part in so many of an answer.
const SOURCES_SHARE: usize = 4;
/// The list of fetched connections may take one part in so many of an answer.
const FETCHED_SHARE: usize = 8;

/// The note in place of a cursor that would be too long.
const NO_CURSOR: &str = "there are more rows, but the last one's order key is too long for a cursor: order by another field to page";

/// A finished answer.
#[derive(Debug)]
pub(crate) struct AnswerText {
    /// Compact JSON.
    pub text: String,
    /// Rows in it.
    pub returned: usize,
}

/// The JSON object of an answer (docs/asking.md).
#[derive(Serialize)]
struct AnswerBody<'a> {
    target: String,
    columns: Vec<&'a str>,
    rows: AnswerRows,
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
    empty: Option<EmptyReason>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fetched: Option<Vec<Value>>,
}

/// Writes the answer to a query; `fetched` lists the outcomes of a live fetch that came before it.
///
/// # Errors
/// When the budget does not hold even one row, or the watermark of `changed_since` is of another generation.
pub(crate) fn write(
    spec: &AnswerSpec<'_>,
    page: &ResultPage,
    time: &LocalTime,
    nonce: &str,
    fetched: Option<&[Value]>,
) -> Result<AnswerText, CallFault> {
    if spec
        .since
        .is_some_and(|since| !since.is_comparable(&page.provenance.watermark))
    {
        return Err(watermark::expired());
    }
    let mut body = body_without_rows(spec, page, time, fetched);
    let used = size(&body) + RESERVE_BYTES;
    let room = spec.budget.bytes().saturating_sub(used);
    let rows = AnswerRows::fit(spec, page, room, nonce)?;
    body.returned = rows.len();
    body.deleted = spec.since.map(|_| rows.deleted());
    if rows.is_clipped {
        let note = format!("texts that end in {CLIPPED} go on: get_record gives them whole");
        body.notes.push(note);
    }
    body.rows = rows;
    add_continuation(&mut body, spec, page);
    let text =
        serde_json::to_string(&body).map_err(|_| CallFault::new("the answer cannot be written"))?;
    // Names and notes alone may exceed the budget.
    if text.len() > spec.budget.bytes() {
        return Err(rows::row_too_large(spec));
    }
    Ok(AnswerText {
        text,
        returned: body.returned,
    })
}

/// Adds the cursor, or the note, that leads to the rows after these, if there are any.
fn add_continuation(body: &mut AnswerBody<'_>, spec: &AnswerSpec<'_>, page: &ResultPage) {
    let included = body.rows.consumed();
    let is_cut = included < page.rows.len();
    if !is_cut && !page.has_more {
        return;
    }
    let tokens = spec.budget.tokens();
    let (what, otherwise) = match spec.rest {
        Continuation::Cursor { .. } => ("", ""),
        Continuation::Ranked => ("hits", "leave `order_by` out to page through all of them"),
        Continuation::Narrower => (
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
        body.notes.push(format!("{cut}, or {otherwise}"));
        return;
    }
    if is_cut {
        let note = format!("cut at the budget of {tokens} tokens: next_cursor goes on");
        body.notes.push(note);
    }
    let last = included.checked_sub(1);
    let last = last.and_then(|last| page.rows.get(last));
    body.next_cursor = last.and_then(|row| spec.cursor(row, page.provenance.watermark));
    if body.next_cursor.is_none() {
        body.notes.push(NO_CURSOR.to_owned());
    }
}

/// Everything but the rows, and what depends on them.
fn body_without_rows<'a>(
    spec: &'a AnswerSpec<'_>,
    page: &ResultPage,
    time: &LocalTime,
    fetched: Option<&[Value]>,
) -> AnswerBody<'a> {
    let mut notes = spec.notes.to_vec();
    let sources = page
        .provenance
        .sources
        .iter()
        .map(|source| source.to_answer_json(time.now));
    let sources = take_fitting(spec.budget.bytes() / SOURCES_SHARE, sources, |left| {
        notes.push(omitted_sources_note(left));
    });
    let fetched = fetched.map(|fetched| {
        let room = spec.budget.bytes() / FETCHED_SHARE;
        take_fitting(room, fetched.iter().cloned(), |left| {
            notes.push(omitted_fetched_note(left));
        })
    });
    AnswerBody {
        target: spec.scope.table.target(),
        columns: spec.columns.iter().map(|column| column.name).collect(),
        rows: AnswerRows::default(),
        returned: 0,
        deleted: spec.since.map(|_| Vec::new()),
        matched: page.matched,
        next_cursor: None,
        change_cursor: spec.change_digest.map(|digest| {
            spec.first_watermark(page.provenance.watermark)
                .encode(digest)
        }),
        as_of: as_of(spec.scope, &page.provenance.sources).map(rfc3339),
        sources,
        untrusted: untrusted(&spec.columns),
        empty: (page.is_empty && spec.is_first).then(|| explain(spec, page, time)),
        notes,
        fetched,
    }
}

fn explain(spec: &AnswerSpec<'_>, page: &ResultPage, time: &LocalTime) -> EmptyReason {
    let mut empty = empty::explain(spec.scope, page, time);
    if spec.since.is_some() && empty.reason == NO_MATCH {
        empty.hint = "nothing has changed since that `change_cursor`".to_owned();
    }
    empty
}

/// The names of the columns whose text people other than the user wrote.
pub(crate) fn untrusted<'a>(columns: &[AnswerColumn<'a>]) -> Vec<&'a str> {
    let foreign = columns.iter().filter(|column| column.untrusted);
    foreign.map(|column| column.name).collect()
}

/// The time up to which the answer is complete: that of the least fresh connection that fills the table and has ever synced.
fn as_of(scope: &RowScope, sources: &[ConnectedSource]) -> Option<DateTime<Utc>> {
    let feeding = sources::feeding(scope.table, sources);
    feeding.iter().filter_map(|source| source.as_of).min()
}

/// The note that `left` sources are not listed.
pub(crate) fn omitted_sources_note(left: usize) -> String {
    format!("{left} further sources are not listed: describe_context lists all")
}

/// The note that `left` outcomes of a live fetch are not listed.
pub(crate) fn omitted_fetched_note(left: usize) -> String {
    format!("{left} further of `fetched` are not listed")
}

/// The first of `items` that fit into `room` bytes of a JSON array; calls `left_out` with the number of those that do not, if
/// there are any.
pub(crate) fn take_fitting(
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

/// The bytes of `body` as it stands. A body that cannot be written fails again, as an error, when the answer is written.
fn size(body: &AnswerBody) -> usize {
    serde_json::to_string(body).map_or(0, |text| text.len())
}

#[cfg(test)]
mod tests;

//! Writes a result page as an answer: compact JSON within its budget. Pure; the nonce is drawn by the caller.
//!
//! Whole rows only: rows that do not fit are left for the next page, and the texts of a first row that does not fit are clipped
//! shorter.

mod error;
mod rows;
mod spec;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sextant_actors::domain::EscapedText;

pub(crate) use self::error::AnswerError;
pub(crate) use self::spec::AnswerSpec;
pub(crate) use super::answer_column::AnswerColumn;

use self::rows::{RowWriter, WrittenRows};
use self::spec::Continuation;
use super::cell::rfc3339;
use super::check::RowScope;
use super::empty::{self, EmptyReason, NO_MATCH};
use super::ends;
use super::json_object::JsonObject;
use super::page::ResultPage;
use super::sources::{self, ConnectedSource, SourceStanding};
use super::text::{CLIPPED, Nonce};
use super::time::LocalTime;
use super::watermark;

/// Bytes reserved for the numbers and the notes that are known only after the rows were chosen.
const RESERVE_BYTES: usize = 400;
/// The bytes that most answers have before and behind their rows.
const HEAD_AND_TAIL_BYTES: usize = 1024;
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
    pub text: EscapedText,
    /// Rows in it.
    pub returned: usize,
}

/// The members of an answer behind its rows, in their order (docs/asking.md).
struct AnswerTail<'a> {
    returned: usize,
    deleted: Option<Vec<String>>,
    matched: Option<i64>,
    next_cursor: Option<String>,
    change_cursor: Option<String>,
    as_of: Option<String>,
    sources: Vec<SourceStanding<'a>>,
    untrusted: Vec<&'a str>,
    empty: Option<EmptyReason>,
    notes: Vec<String>,
    fetched: Option<Vec<Value>>,
}

/// Writes the answer to a query; `fetched` lists the outcomes of a live fetch that came before it.
///
/// # Errors
/// When the budget does not hold even one row, the watermark of `changed_since` is of another generation, or a value is
/// malformed.
pub(crate) fn write(
    spec: &AnswerSpec<'_>,
    page: &ResultPage,
    time: &LocalTime,
    nonce: &Nonce,
    fetched: Option<&[Value]>,
) -> Result<AnswerText, AnswerError> {
    if spec
        .since
        .is_some_and(|since| !page.provenance.watermark.tells_all_since(&since))
    {
        return Err(watermark::expired().into());
    }
    let mut tail = AnswerTail::without_rows(spec, page, time, fetched)?;
    let mut text = EscapedText::with_capacity(capacity(spec, page));
    let mut answer = JsonObject::begin(&mut text);
    answer.member("target", &spec.scope.table.target())?;
    let columns = spec.columns.iter().map(|column| column.name);
    answer.member("columns", &columns.collect::<Vec<_>>())?;
    let list = answer.name("rows");
    list.push("[");
    let used = list.text_bytes() + tail.bytes()? + RESERVE_BYTES;
    let room = spec.budget.bytes().saturating_sub(used);
    let rows = RowWriter::new(spec, page, nonce, list).fit(room)?;
    list.push("]");
    tail.follow(rows, spec, page);
    tail.write(&mut answer)?;
    answer.end();
    // Names and notes alone may exceed the budget.
    if text.text_bytes() > spec.budget.bytes() {
        return Err(rows::row_too_large(spec).into());
    }
    Ok(AnswerText {
        text,
        returned: tail.returned,
    })
}

/// The bytes that most answers take: JSON is about as long as what PostgreSQL sent of the rows, and half as much again with escapes.
fn capacity(spec: &AnswerSpec<'_>, page: &ResultPage) -> usize {
    let rows = page.cells_bytes().min(spec.budget.bytes());
    HEAD_AND_TAIL_BYTES.saturating_add(rows.saturating_mul(3) / 2)
}

impl<'a> AnswerTail<'a> {
    /// The tail of an answer without rows.
    fn without_rows(
        spec: &AnswerSpec<'a>,
        page: &'a ResultPage,
        time: &LocalTime,
        fetched: Option<&[Value]>,
    ) -> Result<Self, AnswerError> {
        let mut notes = spec.notes.to_vec();
        notes.extend(ends::note(&page.provenance.sources, time.now));
        let sources = page
            .provenance
            .sources
            .iter()
            .map(|source| source.standing(time.now));
        let sources = take_fitting(spec.budget.bytes() / SOURCES_SHARE, sources, |left| {
            notes.push(omitted_sources_note(left));
        })?;
        let fetched = fetched.map(|fetched| {
            let room = spec.budget.bytes() / FETCHED_SHARE;
            take_fitting(room, fetched.iter().cloned(), |left| {
                notes.push(omitted_fetched_note(left));
            })
        });
        Ok(Self {
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
            fetched: fetched.transpose()?,
        })
    }

    /// Takes over what follows from the rows that were written.
    fn follow(&mut self, rows: WrittenRows, spec: &AnswerSpec<'_>, page: &ResultPage) {
        self.returned = rows.returned;
        if rows.is_clipped {
            let note = format!("texts that end in {CLIPPED} go on: get_record gives them whole");
            self.notes.push(note);
        }
        if rows.is_cut || page.has_more {
            self.add_continuation(rows.is_cut, rows.cursor, spec);
        }
        if let Some(deleted) = &mut self.deleted {
            *deleted = rows.deleted;
        }
    }

    /// Adds the cursor, or the note, that leads to the rows after these.
    fn add_continuation(&mut self, is_cut: bool, cursor: Option<String>, spec: &AnswerSpec<'_>) {
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
            self.notes.push(format!("{cut}, or {otherwise}"));
            return;
        }
        if is_cut {
            let note = format!("cut at the budget of {tokens} tokens: next_cursor goes on");
            self.notes.push(note);
        }
        self.next_cursor = cursor;
        if self.next_cursor.is_none() {
            self.notes.push(NO_CURSOR.to_owned());
        }
    }

    /// Appends the members to an object that has members before them.
    fn write(&self, answer: &mut JsonObject<'_>) -> serde_json::Result<()> {
        answer.member("returned", &self.returned)?;
        answer.optional("deleted", self.deleted.as_ref())?;
        answer.optional("matched", self.matched.as_ref())?;
        answer.member("next_cursor", &self.next_cursor)?;
        answer.optional("change_cursor", self.change_cursor.as_ref())?;
        answer.member("as_of", &self.as_of)?;
        answer.member("sources", &self.sources)?;
        answer.member("untrusted", &self.untrusted)?;
        answer.optional("empty", self.empty.as_ref())?;
        answer.optional("notes", (!self.notes.is_empty()).then_some(&self.notes))?;
        answer.optional("fetched", self.fetched.as_ref())
    }

    /// The bytes that it takes in an answer, with the end of the list before it.
    fn bytes(&self) -> serde_json::Result<usize> {
        let mut alone = EscapedText::default();
        let mut tail = JsonObject::begin(&mut alone);
        self.write(&mut tail)?;
        tail.end();
        // Where this object begins, an answer has a comma; and the list ends.
        Ok(alone.text_bytes() + "]".len())
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
///
/// # Errors
/// When an item has no form in JSON.
pub(crate) fn take_fitting<T: Serialize>(
    mut room: usize,
    items: impl ExactSizeIterator<Item = T>,
    left_out: impl FnOnce(usize),
) -> Result<Vec<T>, AnswerError> {
    let total = items.len();
    let mut listed = Vec::with_capacity(total);
    for item in items {
        let bytes = serde_json::to_vec(&item)?.len() + ",".len();
        let Some(rest) = room.checked_sub(bytes) else {
            left_out(total - listed.len());
            break;
        };
        room = rest;
        listed.push(item);
    }
    Ok(listed)
}

#[cfg(test)]
mod tests;

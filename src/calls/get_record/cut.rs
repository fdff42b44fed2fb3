//! Cuts a record to the bytes of one answer: the largest field first, with a mark that names the call which reads on.
//!
//! The text is cut as it is shown, without its fence: each piece of a text that other people wrote has a fence of its own, and the
//! mark is outside of it, where the author of the text cannot forge one. A value that is no text is cut as its JSON. Pure.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::json;
use sextant_actors::domain::EscapedText;
use sextant_actors::random::Unavailable;
use uuid::Uuid;

use crate::query::cell::{CellValue, DisplayOptions};
use crate::query::column::Column;
use crate::query::text;

/// Fewest bytes that are left of a field that is cut, in JSON.
const PIECE_BYTES_MIN: usize = 1024;
/// Most bytes of fence and mark of a piece.
const FRAME_BYTES_MAX: usize = 512;

/// One field of a record as it is shown, without a fence.
pub(super) struct ShownField<'a> {
    pub(super) column: &'a Column,
    cell: CellValue<'a>,
}

/// The fields of an answer's record, by name.
pub(super) type ShownRecord<'a> = BTreeMap<&'static str, CellValue<'a>>;

/// The record of a field, for the call that reads on.
#[derive(Clone, Copy)]
pub(super) struct CutField<'a> {
    pub(super) target: &'a str,
    pub(super) id: Uuid,
    /// Of the fences.
    pub(super) nonce: &'a str,
}

/// The byte to read from is behind the end of the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PastEnd {
    /// The text's bytes.
    pub(super) bytes: usize,
}

impl<'a> ShownField<'a> {
    /// # Errors
    /// Never: without a fence nothing random is needed.
    pub(super) fn of(column: &'a Column, cell: CellValue<'a>) -> Result<Self, Unavailable> {
        let whole_unfenced = DisplayOptions {
            text_chars: None,
            nonce: None,
        };
        Ok(Self {
            column,
            cell: cell.show(&column.into(), whole_unfenced)?,
        })
    }

    /// Whether its text, or a piece of that, is put between fences.
    pub(super) fn needs_fence(&self) -> bool {
        self.column.untrusted && text::needs_fence(&self.text())
    }

    /// The whole field.
    fn whole(&self, nonce: &str) -> CellValue<'_> {
        match self.cell.as_text() {
            Some(text) => CellValue::Text(self.fenced(text, nonce)),
            None => self.cell.clone(),
        }
    }

    /// The text to cut: a text itself, any other value as its JSON.
    fn text(&self) -> Cow<'_, str> {
        match &self.cell {
            CellValue::Null => "".into(),
            cell => cell
                .as_text()
                .unwrap_or_else(|| json_of(cell).to_string().into()),
        }
    }

    fn fenced<'t>(&self, text: Cow<'t, str>, nonce: &str) -> Cow<'t, str> {
        match self.column.untrusted {
            true => text::fence(text, nonce),
            false => text,
        }
    }

    /// As much of the text as fits into `room` bytes of JSON, from the character that holds the byte `from`.
    fn piece(
        &self,
        from: usize,
        room: usize,
        place: CutField<'_>,
    ) -> Result<CellValue<'a>, PastEnd> {
        let text = self.text();
        let (begin, end) = bounds(&text, from, room)?;
        let piece = text.get(begin..end).unwrap_or_default();
        let mut piece = self.fenced(piece.into(), place.nonce).into_owned();
        if end < text.len() {
            piece += &self.mark(end, text.len(), place);
        }
        Ok(CellValue::Text(piece.into()))
    }

    fn mark(&self, end: usize, bytes: usize, place: CutField<'_>) -> String {
        let call = json!({
            "target": place.target, "id": place.id, "field": self.column.name, "from": end,
        });
        format!("…[cut after byte {end} of {bytes}; get_record goes on: {call}]")
    }
}

/// The fields within `room` bytes, or more if [`PIECE_BYTES_MIN`] is left of each: the largest is cut first, and the next only if that
/// is not enough.
pub(super) fn within<'a>(
    fields: &'a [ShownField<'a>],
    room: usize,
    place: CutField<'_>,
) -> ShownRecord<'a> {
    let mut all: Vec<CellValue<'a>> = fields
        .iter()
        .map(|field| field.whole(place.nonce))
        .collect();
    let mut sizes: Vec<usize> = all.iter().map(json_bytes).collect();
    // A name has two quotation marks, a colon and a comma; the record has two braces, and a comma less.
    let names: usize = fields.iter().map(|field| field.column.name.len() + 4).sum();
    let mut used = names + 1 + sizes.iter().sum::<usize>();
    while used > room {
        let largest = sizes.iter().enumerate().max_by_key(|(_, size)| **size);
        let Some((at, &size)) = largest.filter(|(_, size)| **size > least()) else {
            break;
        };
        let (Some(field), Some(value)) = (fields.get(at), all.get_mut(at)) else {
            break;
        };
        let left = size.saturating_sub(used - room).max(least());
        if let Ok(piece) = field.piece(0, left - FRAME_BYTES_MAX, place) {
            used = used - size + json_bytes(&piece);
            *value = piece;
        }
        // A field is cut once.
        if let Some(size) = sizes.get_mut(at) {
            *size = 0;
        }
    }
    let names = fields.iter().map(|field| field.column.name);
    names.zip(all).collect()
}

/// One field from the byte `from` on, within `room` bytes.
///
/// # Errors
/// When its text ends before.
pub(super) fn from<'a>(
    field: &'a ShownField<'a>,
    from: usize,
    room: usize,
    place: CutField<'_>,
) -> Result<CellValue<'a>, PastEnd> {
    if from == 0 {
        let whole = field.whole(place.nonce);
        if json_bytes(&whole) <= room {
            return Ok(whole);
        }
    }
    let room = room.saturating_sub(FRAME_BYTES_MAX).max(PIECE_BYTES_MIN);
    field.piece(from, room, place)
}

/// Fewest bytes of a cut field, with fence and mark.
const fn least() -> usize {
    PIECE_BYTES_MIN + FRAME_BYTES_MAX
}

/// Begin and end of a piece of `text`, both at character boundaries.
fn bounds(text: &str, from: usize, room: usize) -> Result<(usize, usize), PastEnd> {
    if from > text.len() {
        return Err(PastEnd { bytes: text.len() });
    }
    let begin = (0..=from)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    let rest = text.get(begin..).unwrap_or_default();
    let mut left = room;
    let end = rest.char_indices().find(|(_, letter)| {
        let fits = left.checked_sub(escaped_bytes(*letter));
        left = fits.unwrap_or(0);
        fits.is_none()
    });
    Ok((begin, end.map_or(text.len(), |(at, _)| begin + at)))
}

/// Bytes of a value as JSON.
fn json_bytes(cell: &CellValue<'_>) -> usize {
    match cell.as_text() {
        Some(text) => 2 + text.chars().map(escaped_bytes).sum::<usize>(),
        None => json_of(cell).text_bytes(),
    }
}

/// A value as JSON. One that had no form in JSON would be refused when the answer is written.
fn json_of(cell: &CellValue<'_>) -> EscapedText {
    let mut json = EscapedText::default();
    let _written_again_later = cell.write(&mut json);
    json
}

/// Bytes of a character within a JSON text.
const fn escaped_bytes(letter: char) -> usize {
    match letter {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        other => other.len_utf8(),
    }
}

#[cfg(test)]
mod tests;

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
    let names: usize = fields.iter().map(|field| field.column.name.len() + 4).sum();
    let mut used = names + sizes.iter().sum::<usize>();
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
mod tests {
    use super::*;
    use crate::catalog::Kind;
    use crate::query::column::ID;
    use proptest::prelude::*;
    use serde_json::Value;

    const PLACE: CutField<'static> = CutField {
        target: "mail.messages",
        id: Uuid::nil(),
        nonce: "n0nce",
    };
    /// Everything that takes more than one byte, in UTF-8 or in JSON.
    const LETTERS: &str = r#"[a-c "\\\n\t\u{1}äß語🎉]{0,3000}"#;

    const fn column(name: &'static str, kind: Kind, untrusted: bool) -> Column {
        Column {
            name,
            kind,
            untrusted,
            ..ID
        }
    }

    const TRUSTED: Column = column("note", Kind::Text, false);
    const FOREIGN: Column = column("body_text", Kind::Text, true);
    const JSON: Column = column("attendees", Kind::Json, true);

    fn field<'a>(column: &'a Column, value: &Value) -> ShownField<'a> {
        let cell = match (value, column.kind) {
            (Value::Null, _) => CellValue::Null,
            (Value::String(text), Kind::Text) => CellValue::Text(text.clone().into()),
            _ => CellValue::Structure(value.clone()),
        };
        ShownField::of(column, cell).unwrap()
    }

    /// A piece without fence and mark, and where the next begins.
    fn opened(piece: &CellValue<'_>, is_foreign: bool) -> (String, Option<usize>) {
        let piece = piece.as_text().unwrap();
        let piece = piece.as_ref();
        let (shown, next) = match piece.rsplit_once("…[cut after byte ") {
            Some((shown, mark)) => {
                let call = &mark[mark.find('{').unwrap()..mark.len() - 1];
                let call: Value = serde_json::from_str(call).unwrap();
                assert_eq!(call["id"], json!(Uuid::nil()));
                (shown, Some(call["from"].as_u64().unwrap() as usize))
            }
            None => (piece, None),
        };
        let inside = shown
            .strip_prefix("<<<data n0nce\n")
            .and_then(|rest| rest.strip_suffix("\nn0nce data>>>"));
        assert_eq!(
            inside.is_some(),
            is_foreign && inside.unwrap_or(shown).chars().count() > 400
        );
        (inside.unwrap_or(shown).to_owned(), next)
    }

    /// All pieces of a field together.
    fn pieced(field: &ShownField<'_>, room: usize) -> String {
        let (mut text, mut next) = (String::new(), Some(0));
        while let Some(at) = next {
            assert_eq!(at, text.len());
            let piece = field.piece(at, room, PLACE).unwrap();
            assert!(json_bytes(&piece) <= room + FRAME_BYTES_MAX);
            let (shown, after) = opened(&piece, field.column.untrusted);
            assert!(after.is_none() || !shown.is_empty(), "it goes on");
            text += &shown;
            next = after;
        }
        text
    }

    proptest! {
        #[test]
        fn the_pieces_of_a_text_are_the_whole_text(letters in LETTERS, room in 6_usize..2000) {
            let value = json!(letters);
            for column in [&TRUSTED, &FOREIGN] {
                let field = field(column, &value);
                let shown = field.text().into_owned();
                prop_assert_eq!(pieced(&field, room), shown);
            }
        }

        #[test]
        fn the_pieces_of_json_are_its_whole_text(letters in LETTERS, room in 6_usize..2000) {
            let value = json!([{ "name": letters, "at": [1, null] }]);
            let field = field(&JSON, &value);
            let whole: Value = serde_json::from_str(&pieced(&field, room)).unwrap();
            prop_assert_eq!(CellValue::Structure(whole), field.cell);
        }

        #[test]
        fn any_byte_is_read_on_from_the_start_of_its_character(letters in LETTERS, from in 0_usize..9000) {
            let value = json!(letters);
            let field = field(&TRUSTED, &value);
            match field.piece(from, usize::MAX, PLACE) {
                Ok(piece) => {
                    let rest = piece.as_text().unwrap();
                    let rest = rest.as_ref();
                    prop_assert!(letters.ends_with(rest));
                    let begin = letters.len() - rest.len();
                    prop_assert!(begin <= from && from - begin < 4);
                    prop_assert!(letters.get(from..).is_none_or(|exact| exact == rest));
                }
                Err(past) => prop_assert!(from > letters.len() && past.bytes == letters.len()),
            }
        }

        #[test]
        fn what_fits_is_whole_and_what_does_not_is_cut_from_the_largest(
            sizes in proptest::collection::vec(0_usize..30_000, 1..6),
            room in 10_000_usize..120_000,
        ) {
            let values: Vec<Value> = sizes.iter().map(|size| json!("ä\"".repeat(*size / 4))).collect();
            let names = ["a", "b", "c", "d", "e", "f"];
            let columns: Vec<Column> = names.iter().map(|name| column(name, Kind::Text, true)).collect();
            let fields: Vec<ShownField<'_>> = columns.iter().zip(&values).map(|(column, value)| field(column, value)).collect();
            let record = within(&fields, room, PLACE);
            let used: usize = record.iter().map(|(name, cell)| json_bytes(cell) + name.len() + 4).sum();
            prop_assert!(used < room);
            prop_assert_eq!(record.len(), sizes.len());
            let whole: Vec<bool> = fields.iter().map(|field| record[field.column.name] == field.whole(PLACE.nonce)).collect();
            let largest_whole = sizes.iter().zip(&whole).filter(|(_, whole)| **whole).map(|(size, _)| *size).max();
            let smallest_cut = sizes.iter().zip(&whole).filter(|(_, whole)| !**whole).map(|(size, _)| *size).min();
            if let (Some(whole), Some(cut)) = (largest_whole, smallest_cut) {
                prop_assert!(whole / 4 <= cut / 4);
            }
            let all: usize = fields.iter().map(|field| json_bytes(&field.whole(PLACE.nonce)) + field.column.name.len() + 4).sum();
            prop_assert_eq!(whole.iter().all(|whole| *whole), all <= room);
        }
    }

    #[test]
    fn the_mark_stands_outside_of_the_fence_and_names_the_call() {
        let value = json!("x".repeat(5000));
        let field = field(&FOREIGN, &value);
        let piece = field.piece(0, 1000, PLACE).unwrap();
        let mark = format!(
            "{}\nn0nce data>>>…[cut after byte 1000 of 5000; get_record goes on: \
             {{\"field\":\"body_text\",\"from\":1000,\"id\":\"{}\",\"target\":\"mail.messages\"}}]",
            "x".repeat(1000),
            Uuid::nil()
        );
        let piece = piece.as_text().unwrap();
        assert!(piece.ends_with(&mark), "{}", &piece[piece.len() - 200..]);
    }

    #[test]
    fn a_value_that_is_no_text_stays_one_where_it_fits() {
        let value = json!([1, 2]);
        let list = field(&JSON, &value);
        assert_eq!(from(&list, 0, 1000, PLACE), Ok(CellValue::Structure(value)));
        assert_eq!(
            from(&list, 1, 1000, PLACE),
            Ok(CellValue::Text("1,2]".into()))
        );
        assert_eq!(from(&list, 6, 1000, PLACE), Err(PastEnd { bytes: 5 }));
        assert_eq!(
            from(&field(&JSON, &Value::Null), 0, 1000, PLACE),
            Ok(CellValue::Null)
        );
    }
}

//! A record that is cut loses nothing: its pieces are its fields.

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
        prop_assert_eq!(whole.iter().all(|whole| *whole), all < room);
    }
}

#[test]
fn the_braces_of_a_record_count_too() {
    let values = [7576, 13_336, 7576].map(|size: usize| json!("ä\"".repeat(size / 4)));
    let columns = ["a", "b", "c"].map(|name| column(name, Kind::Text, true));
    let named = columns.iter().zip(&values);
    let fields: Vec<_> = named.map(|(column, value)| field(column, value)).collect();
    for room in 10_000..10_100 {
        let record = within(&fields, room, PLACE);
        let members = record.iter();
        let bytes: usize = members
            .map(|(name, cell)| json_bytes(cell) + name.len() + 3)
            .sum();
        // The braces, and the commas between.
        assert!(bytes + 2 + (record.len() - 1) <= room, "{room}");
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

use bytes::BytesMut;
use rust_decimal::Decimal;
use serde_json::json;
use tokio_postgres::types::ToSql;

use super::*;

fn show(value: &Value, column: &AnswerColumn<'_>, text_chars: Option<usize>) -> Value {
    let nonce = Nonce::of(|| Ok("n".to_owned()));
    let options = DisplayOptions {
        text_chars,
        nonce: Some(&nonce),
    };
    let cell = match (value, column.kind) {
        (Value::String(text), Kind::Text) => CellValue::Text(text.into()),
        _ => CellValue::Structure(value.clone()),
    };
    serde_json::from_str(&written(&cell.show(column, options).unwrap())).unwrap()
}

fn written(cell: &CellValue<'_>) -> String {
    let mut json = EscapedText::default();
    cell.write(&mut json).unwrap();
    json.to_string()
}

fn column(kind: Kind) -> AnswerColumn<'static> {
    AnswerColumn {
        name: "field",
        kind,
        untrusted: true,
        is_html: false,
    }
}

#[test]
fn of_html_only_what_is_seen_is_shown_clipped_or_not() {
    let column = AnswerColumn {
        is_html: true,
        ..column(Kind::Text)
    };
    let html = json!("<p hidden>abc</p><style>x</style><p>Hello &amp; on</p>");
    let whole = "[hidden text dropped: 3 characters]\nHello & on";
    assert_eq!(show(&html, &column, None), whole);
    let clipped = format!("[hidden text dropped: 3 characters]\nHel{}", text::CLIPPED);
    assert_eq!(show(&html, &column, Some(39)), clipped);
    let within = format!("[hidden text dropped: 2 characters]{}", text::CLIPPED);
    assert_eq!(show(&html, &column, Some(12)), within);
}

fn read(value: impl ToSql, kind: Kind) -> String {
    let mut bytes = BytesMut::new();
    value.to_sql(&sql_type(kind), &mut bytes).unwrap();
    written(&CellValue::read(Some(&bytes), kind).unwrap())
}

#[test]
fn decimals_keep_their_digits() {
    let kind = Kind::Decimal { scale: 4 };
    for digits in ["-12.5000", "123456789012345.6789", "0.50", "100000000"] {
        assert_eq!(read(digits.parse::<Decimal>().unwrap(), kind), digits);
    }
    let nan = [0, 0, 0, 0, 0xc0, 0, 0, 0];
    assert!(CellValue::read(Some(&nan), kind).is_err());
}

#[test]
fn each_kind_has_its_json() {
    let instant: DateTime<Utc> = "2026-03-17T12:00:00.5Z".parse().unwrap();
    assert_eq!(
        read(instant, Kind::Timestamp),
        "\"2026-03-17T12:00:00.500Z\""
    );
    assert_eq!(read(instant.date_naive(), Kind::Date), "\"2026-03-17\"");
    assert_eq!(read(Uuid::nil(), Kind::Id), format!("\"{}\"", Uuid::nil()));
    assert_eq!(read(-7, Kind::Integer), "-7");
    assert_eq!(read(i64::MIN, Kind::BigInteger), i64::MIN.to_string());
    assert_eq!(read(true, Kind::Boolean), "true");
    assert_eq!(read(1.0, Kind::Float), "1.0");
    assert_eq!(read(f64::NAN, Kind::Float), "null");
    assert_eq!(read("a\"\n", Kind::Text), r#""a\"\n""#);
    assert_eq!(read(vec![Some("a"), None], Kind::TextList), r#"["a",null]"#);
    assert_eq!(read(vec![Some(1), None], Kind::IntegerList), "[1,null]");
    assert_eq!(read(json!({"a": 1}), Kind::Json), r#"{"a":1}"#);
    assert_eq!(written(&CellValue::read(None, Kind::Text).unwrap()), "null");
}

#[test]
fn long_lists_keep_whole_elements() {
    let people = json!([{"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}]);
    assert_eq!(show(&people, &column(Kind::Json), Some(100)), people);
    let clipped = show(&people, &column(Kind::Json), Some(20));
    assert_eq!(clipped, json!([{"name": "Ann"}, text::CLIPPED]));
}

#[test]
fn a_clipped_text_is_marked_however_much_of_it_was_removed() {
    let hidden = json!("\u{200b}".repeat(50) + "seen");
    let clipped = show(&hidden, &column(Kind::Text), Some(20));
    assert_eq!(clipped, text::CLIPPED);
}

#[test]
fn what_others_wrote_is_cleaned_inside_of_json_too() {
    let value = json!({"na\u{200b}me": ["x\u{202e}y"]});
    let shown = show(&value, &column(Kind::Json), None);
    assert_eq!(shown, json!({"name": ["xy"]}));
}

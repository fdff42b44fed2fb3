use super::*;
use crate::query::column::{Column, ID, Location};
use chrono::NaiveDate;
use proptest::prelude::*;
use serde_json::Value;
use uuid::Uuid;

fn key(kind: Kind) -> OrderKey {
    let column = Column {
        name: "field",
        kind,
        location: Location::Stored,
        untrusted: false,
        is_html: false,
        is_required: false,
        values: &[],
        measured_in: &[],
        is_reference: false,
        cost: 1,
    };
    OrderKey {
        column,
        is_descending: true,
    }
}

fn value() -> impl Strategy<Value = (Kind, Option<Param>)> {
    prop_oneof![
        "[^\\x00]{0,50}".prop_map(|text| (Kind::Text, Some(Param::Text(text)))),
        any::<i64>().prop_map(|number| (Kind::BigInteger, Some(Param::Integer(number)))),
        any::<f64>().prop_map(|number| (Kind::Float, Some(Param::Float(number)))),
        (any::<i64>(), 0u32..10).prop_map(|(digits, scale)| {
            let number = rust_decimal::Decimal::new(digits, scale);
            (Kind::Decimal { scale: 10 }, Some(Param::Decimal(number)))
        }),
        any::<bool>().prop_map(|flag| (Kind::Boolean, Some(Param::Boolean(flag)))),
        (-700_000i32..2_900_000).prop_map(|day| {
            let day = NaiveDate::from_num_days_from_ce_opt(day.max(1)).unwrap();
            (Kind::Date, Some(Param::Date(day)))
        }),
        (0i64..4_000_000_000_000_000).prop_map(|micros| {
            let instant = DateTime::from_timestamp_micros(micros).unwrap();
            (Kind::Timestamp, Some(Param::Time(instant)))
        }),
        any::<u128>().prop_map(|id| (Kind::Id, Some(Param::Id(Uuid::from_u128(id))))),
        Just((Kind::Text, None)),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(values in proptest::collection::vec(value(), 1..5)) {
        let order: Vec<OrderKey> = values.iter().map(|(kind, _)| key(*kind)).collect();
        let values: Vec<Option<Param>> = values.into_iter().map(|(_, value)| value).collect();
        let cursor = encode("0123", &values, &Watermark::default()).unwrap();
        let read = decode(&cursor, "0123", &order).unwrap().values;
        prop_assert_eq!(read.len(), values.len());
        for (read, value) in read.iter().zip(&values) {
            let is_nan = matches!(value, Some(Param::Float(number)) if number.is_nan());
            prop_assert!(read == value || is_nan);
        }
    }

    #[test]
    fn no_text_makes_it_stumble(text in "\\PC{0,80}|[A-Za-z0-9_-]{0,80}") {
        prop_assert!(decode(&text, "0123", &[key(Kind::Text)]).is_err());
    }
}

#[test]
fn a_digest_is_of_what_decides_on_rows_and_their_order() {
    let digests = |more: Value| {
        let mut asked = json!({"target": "mail.messages"});
        asked
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let request = Request::parse(&asked).unwrap();
        (digest(&request), digest_of_rows(&request))
    };
    let (page, rows) = digests(json!({}));
    for other in [
        json!({"target": "mail.threads"}),
        json!({"where": {"is_read": true}}),
        json!({"search": "x"}),
    ] {
        let (other_page, other_rows) = digests(other.clone());
        assert!(other_page != page && other_rows != rows, "{other}");
    }
    for other in [
        json!({"order_by": ["subject"]}),
        json!({"changed_since": "x"}),
    ] {
        let (other_page, other_rows) = digests(other.clone());
        assert!(other_page != page && other_rows == rows, "{other}");
    }
    let same =
        json!({"select": ["id"], "limit": 7, "count": true, "budget": 900, "format": "records"});
    assert_eq!(digests(same), (page, rows));
}

#[test]
fn another_querys_cursor_and_a_wrongly_typed_one_are_refused() {
    let cursor = encode(
        "aaaa",
        &[Some(Param::Text("x".into()))],
        &Watermark::default(),
    )
    .unwrap();
    assert!(decode(&cursor, "bbbb", &[key(Kind::Text)]).is_err());
    assert!(decode(&cursor, "aaaa", &[key(Kind::Date)]).is_err());
    assert!(decode(&cursor, "aaaa", &[key(Kind::Text), key(Kind::Text)]).is_err());
    let null = encode("aaaa", &[None], &Watermark::default()).unwrap();
    let id = OrderKey {
        column: ID,
        is_descending: false,
    };
    assert!(decode(&null, "aaaa", &[id]).is_err());
}

#[test]
fn a_key_that_is_too_long_has_no_cursor() {
    assert!(
        encode(
            "aaaa",
            &[Some(Param::Text("x".repeat(KEY_CHARS_MAX + 1)))],
            &Watermark::default()
        )
        .is_none()
    );
}

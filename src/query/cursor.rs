//! Where a page ended, as an opaque text: base64url of version, query digest and key values.
//!
//! It holds a position and no right: the grant is checked anew, and each value is read as its key's type, so that a
//! forged cursor can only name another position in the same answer.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::check::OrderKey;
use super::fault::Fault;
use super::param::Param;
use super::request::Request;
use super::watermark::Moment;
use crate::catalog::Kind;

const VERSION: u32 = 2;
/// Bytes of the digest that stand in the cursor.
const DIGEST_BYTES: usize = 8;
/// Longest cursor that is read.
const CURSOR_BYTES_MAX: usize = 16 * 1024;
/// Characters of a text that a cursor can carry; a row that ends a page on a longer key has no cursor.
pub const KEY_CHARS_MAX: usize = 400;

/// What decides which rows there are and in what order. Relative times stay as they were written.
pub fn digest(request: &Request) -> String {
    let asked = json!([
        request.target,
        request.filter,
        request.search,
        request.order_by,
        request.changed_since
    ]);
    hashed(&asked)
}

/// What decides which rows there are, whatever is asked of them: a change cursor bears it.
pub fn digest_of_rows(request: &Request) -> String {
    hashed(&json!([request.target, request.filter, request.search]))
}

fn hashed(asked: &Value) -> String {
    let hash = Sha256::digest(asked.to_string().as_bytes());
    let bytes = hash.iter().take(DIGEST_BYTES);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// Where a page ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// One value a key; `None` is null.
    pub values: Vec<Option<Param>>,
    /// When the first page was read.
    pub begun: Moment,
}

/// The cursor behind the row with these key values; `None` when one is too long to be carried.
pub fn encode(digest: &str, values: &[Option<Param>], begun: &Moment) -> Option<String> {
    let mut texts = Vec::with_capacity(values.len());
    for value in values {
        texts.push(match value {
            None => None,
            Some(value) => Some(write(value)?),
        });
    }
    let plain = json!([VERSION, digest, texts, begun.written()]).to_string();
    Some(URL_SAFE_NO_PAD.encode(plain))
}

/// The place that a cursor of this very query and order names.
///
/// # Errors
/// When it is no cursor, or one of another query.
pub fn decode(cursor: &str, digest: &str, order: &[OrderKey]) -> Result<Place, Fault> {
    let (found, values, begun) = open(cursor).ok_or_else(unreadable)?;
    if found != digest {
        return Err(Fault::new(
            "this `cursor` belongs to another query: repeat `target`, `where`, `search` and `order_by` of the call that gave it, or leave `cursor` out to begin again",
        )
        .without("cursor"));
    }
    if values.len() != order.len() {
        return Err(unreadable());
    }
    let typed = values
        .into_iter()
        .zip(order)
        .map(|(value, key)| match value {
            None if key.column.always => Err(unreadable()),
            None => Ok(None),
            Some(text) => read(key.column.kind, &text)
                .map(Some)
                .ok_or_else(unreadable),
        });
    let values = typed.collect::<Result<_, _>>()?;
    Ok(Place { values, begun })
}

fn unreadable() -> Fault {
    Fault::new(
        "`cursor` cannot be read: pass `next_cursor` of the answer before as it is, or leave it out to begin again",
    )
    .without("cursor")
}

fn open(cursor: &str) -> Option<(String, Vec<Option<String>>, Moment)> {
    if cursor.len() > CURSOR_BYTES_MAX {
        return None;
    }
    let plain = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (version, digest, values, begun): (u32, String, Vec<Option<String>>, String) =
        serde_json::from_slice(&plain).ok()?;
    (version == VERSION).then_some((digest, values, Moment::parse(&begun)?))
}

fn write(value: &Param) -> Option<String> {
    Some(match value {
        Param::Text(text) if text.chars().count() > KEY_CHARS_MAX => return None,
        Param::Text(text) => text.clone(),
        Param::Integer(number) => number.to_string(),
        Param::Float(number) => number.to_string(),
        Param::Decimal(number) => number.to_string(),
        Param::Boolean(flag) => flag.to_string(),
        Param::Date(day) => day.to_string(),
        Param::Time(instant) => instant.to_rfc3339_opts(SecondsFormat::Micros, true),
        Param::Id(id) => id.to_string(),
        _ => return None,
    })
}

fn read(kind: Kind, text: &str) -> Option<Param> {
    Some(match kind {
        Kind::Text if text.contains('\0') => return None,
        Kind::Text => Param::Text(text.to_owned()),
        Kind::Integer | Kind::BigInteger => Param::Integer(text.parse().ok()?),
        Kind::Float => Param::Float(text.parse().ok()?),
        Kind::Decimal { .. } => Param::Decimal(text.parse().ok()?),
        Kind::Boolean => Param::Boolean(text.parse().ok()?),
        Kind::Date => Param::Date(text.parse().ok()?),
        Kind::Timestamp => {
            Param::Time(DateTime::parse_from_rfc3339(text).ok()?.with_timezone(&Utc))
        }
        Kind::Id => Param::Id(text.parse().ok()?),
        Kind::Json | Kind::TextList | Kind::IntegerList => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::column::{Column, ID, Place};
    use chrono::NaiveDate;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn key(kind: Kind) -> OrderKey {
        let column = Column {
            name: "field",
            kind,
            place: Place::Stored,
            untrusted: false,
            is_html: false,
            always: false,
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
            let cursor = encode("0123", &values, &Moment::default()).unwrap();
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
        let same = json!({"select": ["id"], "limit": 7, "count": true, "budget": 900, "format": "records"});
        assert_eq!(digests(same), (page, rows));
    }

    #[test]
    fn another_querys_cursor_and_a_wrongly_typed_one_are_refused() {
        let cursor = encode("aaaa", &[Some(Param::Text("x".into()))], &Moment::default()).unwrap();
        assert!(decode(&cursor, "bbbb", &[key(Kind::Text)]).is_err());
        assert!(decode(&cursor, "aaaa", &[key(Kind::Date)]).is_err());
        assert!(decode(&cursor, "aaaa", &[key(Kind::Text), key(Kind::Text)]).is_err());
        let null = encode("aaaa", &[None], &Moment::default()).unwrap();
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
                &Moment::default()
            )
            .is_none()
        );
    }
}

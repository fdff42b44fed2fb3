//! One value of one row: read from PostgreSQL as its kind, and shown as JSON.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use serde_json::{Number, Value};
use tokio_postgres::types::FromSql;
use uuid::Uuid;

use super::head::Head;
use super::param::Param;
use super::text;
use crate::catalog::Kind;
use crate::db::{Cells, StoreError};
use sextant_formats::html;

/// Reads the next value: decimals keep their stored digits, times are RFC 3339 in UTC.
///
/// # Errors
/// When the statement did not select this kind there.
pub fn read(cells: &mut Cells<'_>, kind: Kind) -> Result<Value, StoreError> {
    Ok(match kind {
        Kind::Text => get::<String>(cells)?.into(),
        Kind::Integer => get::<i32>(cells)?.into(),
        Kind::BigInteger => get::<i64>(cells)?.into(),
        Kind::Float => get::<f64>(cells)?.into(),
        Kind::Decimal { .. } => get::<String>(cells)?.map_or(Value::Null, digits),
        Kind::Boolean => get::<bool>(cells)?.into(),
        Kind::Date => get::<NaiveDate>(cells)?.map(|day| day.to_string()).into(),
        Kind::Timestamp => get::<DateTime<Utc>>(cells)?.map(stamp).into(),
        Kind::Id => get::<Uuid>(cells)?.map(|id| id.to_string()).into(),
        Kind::Json => get::<Value>(cells)?.into(),
        Kind::TextList => get::<Vec<Option<String>>>(cells)?.into(),
        Kind::IntegerList => get::<Vec<Option<i32>>>(cells)?.into(),
    })
}

/// Reads the next value as the key of a cursor.
///
/// # Errors
/// When the statement did not select this kind there, or a decimal cannot be told again.
pub fn read_key(cells: &mut Cells<'_>, kind: Kind) -> Result<Option<Param>, StoreError> {
    Ok(match kind {
        Kind::Text | Kind::Json | Kind::TextList | Kind::IntegerList => {
            get::<String>(cells)?.map(Param::Text)
        }
        Kind::Integer => get::<i32>(cells)?.map(|number| Param::Integer(number.into())),
        Kind::BigInteger => get::<i64>(cells)?.map(Param::Integer),
        Kind::Float => get::<f64>(cells)?.map(Param::Float),
        Kind::Decimal { .. } => get::<String>(cells)?.map(decimal).transpose()?,
        Kind::Boolean => get::<bool>(cells)?.map(Param::Boolean),
        Kind::Date => get::<NaiveDate>(cells)?.map(Param::Date),
        Kind::Timestamp => get::<DateTime<Utc>>(cells)?.map(Param::Time),
        Kind::Id => get::<Uuid>(cells)?.map(Param::Id),
    })
}

/// An instant as every answer writes it.
pub fn stamp(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// How values are shown in one answer.
#[derive(Clone, Copy, Debug)]
pub struct Show<'a> {
    /// Characters of a text; `None` shows it whole.
    pub text_chars: Option<usize>,
    /// Stands in the fences around long texts of others.
    pub nonce: &'a str,
}

/// `value` as the agent reads it. A text is clipped before it is cleaned, so that what was removed hides no clip.
pub fn show<'a>(value: &'a Value, head: &Head<'_>, show: Show<'_>) -> Cow<'a, Value> {
    shown(value, head, show.text_chars, Some(show.nonce))
}

/// `value` whole as the agent reads it, but for the fence around a long text of others.
pub fn show_unfenced<'a>(value: &'a Value, head: &Head<'_>) -> Cow<'a, Value> {
    shown(value, head, None, None)
}

fn shown<'a>(
    value: &'a Value,
    head: &Head<'_>,
    text_chars: Option<usize>,
    nonce: Option<&str>,
) -> Cow<'a, Value> {
    match (value, head.kind) {
        (Value::String(text), Kind::Text) => match show_text(text, head, text_chars, nonce) {
            Cow::Borrowed(_) => Cow::Borrowed(value),
            Cow::Owned(shown) => Cow::Owned(shown.into()),
        },
        (Value::Null | Value::Bool(_) | Value::Number(_), _) => Cow::Borrowed(value),
        // Made of a value that is no text, and shorter than any text is clipped to.
        (Value::String(_), Kind::Id | Kind::Date | Kind::Timestamp) => Cow::Borrowed(value),
        _ => {
            let cleaned = if head.untrusted {
                clean(value)
            } else {
                value.clone()
            };
            Cow::Owned(match text_chars {
                Some(chars) => clip_structure(cleaned, chars),
                None => cleaned,
            })
        }
    }
}

fn show_text<'a>(
    text: &'a str,
    head: &Head<'_>,
    text_chars: Option<usize>,
    nonce: Option<&str>,
) -> Cow<'a, str> {
    let clipped = match text_chars {
        Some(chars) => text::clip(text, chars),
        None => Cow::Borrowed(text),
    };
    if !head.untrusted {
        return clipped;
    }
    let clipped = match head.is_html {
        true => seen(clipped),
        false => clipped,
    };
    let cleaned = match clipped {
        Cow::Borrowed(text) => text::clean(text),
        Cow::Owned(text) => Cow::Owned(text::clean(&text).into_owned()),
    };
    match nonce {
        Some(nonce) => text::fence(cleaned, nonce),
        None => cleaned,
    }
}

/// What is seen of HTML, with the mark of a clip where it was clipped.
fn seen(html: Cow<'_, str>) -> Cow<'_, str> {
    match html.strip_suffix(text::CLIPPED) {
        Some(begun) => (html::read(begun).marked() + text::CLIPPED).into(),
        None => html::read(&html).marked().into(),
    }
}

/// Whole elements of a list, as far as there is room; anything else that is too long is clipped as text.
fn clip_structure(value: Value, chars_max: usize) -> Value {
    if value.to_string().len() <= chars_max {
        return value;
    }
    match value {
        Value::Array(items) => {
            let mut room = chars_max;
            let mut kept: Vec<Value> = Vec::new();
            for item in items {
                let size = item.to_string().len() + 1;
                if size > room {
                    break;
                }
                room -= size;
                kept.push(item);
            }
            kept.push(text::CLIPPED.into());
            Value::Array(kept)
        }
        other => text::clip(&other.to_string(), chars_max)
            .into_owned()
            .into(),
    }
}

fn clean(value: &Value) -> Value {
    match value {
        Value::String(text) => text::clean(text).into_owned().into(),
        Value::Array(items) => items.iter().map(clean).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| (text::clean(name).into_owned(), clean(value)))
            .collect(),
        other => other.clone(),
    }
}

fn get<'row, T: FromSql<'row>>(cells: &mut Cells<'row>) -> Result<Option<T>, StoreError> {
    cells.take()
}

fn decimal(digits: String) -> Result<Param, StoreError> {
    let number = digits.parse().map_err(|_| StoreError::Fault {
        cause: "a decimal that is no key".to_owned(),
    })?;
    Ok(Param::Decimal(number))
}

/// The stored digits as a JSON number; what is none (NaN) has no number.
fn digits(text: String) -> Value {
    text.parse::<Number>().map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn head(kind: Kind) -> Head<'static> {
        Head {
            name: "field",
            kind,
            untrusted: true,
            is_html: false,
        }
    }

    #[test]
    fn of_html_only_what_is_seen_is_shown_clipped_or_not() {
        let head = Head {
            is_html: true,
            ..head(Kind::Text)
        };
        let html = json!("<p hidden>abc</p><style>x</style><p>Hello &amp; on</p>");
        let show_in = |text_chars| Show {
            text_chars,
            nonce: "n",
        };
        let whole = "[hidden text dropped: 3 characters]\nHello & on";
        assert_eq!(*show(&html, &head, show_in(None)), whole);
        let clipped = format!("[hidden text dropped: 3 characters]\nHel{}", text::CLIPPED);
        assert_eq!(*show(&html, &head, show_in(Some(39))), clipped);
        let within = format!("[hidden text dropped: 2 characters]{}", text::CLIPPED);
        assert_eq!(*show(&html, &head, show_in(Some(12))), within);
    }

    #[test]
    fn decimals_keep_their_digits() {
        assert_eq!(digits("-12.5000".into()).to_string(), "-12.5000");
        assert_eq!(
            digits("123456789012345.6789".into()).to_string(),
            "123456789012345.6789"
        );
        assert_eq!(digits("NaN".into()), Value::Null);
    }

    #[test]
    fn long_lists_keep_whole_elements() {
        let people = json!([{"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}]);
        let show_in = |chars| Show {
            text_chars: Some(chars),
            nonce: "n",
        };
        assert_eq!(*show(&people, &head(Kind::Json), show_in(100)), people);
        let clipped = show(&people, &head(Kind::Json), show_in(20));
        assert_eq!(*clipped, json!([{"name": "Ann"}, text::CLIPPED]));
    }

    #[test]
    fn a_clipped_text_is_marked_however_much_of_it_was_removed() {
        let hidden = json!("\u{200b}".repeat(50) + "seen");
        let clipped = show(
            &hidden,
            &head(Kind::Text),
            Show {
                text_chars: Some(20),
                nonce: "n",
            },
        );
        assert_eq!(*clipped, text::CLIPPED);
    }

    #[test]
    fn what_others_wrote_is_cleaned_inside_of_json_too() {
        let value = json!({"na\u{200b}me": ["x\u{202e}y"]});
        let shown = show(
            &value,
            &head(Kind::Json),
            Show {
                text_chars: None,
                nonce: "n",
            },
        );
        assert_eq!(*shown, json!({"name": ["xy"]}));
    }
}

//! One value of one row: read from PostgreSQL as its kind, and shown as JSON to an agent.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use serde_json::{Number, Value};
use tokio_postgres::types::FromSql;
use uuid::Uuid;

use super::answer_column::AnswerColumn;
use super::param::Param;
use super::text;
use crate::catalog::Kind;
use crate::db::{Cells, StoreError};
use sextant_formats::html;

/// Reads the next value: decimals keep their stored digits, times are RFC 3339 in UTC.
///
/// # Errors
/// When the statement did not select this kind there.
pub(crate) fn read(cells: &mut Cells<'_>, kind: Kind) -> Result<Value, StoreError> {
    Ok(match kind {
        Kind::Text => get::<String>(cells)?.into(),
        Kind::Integer => get::<i32>(cells)?.into(),
        Kind::BigInteger => get::<i64>(cells)?.into(),
        Kind::Float => get::<f64>(cells)?.into(),
        Kind::Decimal { .. } => get::<String>(cells)?.map_or(Value::Null, digits),
        Kind::Boolean => get::<bool>(cells)?.into(),
        Kind::Date => get::<NaiveDate>(cells)?.map(|day| day.to_string()).into(),
        Kind::Timestamp => get::<DateTime<Utc>>(cells)?.map(rfc3339).into(),
        Kind::Id => get::<Uuid>(cells)?.map(|id| id.to_string()).into(),
        Kind::Json => get::<Value>(cells)?.into(),
        Kind::TextList => get::<Vec<Option<String>>>(cells)?.into(),
        Kind::IntegerList => get::<Vec<Option<i32>>>(cells)?.into(),
    })
}

/// Reads the next value as the key of a cursor.
///
/// # Errors
/// When the statement did not select this kind there, or a decimal has more digits than a cursor can hold.
pub(crate) fn read_key(cells: &mut Cells<'_>, kind: Kind) -> Result<Option<Param>, StoreError> {
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

/// An instant as every answer writes it: RFC 3339 in UTC.
pub(crate) fn rfc3339(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// How values are shown in one answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DisplayOptions<'a> {
    /// The most characters of a text; `None` shows it whole.
    pub text_chars: Option<usize>,
    /// Part of the fences around long untrusted texts.
    pub nonce: &'a str,
}

/// `value` as the agent reads it. A text is clipped before it is cleaned: were it cleaned first, a text that the
/// statement cut could look whole.
pub(crate) fn show<'a>(
    value: &'a Value,
    column: &AnswerColumn<'_>,
    options: DisplayOptions<'_>,
) -> Cow<'a, Value> {
    show_with(value, column, options.text_chars, Some(options.nonce))
}

/// `value` whole, as the agent reads it but without the fence around a long untrusted text.
pub(crate) fn show_unfenced<'a>(value: &'a Value, column: &AnswerColumn<'_>) -> Cow<'a, Value> {
    show_with(value, column, None, None)
}

fn show_with<'a>(
    value: &'a Value,
    column: &AnswerColumn<'_>,
    text_chars: Option<usize>,
    nonce: Option<&str>,
) -> Cow<'a, Value> {
    match (value, column.kind) {
        (Value::String(text), Kind::Text) => match show_text(text, column, text_chars, nonce) {
            Cow::Borrowed(_) => Cow::Borrowed(value),
            Cow::Owned(shown) => Cow::Owned(shown.into()),
        },
        (Value::Null | Value::Bool(_) | Value::Number(_), _) => Cow::Borrowed(value),
        // Written by this module, and shorter than any clip.
        (Value::String(_), Kind::Id | Kind::Date | Kind::Timestamp) => Cow::Borrowed(value),
        _ => {
            let cleaned = if column.untrusted {
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
    column: &AnswerColumn<'_>,
    text_chars: Option<usize>,
    nonce: Option<&str>,
) -> Cow<'a, str> {
    let clipped = match text_chars {
        Some(chars) => text::clip(text, chars),
        None => Cow::Borrowed(text),
    };
    if !column.untrusted {
        return clipped;
    }
    let clipped = match column.is_html {
        true => visible_text(clipped),
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

/// The visible text of HTML, followed by [`text::CLIPPED`] where the HTML was clipped.
fn visible_text(html: Cow<'_, str>) -> Cow<'_, str> {
    match html.strip_suffix(text::CLIPPED) {
        Some(clipped) => (html::read(clipped).into_marked_text() + text::CLIPPED).into(),
        None => html::read(&html).into_marked_text().into(),
    }
}

/// The first whole elements of a list that fit; anything else that is too long is clipped as text.
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

/// The stored digits as a JSON number; null for NaN and infinity, which JSON does not have.
fn digits(text: String) -> Value {
    text.parse::<Number>().map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests;

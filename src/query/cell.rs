//! One value of one row: read from PostgreSQL's binary form as its kind, shown and written as JSON to an agent.

use std::borrow::Cow;
use std::fmt::Write as _;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use serde_json::Value;
use sextant_actors::domain::EscapedText;
use sextant_actors::random::Unavailable;
use tokio_postgres::types::{FromSql, Type};
use uuid::Uuid;

use super::answer_column::AnswerColumn;
use super::numeric::Numeric;
use super::param::Param;
use super::text::{self, Nonce};
use crate::catalog::Kind;
use crate::db::StoreError;
use sextant_formats::html;

/// The type that a statement selects for values of this kind.
pub(crate) const fn sql_type(kind: Kind) -> Type {
    match kind {
        Kind::Text => Type::TEXT,
        Kind::Integer => Type::INT4,
        Kind::BigInteger => Type::INT8,
        Kind::Float => Type::FLOAT8,
        Kind::Decimal { .. } => Type::NUMERIC,
        Kind::Boolean => Type::BOOL,
        Kind::Date => Type::DATE,
        Kind::Timestamp => Type::TIMESTAMPTZ,
        Kind::Id => Type::UUID,
        Kind::Json => Type::JSONB,
        Kind::TextList => Type::TEXT_ARRAY,
        Kind::IntegerList => Type::INT4_ARRAY,
    }
}

/// A value as its kind; what can be long is borrowed from the row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CellValue<'a> {
    Null,
    Text(Cow<'a, str>),
    Integer(i64),
    Float(f64),
    Decimal(Numeric<'a>),
    Boolean(bool),
    Date(NaiveDate),
    Time(DateTime<Utc>),
    Id(Uuid),
    /// JSON other than null, or a list.
    Structure(Value),
}

/// How values are shown in one answer.
#[derive(Clone, Copy)]
pub(crate) struct DisplayOptions<'a> {
    /// The most characters of a text; `None` shows it whole.
    pub text_chars: Option<usize>,
    /// Of the fences around long untrusted texts; `None` leaves the fences out.
    pub nonce: Option<&'a Nonce>,
}

impl<'a> CellValue<'a> {
    /// Reads the bytes of a value of [`sql_type`]; `None` is NULL.
    ///
    /// # Errors
    /// When they are no value of this kind, or a decimal that is no number.
    pub(crate) fn read(bytes: Option<&'a [u8]>, kind: Kind) -> Result<Self, StoreError> {
        let Some(bytes) = bytes else {
            return Ok(CellValue::Null);
        };
        Ok(match kind {
            Kind::Text => CellValue::Text(decode::<&str>(bytes, kind)?.into()),
            Kind::Integer => CellValue::Integer(decode::<i32>(bytes, kind)?.into()),
            Kind::BigInteger => CellValue::Integer(decode(bytes, kind)?),
            Kind::Float => CellValue::Float(decode(bytes, kind)?),
            Kind::Decimal { .. } => {
                CellValue::Decimal(Numeric::read(bytes).ok_or_else(|| unreadable(kind))?)
            }
            Kind::Boolean => CellValue::Boolean(decode(bytes, kind)?),
            Kind::Date => CellValue::Date(decode(bytes, kind)?),
            Kind::Timestamp => CellValue::Time(decode(bytes, kind)?),
            Kind::Id => CellValue::Id(decode(bytes, kind)?),
            Kind::Json => match decode(bytes, kind)? {
                Value::Null => CellValue::Null,
                value => CellValue::Structure(value),
            },
            Kind::TextList => {
                CellValue::Structure(decode::<Vec<Option<String>>>(bytes, kind)?.into())
            }
            Kind::IntegerList => {
                CellValue::Structure(decode::<Vec<Option<i32>>>(bytes, kind)?.into())
            }
        })
    }

    /// The value as the key of a cursor; `None` is null.
    ///
    /// # Errors
    /// When rows cannot be ordered by such a value, or a decimal has more digits than a cursor can hold.
    pub(crate) fn into_key(self) -> Result<Option<Param>, StoreError> {
        Ok(Some(match self {
            CellValue::Null => return Ok(None),
            CellValue::Text(text) => Param::Text(text.into_owned()),
            CellValue::Integer(number) => Param::Integer(number),
            CellValue::Float(number) => Param::Float(number),
            CellValue::Decimal(number) => {
                let parsed = number.to_string().parse();
                Param::Decimal(parsed.map_err(|_| fault("a decimal that is no key"))?)
            }
            CellValue::Boolean(flag) => Param::Boolean(flag),
            CellValue::Date(day) => Param::Date(day),
            CellValue::Time(instant) => Param::Time(instant),
            CellValue::Id(id) => Param::Id(id),
            CellValue::Structure(_) => return Err(fault("a structure that is no key")),
        }))
    }

    /// The value as the agent reads it. A text is clipped before it is cleaned: were it cleaned first, a text that the
    /// statement cut could look whole.
    ///
    /// # Errors
    /// When a fence is needed and there is no randomness for its nonce.
    pub(crate) fn show(
        self,
        column: &AnswerColumn<'_>,
        options: DisplayOptions<'_>,
    ) -> Result<Self, Unavailable> {
        Ok(match self {
            CellValue::Text(text) => CellValue::Text(show_text(text, column, options)?),
            CellValue::Structure(
                value @ (Value::String(_) | Value::Array(_) | Value::Object(_)),
            ) => {
                let value = if column.untrusted {
                    clean(&value)
                } else {
                    value
                };
                CellValue::Structure(match options.text_chars {
                    Some(chars) => clip_structure(value, chars),
                    None => value,
                })
            }
            other => other,
        })
    }

    /// The text of a value whose JSON is a string.
    pub(crate) fn as_text(&self) -> Option<Cow<'_, str>> {
        Some(match self {
            CellValue::Text(text) => Cow::Borrowed(text),
            CellValue::Date(day) => day.to_string().into(),
            CellValue::Time(instant) => rfc3339(*instant).into(),
            CellValue::Id(id) => id.to_string().into(),
            CellValue::Structure(Value::String(text)) => Cow::Borrowed(text),
            _ => return None,
        })
    }

    /// Appends the value as JSON: decimals with their stored digits, times as RFC 3339 in UTC, and null for NaN and infinity,
    /// which JSON does not have.
    ///
    /// # Errors
    /// Never, in practice: every value has a form in JSON.
    pub(crate) fn write(&self, answer: &mut EscapedText) -> serde_json::Result<()> {
        match self {
            CellValue::Null => answer.push("null"),
            CellValue::Boolean(flag) => answer.push(if *flag { "true" } else { "false" }),
            CellValue::Integer(number) => append(answer, number),
            CellValue::Decimal(number) => append(answer, number),
            CellValue::Float(number) => return answer.push_json(number),
            CellValue::Structure(value) => return answer.push_json(value),
            CellValue::Text(text) => answer.push_json_string(text),
            CellValue::Id(id) => {
                let mut buffer = Uuid::encode_buffer();
                answer.push_json_string(id.hyphenated().encode_lower(&mut buffer));
            }
            CellValue::Date(day) => answer.push_json_string(&day.to_string()),
            CellValue::Time(instant) => answer.push_json_string(&rfc3339(*instant)),
        }
        Ok(())
    }
}

/// An instant as every answer writes it: RFC 3339 in UTC.
pub(crate) fn rfc3339(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

fn append(answer: &mut EscapedText, number: impl std::fmt::Display) {
    // Only the number's own `Display` could fail, and none does.
    let _infallible = write!(answer, "{number}");
}

fn show_text<'a>(
    text: Cow<'a, str>,
    column: &AnswerColumn<'_>,
    options: DisplayOptions<'_>,
) -> Result<Cow<'a, str>, Unavailable> {
    let clipped = match options.text_chars {
        Some(chars) => change(text, |text| text::clip(text, chars)),
        None => text,
    };
    if !column.untrusted {
        return Ok(clipped);
    }
    let visible = match column.is_html {
        true => visible_text(clipped),
        false => clipped,
    };
    let cleaned = change(visible, text::clean);
    match options.nonce {
        Some(nonce) if text::needs_fence(&cleaned) => Ok(text::fence(cleaned, nonce.get()?)),
        _ => Ok(cleaned),
    }
}

/// Applies `change`, and copies only what it changed.
fn change<'a>(text: Cow<'a, str>, change: impl Fn(&str) -> Cow<'_, str>) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => change(text),
        Cow::Owned(text) => Cow::Owned(change(&text).into_owned()),
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

fn decode<'a, T: FromSql<'a>>(bytes: &'a [u8], kind: Kind) -> Result<T, StoreError> {
    T::from_sql(&sql_type(kind), bytes).map_err(|_| unreadable(kind))
}

fn unreadable(kind: Kind) -> StoreError {
    fault(&format!("a value that is no {}", kind.name()))
}

fn fault(cause: &str) -> StoreError {
    StoreError::Fault {
        cause: cause.to_owned(),
    }
}

#[cfg(test)]
mod tests;

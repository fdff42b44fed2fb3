//! The position after a page, as an opaque text: base64url of version, query digest, key values and watermark.
//!
//! A cursor gives no right: the grant is checked again, and each value is read as its key's type, so that a forged cursor can
//! only name another position in the same result.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::check::OrderKey;
use super::fault::CallFault;
use super::param::Param;
use super::request::Request;
use super::watermark::Watermark;
use crate::catalog::Kind;

const VERSION: u32 = 2;
/// The bytes of a SHA-256 digest that a cursor contains.
const DIGEST_BYTES: usize = 8;
/// The longest cursor that is read. A written one is shorter: four text keys of six bytes a character, in base64.
pub(crate) const CURSOR_BYTES_MAX: usize = 16 * 1024;
/// The most characters of a text key in a cursor; a page that ends with a longer one has no cursor.
pub(crate) const KEY_CHARS_MAX: usize = 400;

/// A digest of what decides which rows match and in what order. Relative times are hashed as they were written.
pub fn digest(request: &Request) -> String {
    hash(&(
        &request.target,
        &request.filter,
        &request.search,
        &request.order_by,
        &request.changed_since,
    ))
}

/// A digest of what decides which rows match, in whichever order: a change cursor contains it.
pub fn digest_of_rows(request: &Request) -> String {
    hash(&(&request.target, &request.filter, &request.search))
}

fn hash(query: &impl Serialize) -> String {
    let mut text = Vec::new();
    // What came as JSON has a form in JSON.
    let _infallible = serde_json::to_writer(&mut text, query);
    let digest = Sha256::digest(text);
    let bytes = digest.iter().take(DIGEST_BYTES);
    let halves = bytes.flat_map(|byte| [byte >> 4, byte & 0xf]);
    halves
        .filter_map(|half| char::from_digit(half.into(), 16))
        .collect()
}

/// The position where a page ended.
#[derive(Clone, Debug, PartialEq)]
pub struct PagePosition {
    /// One value a key; `None` is null.
    pub values: Vec<Option<Param>>,
    /// The watermark of the first page.
    pub first_watermark: Watermark,
}

/// The cursor after the row with these key values; `None` when one of them is too long.
pub fn encode(
    digest: &str,
    values: &[Option<Param>],
    first_watermark: &Watermark,
) -> Option<String> {
    let mut texts = Vec::with_capacity(values.len());
    for value in values {
        texts.push(match value {
            None => None,
            Some(value) => Some(write(value)?),
        });
    }
    let plain = json!([VERSION, digest, texts, first_watermark.to_text()]).to_string();
    Some(URL_SAFE_NO_PAD.encode(plain))
}

/// The position in a cursor of the query with this digest and order.
///
/// # Errors
/// When it is no cursor, or one of another query.
pub fn decode(cursor: &str, digest: &str, order: &[OrderKey]) -> Result<PagePosition, CallFault> {
    let (found_digest, values, first_watermark) = open(cursor).ok_or_else(unreadable)?;
    if found_digest != digest {
        return Err(CallFault::new(
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
            None if key.column.is_required => Err(unreadable()),
            None => Ok(None),
            Some(text) => read(key.column.kind, &text)
                .map(Some)
                .ok_or_else(unreadable),
        });
    let values = typed.collect::<Result<_, _>>()?;
    Ok(PagePosition {
        values,
        first_watermark,
    })
}

fn unreadable() -> CallFault {
    CallFault::new(
        "`cursor` cannot be read: pass `next_cursor` of the answer before as it is, or leave it out to begin again",
    )
    .without("cursor")
}

fn open(cursor: &str) -> Option<(String, Vec<Option<String>>, Watermark)> {
    if cursor.len() > CURSOR_BYTES_MAX {
        return None;
    }
    let plain = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (version, digest, values, first_watermark): (u32, String, Vec<Option<String>>, String) =
        serde_json::from_slice(&plain).ok()?;
    (version == VERSION).then_some((digest, values, Watermark::parse(&first_watermark)?))
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
mod tests;

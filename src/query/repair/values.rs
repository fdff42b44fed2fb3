//! Finds the nearest value that a field takes.

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::times;
use crate::catalog::Kind;
use crate::query::column::Column;
use crate::query::nearest::nearest as nearest_word;
use crate::query::time::LocalTime;

/// The value that was probably meant and that `column` takes; of a list, that of its first element.
pub(crate) fn nearest(column: &Column, value: &Value, time: &LocalTime) -> Option<Value> {
    if let Value::Array(items) = value {
        return items
            .first()
            .map(|first| nearest(column, first, time).unwrap_or(first.clone()));
    }
    if !column.values.is_empty() {
        return Some(one_of(column.values, value).into());
    }
    match column.kind {
        Kind::Text | Kind::TextList | Kind::Json => text(value).map(Value::from),
        Kind::Integer | Kind::BigInteger | Kind::IntegerList => {
            use rust_decimal::prelude::ToPrimitive as _;
            number(value)?.round().to_i64().map(Value::from)
        }
        Kind::Float | Kind::Decimal { .. } => {
            serde_json::from_str(&number(value)?.to_string()).ok()
        }
        Kind::Boolean => flag(value).map(Value::from),
        Kind::Date | Kind::Timestamp => Some(times::nearest(value, time).into()),
        Kind::Id => None,
    }
}

/// The first day of the month or year that a time is compared with, and the first day after it; `None` for other values.
pub(crate) fn calendar_interval(column: &Column, value: &Value) -> Option<[String; 2]> {
    let text = value.as_str().filter(|_| column.is_time())?;
    times::calendar_interval(text.trim())
}

/// The one of `known` that was probably meant, ignoring case.
fn one_of(known: &'static [&'static str], value: &Value) -> &'static str {
    // A value that has no text is near to no word.
    let word = text(value).unwrap_or_default();
    let same = known.iter().find(|known| known.eq_ignore_ascii_case(&word));
    let near = || nearest_word(&word, known.iter().copied());
    // A list of known words is never empty, so that one of them is the nearest.
    same.copied().or_else(near).unwrap_or_default()
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.replace('\0', "")),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// The first number in a text, without separators of thousands.
fn number(value: &Value) -> Option<Decimal> {
    let text = text(value)?;
    if times::is_relative(&text) {
        return None;
    }
    let is_of_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',' | '\'');
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let (before, from) = text.split_at_checked(start)?;
    let end = from
        .find(|letter: char| !is_of_number(letter))
        .unwrap_or(from.len());
    let digits = plain(from.get(..end)?);
    let sign = if before
        .trim_end_matches(['$', '€', '£', ' '])
        .ends_with(['-', '−'])
    {
        "-"
    } else {
        ""
    };
    let scientific = || Decimal::from_scientific(&text).ok();
    scientific().or_else(|| format!("{sign}{digits}").parse().ok())
}

/// The digits with a decimal point: a comma is one unless exactly three digits, or a point, come after it.
fn plain(digits: &str) -> String {
    let digits = digits.replace('\'', "");
    let decimals = digits.rsplit_once(',').map(|(_, decimals)| decimals);
    let plain = match decimals {
        Some(decimals) if decimals.len() != 3 && !decimals.contains('.') => {
            digits.replace('.', "").replace(',', ".")
        }
        _ => digits.replace(',', ""),
    };
    plain.trim_end_matches('.').to_owned()
}

/// A boolean in one of its usual spellings.
pub(crate) fn flag(value: &Value) -> Option<bool> {
    match text(value)?.trim().to_lowercase().as_str() {
        "true" | "yes" | "y" | "1" | "on" | "t" => Some(true),
        "false" | "no" | "n" | "0" | "off" | "f" => Some(false),
        _ => None,
    }
}

/// The nearest whole number from `least` to `most`.
pub(crate) fn whole_number(value: &Value, least: u64, most: u64) -> Option<Value> {
    let number = number(value)?;
    let number = number.clamp(Decimal::from(least), Decimal::from(most));
    serde_json::from_str(&number.round().to_string()).ok()
}

/// A value as text; of a list, its elements joined by spaces.
pub(crate) fn joined_words(value: &Value) -> Option<Value> {
    match value {
        Value::Array(items) => {
            let words: Vec<String> = items.iter().filter_map(text).collect();
            (!words.is_empty()).then(|| json!(words.join(" ")))
        }
        other => text(other).map(Value::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_in_a_text() {
        for (written, expected) in [
            ("12", "12"),
            ("-5.50 EUR", "-5.50"),
            ("€1,234.5", "1234.5"),
            ("1.234,56", "1234.56"),
            ("3,5", "3.5"),
            ("1,000", "1000"),
            ("about 7.", "7"),
            ("-$3", "-3"),
        ] {
            assert_eq!(
                number(&json!(written)).unwrap().to_string(),
                expected,
                "{written}"
            );
        }
        assert_eq!(number(&json!("a lot")), None);
        assert_eq!(number(&json!("today+30d")), None, "a time is no number");
    }

    #[test]
    fn words_stand_for_yes_and_no() {
        assert_eq!(flag(&json!("Yes")), Some(true));
        assert_eq!(flag(&json!(0)), Some(false));
        assert_eq!(flag(&json!("maybe")), None);
    }

    #[test]
    fn an_integer_is_kept_within_its_bounds() {
        assert_eq!(whole_number(&json!("5000"), 1, 1000), Some(json!(1000)));
        assert_eq!(whole_number(&json!(-3), 1, 1000), Some(json!(1)));
        assert_eq!(whole_number(&json!("ten"), 1, 1000), None);
    }
}

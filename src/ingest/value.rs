//! The value of one field: from the JSON a device sent to the JSON that the column is bound from, or what is wrong with it.

use std::str::FromStr;

use chrono::{Datelike, NaiveDate, SecondsFormat};
use chrono_tz::Tz;
use rust_decimal::Decimal;
use serde_json::{Map, Number, Value};

use crate::catalog::{Field, Kind};

use super::instant::parse_instant;
use super::limits::NUMBER_CHARACTERS_MAX;

/// Digits of money and quantities in total, as the columns are declared: `numeric(19,4)` and `numeric(28,10)`.
const MONEY_DIGITS: u32 = 19;
const QUANTITY_DIGITS: u32 = 28;

/// Reads `sent` as a value of `field`; local times are in `zone`.
///
/// # Errors
/// The problem, as the end of a sentence that begins with the field's name.
pub(super) fn read(field: &Field, sent: &Value, zone: Tz) -> Result<Value, String> {
    let value = match field.kind {
        Kind::Text | Kind::Id => text(sent)?,
        Kind::Integer => integer(sent, i64::from(i32::MIN), i64::from(i32::MAX))?,
        Kind::BigInteger => integer(sent, i64::MIN, i64::MAX)?,
        Kind::Float => float(sent)?,
        Kind::Decimal { scale } => decimal(sent, scale)?,
        Kind::Boolean => boolean(sent)?,
        Kind::Date => date(sent)?,
        Kind::Timestamp => timestamp(sent, zone)?,
        Kind::Json => json(sent)?,
        Kind::TextList => list(sent, text)?,
        Kind::IntegerList => list(sent, |element| {
            integer(element, i64::from(i32::MIN), i64::from(i32::MAX))
        })?,
    };
    check_enumerated(field, &value)?;
    Ok(value)
}

fn check_enumerated(field: &Field, value: &Value) -> Result<(), String> {
    let is_listed = || {
        value
            .as_str()
            .is_some_and(|name| field.values.contains(&name))
    };
    if field.values.is_empty() || is_listed() {
        return Ok(());
    }
    Err(format!("must be one of {}", field.values.join(", ")))
}

fn text(sent: &Value) -> Result<Value, String> {
    match sent {
        Value::String(text) => Ok(Value::String(without_nul(text))),
        Value::Number(number) => Ok(Value::String(number.to_string())),
        _ => Err("must be a text".to_owned()),
    }
}

fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

fn integer(sent: &Value, least: i64, most: i64) -> Result<Value, String> {
    let number = exact(sent, "must be a whole number")?.normalize();
    let whole = (number.scale() == 0)
        .then(|| i64::try_from(number).ok())
        .flatten();
    whole
        .filter(|whole| (least..=most).contains(whole))
        .map(|whole| Value::Number(whole.into()))
        .ok_or_else(|| format!("must be a whole number from {least} to {most}"))
}

fn float(sent: &Value) -> Result<Value, String> {
    let number = sent
        .as_f64()
        .filter(|number| sent.is_number() && number.is_finite());
    number
        .and_then(Number::from_f64)
        .map(Value::Number)
        .ok_or_else(|| "must be a number, such as 71.5, without a unit or quotes".to_owned())
}

fn decimal(sent: &Value, scale: u32) -> Result<Value, String> {
    let fault = "must be an amount such as -12.50: digits and a point, without a currency sign";
    let number = exact(sent, fault)?;
    if number.normalize().scale() > scale {
        return Err(format!("must have at most {scale} digits after the point"));
    }
    let digits = if scale > 4 {
        QUANTITY_DIGITS
    } else {
        MONEY_DIGITS
    };
    let bound = 10_i128.checked_pow(digits - scale).unwrap_or(i128::MAX);
    if number.trunc().mantissa().abs() >= bound {
        return Err(format!(
            "must have at most {} digits before the point",
            digits - scale
        ));
    }
    Number::from_str(&number.to_string())
        .map(Value::Number)
        .map_err(|_| fault.to_owned())
}

/// The exact value of a JSON number, or of a text that holds only a number.
fn exact(sent: &Value, fault: &str) -> Result<Decimal, String> {
    let text = match sent {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => return Err(fault.to_owned()),
    };
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E'));
    let parsed = Decimal::from_str_exact(&text).or_else(|_| Decimal::from_scientific(&text));
    parsed
        .ok()
        .filter(|_| plain && text.len() <= NUMBER_CHARACTERS_MAX)
        .ok_or_else(|| fault.to_owned())
}

fn boolean(sent: &Value) -> Result<Value, String> {
    sent.as_bool()
        .map(Value::Bool)
        .ok_or_else(|| "must be true or false".to_owned())
}

fn date(sent: &Value) -> Result<Value, String> {
    let fault = || "must be a day that exists, as 2026-03-29".to_owned();
    let text = sent.as_str().ok_or_else(fault)?;
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(|_| fault())?;
    if text.len() != 10 || !(1..=9999).contains(&day.year()) {
        return Err(fault());
    }
    Ok(Value::String(day.to_string()))
}

fn timestamp(sent: &Value, zone: Tz) -> Result<Value, String> {
    sent.as_str()
        .and_then(|text| parse_instant(text, zone))
        .map(|instant| Value::String(instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)))
        .ok_or_else(|| {
            "must be a time that exists, as 2026-03-29T09:00:00Z or 2026-03-29T09:00:00+02:00"
                .to_owned()
        })
}

/// Any JSON, as `jsonb` can hold it: U+0000 is replaced by U+FFFD.
///
/// # Errors
/// When it holds a number that PostgreSQL's `numeric` cannot.
pub(super) fn json(sent: &Value) -> Result<Value, String> {
    match sent {
        Value::String(text) => Ok(Value::String(without_nul(text))),
        Value::Number(number) => number_for_jsonb(number),
        Value::Array(elements) => elements
            .iter()
            .map(json)
            .collect::<Result<_, _>>()
            .map(Value::Array),
        Value::Object(members) => object(members).map(Value::Object),
        other => Ok(other.clone()),
    }
}

fn object(members: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    members
        .iter()
        .map(|(name, member)| Ok((without_nul(name), json(member)?)))
        .collect()
}

fn number_for_jsonb(number: &Number) -> Result<Value, String> {
    let text = number.to_string();
    if text.len() <= NUMBER_CHARACTERS_MAX && number.as_f64().is_some_and(f64::is_finite) {
        Ok(Value::Number(number.clone()))
    } else {
        Err("holds a number that is too large to keep".to_owned())
    }
}

fn list(sent: &Value, element: impl Fn(&Value) -> Result<Value, String>) -> Result<Value, String> {
    match sent {
        Value::Array(elements) => {
            let read: Result<_, String> = elements.iter().map(element).collect();
            read.map(Value::Array)
                .map_err(|fault| format!("must be a list, and each entry {fault}"))
        }
        single => Ok(Value::Array(vec![element(single)?])),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::catalog;

    fn field(target: &str, name: &str) -> &'static Field {
        catalog::by_target(target).unwrap().field(name).unwrap()
    }

    fn amount(sent: Value) -> Result<String, String> {
        read(field("finance.transactions", "amount"), &sent, Tz::UTC).map(|value| value.to_string())
    }

    #[test]
    fn amounts_keep_their_digits_and_nothing_else_is_an_amount() {
        let exact: Value = serde_json::from_str("-12.50").unwrap();
        assert_eq!(amount(exact).unwrap(), "-12.50");
        assert_eq!(amount(json!("1234.5")).unwrap(), "1234.5");
        assert_eq!(amount(json!(1e3)).unwrap(), "1000.0");
        for wrong in [
            json!("$120"),
            json!("12,50"),
            json!("1.23456"),
            json!(true),
            json!("1_000"),
            json!("9999999999999999.0"),
            json!(""),
        ] {
            assert!(amount(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn dates_and_times_must_exist() {
        let booked_on = field("finance.transactions", "booked_on");
        assert!(read(booked_on, &json!("2024-02-29"), Tz::UTC).is_ok());
        for wrong in [
            "2023-02-29",
            "2024-2-9",
            "20240229",
            "2024-02-29T00:00:00Z",
            "",
        ] {
            assert!(read(booked_on, &json!(wrong), Tz::UTC).is_err(), "{wrong}");
        }
    }

    #[test]
    fn nul_becomes_a_mark_and_monstrous_numbers_are_refused() {
        assert_eq!(
            json(&json!({"a\0": ["b\0"]})).unwrap(),
            json!({"a\u{fffd}": ["b\u{fffd}"]})
        );
        let monstrous: Value = serde_json::from_str("{\"x\":1e400000}").unwrap();
        assert!(json(&monstrous).is_err());
    }

    #[test]
    fn whole_numbers_and_values_are_bounded() {
        let steps = field("health.days", "steps");
        assert_eq!(read(steps, &json!(8000.0), Tz::UTC).unwrap(), json!(8000));
        assert!(read(steps, &json!(1.5), Tz::UTC).is_err());
        assert!(read(steps, &json!(3_000_000_000_i64), Tz::UTC).is_err());
        let status = field("finance.transactions", "status");
        assert_eq!(
            read(status, &json!("odd"), Tz::UTC).unwrap_err(),
            "must be one of pending, posted"
        );
    }
}

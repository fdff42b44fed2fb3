//! Amounts with their direction, days and instants, read strictly.

use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat, Utc};
use serde_json::Number;

use super::node::CamtNode;
use crate::entry::quoted;

/// Which way money went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CamtDirection {
    In,
    Out,
}

/// An amount and its currency. Negative is money out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CamtMoney {
    pub amount: Number,
    pub currency: String,
}

/// What `CdtDbtInd` of an entry, a payment or a balance says. Of a reversal it is the direction of the reversal itself (ISO 20022).
pub(super) fn direction(node: &CamtNode) -> Result<CamtDirection, String> {
    match node.text("CdtDbtInd") {
        Some("CRDT") => Ok(CamtDirection::In),
        Some("DBIT") => Ok(CamtDirection::Out),
        Some(other) => Err(format!(
            "CdtDbtInd {} is neither CRDT nor DBIT",
            quoted(other)
        )),
        None => Err("it has no CdtDbtInd".to_owned()),
    }
}

/// The amount that an element such as `Amt` holds.
pub(super) fn money(node: &CamtNode, direction: CamtDirection) -> Result<CamtMoney, String> {
    let text = node
        .own_text()
        .ok_or_else(|| format!("{} is empty", node.name))?;
    let currency = node.currency.as_deref();
    let currency = currency.ok_or_else(|| format!("{} names no currency", node.name))?;
    let amount = decimal(text, direction)
        .ok_or_else(|| format!("{} {} is not an amount", node.name, quoted(text)))?;
    Ok(CamtMoney {
        amount,
        currency: currency.to_uppercase(),
    })
}

/// Digits with one point, as they are written. The direction alone is the sign: some banks write one besides.
pub(super) fn decimal(text: &str, direction: CamtDirection) -> Option<Number> {
    let digits = text.trim_start_matches(['+', '-']);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(decimals) || whole.is_empty() && decimals.is_empty() {
        return None;
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let is_zero = whole == "0" && decimals.bytes().all(|digit| digit == b'0');
    let is_negative = (direction == CamtDirection::Out) != text.starts_with('-');
    let sign = if is_negative && !is_zero { "-" } else { "" };
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{decimals}").parse().ok()
}

/// The day of `BookgDt`, `ValDt` or a balance's `Dt`, as the bank writes it. A year has four digits.
pub(super) fn day(node: &CamtNode) -> Option<NaiveDate> {
    let text = node.text_of(&["Dt", "DtTm"]).or_else(|| node.own_text())?;
    let (day, rest) = text.split_at_checked(10)?;
    let is_day = day.starts_with(|sign: char| sign.is_ascii_digit())
        && !rest.starts_with(|sign: char| sign.is_ascii_digit());
    is_day.then(|| day.parse().ok())?
}

/// The instant of the same, in UTC, where it has a time of day with its offset.
pub(super) fn instant(node: &CamtNode) -> Option<String> {
    instant_of(node.text("DtTm")?)
}

/// When a statement was made. Of those of one bank none has an offset or all have, so that they can be compared.
pub(super) fn created_at(text: &str) -> Option<String> {
    let local = || NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f").ok();
    instant_of(text).or_else(|| Some(written(local()?.and_utc())))
}

fn instant_of(text: &str) -> Option<String> {
    Some(written(DateTime::parse_from_rfc3339(text).ok()?.to_utc()))
}

fn written(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stay_as_they_are_written_and_the_direction_is_the_sign() {
        for (text, direction, expected) in [
            ("12.50", CamtDirection::In, Some("12.50")),
            ("0012.5", CamtDirection::Out, Some("-12.5")),
            ("0.00", CamtDirection::Out, Some("0.00")),
            ("-3", CamtDirection::Out, Some("3")),
            (".5", CamtDirection::In, Some("0.5")),
            ("", CamtDirection::In, None),
            ("1,5", CamtDirection::In, None),
            ("1.5.0", CamtDirection::In, None),
        ] {
            let read = decimal(text, direction).map(|number| number.to_string());
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }
}

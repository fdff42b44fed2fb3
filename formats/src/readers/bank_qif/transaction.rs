//! Records of bank, card and cash accounts as records of `finance.transactions`. The amount keeps its sign: negative is money out.

use serde_json::{Value, json};

use super::records::QifRecord;
use super::writing::QifWriting;
use crate::entry::{RecordFields, put};

/// What stands in place of a number, as the channel the money took.
const CHANNELS: [(&str, &str); 7] = [
    ("atm", "atm"),
    ("dep", "deposit"),
    ("eft", "electronic"),
    ("txfr", "transfer"),
    ("xfer", "transfer"),
    ("print", "check"),
    ("debit", "card"),
];

/// The record of a transaction.
///
/// # Errors
/// Why it is refused, as a sentence.
pub(super) fn map(record: &QifRecord, writing: &QifWriting) -> Result<RecordFields, String> {
    let mut fields = RecordFields::new();
    let text = record.get('T').or_else(|| record.get('U'));
    let amount = writing.amount(text.ok_or("it has no amount (T)")?)?;
    put(&mut fields, "amount", Some(amount));
    add_day(&mut fields, record, writing)?;
    let (payee, memo) = (record.get('P'), record.get('M'));
    put(&mut fields, "description", description(payee, memo));
    put(&mut fields, "counterparty_name", payee);
    let number = record.get('N').unwrap_or_default();
    let channel = CHANNELS
        .iter()
        .find(|(word, _)| number.eq_ignore_ascii_case(word));
    put(
        &mut fields,
        "payment_channel",
        channel.map(|(_, channel)| *channel),
    );
    let reference = Some(number).filter(|number| channel.is_none() && !number.is_empty());
    put(&mut fields, "reference", reference);
    add_category(&mut fields, record.get('L'));
    let parts = parts(record, writing);
    put(&mut fields, "splits", (!parts.is_empty()).then_some(parts));
    Ok(fields)
}

/// The day and the currency, which every transaction has.
pub(super) fn add_day(
    fields: &mut RecordFields,
    record: &QifRecord,
    writing: &QifWriting,
) -> Result<(), String> {
    let day = writing.day(record.get('D').ok_or("it has no date (D)")?)?;
    put(fields, "booked_on", Some(day.to_string()));
    put(fields, "status", Some("posted"));
    put(fields, "currency", Some(writing.currency.as_str()));
    Ok(())
}

/// `L`: a category, perhaps with a class after a `/`; in brackets the account that the money went to or came from.
pub(super) fn add_category(fields: &mut RecordFields, text: Option<&str>) {
    let Some(text) = text else { return };
    let account = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .map(|(account, _)| account);
    match account {
        Some(account) => {
            put(fields, "transfer_account", Some(account));
            fields
                .entry("payment_channel")
                .or_insert_with(|| Value::from("transfer"));
        }
        None => {
            let category = text.split_once('/').map_or(text, |(category, _)| category);
            put(
                fields,
                "category",
                Some(category).filter(|text| !text.is_empty()),
            );
        }
    }
}

/// Who and what for, once where both say the same.
fn description(payee: Option<&str>, memo: Option<&str>) -> Option<String> {
    match (payee, memo) {
        (Some(payee), Some(memo)) if payee != memo => Some(format!("{payee} / {memo}")),
        (payee, memo) => payee.or(memo).map(str::to_owned),
    }
}

/// The parts of a payment that is split: `S` begins one, `E` is its memo, `$` its amount.
fn parts(record: &QifRecord, writing: &QifWriting) -> Vec<Value> {
    let mut parts: Vec<Value> = Vec::new();
    for (letter, text) in record.lines() {
        let text = text.trim();
        let field = match letter {
            'S' => {
                parts.push(json!({ "category": text }));
                continue;
            }
            'E' => ("memo", Value::from(text)),
            '$' => ("amount", writing.amount_or_text(text)),
            _ => continue,
        };
        if let Some(Value::Object(part)) = parts.last_mut() {
            part.insert(field.0.to_owned(), field.1);
        }
    }
    parts
}

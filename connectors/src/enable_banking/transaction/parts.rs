//! What a payment says: which way the money went, with whom, and what for.

use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use crate::enable_banking::object::{text, text_in};

/// A negative amount is money out. The interface sends how much it is, and which way it went beside it.
pub(super) fn signed(sent: &Map<String, Value>) -> Option<Decimal> {
    let amount = text_in(sent, "transaction_amount", "amount")?;
    let amount = Decimal::from_str_exact(amount).ok()?.abs();
    match text(sent, "credit_debit_indicator")? {
        "CRDT" => Some(amount),
        "DBIT" => Some(-amount),
        _ => None,
    }
}

pub(super) fn remittance(sent: &Map<String, Value>) -> Option<String> {
    let lines = sent.get("remittance_information")?.as_array()?;
    let lines = lines.iter().filter_map(Value::as_str).map(str::trim);
    let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

/// Who paid, of what came in, and who was paid, of what went out.
pub(super) fn counterparty(sent: &Map<String, Value>) -> Option<&str> {
    let [party, _] = other_side(sent);
    text_in(sent, party, "name")
}

pub(super) fn counterparty_account(sent: &Map<String, Value>) -> Option<&str> {
    let [_, account] = other_side(sent);
    let other = || text_in(sent.get(account)?.as_object()?, "other", "identification");
    text_in(sent, account, "iban").or_else(other)
}

/// The original amount and the rate of a foreign payment, where the bank tells all of it.
pub(super) fn exchange(sent: &Map<String, Value>) -> Option<Value> {
    let rate = sent.get("exchange_rate")?.as_object()?;
    let amount = Decimal::from_str_exact(text_in(rate, "instructed_amount", "amount")?).ok()?;
    let is_out = signed(sent)?.is_sign_negative();
    let amount = if is_out { -amount.abs() } else { amount.abs() };
    Some(json!({
        "original_currency": text_in(rate, "instructed_amount", "currency")?,
        "original_amount": amount.to_string(),
        "rate": text(rate, "exchange_rate")?,
    }))
}

fn other_side(sent: &Map<String, Value>) -> [&'static str; 2] {
    match text(sent, "credit_debit_indicator") {
        Some("CRDT") => ["debtor", "debtor_account"],
        _ => ["creditor", "creditor_account"],
    }
}

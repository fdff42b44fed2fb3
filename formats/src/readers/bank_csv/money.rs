//! The money of a row: its amount with the sign that it has in this file, the balance after it, and the currency.

use serde_json::{Number, Value};

use super::amounts::amount;
use super::currency::{currency_sign_in, parse_currency};
use super::dialect::Dialect;
use super::directions::is_out;
use super::outline::CsvOutline;
use super::role::Role;
use super::rows::CsvRow;
use super::signs::Signs;
use crate::entry::{RecordFields, quoted};

/// Adds amount, balance and currency.
///
/// # Errors
/// What of them cannot be read, as a sentence.
pub(super) fn add_money(
    fields: &mut RecordFields,
    row: &CsvRow,
    dialect: &Dialect,
    outline: &CsvOutline,
) -> Result<(), String> {
    let read = |role: Role| {
        let text = dialect.cell(row, role)?;
        let decimals = match role {
            Role::Balance => outline.balance_decimals,
            _ => outline.decimals,
        };
        Some(amount(text, decimals).map_err(|why| format!("{} {why}", dialect.header.title(role))))
    };
    let moved = match read(Role::Amount) {
        Some(moved) => apply_direction(moved?, row, dialect, outline.signs)?,
        None => amount_of_either(
            read(Role::Debit).transpose()?,
            read(Role::Credit).transpose()?,
        )?,
    };
    fields.insert("amount".to_owned(), Value::Number(moved));
    if let Some(balance) = read(Role::Balance).transpose()? {
        fields.insert("balance_after".to_owned(), Value::Number(balance));
    }
    let currency = match dialect.cell(row, Role::Currency) {
        Some(text) => parse_currency(&text.to_uppercase()).ok_or_else(|| {
            let title = dialect.header.title(Role::Currency);
            format!(
                "{title} {} is not a currency: three letters are, such as EUR",
                quoted(text)
            )
        })?,
        None => currency_beside_amount(row, dialect)
            .or_else(|| outline.currency.clone())
            .ok_or("it names no currency; say --currency for such rows")?,
    };
    fields.insert("currency".to_owned(), Value::from(currency));
    Ok(())
}

/// The currency whose sign stands beside the amount.
fn currency_beside_amount(row: &CsvRow, dialect: &Dialect) -> Option<String> {
    let moved = [Role::Amount, Role::Debit, Role::Credit];
    moved
        .into_iter()
        .find_map(|role| currency_sign_in(dialect.cell(row, role)?))
}

/// The amount with the sign that it has in this file.
fn apply_direction(
    amount: Number,
    row: &CsvRow,
    dialect: &Dialect,
    signs: Signs,
) -> Result<Number, String> {
    match signs {
        Signs::AsWritten => Ok(amount),
        Signs::Inverted => Ok(with_sign(&amount, !is_negative(&amount))),
        Signs::ByColumn(at) => {
            let word = row.cells.get(at).map_or("", String::as_str);
            match is_out(word) {
                Some(is_out) => Ok(with_sign(&amount, is_out)),
                None if word.is_empty() || is_negative(&amount) => Ok(amount),
                None => Err(format!(
                    "{} {} does not say whether the money came or went",
                    dialect.header.titles.get(at).map_or("", String::as_str),
                    quoted(word)
                )),
            }
        }
    }
}

/// Of a column for each direction, the one that moved anything.
fn amount_of_either(debit: Option<Number>, credit: Option<Number>) -> Result<Number, String> {
    match (debit, credit) {
        (Some(debit), Some(credit)) if is_zero(&debit) => Ok(with_sign(&credit, false)),
        (Some(debit), Some(credit)) if is_zero(&credit) => Ok(with_sign(&debit, true)),
        (Some(debit), None) => Ok(with_sign(&debit, true)),
        (None, Some(credit)) => Ok(with_sign(&credit, false)),
        (Some(_), Some(_)) => Err("it has an amount in both directions".to_owned()),
        (None, None) => Err("it has no amount".to_owned()),
    }
}

fn with_sign(amount: &Number, is_out: bool) -> Number {
    let text = amount.to_string();
    let digits = text.trim_start_matches('-');
    let sign = if is_out && !is_zero(amount) { "-" } else { "" };
    format!("{sign}{digits}")
        .parse()
        .unwrap_or_else(|_| amount.clone())
}

/// Whether money went out.
pub(super) fn is_negative(amount: &Number) -> bool {
    amount.to_string().starts_with('-')
}

/// Whether an amount is zero, in whatever digits.
pub(super) fn is_zero(amount: &Number) -> bool {
    amount
        .to_string()
        .bytes()
        .all(|byte| matches!(byte, b'0' | b'.' | b'-'))
}

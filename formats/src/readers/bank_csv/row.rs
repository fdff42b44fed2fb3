//! One row as a record of `finance.transactions`; a refusal names the title of the column.

use serde_json::{Map, Number, Value};

use super::amounts::{self, amount};
use super::dates::day;
use super::dialect::Dialect;
use super::directions::is_out;
use super::outline::CsvOutline;
use super::role::Role;
use super::rows::CsvRow;
use super::signs::Signs;
use crate::entry::{RecordFields, quoted};

/// Where the text of a row goes as it stands.
const TEXTS: [(Role, &str); 5] = [
    (Role::Account, "counterparty_account"),
    (Role::Description, "description"),
    (Role::Reference, "reference"),
    (Role::Category, "category"),
    (Role::Status, "bank_status"),
];
/// Beginnings of what banks call a booking that is not final, and one that never will be.
const PENDING: [&str; 7] = [
    "pending",
    "vorgemerkt",
    "umsatz vorgemerkt",
    "en attente",
    "pendiente",
    "in behandeling",
    "offen",
];
const UNDONE: [&str; 8] = [
    "declined",
    "reverted",
    "failed",
    "cancelled",
    "canceled",
    "denied",
    "abgelehnt",
    "storniert",
];

pub(super) fn map(
    row: &CsvRow,
    dialect: &Dialect,
    outline: &CsvOutline,
) -> Result<RecordFields, String> {
    refuse_misshapen(row, dialect)?;
    let mut fields = RecordFields::new();
    add_status(&mut fields, row, dialect)?;
    add_dates(&mut fields, row, dialect, outline)?;
    add_money(&mut fields, row, dialect, outline)?;
    for (role, name) in TEXTS {
        if let Some(text) = dialect.cell(row, role) {
            fields.insert(name.to_owned(), Value::from(text));
        }
    }
    add_counterparty(&mut fields, row, dialect);
    let others = others(row, dialect);
    if !others.is_empty() {
        fields.insert("columns".to_owned(), Value::Object(others));
    }
    Ok(fields)
}

/// Of two columns for who paid and who was paid, the one that is not the holder of the account.
fn add_counterparty(fields: &mut RecordFields, row: &CsvRow, dialect: &Dialect) {
    let is_out = matches!(fields.get("amount"), Some(Value::Number(amount)) if is_negative(amount));
    let payer = dialect.cell(row, Role::Payer).filter(|_| !is_out);
    if let Some(name) = payer.or_else(|| dialect.cell(row, Role::Name)) {
        fields.insert("counterparty_name".to_owned(), Value::from(name));
    }
}

fn refuse_misshapen(row: &CsvRow, dialect: &Dialect) -> Result<(), String> {
    let columns = dialect.header.titles.len();
    if row.is_cut {
        return Err("the line is too long to be a booking".to_owned());
    }
    match row.cells.iter().skip(columns).any(|cell| !cell.is_empty()) {
        true => Err(format!(
            "it has {} cells under {columns} titles: a separator stands within a text without quotes",
            row.cells.len()
        )),
        false => Ok(()),
    }
}

fn add_status(fields: &mut RecordFields, row: &CsvRow, dialect: &Dialect) -> Result<(), String> {
    let written = dialect.cell(row, Role::Status).unwrap_or_default();
    let lower = written.to_lowercase();
    let is_any = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    if is_any(&UNDONE) {
        return Err(format!(
            "the bank did not carry it out: {} is {}",
            dialect.header.title(Role::Status),
            quoted(written)
        ));
    }
    let status = if is_any(&PENDING) {
        "pending"
    } else {
        "posted"
    };
    fields.insert("status".to_owned(), Value::from(status));
    Ok(())
}

fn add_dates(
    fields: &mut RecordFields,
    row: &CsvRow,
    dialect: &Dialect,
    outline: &CsvOutline,
) -> Result<(), String> {
    let read = |role: Role| {
        let text = dialect.cell(row, role)?;
        let day = day(text, outline.order);
        Some(day.ok_or_else(|| {
            format!(
                "{} {} is not a date that exists",
                dialect.header.title(role),
                quoted(text)
            )
        }))
    };
    let is_pending = fields.get("status") == Some(&Value::from("pending"));
    let valued = read(Role::Valued);
    let booked = match (read(Role::Booked), valued.clone()) {
        (Some(booked), _) => Some(booked?),
        (None, Some(valued)) => Some(valued?),
        // What is not final yet is stored without.
        (None, None) if is_pending => None,
        (None, None) => {
            let title = quoted(dialect.header.title(Role::Booked));
            return Err(format!("it has no date under {title}"));
        }
    };
    if let Some(booked) = booked {
        fields.insert("booked_on".to_owned(), Value::from(booked.to_string()));
    }
    let written = dialect.cell(row, Role::Valued);
    match (valued, written) {
        (Some(Ok(valued)), _) => {
            fields.insert("value_on".to_owned(), Value::from(valued.to_string()))
        }
        (Some(Err(_)), Some(written)) => {
            fields.insert("value_on_as_written".to_owned(), Value::from(written))
        }
        _ => None,
    };
    Ok(())
}

fn add_money(
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
        None => between(
            read(Role::Debit).transpose()?,
            read(Role::Credit).transpose()?,
        )?,
    };
    fields.insert("amount".to_owned(), Value::Number(moved));
    if let Some(balance) = read(Role::Balance).transpose()? {
        fields.insert("balance_after".to_owned(), Value::Number(balance));
    }
    let currency = match dialect.cell(row, Role::Currency) {
        Some(text) => amounts::currency_of(&text.to_uppercase()).ok_or_else(|| {
            let title = dialect.header.title(Role::Currency);
            format!(
                "{title} {} is not a currency: three letters are, such as EUR",
                quoted(text)
            )
        })?,
        None => beside(row, dialect)
            .or_else(|| outline.currency.clone())
            .ok_or("it names no currency; say --currency for such rows")?,
    };
    fields.insert("currency".to_owned(), Value::from(currency));
    Ok(())
}

/// The currency whose sign stands beside the amount.
fn beside(row: &CsvRow, dialect: &Dialect) -> Option<String> {
    let moved = [Role::Amount, Role::Debit, Role::Credit];
    moved
        .into_iter()
        .find_map(|role| amounts::sign_in(dialect.cell(row, role)?))
}

/// The amount with the sign that it has in this file.
fn apply_direction(
    amount: Number,
    row: &CsvRow,
    dialect: &Dialect,
    signs: Signs,
) -> Result<Number, String> {
    match signs {
        Signs::Plain => Ok(amount),
        Signs::Turned => Ok(with_sign(&amount, !is_negative(&amount))),
        Signs::Told(at) => {
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
fn between(debit: Option<Number>, credit: Option<Number>) -> Result<Number, String> {
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

fn is_negative(amount: &Number) -> bool {
    amount.to_string().starts_with('-')
}

pub(super) fn is_zero(amount: &Number) -> bool {
    amount
        .to_string()
        .bytes()
        .all(|byte| matches!(byte, b'0' | b'.' | b'-'))
}

/// What stands in columns that mean nothing to us, by their titles.
fn others(row: &CsvRow, dialect: &Dialect) -> Map<String, Value> {
    let cells = dialect.header.titles.iter().zip(&row.cells).enumerate();
    cells
        .filter(|(at, (title, cell))| {
            !dialect.header.is_taken(*at) && !title.is_empty() && !cell.is_empty()
        })
        .map(|(_, (title, cell))| (title.clone(), Value::from(cell.as_str())))
        .collect()
}

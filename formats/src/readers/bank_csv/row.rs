//! One row as a record of `finance.transactions`; a refusal names the title of the column.

use serde_json::{Map, Value};

use super::dates::day;
use super::dialect::Dialect;
use super::money::{add_money, is_negative};
use super::outline::CsvOutline;
use super::role::Role;
use super::rows::CsvRow;
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

/// The fields of a row.
///
/// # Errors
/// Why it is refused, as a sentence.
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
    let others = cells_without_a_role(row, dialect);
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

/// The cells of columns that have no role, by their titles.
fn cells_without_a_role(row: &CsvRow, dialect: &Dialect) -> Map<String, Value> {
    let cells = dialect.header.titles.iter().zip(&row.cells).enumerate();
    cells
        .filter(|(at, (title, cell))| {
            !dialect.header.is_used(*at) && !title.is_empty() && !cell.is_empty()
        })
        .map(|(_, (title, cell))| (title.clone(), Value::from(cell.as_str())))
        .collect()
}

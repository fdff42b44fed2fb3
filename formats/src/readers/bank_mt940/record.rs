//! A booking and its details as a record of `finance.transactions`.

use serde_json::Value;

use super::account::Mt940Account;
use super::booking::{Mt940Booking, booking};
use super::details::{Mt940Details, details};
use super::outline::Mt940Statement;
use crate::entry::identity::Identities;
use crate::entry::{RecordFields, put};

/// The kinds of transactions, as the channel the money took (SWIFT, field 61, subfield 6).
const CHANNELS: [(&str, &str); 6] = [
    ("TRF", "transfer"),
    ("CHK", "check"),
    ("DDT", "direct_debit"),
    ("STO", "standing_order"),
    ("CLR", "cash"),
    ("CMZ", "atm"),
];

/// The same as a category, where it is one.
const CATEGORIES: [(&str, &str); 4] = [
    ("INT", "interest"),
    ("DIV", "dividend"),
    ("CHG", "fee"),
    ("COM", "fee"),
];

/// The record of a `:61:` and of the `:86:` after it.
///
/// # Errors
/// Why it is refused, as a sentence.
pub(super) fn map(
    (line, text): (&str, Option<&str>),
    statement: &Mt940Statement,
    account: &Mt940Account,
    identities: &mut Identities,
) -> Result<RecordFields, String> {
    let booking = booking(line)?;
    let details = text.map(details).unwrap_or_default();
    let currency = statement
        .currency
        .as_deref()
        .ok_or("the statement names no currency; name it with --currency CODE")?;
    let mut fields = RecordFields::new();
    put(&mut fields, "currency", Some(currency));
    add_booking(&mut fields, &booking);
    add_details(&mut fields, &booking, details);
    put(&mut fields, "source_id_is_synthetic", Some(true));
    let id = identities.id_from_content(&format!("{}/", account.id), &fields);
    put(&mut fields, "id", Some(id));
    fields.insert("account".to_owned(), Value::Object(account.fields.clone()));
    Ok(fields)
}

fn add_booking(fields: &mut RecordFields, booking: &Mt940Booking) {
    let status = match booking.is_expected {
        true => "pending",
        false => "posted",
    };
    put(fields, "status", Some(status));
    put(fields, "amount", Some(booking.amount.clone()));
    put(fields, "booked_on", Some(booking.booked_on.to_string()));
    put(fields, "value_on", Some(booking.value_on.to_string()));
    let kind = booking.kind.as_deref().and_then(|kind| kind.get(1..));
    put(
        fields,
        "payment_channel",
        kind.and_then(|kind| find(&CHANNELS, kind)),
    );
    put(
        fields,
        "category",
        kind.and_then(|kind| find(&CATEGORIES, kind)),
    );
}

fn add_details(fields: &mut RecordFields, booking: &Mt940Booking, details: Mt940Details) {
    let said = details.purpose.or_else(|| booking.supplement.clone());
    let description = said.or_else(|| details.title.clone());
    put(
        fields,
        "description",
        description.or_else(|| details.name.clone()),
    );
    put(fields, "counterparty_name", details.name);
    put(fields, "counterparty_account", details.account);
    let reference = details.reference.or_else(|| booking.reference.clone());
    put(fields, "reference", reference);
    let kind = details.title.or_else(|| booking.kind.clone());
    put(fields, "transaction_type", kind);
}

fn find(table: &[(&str, &'static str)], kind: &str) -> Option<&'static str> {
    let row = table.iter().find(|(name, _)| *name == kind);
    row.map(|(_, meaning)| *meaning)
}

//! A booking as a record of `finance.transactions`.
//!
//! A booking that is pending in a report and posted in a later statement is one record, where the bank calls it by one reference:
//! when each was made says which of them is newer, whichever is pushed first.

use serde_json::Value;

use super::account::CamtAccount;
use super::booking::CamtBooking;
use super::outline::CamtStatement;
use crate::entry::identity::Identities;
use crate::entry::{RecordFields, put};

/// Families and kinds of transactions, as the channel the money took (ISO 20022, external code sets).
const CHANNELS: [(&str, &str); 12] = [
    ("PMNT/RCDT", "transfer"),
    ("PMNT/ICDT", "transfer"),
    ("PMNT/RRCT", "transfer"),
    ("PMNT/IRCT", "transfer"),
    ("PMNT/RDDT", "direct_debit"),
    ("PMNT/IDDT", "direct_debit"),
    ("PMNT/CCRD/CWDL", "atm"),
    ("PMNT/CCRD", "card"),
    ("PMNT/MCRD", "card"),
    ("PMNT/RCHQ", "check"),
    ("PMNT/ICHQ", "check"),
    ("PMNT/CNTR", "cash"),
];

/// Kinds of transactions as a category, where they are one.
const CATEGORIES: [(&str, &str); 4] = [
    ("INTR", "interest"),
    ("CHRG", "fee"),
    ("COMM", "fee"),
    ("DVCA", "dividend"),
];

/// The ids of a file's bookings. What is pending has its own, since its posted one is to have the same id and differs.
#[derive(Debug, Default)]
pub(super) struct CamtIdentities {
    posted: Identities,
    pending: Identities,
}

/// The record of a booking.
pub(super) fn map(
    booking: CamtBooking,
    (statement, account): (&CamtStatement, &CamtAccount),
    identities: &mut CamtIdentities,
) -> RecordFields {
    let identities = match booking.is_pending {
        true => &mut identities.pending,
        false => &mut identities.posted,
    };
    let mut fields = RecordFields::new();
    let status = match booking.is_pending {
        true => "pending",
        false => "posted",
    };
    put(&mut fields, "status", Some(status));
    put(&mut fields, "amount", Some(booking.money.amount));
    put(&mut fields, "currency", Some(booking.money.currency));
    put(
        &mut fields,
        "booked_on",
        Some(booking.booked_on.to_string()),
    );
    put(
        &mut fields,
        "value_on",
        booking.value_on.map(|day| day.to_string()),
    );
    put(&mut fields, "transacted_at", booking.transacted_at);
    let details = booking.details;
    put(&mut fields, "description", details.description);
    put(&mut fields, "counterparty_name", details.name);
    put(&mut fields, "counterparty_account", details.account);
    put(&mut fields, "reference", details.reference);
    put(&mut fields, "fx", details.fx);
    let code = booking.code.unwrap_or_default();
    let channel = CHANNELS.iter().find(|(begin, _)| code.starts_with(begin));
    put(
        &mut fields,
        "payment_channel",
        channel.map(|(_, channel)| *channel),
    );
    let kind = code.rsplit('/').next().unwrap_or_default();
    let category = CATEGORIES.iter().find(|(name, _)| *name == kind);
    put(
        &mut fields,
        "category",
        category.map(|(_, category)| *category),
    );
    put(
        &mut fields,
        "transaction_type",
        Some(code).filter(|code| !code.is_empty()),
    );
    // Some banks call what takes a booking back by the reference of the booking.
    let ending = if booking.is_reversal { "/reversal" } else { "" };
    let id = match &booking.key {
        Some(key) => {
            let id = identities.id_from_key(&format!("{}/{key}{ending}", account.id), &fields);
            put(&mut fields, "updated_at", statement.created_at.clone());
            id
        }
        None => {
            let id = identities.id_from_content(&format!("{}/", account.id), &fields);
            put(&mut fields, "source_id_is_synthetic", Some(true));
            id
        }
    };
    put(&mut fields, "id", Some(id));
    fields.insert("account".to_owned(), Value::Object(account.fields.clone()));
    fields
}

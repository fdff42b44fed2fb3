//! Payments as rows: the columns that a push of the same thing has. What was sent stands beside them as `raw`.

mod identity;
mod parts;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde_json::{Map, Value};
use sextant_formats::RecordFields;

pub(super) use self::identity::TransactionKeys;
use self::parts::{counterparty, counterparty_account, exchange, remittance, signed};
use super::object::{put, text, text_in};
use crate::digest_key::{digest, within_limit};
use crate::payments::Payment;
use crate::round::{SourceItem, SourceRecord};

/// A payment as it was sent.
pub(super) struct ReadTransaction {
    pub(super) payment: Payment,
    pub(super) is_pending: bool,
    /// The day by which a window decides.
    pub(super) day: Option<NaiveDate>,
    fields: RecordFields,
}

/// Why a payment is not told.
pub(super) enum NotTold {
    /// It is none, or not yet: called off, refused, planned, in a state of the bank's own; or it was listed before.
    Nothing,
    /// It cannot be read.
    Unread(&'static str),
}

impl ReadTransaction {
    /// Reads a payment of the account that is stored under `account`.
    pub(super) fn read(
        sent: Value,
        account: &str,
        keys: &mut TransactionKeys,
    ) -> Result<Self, NotTold> {
        let Value::Object(sent) = sent else {
            return Err(NotTold::Unread("it is no payment"));
        };
        let is_pending = match text(&sent, "status") {
            Some("BOOK") => false,
            Some("PDNG" | "HOLD") => true,
            Some("CNCL" | "RJCT" | "SCHD" | "OTHR") => return Err(NotTold::Nothing),
            _ => return Err(NotTold::Unread("it has no status that is known")),
        };
        let amount = signed(&sent).ok_or(NotTold::Unread("it has no amount"))?;
        let days = BankingDays::of(&sent);
        let day = match is_pending {
            true => days.made.or(days.value).or(days.booked),
            false => days.booked.or(days.value).or(days.made),
        };
        if !is_pending && day.is_none() {
            return Err(NotTold::Unread("it was booked on no day"));
        }
        let (key, is_synthetic) = keys.key_of(&sent, is_pending).ok_or(NotTold::Nothing)?;
        let mut fields = RecordFields::new();
        put(&mut fields, "account_id", Some(account));
        let status = if is_pending { "pending" } else { "posted" };
        put(&mut fields, "status", Some(status));
        put(&mut fields, "amount", Some(amount.to_string()));
        put(
            &mut fields,
            "currency",
            text_in(&sent, "transaction_amount", "currency"),
        );
        // The day of a pending payment may still change.
        let (booked_on, value_on) = match is_pending {
            true => (None, days.value.or(day)),
            false => (day, days.value),
        };
        put(
            &mut fields,
            "booked_on",
            booked_on.map(|day| day.to_string()),
        );
        put(&mut fields, "value_on", value_on.map(|day| day.to_string()));
        describe(&mut fields, &sent);
        put(
            &mut fields,
            "source_id_is_synthetic",
            is_synthetic.then_some(true),
        );
        let words = remittance(&sent).or_else(|| counterparty(&sent).map(str::to_owned));
        put(&mut fields, "raw", Some(Value::Object(sent)));
        let payment = Payment {
            key,
            amount,
            day,
            words: words.unwrap_or_default(),
        };
        Ok(Self {
            payment,
            is_pending,
            day,
            fields,
        })
    }

    /// As an item; `replaced` is the key of the pending payment that it took over.
    pub(super) fn into_item(mut self, account: &str, replaced: Option<&str>) -> SourceItem {
        let row_of = |key: &str| within_limit(format!("{account}/{key}"));
        put(&mut self.fields, "replaces_id", replaced.map(row_of));
        SourceItem {
            version: digest(Value::Object(self.fields.clone()).to_string()),
            at: self.day.map(beginning),
            holds: None,
            records: vec![SourceRecord {
                target: "finance.transactions",
                source_id: row_of(&self.payment.key),
                fields: self.fields,
            }],
            key: self.payment.key,
        }
    }
}

/// The instant by which a window decides of a day.
pub(super) fn beginning(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}

/// When it was.
struct BankingDays {
    booked: Option<NaiveDate>,
    value: Option<NaiveDate>,
    made: Option<NaiveDate>,
}

impl BankingDays {
    fn of(sent: &Map<String, Value>) -> Self {
        let day = |name| text(sent, name)?.parse().ok();
        Self {
            booked: day("booking_date"),
            value: day("value_date"),
            made: day("transaction_date"),
        }
    }
}

/// What it was for, and with whom.
fn describe(fields: &mut RecordFields, sent: &Map<String, Value>) {
    let note = || text(sent, "note").map(str::to_owned);
    put(fields, "description", remittance(sent).or_else(note));
    put(fields, "counterparty_name", counterparty(sent));
    put(fields, "counterparty_account", counterparty_account(sent));
    put(fields, "mcc", text(sent, "merchant_category_code"));
    put(fields, "reference", text(sent, "reference_number"));
    let after = text_in(sent, "balance_after_transaction", "amount");
    put(fields, "balance_after", after);
    put(fields, "fx", exchange(sent));
}

#[cfg(test)]
mod tests;

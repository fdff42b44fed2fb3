//! Accounts and payments as rows: the columns that a push of the same thing has. What was sent stands beside them as `raw`.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use rust_decimal::Decimal;
use serde_json::Value;
use sextant_formats::RecordFields;

use super::account::{SentAccount, instant, is_amount};
use super::banks::{BankHealth, Complaint};
use super::institution::text;
use crate::digest_key::{digest, within_limit};
use crate::payments::Payment;
use crate::record_fields::put;
use crate::round::{SourceItem, SourceRecord};

/// The scope in which the payments of an account lie.
pub(super) fn payments_scope(account: &str) -> String {
    within_limit(format!("account:{account}"))
}

/// The account under its `key`, and what its bank complains of.
pub(super) fn account(sent: &SentAccount, key: &str, complaint: Option<&Complaint>) -> SourceItem {
    let health = complaint.map_or(BankHealth::Answers, Complaint::health);
    let status = match health {
        BankHealth::Answers => "ok",
        BankHealth::Fails => "stale",
        BankHealth::NeedsPerson => "needs_sign_in",
    };
    let mut fields = RecordFields::new();
    put(&mut fields, "name", Some(sent.name.as_str()));
    put(&mut fields, "institution_name", sent.bank.name.as_deref());
    put(&mut fields, "institution_id", sent.bank.id.as_deref());
    put(
        &mut fields,
        "institution_domain",
        sent.bank.domain.as_deref(),
    );
    put(&mut fields, "currency", sent.currency.as_deref());
    put(&mut fields, "mask", sent.mask());
    put(&mut fields, "balance_current", sent.balance.clone());
    put(&mut fields, "balance_available", sent.available.clone());
    put(&mut fields, "balance_as_of", sent.balance_at.map(written));
    put(&mut fields, "status", Some(status));
    put(
        &mut fields,
        "bank_error_code",
        complaint.and_then(|own| own.code.as_deref()),
    );
    put(
        &mut fields,
        "bank_error_message",
        complaint.map(|own| own.words.as_str()),
    );
    put(&mut fields, "raw", Some(sent.raw.clone()));
    SourceItem {
        holds: Some(payments_scope(key)),
        ..item(
            "finance.accounts",
            key.to_owned(),
            key.to_owned(),
            None,
            fields,
        )
    }
}

/// A payment as it was sent.
pub(super) struct ReadPayment {
    pub(super) payment: Payment,
    pub(super) is_pending: bool,
    /// When it was booked; of a pending one when it was made, if that is known.
    at: Option<DateTime<Utc>>,
    row: String,
    fields: RecordFields,
}

impl ReadPayment {
    /// Reads a payment of the account that is stored under `account`.
    ///
    /// # Errors
    /// Its key, if it has one, and why it is left out.
    pub(super) fn read(
        sent: Value,
        (account, of): (&str, &SentAccount),
    ) -> Result<Self, (Option<String>, &'static str)> {
        let Value::Object(sent) = sent else {
            return Err((None, "it is no payment"));
        };
        let id = text(&sent, "id").ok_or((None, "it has no id"))?;
        let key = within_limit(format!("payment:{id}"));
        let amount = sent.get("amount").filter(|own| is_amount(own));
        let exact = amount.and_then(decimal);
        let Some((amount, exact)) = amount.zip(exact) else {
            return Err((Some(key), "it has no amount"));
        };
        let booked_at = instant(sent.get("posted"));
        let made_at = instant(sent.get("transacted_at"));
        let is_pending = sent
            .get("pending")
            .and_then(Value::as_bool)
            .unwrap_or(false);
        let is_pending = is_pending || booked_at.is_none();
        let mut fields = RecordFields::new();
        put(&mut fields, "account_id", Some(account));
        put(
            &mut fields,
            "status",
            Some(if is_pending { "pending" } else { "posted" }),
        );
        put(&mut fields, "amount", Some(amount.clone()));
        put(&mut fields, "currency", of.currency.as_deref());
        let day = booked_at.map(|at| at.date_naive());
        // The day of a pending payment may still change.
        put(
            &mut fields,
            if is_pending { "value_on" } else { "booked_on" },
            day.map(day_text),
        );
        put(&mut fields, "transacted_at", made_at.map(written));
        put(&mut fields, "description", text(&sent, "description"));
        put(&mut fields, "merchant_name", text(&sent, "payee"));
        put(&mut fields, "memo", text(&sent, "memo"));
        let words = text(&sent, "description").or_else(|| text(&sent, "payee"));
        let made_on = made_at.map(|at| at.date_naive());
        put(&mut fields, "raw", Some(Value::Object(sent)));
        Ok(Self {
            payment: Payment {
                key,
                amount: exact,
                day: if is_pending { made_on.or(day) } else { day },
                words: words.unwrap_or_default(),
            },
            is_pending,
            at: booked_at.or(made_at),
            row: row_of(account, &id),
            fields,
        })
    }

    /// The instant by which a window decides.
    pub(super) const fn at(&self) -> Option<DateTime<Utc>> {
        self.at
    }

    /// As an item; `replaced` is the key of the pending payment that it took over.
    pub(super) fn into_item(mut self, account: &str, replaced: Option<&str>) -> SourceItem {
        let replaced = replaced.and_then(|key| key.strip_prefix("payment:"));
        let replaced = replaced.map(|id| row_of(account, id));
        put(&mut self.fields, "replaces_id", replaced);
        item(
            "finance.transactions",
            self.payment.key,
            self.row,
            self.at,
            self.fields,
        )
    }
}

fn row_of(account: &str, id: &str) -> String {
    within_limit(format!("{account}/{id}"))
}

/// One row as an item; it changes with whatever it tells.
pub(super) fn item(
    target: &'static str,
    key: String,
    row: String,
    at: Option<DateTime<Utc>>,
    fields: RecordFields,
) -> SourceItem {
    SourceItem {
        key,
        version: digest(Value::Object(fields.clone()).to_string()),
        at,
        holds: None,
        records: vec![SourceRecord {
            target,
            source_id: row,
            fields,
        }],
    }
}

fn decimal(sent: &Value) -> Option<Decimal> {
    let text = match sent {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    let parsed = Decimal::from_str_exact(&text);
    parsed.or_else(|_| Decimal::from_scientific(&text)).ok()
}

pub(super) fn day_text(day: NaiveDate) -> String {
    day.to_string()
}

fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests;

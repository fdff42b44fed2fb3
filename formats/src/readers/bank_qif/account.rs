//! `!Account`: name, kind and balance of an account, as a record of `finance.accounts`.

use super::records::QifRecord;
use super::writing::QifWriting;
use crate::entry::{RecordFields, put};
use crate::readers::account_number::{is_iban, mask_of};
use crate::readers::stated_balance::end_of;

/// The kinds of accounts, and what they are in our words.
const KINDS: [(&str, &str); 6] = [
    ("bank", "depository"),
    ("cash", "cash"),
    ("ccard", "credit"),
    ("invst", "investment"),
    ("oth a", "other"),
    ("oth l", "loan"),
];

/// An account.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct QifAccount {
    /// The source id, and the prefix of the ids of all that happens in it.
    pub id: String,
    pub fields: RecordFields,
}

impl QifAccount {
    /// The account of a record; `None` for one without a name.
    pub(super) fn of_record(record: &QifRecord, writing: &QifWriting) -> Option<Self> {
        let mut own = Self::named(record.get('N')?, &writing.currency);
        let kind = record.get('T').unwrap_or_default().to_lowercase();
        let kind = KINDS.iter().find(|(name, _)| *name == kind);
        put(&mut own.fields, "type", kind.map(|(_, kind)| *kind));
        put(&mut own.fields, "official_name", record.get('D'));
        let amount = |letter| writing.amount(record.get(letter)?).ok();
        put(&mut own.fields, "balance_limit", amount('L'));
        let as_of = record.get('/').and_then(|text| writing.day(text).ok());
        if let (Some(balance), Some(as_of)) = (amount('$'), as_of) {
            put(&mut own.fields, "balance_current", Some(balance));
            put(&mut own.fields, "balance_as_of", Some(end_of(as_of)));
        }
        Some(own)
    }

    /// One of which no more is known.
    pub(super) fn named(name: &str, currency: &str) -> Self {
        let mut fields = RecordFields::new();
        put(&mut fields, "id", Some(name));
        put(&mut fields, "name", Some(name));
        put(&mut fields, "currency", Some(currency));
        if is_iban(name) {
            put(&mut fields, "iban", Some(name));
            put(&mut fields, "mask", Some(mask_of(name)));
        }
        Self {
            id: name.to_owned(),
            fields,
        }
    }
}

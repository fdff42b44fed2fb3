//! `:25:`, the account of a statement, as a record of `finance.accounts`.
//!
//! It is an IBAN, `bank code/number`, or a number alone, with some banks followed by the currency.

use crate::entry::{RecordFields, put};
use crate::readers::account_number::{is_iban, mask_of};

/// The account of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mt940Account {
    /// The source id, and the prefix of the ids of all that happens in it.
    pub id: String,
    pub fields: RecordFields,
}

impl Mt940Account {
    /// The account that the file names; `currency` is that of its balances.
    pub(super) fn of_field(text: &str, currency: Option<&str>) -> Option<Self> {
        let written: String = text.chars().filter(|sign| !sign.is_whitespace()).collect();
        let written = written.to_uppercase();
        let written = currency
            .and_then(|currency| written.strip_suffix(currency))
            .filter(|rest| rest.ends_with(|sign: char| sign.is_ascii_digit()))
            .unwrap_or(&written);
        let (bank, number) = match written.split_once('/') {
            Some((bank, number)) if !number.is_empty() => (Some(bank), number),
            _ => (None, written.trim_end_matches('/')),
        };
        if number.is_empty() {
            return None;
        }
        let iban = Some(number).filter(|number| is_iban(number));
        let id = match iban {
            Some(iban) => iban.to_owned(),
            None => written.trim_end_matches('/').to_owned(),
        };
        let mut own = Self::named(&id, &format!("Account {}", mask_of(number)), currency);
        put(&mut own.fields, "iban", iban);
        put(&mut own.fields, "mask", Some(mask_of(number)));
        put(&mut own.fields, "institution_id", bank);
        Some(own)
    }

    /// The account that the person names.
    pub(super) fn of_option(name: &str, currency: Option<&str>) -> Self {
        Self::named(name, name, currency)
    }

    fn named(id: &str, name: &str, currency: Option<&str>) -> Self {
        let mut fields = RecordFields::new();
        put(&mut fields, "id", Some(id));
        put(&mut fields, "name", Some(name));
        put(&mut fields, "currency", currency);
        Self {
            id: id.to_owned(),
            fields,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_known_in_each_of_its_writings() {
        let read = |text| {
            let own = Mt940Account::of_field(text, Some("EUR")).unwrap();
            let field = |name: &str| own.fields.get(name).and_then(|one| one.as_str());
            let field = |name| field(name).unwrap_or_default().to_owned();
            (
                own.id.clone(),
                field("iban"),
                field("institution_id"),
                field("mask"),
            )
        };
        let told = |id: &str, iban: &str, bank: &str, mask: &str| {
            (
                id.to_owned(),
                iban.to_owned(),
                bank.to_owned(),
                mask.to_owned(),
            )
        };
        let iban = "NL91ABNA0417164300";
        assert_eq!(read(iban), told(iban, iban, "", "4300"));
        assert_eq!(
            read("NL91 ABNA 0417 1643 00EUR"),
            told(iban, iban, "", "4300")
        );
        assert_eq!(
            read("ABNANL2A/NL91ABNA0417164300"),
            told(iban, iban, "ABNANL2A", "4300")
        );
        assert_eq!(
            read("10020030/1234567"),
            told("10020030/1234567", "", "10020030", "4567")
        );
        assert_eq!(read("1234567 EUR"), told("1234567", "", "", "4567"));
        assert_eq!(Mt940Account::of_field(" / ", None), None);
    }
}

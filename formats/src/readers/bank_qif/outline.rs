//! The first pass: what only all records together can say.

use std::collections::HashSet;
use std::io::BufRead;

use chrono::NaiveDate;
use serde_json::{Number, Value};

use super::account::QifAccount;
use super::records::{QifRecord, QifRecords, Section};
use crate::entry::quoted;
use crate::error::{FileError, OpenQuestion};
use crate::readers::bank_csv::amounts::{AmountEvidence, Decimals, amount};
use crate::readers::bank_csv::dates::{DateEvidence, day};
use crate::readers::{DateOrder, Options};

/// What holds of all records of a file.
#[derive(Debug)]
pub(super) struct QifOutline {
    order: DateOrder,
    decimals: Decimals,
    pub currency: String,
    /// The account of transactions before any account is named.
    pub account: Option<QifAccount>,
    /// The names of accounts that have transactions.
    moving: HashSet<String>,
}

impl QifOutline {
    /// Reads all records.
    ///
    /// # Errors
    /// The file cannot be read, or leaves open what only the person can say.
    pub(super) fn read<R: BufRead>(
        mut records: QifRecords<R>,
        options: &Options,
    ) -> Result<Self, FileError> {
        let (mut dates, mut amounts) = (DateEvidence::default(), AmountEvidence::default());
        let mut moving = HashSet::new();
        let mut account = None;
        let mut has_titles = false;
        for item in &mut records {
            let item = item?;
            has_titles |= item.section != Section::Untitled;
            match item.section {
                Section::Accounts => account = item.record.get('N').map(str::to_owned),
                Section::Moves | Section::Investments => {
                    moving.extend(account.clone());
                    add_evidence(&item.record, &mut dates, &mut amounts);
                }
                Section::Other | Section::Untitled => {}
            }
        }
        if !has_titles {
            return Err(FileError::NotThisFormat(
                "this is no QIF file: no line says what its records are, as !Type:Bank does",
            ));
        }
        // What the file says of all its days is no question.
        let order = dates.order(records.date_order().or(options.date_order));
        let currency = options.currency.clone().ok_or(FileError::Open {
            question: OpenQuestion::Currency,
            why: "a QIF file does not say the currency of its amounts; say it with --currency, such as --currency EUR",
        })?;
        Ok(Self {
            order: order.map_err(|why| FileError::Open {
                question: OpenQuestion::DateOrder,
                why,
            })?,
            decimals: amounts.decimals().map_err(FileError::Undecided)?,
            account: options
                .account
                .as_deref()
                .map(|name| QifAccount::named(name, &currency)),
            currency,
            moving,
        })
    }

    /// Whether an account has transactions in this file.
    pub(super) fn has_moves(&self, account: &str) -> bool {
        self.moving.contains(account)
    }

    /// A day as this file writes them.
    ///
    /// # Errors
    /// That it is none, as a sentence.
    pub(super) fn day(&self, text: &str) -> Result<NaiveDate, String> {
        day(&four_digits(text), self.order)
            .ok_or_else(|| format!("{} is not a date that exists", quoted(text)))
    }

    /// An amount as this file writes them.
    ///
    /// # Errors
    /// That it is none, or not certain, as a sentence.
    pub(super) fn amount(&self, text: &str) -> Result<Number, String> {
        amount(text, self.decimals)
    }

    /// A number that only explains a transaction: one that is not certain, such as a price of `50 1/2`, stays as it is written.
    pub(super) fn amount_or_text(&self, text: &str) -> Value {
        self.amount(text).map_or(Value::from(text), Value::from)
    }
}

fn add_evidence(record: &QifRecord, dates: &mut DateEvidence, amounts: &mut AmountEvidence) {
    record
        .all('D')
        .for_each(|text| dates.add(&four_digits(text)));
    for letter in ['T', 'U', '$'] {
        record.all(letter).for_each(|text| amounts.add(text));
    }
}

/// Quicken writes the years from 2000 on as `' 4` and `'04`, those before as `/99`: the same with four digits.
fn four_digits(text: &str) -> String {
    match text.split_once('\'') {
        Some((day, year)) => {
            let year = year.trim();
            let is_short = year.len() <= 2 && year.bytes().all(|byte| byte.is_ascii_digit());
            let century = if is_short { "20" } else { "" };
            format!("{}/{century}{year:0>2}", day.replace(' ', ""))
        }
        // `26 Jan 2026` is no day and month run together.
        None if text.contains(char::is_alphabetic) => text.to_owned(),
        // Between points too the month may come first: some programs write so.
        None => text.replace(' ', "").replace('.', "/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str, order: Option<DateOrder>) -> Result<QifOutline, FileError> {
        let options = Options {
            currency: Some("EUR".to_owned()),
            date_order: order,
            ..Options::default()
        };
        QifOutline::read(QifRecords::new(text.as_bytes()), &options)
    }

    #[test]
    fn days_are_read_in_every_form_and_asked_for_where_two_are_meant() {
        let text = "!Type:Bank\nD1/ 2' 4\nT1.00\n^\nD01/13'04\nT1.00\n^\n";
        let own = outline(text, None).unwrap();
        assert_eq!(own.day("1/ 2' 4").unwrap().to_string(), "2004-01-02");
        assert_eq!(own.day("12/31/99").unwrap().to_string(), "1999-12-31");
        assert_eq!(
            own.day("2'04").unwrap_err(),
            "`2'04` is not a date that exists"
        );
        let open = outline("!Type:Bank\nD1/2/2004\nT1.00\n^\n", None).unwrap_err();
        assert_eq!(open.question(), Some(OpenQuestion::DateOrder));
        let told = outline("!Type:Bank\nD1/2/2004\nT1.00\n^\n", Some(DateOrder::Dmy)).unwrap();
        assert_eq!(told.day("1/2/2004").unwrap().to_string(), "2004-02-01");
        assert_eq!(told.day("26 Jan 2026").unwrap().to_string(), "2026-01-26");
    }

    #[test]
    fn what_the_file_says_of_its_days_is_not_asked() {
        for (option, day) in [
            ("!Option:MDY", "2004-01-02"),
            ("!option: dmy ", "2004-02-01"),
        ] {
            let text = format!("{option}\n!Type:Bank\nD1.2.04\nT1.00\n^\n");
            for said in [None, Some(DateOrder::Dmy), Some(DateOrder::Mdy)] {
                let own = outline(&text, said).unwrap();
                assert_eq!(own.day("1.2.04").unwrap().to_string(), day, "{option}");
            }
        }
    }

    #[test]
    fn a_currency_is_asked_for() {
        let options = Options::default();
        let text = "!Type:Bank\nD13/2/2004\nT1.00\n^\n";
        let open = QifOutline::read(QifRecords::new(text.as_bytes()), &options).unwrap_err();
        assert_eq!(open.question(), Some(OpenQuestion::Currency));
    }
}

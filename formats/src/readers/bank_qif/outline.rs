//! The first pass: what only all records together can say.

use std::collections::HashSet;
use std::io::BufRead;

use super::account::QifAccount;
use super::records::{QifRecord, QifRecords, QifSection};
use super::writing::{QifWriting, four_digits};
use crate::error::{FileError, OpenQuestion};
use crate::readers::Options;
use crate::readers::bank_csv::amounts::AmountEvidence;
use crate::readers::bank_csv::dates::DateEvidence;

/// What holds of all records of a file.
#[derive(Debug)]
pub(super) struct QifOutline {
    pub writing: QifWriting,
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
            has_titles |= item.section != QifSection::Untitled;
            match item.section {
                QifSection::Accounts => {
                    account = item.record.get('N').map(str::to_owned);
                    add_evidence(&item.record, ('/', &['$', 'L']), &mut dates, &mut amounts);
                }
                QifSection::Moves | QifSection::Investments => {
                    moving.extend(account.clone());
                    let letters = ('D', &['T', 'U', '$'][..]);
                    add_evidence(&item.record, letters, &mut dates, &mut amounts);
                }
                QifSection::Other | QifSection::Untitled => {}
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
        let order = order.map_err(|why| FileError::Open {
            question: OpenQuestion::DateOrder,
            why,
        })?;
        let decimals = amounts.decimals().map_err(FileError::Undecided)?;
        let account = options.account.as_deref();
        Ok(Self {
            account: account.map(|name| QifAccount::named(name, &currency)),
            writing: QifWriting::new(order, decimals, currency),
            moving,
        })
    }

    /// Whether an account has transactions in this file.
    pub(super) fn has_moves(&self, account: &str) -> bool {
        self.moving.contains(account)
    }
}

/// What the lines of a record with these letters, of days and of amounts, say of how they are written.
fn add_evidence(
    record: &QifRecord,
    (days, amounts): (char, &[char]),
    of_days: &mut DateEvidence,
    of_amounts: &mut AmountEvidence,
) {
    let days = record.all(days);
    days.for_each(|text| of_days.add(&four_digits(text)));
    let amounts = amounts.iter().flat_map(|letter| record.all(*letter));
    amounts.for_each(|text| of_amounts.add(text));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::DateOrder;

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
        assert_eq!(
            own.writing.day("1/ 2' 4").unwrap().to_string(),
            "2004-01-02"
        );
        assert_eq!(
            own.writing.day("12/31/99").unwrap().to_string(),
            "1999-12-31"
        );
        assert_eq!(
            own.writing.day("2'04").unwrap_err(),
            "`2'04` is not a date that exists"
        );
        let open = outline("!Type:Bank\nD1/2/2004\nT1.00\n^\n", None).unwrap_err();
        assert_eq!(open.question(), Some(OpenQuestion::DateOrder));
        let told = outline("!Type:Bank\nD1/2/2004\nT1.00\n^\n", Some(DateOrder::Dmy)).unwrap();
        assert_eq!(
            told.writing.day("1/2/2004").unwrap().to_string(),
            "2004-02-01"
        );
        assert_eq!(
            told.writing.day("26 Jan 2026").unwrap().to_string(),
            "2026-01-26"
        );
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
                assert_eq!(
                    own.writing.day("1.2.04").unwrap().to_string(),
                    day,
                    "{option}"
                );
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

//! `.csv`: bank statements as records of `finance.transactions`.
//!
//! ```text
//! rows.rs      lines -> rows of cells              dialect.rs  separator, preamble and header
//! header.rs    titles -> columns                   titles.rs   the words of headers in six languages
//! role.rs      what a column may hold              currency.rs codes, signs and words for currencies
//! zone.rs      time zones by their names           money.rs    amount, balance and currency of a row
//! dates.rs     days in every order                 amounts.rs  decimal comma or point, signs
//! moments.rs   times of day and their zones        fees.rs, fee_evidence.rs  whether a fee was paid besides
//! outline.rs   what all rows together decide       account.rs  whose account it is
//! signs.rs     whether money came or went          directions.rs words and columns that say it
//! untitled.rs  columns of a file without a header  row.rs      row -> record
//! ```
//!
//! No two banks write alike, so nothing is taken from a bank's name: columns are known by their titles, and what
//! one value leaves open (01/02/2026, 1.234) is decided by all values of the file, or by the person, or refused.
//! The entries of a file are the rows under its header that are not empty and no totals. A row that names itself
//! (a unique transaction id) is called by it, another by a digest of what it says and its ordinal among equals:
//! so statements that overlap do not double, and of two equal rows that stand in two different statements alone
//! only one is kept. What one file can decide and another cannot (whether a fee was paid besides), or what the person
//! says (a zone), is no part of that digest. The file is read twice, with a column of fees once more, and never held.

mod account;
pub(super) mod amounts;
mod currency;
pub(super) mod dates;
mod dialect;
mod directions;
mod fee_evidence;
mod fees;
mod header;
mod moments;
mod money;
mod outline;
mod role;
mod row;
mod rows;
mod signs;
mod titles;
mod untitled;
mod zone;

use std::io::BufRead;

use serde_json::Value;

use self::account::CsvAccount;
use self::dialect::Dialect;
use self::fee_evidence::decide_fees;
use self::fees::Fees;
use self::outline::CsvOutline;
use self::role::Role;
use self::rows::{CsvRow, CsvRows};
use crate::entry::identity::Identities;
use crate::entry::{Entries, EntryPlace, FileEntry, LeftBehind, PROBLEMS, RecordFields};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::source::{FileSource, utf16};

/// The kind under which rows that are no bookings are counted.
const TOTALS_AND_NOTES: &str = "rows of totals or words";

/// The entries of a statement.
pub(super) fn entries(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let dialect = Dialect::find(|separator| Ok(CsvRows::new(utf16::open(source)?, separator)))?;
    let mut rows = CsvRows::new(utf16::open(source)?, dialect.separator);
    let outline = CsvOutline::read(&dialect, &mut rows, &reader.options)?;
    let reopen = || Ok(CsvRows::new(utf16::open(source)?, dialect.separator));
    Ok(Box::new(CsvEntries {
        left_behind: reader.left_behind.clone(),
        fees: decide_fees(&dialect, &outline, reopen)?,
        rows: reopen()?,
        dialect,
        outline,
        identities: Identities::default(),
    }))
}

/// Whether it is a statement that says of no row whose account it is, neither before its header nor in a column.
pub(super) fn names_no_account(source: &FileSource) -> Result<bool, FileError> {
    let dialect = Dialect::find(|separator| Ok(CsvRows::new(utf16::open(source)?, separator)))?;
    let has_column = dialect.header.column(Role::Own).is_some();
    Ok(!has_column && CsvAccount::in_preamble(&dialect.preamble).is_none())
}

/// The second pass.
struct CsvEntries<R: BufRead> {
    left_behind: LeftBehind,
    rows: CsvRows<R>,
    dialect: Dialect,
    outline: CsvOutline,
    fees: Fees,
    identities: Identities,
}

impl<R: BufRead> Iterator for CsvEntries<R> {
    type Item = Result<FileEntry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.rows.next()? {
                Err(error) => return Some(Err(error.into())),
                Ok(row) if self.dialect.is_entry(&row) => return Some(Ok(self.entry(&row))),
                Ok(row) if self.dialect.is_under_header(&row) => {
                    self.left_behind.add(TOTALS_AND_NOTES)
                }
                Ok(_) => {}
            }
        }
    }
}

impl<R: BufRead> CsvEntries<R> {
    fn entry(&mut self, row: &CsvRow) -> FileEntry {
        let place = EntryPlace::new(row.line, "", "");
        match row::map(row, &self.dialect, &self.outline) {
            Ok(fields) => {
                let mut fields = self.identify(row, fields);
                self.add_unidentifying_fields(row, &mut fields);
                FileEntry::Record {
                    target: Some("finance.transactions".to_owned()),
                    place,
                    fields,
                }
            }
            Err(reason) => FileEntry::Refused { place, reason },
        }
    }

    /// Adds what the row says and its id is not made of.
    fn add_unidentifying_fields(&self, row: &CsvRow, fields: &mut RecordFields) {
        let mut problems = Vec::new();
        match moments::moment(row, &self.dialect, &self.outline) {
            Ok(Some(moment)) => {
                fields.insert("transacted_at".to_owned(), moment.into());
            }
            Ok(None) => {}
            Err(reason) => problems.push(reason),
        }
        let applied = self.fees.apply(fields, row, &self.dialect, &self.outline);
        problems.extend(applied.err());
        if !problems.is_empty() {
            fields.insert(PROBLEMS.to_owned(), problems.into());
        }
    }

    fn identify(&mut self, row: &CsvRow, mut fields: RecordFields) -> RecordFields {
        let account = self.outline.account_of(&self.dialect, row);
        let prefix = account
            .as_ref()
            .map_or_else(String::new, |account| format!("{}/", account.id));
        let key = self.outline.key_of(&self.dialect, row);
        let id = match key {
            Some(key) => self
                .identities
                .id_from_key(&format!("{prefix}{key}"), &fields),
            None => {
                fields.insert("source_id_is_synthetic".to_owned(), Value::Bool(true));
                self.identities.id_from_content(&prefix, &fields)
            }
        };
        fields.insert("id".to_owned(), Value::from(id));
        if let Some(account) = account {
            let currency = fields.get("currency").cloned();
            fields.insert(
                "account".to_owned(),
                Value::Object(account.fields(currency)),
            );
        }
        fields
    }
}

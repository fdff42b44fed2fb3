//! `.qif`: what Quicken and its followers write.
//!
//! ```text
//! records.rs      lines -> records (letters and texts, up to a `^`) and the sections that they stand in
//! outline.rs      first pass: what all records together say     writing.rs  how days and amounts are written, and the currency
//! account.rs      `!Account` -> finance.accounts
//! transaction.rs  records of bank, card and cash accounts     investment.rs  records of investment accounts
//! ```
//!
//! The entries of a file are its transactions, and besides them each account that has none. Lists (categories, prices, memorized
//! payments, …) have no table. The format says neither its currency nor how it writes days: `01/02/2026` is two days, and which one, all
//! dates of the file decide, or the person. A transaction has no id: it is called by a digest of what it says and its ordinal
//! among equals. The file is read twice and never held.

mod account;
mod investment;
mod outline;
mod records;
mod transaction;
mod writing;

use std::io::BufRead;

use self::account::QifAccount;
use self::outline::QifOutline;
use self::records::{QifItem, QifRecord, QifRecords, QifSection};
use self::writing::QifWriting;
use crate::entry::identity::Identities;
use crate::entry::{Entries, EntryPlace, FileEntry, LeftBehind, RecordFields, put};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::readers::stated_balance::UNREAD_BALANCES;
use crate::source::{FileSource, utf16};

/// The entries of a file, which is read twice.
pub(super) fn entries(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let outline = QifOutline::read(QifRecords::new(utf16::open(source)?), &reader.options)?;
    Ok(Box::new(QifEntries {
        left_behind: reader.left_behind.clone(),
        account: outline.account.clone(),
        outline,
        records: QifRecords::new(utf16::open(source)?),
        identities: Identities::default(),
    }))
}

/// Whether it has transactions, and says of none whose account they are of.
pub(super) fn names_no_account(source: &FileSource) -> Result<bool, FileError> {
    let mut has_transactions = false;
    for item in QifRecords::new(utf16::open(source)?) {
        match item?.section {
            QifSection::Accounts => return Ok(false),
            QifSection::Moves | QifSection::Investments => has_transactions = true,
            QifSection::Other | QifSection::Untitled => {}
        }
    }
    Ok(has_transactions)
}

/// The second pass.
struct QifEntries<R> {
    left_behind: LeftBehind,
    outline: QifOutline,
    records: QifRecords<R>,
    /// Whose the transactions are that follow.
    account: Option<QifAccount>,
    identities: Identities,
}

impl<R: BufRead> Iterator for QifEntries<R> {
    type Item = Result<FileEntry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.records.next()? {
                Err(error) => return Some(Err(error.into())),
                Ok(item) => {
                    if let Some(entry) = self.entry(&item) {
                        return Some(Ok(entry));
                    }
                }
            }
        }
    }
}

impl<R> QifEntries<R> {
    /// What an item becomes; `None` if it is no entry.
    fn entry(&mut self, item: &QifItem) -> Option<FileEntry> {
        let record = &item.record;
        match item.section {
            QifSection::Accounts => {
                self.account = QifAccount::of_record(record, &self.outline.writing);
                let account = self.account.as_ref()?;
                let is_unread = !account.fields.contains_key("balance_current");
                if is_unread && record.get('$').is_some() {
                    self.left_behind.add(UNREAD_BALANCES);
                }
                let is_alone = !self.outline.has_moves(&account.id);
                is_alone.then(|| to_entry(record, "finance.accounts", Ok(account.fields.clone())))
            }
            QifSection::Moves => Some(self.transaction(record, transaction::map)),
            QifSection::Investments => Some(self.transaction(record, investment::map)),
            QifSection::Other => {
                self.left_behind.add("entries of lists");
                None
            }
            QifSection::Untitled => {
                let reason = "it stands before any line that says what it is, such as !Type:Bank";
                Some(to_entry(
                    record,
                    "finance.transactions",
                    Err(reason.to_owned()),
                ))
            }
        }
    }

    fn transaction(
        &mut self,
        record: &QifRecord,
        map: fn(&QifRecord, &QifWriting) -> Result<RecordFields, String>,
    ) -> FileEntry {
        let fields = match record.is_cut {
            false => map(record, &self.outline.writing),
            true => Err(format!("it has more than {} lines", records::LINES_MAX)),
        };
        let fields = fields.map(|fields| self.identify(fields));
        to_entry(record, "finance.transactions", fields)
    }

    fn identify(&mut self, mut fields: RecordFields) -> RecordFields {
        put(&mut fields, "source_id_is_synthetic", Some(true));
        let prefix = self
            .account
            .as_ref()
            .map(|account| format!("{}/", account.id));
        let prefix = prefix.unwrap_or_default();
        let id = self.identities.id_from_content(&prefix, &fields);
        put(&mut fields, "id", Some(id));
        let account = self.account.as_ref().map(|account| account.fields.clone());
        put(&mut fields, "account", account);
        fields
    }
}

fn to_entry(record: &QifRecord, target: &str, fields: Result<RecordFields, String>) -> FileEntry {
    let place = EntryPlace::new(record.line, "", "");
    match fields {
        Ok(fields) => FileEntry::Record {
            target: Some(target.to_owned()),
            place,
            fields,
        },
        Err(reason) => FileEntry::Refused { place, reason },
    }
}

//! Cash management messages of ISO 20022: reports (camt.052), statements (camt.053) and notifications (camt.054).
//!
//! ```text
//! nodes.rs    XML -> statements' heads and whole entries, each within a limit     node.rs   one element and what is in it
//! outline.rs  first pass: whose account each statement is of, its newest balance   account.rs  Acct -> finance.accounts
//! balance.rs  Bal -> what was there, and when                                      booking.rs  Ntry -> its bookings
//! money.rs    amounts with their currency and direction, days and instants         record.rs   both -> finance.transactions
//! details.rs  TxDtls -> who, what for, and under which reference
//! ```
//!
//! The entries of a file are its bookings, and besides them each account that has none in it. An entry that stands for several
//! payments is as many bookings where each tells its amount and they make up the whole, and one booking otherwise. A booking is called
//! by the bank's own reference; one without is called by a digest of what it says. Balances may stand after the entries, so the file is
//! read twice and never held.

mod account;
mod balance;
mod booking;
mod details;
mod money;
mod node;
mod nodes;
mod outline;
mod record;

use std::collections::VecDeque;
use std::io::{self, BufRead};

use self::booking::bookings;
use self::node::CamtNode;
use self::nodes::{CamtItem, CamtItems};
use self::outline::CamtOutline;
use self::record::CamtIdentities;
use crate::entry::{Entries, EntryPlace, FileEntry, RecordFields};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::readers::stated_balance::UNREAD_BALANCES;
use crate::source::{FileSource, utf16};

/// Whether a file's root is that of such a message.
pub(super) fn is_one(source: &FileSource) -> io::Result<bool> {
    nodes::is_message(utf16::open(source)?)
}

/// The entries of a file, which is read twice.
pub(super) fn entries(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let account = reader.options.account.as_deref();
    let outline = CamtOutline::read(CamtItems::new(utf16::open(source)?), account)?;
    let left_behind = &reader.left_behind;
    left_behind.add_many(UNREAD_BALANCES, outline.unread_balances);
    Ok(Box::new(CamtEntries {
        outline,
        items: CamtItems::new(utf16::open(source)?),
        statement: None,
        identities: CamtIdentities::default(),
        ready: VecDeque::new(),
    }))
}

/// The second pass.
struct CamtEntries<R: BufRead> {
    outline: CamtOutline,
    items: CamtItems<R>,
    /// Which statement it is in.
    statement: Option<usize>,
    identities: CamtIdentities,
    /// The bookings of one entry.
    ready: VecDeque<FileEntry>,
}

impl<R: BufRead> Iterator for CamtEntries<R> {
    type Item = Result<FileEntry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Some(Ok(entry));
            }
            match self.items.next()? {
                Err(error) => return Some(Err(error.into())),
                Ok(CamtItem::Statement { line }) => self.begin_statement(line),
                Ok(CamtItem::Entry { line, node }) => self.add_entry(line, &node),
                Ok(CamtItem::Head(_)) => {}
            }
        }
    }
}

impl<R: BufRead> CamtEntries<R> {
    /// An account without bookings is an entry itself.
    fn begin_statement(&mut self, line: u64) {
        let index = self.statement.map_or(0, |index| index + 1);
        self.statement = Some(index);
        let Some(statement) = self.outline.statements.get(index) else {
            return;
        };
        if !statement.is_alone {
            return;
        }
        let account = self.outline.statement(index);
        let account = account.map(|(_, account)| ("finance.accounts", account.fields.clone()));
        let place = EntryPlace::new(line, "statement", "");
        self.ready.push_back(to_entry(place, account));
    }

    fn add_entry(&mut self, line: u64, node: &Result<CamtNode, String>) {
        let key = node.as_ref().ok().and_then(|node| node.text("AcctSvcrRef"));
        let place = EntryPlace::new(line, "entry", key.unwrap_or_default());
        match self.records(node) {
            Ok(records) => {
                let entry = |fields| to_entry(place.clone(), Ok(("finance.transactions", fields)));
                self.ready.extend(records.into_iter().map(entry));
            }
            Err(reason) => self.ready.push_back(to_entry(place, Err(reason))),
        }
    }

    fn records(&mut self, node: &Result<CamtNode, String>) -> Result<Vec<RecordFields>, String> {
        let node = node.as_ref().map_err(Clone::clone)?;
        let statement = self.statement.ok_or("it stands outside of any statement")?;
        let (statement, account) = self.outline.statement(statement)?;
        let identities = &mut self.identities;
        let bookings = bookings(node)?.into_iter();
        Ok(bookings
            .map(|booking| record::map(booking, (statement, account), identities))
            .collect())
    }
}

fn to_entry(place: EntryPlace, mapped: Result<(&'static str, RecordFields), String>) -> FileEntry {
    match mapped {
        Ok((target, fields)) => FileEntry::Record {
            target: Some(target.to_owned()),
            place,
            fields,
        },
        Err(reason) => FileEntry::Refused { place, reason },
    }
}

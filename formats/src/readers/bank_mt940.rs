//! `.sta`, `.940` and `.mt940`: customer statement messages of SWIFT (MT940), and interim reports (MT942).
//!
//! ```text
//! fields.rs     lines -> fields (`:61:`, and the lines that go on with it)
//! outline.rs    first pass: whose account each statement is of, and its newest balance
//! account.rs    `:25:` -> finance.accounts          balance.rs  `:60F:`, `:62F:`, `:64:`
//! booking.rs    `:61:` -> money and days            details.rs  `:86:` -> who, what for, and under which reference
//! tagged.rs     details that name their parts       record.rs   both -> finance.transactions
//! ```
//!
//! The entries of a file are its bookings, and besides them each account that has none in it. A statement's closing balance stands
//! after its bookings, so the file is read twice and never held. Banks agree on `:61:` and on little else: what a bank writes into
//! `:86:` is taken apart where it names its parts, and is the description otherwise.
//!
//! A booking has no id in this format (its references are the payer's, or `NONREF`): it is called by a digest of what it says and its
//! ordinal among equals, so that statements that overlap do not double.

mod account;
mod balance;
mod booking;
mod details;
mod fields;
mod outline;
mod record;
mod tagged;

use std::io::{self, BufRead, Read as _};
use std::iter::Peekable;

use self::fields::{ACCOUNT, BOOKING, DETAILS, Mt940Field, Mt940Fields, REFERENCE};
use self::outline::{Mt940Outline, Mt940Statement};
use crate::entry::identity::Identities;
use crate::entry::{Entries, EntryPlace, FileEntry};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::readers::stated_balance::UNREAD_BALANCES;
use crate::source::{FileSource, utf16};

/// How far into a file its first statement is looked for: some banks write a line or two before it.
const HEAD_BYTES_MAX: u64 = 4 * 1024;

/// Whether a file begins with a statement.
pub(super) fn is_one(source: &FileSource) -> io::Result<bool> {
    let head = utf16::open(source)?.take(HEAD_BYTES_MAX);
    let mut has_reference = false;
    for field in Mt940Fields::new(head) {
        let tag = field?.tag;
        if has_reference && ACCOUNT.contains(&&*tag) {
            return Ok(true);
        }
        has_reference |= tag == REFERENCE;
    }
    Ok(false)
}

/// The entries of a file, which is read twice.
pub(super) fn entries(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let outline = Mt940Outline::read(Mt940Fields::new(utf16::open(source)?), &reader.options)?;
    let left_behind = &reader.left_behind;
    left_behind.add_many(UNREAD_BALANCES, outline.unread_balances);
    Ok(Box::new(Mt940Entries {
        outline,
        fields: Mt940Fields::new(utf16::open(source)?).peekable(),
        statement: None,
        identities: Identities::default(),
    }))
}

/// The second pass.
struct Mt940Entries<R: BufRead> {
    outline: Mt940Outline,
    fields: Peekable<Mt940Fields<R>>,
    /// Which statement it is in.
    statement: Option<usize>,
    identities: Identities,
}

impl<R: BufRead> Iterator for Mt940Entries<R> {
    type Item = Result<FileEntry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let field = match self.fields.next()? {
                Err(error) => return Some(Err(error.into())),
                Ok(field) => field,
            };
            let entry = match field.tag.as_str() {
                REFERENCE => self.begin_statement(&field),
                BOOKING => Some(self.booking(&field)),
                _ => None,
            };
            if let Some(entry) = entry {
                return Some(Ok(entry));
            }
        }
    }
}

impl<R: BufRead> Mt940Entries<R> {
    /// An account without bookings is an entry itself.
    fn begin_statement(&mut self, field: &Mt940Field) -> Option<FileEntry> {
        let index = self.statement.map_or(0, |index| index + 1);
        self.statement = Some(index);
        let statement = self.outline.statements.get(index)?;
        let is_alone = statement.is_alone;
        is_alone.then(|| self.account_alone(statement, field))
    }

    fn account_alone(&self, statement: &Mt940Statement, field: &Mt940Field) -> FileEntry {
        let account = self.outline.account_of(statement);
        to_entry(
            EntryPlace::new(field.line, "statement", &field.text),
            account.map(|account| ("finance.accounts", account.fields.clone())),
        )
    }

    fn booking(&mut self, field: &Mt940Field) -> FileEntry {
        let is_details =
            |next: &Result<Mt940Field, _>| next.as_ref().is_ok_and(|next| next.tag == DETAILS);
        let details = self.fields.next_if(is_details).and_then(Result::ok);
        let place = EntryPlace::new(field.line, "booking", "");
        let statement = self
            .statement
            .and_then(|index| self.outline.statements.get(index));
        let mapped = statement
            .ok_or_else(|| "it stands outside of any statement".to_owned())
            .and_then(|statement| Ok((statement, self.outline.account_of(statement)?)))
            .and_then(|(statement, account)| {
                let text = details.as_ref().map(|details| details.text.as_str());
                let whole = !field.is_cut && details.as_ref().is_none_or(|own| !own.is_cut);
                match whole {
                    true => record::map(
                        (&field.text, text),
                        statement,
                        account,
                        &mut self.identities,
                    ),
                    false => Err(format!(
                        "it is longer than {} bytes",
                        fields::FIELD_BYTES_MAX
                    )),
                }
            });
        to_entry(place, mapped.map(|fields| ("finance.transactions", fields)))
    }
}

fn to_entry(
    place: EntryPlace,
    mapped: Result<(&'static str, crate::entry::RecordFields), String>,
) -> FileEntry {
    match mapped {
        Ok((target, fields)) => FileEntry::Record {
            target: Some(target.to_owned()),
            place,
            fields,
        },
        Err(reason) => FileEntry::Refused { place, reason },
    }
}

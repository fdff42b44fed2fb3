//! `.ofx` and `.qfx`: bank, card and investment statements, OFX 1.x (SGML) and 2.x (XML) alike.
//!
//! ```text
//! entities.rs   characters written as `&name;`
//! tokens.rs     bytes -> tags and texts               tree.rs, node.rs tags -> statements and their entries
//! outline.rs    first pass: accounts, securities      amount.rs, stamp.rs  numbers and dates, read strictly
//! account.rs    the account of a statement            transaction.rs STMTTRN -> finance.transactions
//! trade.rs      BUYSTOCK … -> finance.transactions    holding.rs     POSSTOCK … -> finance.holdings
//! record.rs     what all records have: currency, id   tags.rs        the elements that give a file its structure
//! unstored.rs   what no table holds                   markup.rs      the syntax between `<` and `>`
//! ```
//!
//! The entries of a file are its transactions, trades, orders and positions, and besides them each statement
//! that holds none of these: its account is then a record of its own, or its error a refusal. A statement's
//! balance stands after its transactions and the names of securities at the end, so the file is read twice and
//! never held. It is read by hand because the crates for OFX accept or
//! refuse a file as a whole.

mod account;
mod amount;
mod entities;
mod holding;
mod markup;
mod node;
mod outline;
mod record;
mod stamp;
mod tags;
mod tokens;
mod trade;
mod transaction;
mod tree;
mod unstored;

use std::io::BufRead;

use self::node::OfxNode;
use self::outline::{OfxOutline, OfxStatement};
use self::record::OfxRecord;
use self::tree::{OfxItem, OfxItems};
use crate::entry::identity::Identities;
use crate::entry::{Entries, EntryPlace, FileEntry};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::source::FileSource;

/// The entries of a file, which is read twice.
pub(super) fn entries(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let account = reader.options.account.as_deref();
    Ok(Box::new(OfxEntries {
        outline: OfxOutline::read(OfxItems::new(source.open()?), account)?,
        items: OfxItems::new(source.open()?).with_left_behind(reader.left_behind.clone()),
        identities: Identities::default(),
    }))
}

/// The second pass.
struct OfxEntries<R> {
    outline: OfxOutline,
    items: OfxItems<R>,
    identities: Identities,
}

impl<R: BufRead> Iterator for OfxEntries<R> {
    type Item = Result<FileEntry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.items.next()? {
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

impl<R> OfxEntries<R> {
    /// What an item becomes; `None` if it is no entry.
    fn entry(&mut self, item: &OfxItem) -> Option<FileEntry> {
        match item {
            OfxItem::Entry { statement, node } => {
                let mapped = self.map(*statement, node);
                Some(to_entry(place_of(node), mapped))
            }
            OfxItem::Statement { index, node } => self.statement_alone(*index, node),
            OfxItem::Unanswered(node) => Some(to_entry(
                place_of(node),
                Err(reason_without_statement(node)),
            )),
            OfxItem::SignOn(node) => {
                let reason = error_status(node)?;
                Some(to_entry(place_of(node), Err(reason)))
            }
            OfxItem::Security(_) => None,
        }
    }

    fn map(&mut self, statement: Option<usize>, node: &OfxNode) -> Result<OfxRecord, String> {
        if node.is_truncated {
            return Err(format!("the file ends within this {}", node.name));
        }
        if node.is_cut() {
            return Err(format!(
                "it is too large: a value is longer than {} bytes, or there are too many",
                tokens::TEXT_BYTES_MAX
            ));
        }
        let statement = statement
            .and_then(|index| self.outline.statements.get(index))
            .ok_or("it stands outside of any account's statement")?;
        let securities = &self.outline.securities;
        match node.list.as_str() {
            tags::POSITIONS => holding::map(node, statement, securities, &mut self.identities),
            tags::TRADES => trade::map(node, statement, securities, &mut self.identities),
            tags::ORDERS => {
                Err("an open order has moved neither money nor securities yet".to_owned())
            }
            _ => transaction::map(node, statement, &mut self.identities),
        }
    }

    /// A statement without entries is itself one: its account with the balance.
    fn statement_alone(&self, index: usize, node: &OfxNode) -> Option<FileEntry> {
        let statement = self.outline.statements.get(index)?;
        if statement.entries > 0 {
            return None;
        }
        Some(to_entry(place_of(node), account_alone(statement)))
    }
}

fn account_alone(statement: &OfxStatement) -> Result<OfxRecord, String> {
    let account = statement.account.as_ref().map_err(Clone::clone)?;
    Ok(("finance.accounts", account.fields.clone()))
}

fn to_entry(place: EntryPlace, mapped: Result<OfxRecord, String>) -> FileEntry {
    match mapped {
        Ok((target, fields)) => FileEntry::Record {
            target: Some(target.to_owned()),
            place,
            fields,
        },
        Err(reason) => FileEntry::Refused { place, reason },
    }
}

fn place_of(node: &OfxNode) -> EntryPlace {
    let key = node
        .find_text("FITID")
        .or_else(|| node.find_text("UNIQUEID"));
    let key = key.or_else(|| node.find_text("TRNUID")).unwrap_or_default();
    EntryPlace::new(node.line, &node.name, key)
}

/// Why an answer holds no statement.
fn reason_without_statement(node: &OfxNode) -> String {
    error_status(node).unwrap_or_else(|| "the bank's answer holds no statement".to_owned())
}

/// What the bank says, if the status of this answer is an error.
fn error_status(node: &OfxNode) -> Option<String> {
    let status = node.child("STATUS")?;
    let is_error = status
        .text("SEVERITY")
        .is_some_and(|severity| severity.eq_ignore_ascii_case("error"));
    is_error.then(|| {
        let code = status.text("CODE").unwrap_or("without a code");
        let message = status.text("MESSAGE").unwrap_or("no message");
        format!("the bank answered with error {code}: {message}")
    })
}

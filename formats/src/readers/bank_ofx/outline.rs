//! The first pass over an OFX file: what its entries need to know that stands after them.
//!
//! Holds one small record a statement and one a security, whatever the number of transactions.

use std::collections::HashMap;
use std::io::BufRead;

use super::account::{self, OfxAccount};
use super::node::OfxNode;
use super::tree::{OfxItem, OfxItems};
use crate::error::FileError;

/// All statements of a file in its order, and the securities that they name.
#[derive(Debug, Default)]
pub(super) struct OfxOutline {
    pub statements: Vec<OfxStatement>,
    pub securities: Securities,
}

/// What a statement says for all of its entries.
#[derive(Debug)]
pub(super) struct OfxStatement {
    /// The account, or why there is none.
    pub account: Result<OfxAccount, String>,
    /// `CURDEF`: the currency of all amounts that name no other.
    pub currency: Option<String>,
    /// The day of the positions, as the file writes it.
    pub as_of: Option<String>,
    /// How many transactions, trades, orders and positions it holds.
    pub entries: u64,
}

/// By `UNIQUEID`.
pub(super) type Securities = HashMap<String, Security>;

/// What the list of securities says of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Security {
    pub name: Option<String>,
    pub symbol: Option<String>,
}

impl OfxOutline {
    /// Reads the whole file; `account` names the account of statements that name none.
    pub(super) fn read<R: BufRead>(
        mut items: OfxItems<R>,
        account: Option<&str>,
    ) -> Result<Self, FileError> {
        let mut outline = Self::default();
        let mut institution = None;
        let mut entries = HashMap::<usize, u64>::new();
        for item in items.by_ref() {
            match item? {
                OfxItem::Entry { statement, .. } => {
                    *entries.entry(statement.unwrap_or(usize::MAX)).or_default() += 1
                }
                OfxItem::Statement { index, node } => {
                    let entries = entries.remove(&index).unwrap_or_default();
                    let account = account::of_statement(&node, institution.as_ref(), account);
                    outline.statements.push(statement(&node, account, entries));
                }
                OfxItem::SignOn(node) => institution = node.child("FI").cloned(),
                OfxItem::Security(node) => outline.add_security(&node),
                OfxItem::Unanswered(_) => {}
            }
        }
        match items.is_ofx {
            true => Ok(outline),
            false => Err(FileError::NotThisFormat(
                "this is no OFX file: it holds no <OFX>",
            )),
        }
    }

    fn add_security(&mut self, node: &OfxNode) {
        if let Some(key) = node.find_text("UNIQUEID") {
            let security = Security {
                name: node.find_text("SECNAME").map(str::to_owned),
                symbol: node.find_text("TICKER").map(str::to_owned),
            };
            self.securities.insert(key.to_owned(), security);
        }
    }
}

fn statement(node: &OfxNode, account: Result<OfxAccount, String>, entries: u64) -> OfxStatement {
    OfxStatement {
        account,
        currency: node.text("CURDEF").map(str::to_uppercase),
        as_of: node.text("DTASOF").map(str::to_owned),
        entries,
    }
}

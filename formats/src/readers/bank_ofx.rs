//! `.ofx` and `.qfx`: bank, card and investment statements, OFX 1.x (SGML) and 2.x (XML) alike.
//!
//! ```text
//! tokens.rs     bytes -> tags and texts               tree.rs, node.rs tags -> statements and their entries
//! outline.rs    first pass: accounts, securities      values.rs      amounts and dates, read strictly
//! account.rs    the account of a statement            transaction.rs STMTTRN -> finance.transactions
//! trade.rs      BUYSTOCK … -> finance.transactions    holding.rs     POSSTOCK … -> finance.holdings
//! unstored.rs   what no table holds
//! ```
//!
//! The entries of a file are its transactions, trades, orders and positions, and besides them each statement
//! that holds none of these: its account is then a record of its own, or its error a refusal. A statement's
//! balance stands after its transactions and the names of securities at the end, so the file is read twice and
//! never held. Written here because the crates for OFX accept or refuse a file as a whole.

mod account;
mod holding;
mod node;
mod outline;
mod tokens;
mod trade;
mod transaction;
mod tree;
mod unstored;
mod values;

use std::io::BufRead;

use self::node::Node;
use self::outline::{Outline, Statement};
use self::tree::{Piece, Pieces};
use crate::entry::identity::Identities;
use crate::entry::{Entries, Entry, Fields, Place};
use crate::error::ImportError;
use crate::readers::Reader;
use crate::source::Source;

pub fn entries(source: &Source, reader: &Reader) -> Result<Entries, ImportError> {
    let account = reader.options.account.as_deref();
    Ok(Box::new(Reading {
        outline: Outline::read(Pieces::new(source.open()?), account)?,
        pieces: Pieces::new(source.open()?).counting(reader.left_behind.clone()),
        identities: Identities::default(),
    }))
}

/// The second pass.
struct Reading<R> {
    outline: Outline,
    pieces: Pieces<R>,
    identities: Identities,
}

/// A record before it has its place: the table and the fields.
type Mapped = (&'static str, Fields);

impl<R: BufRead> Iterator for Reading<R> {
    type Item = Result<Entry, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.pieces.next()? {
                Err(error) => return Some(Err(error.into())),
                Ok(piece) => {
                    if let Some(entry) = self.entry(&piece) {
                        return Some(Ok(entry));
                    }
                }
            }
        }
    }
}

impl<R> Reading<R> {
    /// What a piece becomes; `None` if it is no entry.
    fn entry(&mut self, piece: &Piece) -> Option<Entry> {
        match piece {
            Piece::Unit { statement, node } => {
                let mapped = self.unit(*statement, node);
                Some(finish(place_of(node), mapped))
            }
            Piece::Statement { index, node } => self.bare_statement(*index, node),
            Piece::Unanswered(node) => Some(finish(place_of(node), Err(unanswered(node)))),
            Piece::SignOn(node) => {
                let reason = error_status(node)?;
                Some(finish(place_of(node), Err(reason)))
            }
            Piece::Security(_) => None,
        }
    }

    fn unit(&mut self, statement: Option<usize>, node: &Node) -> Result<Mapped, String> {
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
            tree::POSITIONS => holding::map(node, statement, securities, &mut self.identities),
            tree::TRADES => trade::map(node, statement, securities, &mut self.identities),
            tree::ORDERS => {
                Err("an open order has moved neither money nor securities yet".to_owned())
            }
            _ => transaction::map(node, statement, &mut self.identities),
        }
    }

    /// A statement without entries is itself one: its account with the balance.
    fn bare_statement(&self, index: usize, node: &Node) -> Option<Entry> {
        let statement = self.outline.statements.get(index)?;
        if statement.units > 0 {
            return None;
        }
        Some(finish(place_of(node), account_alone(statement)))
    }
}

fn account_alone(statement: &Statement) -> Result<Mapped, String> {
    let account = statement.account.as_ref().map_err(Clone::clone)?;
    Ok(("finance.accounts", account.fields.clone()))
}

fn finish(place: Place, mapped: Result<Mapped, String>) -> Entry {
    match mapped {
        Ok((target, fields)) => Entry::Record {
            target: Some(target.to_owned()),
            place,
            fields,
        },
        Err(reason) => Entry::Refused { place, reason },
    }
}

fn place_of(node: &Node) -> Place {
    let key = node
        .find_text("FITID")
        .or_else(|| node.find_text("UNIQUEID"));
    let key = key.or_else(|| node.find_text("TRNUID")).unwrap_or_default();
    Place::new(node.line, &node.name, key)
}

/// Why an answer holds no statement.
fn unanswered(node: &Node) -> String {
    error_status(node).unwrap_or_else(|| "the bank's answer holds no statement".to_owned())
}

/// The bank's own words, if the status of this answer is an error.
fn error_status(node: &Node) -> Option<String> {
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

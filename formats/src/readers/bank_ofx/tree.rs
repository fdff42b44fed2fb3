//! Tags to statements and their entries, one at a time.
//!
//! SGML closes its aggregates but not its values, and some banks forget more than that. The rules here:
//! a value ends where the next tag begins; an unknown element that is never closed was a value, possibly empty,
//! and what follows belongs to its parent; an entry, statement or section ends at the latest where the next begins. Entries leave the
//! tree as soon as they are whole, so that it stays small. Knows where entries stand, not what they mean.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::node::OfxNode;
use super::tags::{ANSWERS, LISTS, NO_ENTRIES, SECURITIES, STATEMENTS, rank_of};
use super::tokens::{TEXT_BYTES_MAX, Token, Tokens};
use super::unstored;
use crate::entry::LeftBehind;

/// Deeper files are not OFX; tags beyond this depth are dropped.
const DEPTH_MAX: usize = 64;
/// What one element may hold besides entries; the standard has some forty.
const CHILDREN_MAX: usize = 1000;

/// What leaves the tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum OfxPiece {
    /// A transaction, trade, order or position, with the ordinal of its statement in the file.
    Unit {
        statement: Option<usize>,
        node: OfxNode,
    },
    /// A statement, after and without its entries.
    Statement {
        index: usize,
        node: OfxNode,
    },
    /// A response that holds no statement.
    Unanswered(OfxNode),
    SignOn(OfxNode),
    /// What the file says of one security.
    Security(OfxNode),
}

/// Iterates over the pieces of a reader.
pub(super) struct OfxPieces<R> {
    tokens: Tokens<R>,
    stack: Vec<OfxNode>,
    ready: VecDeque<OfxPiece>,
    statements: usize,
    /// Statements within the response that is open.
    answered: usize,
    is_ended: bool,
    /// Whether this file closes what it opens: then what is open at its end was cut off.
    closes_aggregates: bool,
    /// Whether an `<OFX>` has been seen at all.
    pub is_ofx: bool,
    /// Where what nothing stores is counted.
    left_behind: LeftBehind,
}

impl<R: BufRead> OfxPieces<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            tokens: Tokens::new(reader),
            stack: Vec::new(),
            ready: VecDeque::new(),
            statements: 0,
            answered: 0,
            is_ended: false,
            closes_aggregates: false,
            is_ofx: false,
            left_behind: LeftBehind::default(),
        }
    }

    /// The same, of which what nothing stores is counted.
    pub(super) fn with_left_behind(mut self, left_behind: LeftBehind) -> Self {
        self.left_behind = left_behind;
        self
    }

    fn take(&mut self, line: u64, token: Token) {
        match token {
            Token::Open(name) => self.open(line, name),
            Token::Close(name) => self.close(&name),
            Token::Text { text, is_cut } => self.text(&text, is_cut),
        }
    }

    fn text(&mut self, text: &str, is_cut: bool) {
        let Some(node) = self.stack.last_mut() else {
            return;
        };
        let has_room = node.text.len() + text.len() <= TEXT_BYTES_MAX;
        node.is_cut |= is_cut || !has_room;
        if has_room && !(node.text.is_empty() && text.trim().is_empty()) {
            node.text.push_str(text);
        }
    }

    fn open(&mut self, line: u64, name: String) {
        self.is_ofx |= name == "OFX";
        if self.stack.last().is_some_and(OfxNode::is_value) {
            self.pop();
        }
        self.end_what_cannot_hold(&name);
        if self.stack.len() >= DEPTH_MAX {
            return;
        }
        if STATEMENTS.contains(&name.as_str()) {
            self.statements += 1;
            self.answered += 1;
        }
        let list = self.list_of(&name).unwrap_or_default().to_owned();
        self.stack.push(OfxNode {
            name,
            line,
            list,
            ..OfxNode::default()
        });
    }

    /// Ends the entry, statement or response that is still open when the next of its kind begins.
    fn end_what_cannot_hold(&mut self, name: &str) {
        let rank = rank_of(name);
        let open = self
            .stack
            .iter()
            .position(|node| rank_of(&node.name) >= rank && rank > 0);
        while open.is_some_and(|open| self.stack.len() > open) {
            self.pop_unclosed();
        }
    }

    /// The list this element is an entry of, if it stands right in one.
    fn list_of(&self, name: &str) -> Option<&'static str> {
        let parent = self.stack.last()?;
        let list = LISTS.into_iter().find(|list| *list == parent.name)?;
        (!NO_ENTRIES.contains(&name)).then_some(list)
    }

    fn close(&mut self, name: &str) {
        if let Some(open) = self.stack.iter().rposition(|node| node.name == name) {
            while self.stack.len() > open + 1 {
                self.pop_unclosed();
            }
            self.closes_aggregates |= self.stack.last().is_some_and(|node| !node.is_value());
            self.pop();
        }
    }

    /// An element that was never closed was a value: what it seems to hold is its parent's.
    fn pop_unclosed(&mut self) {
        let is_value = self.stack.last().is_some_and(|node| {
            !node.is_entry() && rank_of(&node.name) == 0 && node.name != "SONRS"
        });
        let children = match self.stack.last_mut() {
            Some(node) if is_value => std::mem::take(&mut node.children),
            _ => Vec::new(),
        };
        self.pop();
        children.into_iter().for_each(|child| self.attach(child));
    }

    fn pop(&mut self) {
        let Some(mut node) = self.stack.pop() else {
            return;
        };
        node.is_truncated = self.is_ended && self.closes_aggregates;
        unstored::count(&node.name, &self.left_behind);
        match node.name.as_str() {
            _ if node.list == SECURITIES => self.ready.push_back(OfxPiece::Security(node)),
            _ if node.is_entry() => {
                let statement = self.open_statement();
                self.ready.push_back(OfxPiece::Unit { statement, node });
            }
            name if STATEMENTS.contains(&name) => {
                let index = self.statements.saturating_sub(1);
                self.ready.push_back(OfxPiece::Statement { index, node });
            }
            name if ANSWERS.contains(&name) => self.end_answer(node),
            "SONRS" => self.ready.push_back(OfxPiece::SignOn(node)),
            _ => self.attach(node),
        }
    }

    fn attach(&mut self, node: OfxNode) {
        if let Some(parent) = self.stack.last_mut() {
            parent.is_cut |= parent.children.len() >= CHILDREN_MAX;
            if !parent.is_cut {
                parent.children.push(node);
            }
        }
    }

    fn end_answer(&mut self, node: OfxNode) {
        if self.answered == 0 {
            self.ready.push_back(OfxPiece::Unanswered(node));
        }
        self.answered = 0;
    }

    fn open_statement(&self) -> Option<usize> {
        let is_open = self
            .stack
            .iter()
            .any(|node| STATEMENTS.contains(&node.name.as_str()));
        is_open.then(|| self.statements.saturating_sub(1))
    }

    fn end(&mut self) {
        self.is_ended = true;
        while !self.stack.is_empty() {
            self.pop_unclosed();
        }
    }
}

impl<R: BufRead> Iterator for OfxPieces<R> {
    type Item = io::Result<OfxPiece>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(Ok(piece));
            }
            if self.is_ended {
                return None;
            }
            match self.tokens.next() {
                Some(Ok((line, token))) => self.take(line, token),
                Some(Err(error)) => return Some(Err(error)),
                None => self.end(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn units(text: &str) -> Vec<(Option<usize>, OfxNode)> {
        OfxPieces::new(text.as_bytes())
            .filter_map(|piece| match piece.unwrap() {
                OfxPiece::Unit { statement, node } => Some((statement, node)),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn a_forgotten_closing_tag_costs_no_entry() {
        let text = "<OFX><STMTTRNRS><STMTRS><BANKTRANLIST><STMTTRN><FITID>1<CHECKNUM><MEMO>a
            <STMTTRN><FITID>2<MEMO/></STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS>
            <STMTTRNRS><STMTRS><STMTTRN><FITID>3</STMTTRN></STMTRS></OFX>";
        let units = units(text);
        let seen: Vec<_> = units
            .iter()
            .map(|(statement, node)| (*statement, node.text("FITID")))
            .collect();
        assert_eq!(
            seen,
            [
                (Some(0), Some("1")),
                (Some(0), Some("2")),
                (Some(1), Some("3"))
            ]
        );
        assert_eq!(units[0].1.text("MEMO"), Some("a"));
    }

    #[test]
    fn an_unclosed_trade_ends_where_the_next_begins() {
        let text = "<INVSTMTRS><INVTRANLIST><DTSTART>2020<BUYSTOCK><INVBUY><FITID>1<SELLSTOCK><FITID>2</SELLSTOCK>
            <NOVELTY><FITID>3</NOVELTY><INVBANKTRAN><STMTTRN><FITID>4</STMTTRN></INVBANKTRAN></INVTRANLIST></INVSTMTRS>";
        let keys: Vec<_> = units(text)
            .iter()
            .map(|(_, node)| node.find_text("FITID").unwrap().to_owned())
            .collect();
        assert_eq!(keys, ["1", "2", "3", "4"]);
    }

    #[test]
    fn a_file_that_closes_nothing_is_read_whole() {
        let text = "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<LANGUAGE>ENG<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0
            <STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>7<BANKTRANLIST><DTSTART>20260101<STMTTRN><FITID>1<STMTTRN><FITID>2";
        assert!(
            units(text)
                .iter()
                .all(|(statement, node)| *statement == Some(0) && !node.is_truncated)
        );
        let statement = OfxPieces::new(text.as_bytes()).find_map(|piece| match piece.unwrap() {
            OfxPiece::Statement { node, .. } => Some(node),
            _ => None,
        });
        let statement = statement.unwrap();
        assert_eq!(
            statement.child("BANKACCTFROM").unwrap().text("ACCTID"),
            Some("7")
        );
        assert_eq!(
            (units(text).len(), statement.text("CURDEF")),
            (2, Some("USD"))
        );
    }

    #[test]
    fn a_file_cut_off_says_which_entry_it_cut() {
        let units = units("<STMTRS><STMTTRN><FITID>1</STMTTRN><STMTTRN><FITID>2");
        assert_eq!(
            units
                .iter()
                .map(|(_, node)| node.is_truncated)
                .collect::<Vec<_>>(),
            [false, true]
        );
    }

    proptest! {
        #[test]
        fn every_entry_that_begins_leaves_the_tree(tags in proptest::collection::vec(0_usize..8, 0..DEPTH_MAX)) {
            let names = ["<STMTTRN>", "</STMTTRN>", "<STMTRS>", "</STMTRS>", "<MEMO>", "x", "<BANKTRANLIST>", "</BANKTRANLIST>"];
            let text: String = tags.iter().map(|tag| names[*tag]).collect();
            let begun = tags.iter().filter(|tag| **tag == 0).count();
            prop_assert_eq!(units(&text).len(), begun);
        }
    }
}

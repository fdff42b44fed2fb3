//! Tags to statements and their entries, one at a time.
//!
//! SGML closes its aggregates but not its values, and some banks forget more than that. The rules here:
//! a value ends where the next tag begins; an unknown element that is never closed was a value, possibly empty,
//! and what follows belongs to its parent; an entry, statement or section ends at the latest where the next begins. Entries are
//! returned as soon as they are whole, so that the tree stays small. Knows where entries stand, not what they mean.

#[cfg(test)]
mod tests;

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

/// What is returned of a file, as soon as it is whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum OfxItem {
    /// A transaction, trade, order or position, with the ordinal of its statement in the file.
    Entry {
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

/// Iterates over the items of a file.
pub(super) struct OfxItems<R> {
    tokens: Tokens<R>,
    stack: Vec<OfxNode>,
    ready: VecDeque<OfxItem>,
    statements: usize,
    /// Statements within the response that is open.
    answered: usize,
    has_input_ended: bool,
    /// Whether this file closes what it opens: then what is open at its end was cut off.
    closes_aggregates: bool,
    /// Whether an `<OFX>` has been seen at all.
    pub is_ofx: bool,
    /// Counts what no table holds.
    left_behind: LeftBehind,
}

impl<R: BufRead> OfxItems<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            tokens: Tokens::new(reader),
            stack: Vec::new(),
            ready: VecDeque::new(),
            statements: 0,
            answered: 0,
            has_input_ended: false,
            closes_aggregates: false,
            is_ofx: false,
            left_behind: LeftBehind::default(),
        }
    }

    /// The same; what no table holds is counted in `left_behind`.
    pub(super) fn with_left_behind(mut self, left_behind: LeftBehind) -> Self {
        self.left_behind = left_behind;
        self
    }

    fn add(&mut self, line: u64, token: Token) {
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
        let outermost = self
            .stack
            .iter()
            .position(|node| rank_of(&node.name) >= rank && rank > 0);
        while outermost.is_some_and(|at| self.stack.len() > at) {
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
        node.is_truncated = self.has_input_ended && self.closes_aggregates;
        unstored::count(&node.name, &self.left_behind);
        match node.name.as_str() {
            _ if node.list == SECURITIES => self.ready.push_back(OfxItem::Security(node)),
            _ if node.is_entry() => {
                let statement = self.open_statement();
                self.ready.push_back(OfxItem::Entry { statement, node });
            }
            name if STATEMENTS.contains(&name) => {
                let index = self.statements.saturating_sub(1);
                self.ready.push_back(OfxItem::Statement { index, node });
            }
            name if ANSWERS.contains(&name) => self.end_answer(node),
            "SONRS" => self.ready.push_back(OfxItem::SignOn(node)),
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
            self.ready.push_back(OfxItem::Unanswered(node));
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
        self.has_input_ended = true;
        while !self.stack.is_empty() {
            self.pop_unclosed();
        }
    }
}

impl<R: BufRead> Iterator for OfxItems<R> {
    type Item = io::Result<OfxItem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(Ok(item));
            }
            if self.has_input_ended {
                return None;
            }
            match self.tokens.next() {
                Some(Ok((line, token))) => self.add(line, token),
                Some(Err(error)) => return Some(Err(error)),
                None => self.end(),
            }
        }
    }
}

//! One element of an OFX file: a text, or other elements.
//!
//! `tree` builds it and decides what it holds.

use super::tags::is_transaction;

/// An element with what it holds: a text, or children.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct OfxNode {
    /// Its tag, in capitals.
    pub name: String,
    /// Where it begins, counted from 1.
    pub line: u64,
    /// The list an entry stands in, by its name in `tags`; empty for others.
    pub list: String,
    /// The file ended before this element did.
    pub is_truncated: bool,
    pub(super) text: String,
    /// Its own text was too long, or its children too many.
    pub(super) is_cut: bool,
    pub(super) children: Vec<OfxNode>,
}

impl OfxNode {
    /// The first child of that name.
    pub(super) fn child(&self, name: &str) -> Option<&OfxNode> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The text of a child, if it has any.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.child(name)
            .map(|child| child.text.trim())
            .filter(|text| !text.is_empty())
    }

    /// The first element of that name at any depth.
    pub(super) fn find(&self, name: &str) -> Option<&OfxNode> {
        self.child(name)
            .or_else(|| self.children.iter().find_map(|child| child.find(name)))
    }

    /// The text of the first element of that name at any depth.
    pub(super) fn find_text(&self, name: &str) -> Option<&str> {
        self.find(name)
            .map(|node| node.text.trim())
            .filter(|text| !text.is_empty())
    }

    /// Whether anything in it was too long to be read.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut || self.children.iter().any(OfxNode::is_cut)
    }

    /// Whether it holds a text.
    pub(super) fn is_value(&self) -> bool {
        !self.text.is_empty()
    }

    /// Whether it is a transaction, or stands in a list of entries.
    pub(super) fn is_entry(&self) -> bool {
        is_transaction(&self.name) || !self.list.is_empty()
    }
}

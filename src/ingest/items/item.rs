//! One item of a body, and what both formats say of a fault in it.

use serde_json::Value;

use crate::ingest::limits::{ITEMS_MAX, NESTING_MAX};
use crate::ingest::problem::Unreadable;

/// One element of a push.
#[derive(Debug, PartialEq)]
pub(in crate::ingest) enum Item {
    /// A record to store, still as it was sent.
    Record(Value),
    /// An id from the list `deleted`.
    Deleted(Value),
    /// A line that is not JSON, with the reason.
    Broken(String),
}

/// Receives items one by one, numbered from 0.
pub(in crate::ingest) type Take<'a> = dyn FnMut(usize, Item) -> Result<(), Unreadable> + 'a;

/// The message for a parser's error. Serde's own messages quote the unexpected value, and no message may contain payload.
pub(super) fn message_of(fault: &serde_json::Error) -> String {
    let text = fault.to_string();
    if let Some((_, expected)) = text.rsplit_once(", expected ") {
        return format!("expected {expected}");
    }
    let deep = format!("more than {NESTING_MAX} levels of objects and arrays");
    text.replacen("recursion limit exceeded", &deep, 1)
        .replacen("invalid unicode code point", "bytes that are no UTF-8", 1)
}

/// Checks that a push may have an item of this index.
///
/// # Errors
/// When it is beyond [`ITEMS_MAX`].
pub(super) fn check_count(index: usize) -> Result<(), Unreadable> {
    if index < ITEMS_MAX {
        Ok(())
    } else {
        Err(Unreadable::Malformed(format!(
            "more than {ITEMS_MAX} records in one push"
        )))
    }
}

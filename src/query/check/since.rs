//! Checks `changed_since`: the watermark after which changes are asked for.

use serde_json::{Map, Value};

use crate::catalog::Table;
use crate::query::fault::CallFault;
use crate::query::request::Request;
use crate::query::watermark::Watermark;

/// The words that relative times begin with.
const RELATIVE: [&str; 3] = ["now", "today", "start_of_"];

/// Reads the change cursor, if there is one. `digest` is that of the query's rows; a table without one cannot list changes.
pub(super) fn check(
    request: &Request,
    table: &Table,
    digest: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<Option<Watermark>, CallFault> {
    let Some(cursor) = request.changed_since.as_deref() else {
        return Ok(None);
    };
    let Some(digest) = digest else {
        let text = format!(
            "{} is made of other rows and cannot tell what is gone from it: leave `changed_since` out, or ask the table behind it",
            table.target()
        );
        return Err(CallFault::new(text).without("changed_since"));
    };
    if !request.order_by.is_empty() {
        let text = "changes come in an order of their own: leave `order_by` out";
        return Err(CallFault::new(text).without("order_by"));
    }
    if request.filter.as_ref().is_some_and(has_relative_time) {
        notes.push(
            "`where` has times relative to now: rows that left it only because time went by are not among `deleted`"
                .to_owned(),
        );
    }
    Watermark::decode(cursor, digest).map(Some)
}

fn has_relative_time(filter: &Map<String, Value>) -> bool {
    filter.values().any(is_relative)
}

fn is_relative(value: &Value) -> bool {
    match value {
        Value::String(text) => RELATIVE.iter().any(|word| text.starts_with(word)),
        Value::Array(items) => items.iter().any(is_relative),
        Value::Object(filter) => has_relative_time(filter),
        _ => false,
    }
}

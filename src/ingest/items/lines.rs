//! A body of JSON lines: each line is an item.

use std::io::BufRead;

use crate::ingest::budget::{Budget, over_budget_message};
use crate::ingest::limits::RECORD_BYTES_MAX;
use crate::ingest::problem::Unreadable;

use super::item::{Item, Take, check_count, message_of};

/// Passes each line that is not empty to `take`.
///
/// # Errors
/// When the body cannot be read, a line or the number of lines is too large, or `take` fails.
pub(super) fn read(body: &mut dyn BufRead, take: &mut Take<'_>) -> Result<(), Unreadable> {
    let mut line = Vec::new();
    let mut index = 0;
    loop {
        line.clear();
        let read = std::io::Read::take(&mut *body, RECORD_BYTES_MAX as u64 + 1)
            .read_until(b'\n', &mut line);
        if read.map_err(Unreadable::from_read)? == 0 {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if line.len() > RECORD_BYTES_MAX || Budget::default().spend(&line).is_err() {
            return Err(Unreadable::Malformed(over_budget_message(index)));
        }
        check_count(index)?;
        take(index, parse_line(&line))?;
        index += 1;
    }
}

fn parse_line(line: &[u8]) -> Item {
    match serde_json::from_slice(line) {
        Ok(value) => Item::Record(value),
        Err(fault) => Item::Broken(format!("is no JSON: {}", without_position(&fault))),
    }
}

/// serde_json ends its messages with a position within the line; the record's index is more useful.
fn without_position(fault: &serde_json::Error) -> String {
    let text = message_of(fault);
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

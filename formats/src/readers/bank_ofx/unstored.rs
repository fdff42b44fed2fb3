//! Elements that say something which no table holds, and what they are called when they are counted.

use super::tags::ANSWERS;
use crate::entry::LeftBehind;

/// Counts an element of this name, if nothing stores it.
pub(super) fn count(name: &str, left_behind: &LeftBehind) {
    if let Some(kind) = kind_of(name) {
        left_behind.add(kind);
    }
}

/// What an element is called that nothing stores, whatever it holds.
fn kind_of(name: &str) -> Option<&'static str> {
    match name {
        "BAL" => Some("further balances"),
        "IMAGEDATA" => Some("pictures of bookings"),
        name if ANSWERS.contains(&name) => None,
        name if name.ends_with("TRNRS") => Some("answers of other services"),
        _ => None,
    }
}

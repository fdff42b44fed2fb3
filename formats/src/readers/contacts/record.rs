//! What the records of people and of groups have in common.

use serde_json::Value;

use super::cards::Card;
use crate::entry::{RecordFields, put};

/// A record before it has its place: the table and the fields.
pub(super) type CardRecord = (&'static str, RecordFields);

/// The card's own key, as MEMBER of a group names it.
pub(super) fn uid(card: &Card) -> Option<String> {
    card.text("UID").map(|uid| without_scheme(&uid))
}

/// `urn:uuid:` is how version 4.0 writes what 3.0 writes bare.
pub(super) fn without_scheme(uid: &str) -> String {
    const SCHEME: &str = "urn:uuid:";
    let has_scheme = uid
        .get(..SCHEME.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(SCHEME));
    let bare = if has_scheme {
        uid.get(SCHEME.len()..)
    } else {
        None
    };
    bare.unwrap_or(uid).trim().to_owned()
}

/// Sets a field, if the list holds anything.
pub(super) fn put_list(fields: &mut RecordFields, name: &str, values: Vec<Value>) {
    put(
        fields,
        name,
        Some(values).filter(|values| !values.is_empty()),
    );
}

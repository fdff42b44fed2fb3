//! A message as an entry of its file: the record that it becomes, or the refusal.

use serde_json::Value;

use super::held_message::HeldMessage;
use super::message;
use super::origin::MessageOrigin;
use crate::entry::identity::Identities;
use crate::entry::{EntryPlace, FileEntry};

const TARGET: &str = "mail.messages";

/// The entry of a message; `place` gives where it stands, by the message's own key.
pub(super) fn entry(
    held: HeldMessage,
    origin: &MessageOrigin,
    identities: &mut Identities,
    place: impl Fn(&str) -> EntryPlace,
) -> FileEntry {
    let mapped = message::map(held, origin, identities);
    let place = place(&mapped.key);
    match mapped.result {
        Ok(fields) => FileEntry::Record {
            target: Some(TARGET.to_owned()),
            place,
            fields,
        },
        Err(reason) => FileEntry::Refused { place, reason },
    }
}

/// How many attachments a message has: their names and sizes are kept, their bytes are not.
pub(crate) fn attachments_in(entry: &FileEntry) -> u64 {
    let attachments = match entry {
        FileEntry::Record { target, fields, .. } if target.as_deref() == Some(TARGET) => {
            fields.get("attachments").and_then(Value::as_array)
        }
        _ => None,
    };
    attachments.map_or(0, |attachments| attachments.len() as u64)
}

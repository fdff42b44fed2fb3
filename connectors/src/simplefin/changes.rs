//! Changes to what is stored of an account, and items that are left out.

use crate::round::{ItemChange, SkippedItem, SourceItem};

/// The key under which an item without one is told.
const UNNAMED: &str = "(no id)";

/// An item that is left out, with its key if it has one.
pub(super) fn skipped_item(key: Option<String>, reason: &str) -> SkippedItem {
    SkippedItem {
        key: key.unwrap_or_else(|| UNNAMED.to_owned()),
        reason: reason.to_owned(),
    }
}

/// What becomes of an item; nothing, where it is stored as it is and no pass has to name it.
pub(super) fn change(
    item: SourceItem,
    stored: Option<&String>,
    is_pass: bool,
) -> Option<ItemChange> {
    match (stored == Some(&item.version), is_pass) {
        (false, _) => Some(ItemChange::Put(item)),
        (true, true) => Some(kept(item.key)),
        (true, false) => None,
    }
}

/// The keys of those that have one.
pub(super) fn keys_of(skipped: &[SkippedItem]) -> impl Iterator<Item = String> {
    let named = skipped.iter().filter(|own| own.key != UNNAMED);
    named.map(|own| own.key.clone())
}

pub(super) const fn kept(key: String) -> ItemChange {
    ItemChange::Keep { key }
}

pub(super) const fn removed(key: String) -> ItemChange {
    ItemChange::Remove { key }
}

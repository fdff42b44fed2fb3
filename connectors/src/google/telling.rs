//! What of a page is stored already, and what of it cannot be read.

use std::collections::HashMap;

use crate::failure::SourceFailure;
use crate::round::{ItemChange, KnownItems, Page, SkippedItem, SourceItem};

/// What became of an item of the source.
pub(super) enum ToldItem {
    /// It is there; a reason if a part of it cannot be read.
    There(SourceItem, Option<&'static str>),
    /// It is gone, or there is nothing to store of it.
    Gone(String),
    /// It is there and cannot be read.
    Unread(String, &'static str),
}

impl ToldItem {
    fn key(&self) -> &str {
        match self {
            Self::There(item, _) => &item.key,
            Self::Gone(key) | Self::Unread(key, _) => key,
        }
    }
}

/// Adds to a page what it tells, without what is stored as it is: kept by name in a pass, left out elsewhere. What is said last of
/// an item counts. What cannot be read stays as it is stored.
pub(super) async fn tell(
    page: &mut Page,
    told: Vec<ToldItem>,
    known: &dyn KnownItems,
) -> Result<(), SourceFailure> {
    let keys: Vec<_> = told.iter().map(|one| one.key().to_owned()).collect();
    let versions = known.versions(&page.scope, &keys).await?;
    let last: HashMap<&str, usize> = keys.iter().map(String::as_str).zip(0..).collect();
    let last_of_its_key = |(at, one): &(usize, ToldItem)| last.get(one.key()) == Some(at);
    let is_pass = page.pass.is_some();
    for (_, one) in (0..).zip(told).filter(last_of_its_key) {
        let stored = versions.get(one.key());
        match one {
            ToldItem::There(item, reason) => {
                page.skipped
                    .extend(reason.map(|reason| skipped(&item.key, reason)));
                if stored != Some(&item.version) {
                    page.changes.push(ItemChange::Put(item));
                } else if is_pass {
                    page.changes.push(ItemChange::Keep { key: item.key });
                }
            }
            ToldItem::Gone(key) => page.changes.push(ItemChange::Remove { key }),
            ToldItem::Unread(key, reason) => {
                page.skipped.push(skipped(&key, reason));
                if is_pass && stored.is_some() {
                    page.changes.push(ItemChange::Keep { key });
                }
            }
        }
    }
    Ok(())
}

fn skipped(key: &str, reason: &str) -> SkippedItem {
    SkippedItem {
        key: key.to_owned(),
        reason: reason.to_owned(),
    }
}

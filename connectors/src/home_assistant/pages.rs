//! Items cut into pages, and what is stored already left out.

use std::collections::VecDeque;

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::failure::SourceFailure;
use crate::limits::{HOME_PAGE_BYTES_MAX, HOME_PAGE_ITEMS_MAX};
use crate::round::{ItemChange, KnownItems, Page, Pass, SourceItem};

/// Pages of a pass over everything in a scope; at least one, which completes it.
pub(super) fn of_pass(
    scope: &str,
    position: &Value,
    begun_at: DateTime<Utc>,
    items: impl IntoIterator<Item = SourceItem>,
) -> VecDeque<Page> {
    let mut pages = of_items(scope, position, items);
    if pages.is_empty() {
        pages.push_back(Page::new(scope, position.clone()));
    }
    let last = pages.len() - 1;
    for (at, page) in pages.iter_mut().enumerate() {
        page.pass = Some(Pass {
            begun_at,
            since: None,
            is_complete: at == last,
        });
    }
    pages
}

/// Pages of some items; none if there are none.
pub(super) fn of_items(
    scope: &str,
    position: &Value,
    items: impl IntoIterator<Item = SourceItem>,
) -> VecDeque<Page> {
    of_changes(scope, position, items.into_iter().map(ItemChange::Put))
}

/// Pages of some changes; none if there are none.
pub(super) fn of_changes(
    scope: &str,
    position: &Value,
    changes: impl IntoIterator<Item = ItemChange>,
) -> VecDeque<Page> {
    let mut pages: VecDeque<Page> = VecDeque::new();
    let mut bytes = 0;
    for change in changes {
        let change_bytes = bytes_of(&change);
        let is_full = pages.back().is_none_or(|page| {
            page.changes.len() >= HOME_PAGE_ITEMS_MAX || bytes + change_bytes > HOME_PAGE_BYTES_MAX
        });
        if is_full {
            pages.push_back(Page::new(scope, position.clone()));
            bytes = 0;
        }
        bytes += change_bytes;
        if let Some(page) = pages.back_mut() {
            page.changes.push(change);
        }
    }
    pages
}

/// The page without what is stored as it is: kept by name in a pass, left out elsewhere.
pub(super) async fn without_known(
    mut page: Page,
    known: &dyn KnownItems,
) -> Result<Page, SourceFailure> {
    let puts = page.changes.iter().filter_map(|change| match change {
        ItemChange::Put(item) => Some(item.key.clone()),
        _ => None,
    });
    let puts: Vec<String> = puts.collect();
    let versions = known.versions(&page.scope, &puts).await?;
    let is_known = |item: &SourceItem| versions.get(&item.key) == Some(&item.version);
    let is_pass = page.pass.is_some();
    let less = page.changes.into_iter().filter_map(|change| match change {
        ItemChange::Put(item) if is_known(&item) => {
            is_pass.then_some(ItemChange::Keep { key: item.key })
        }
        change => Some(change),
    });
    page.changes = less.collect();
    Ok(page)
}

fn bytes_of(change: &ItemChange) -> usize {
    let ItemChange::Put(item) = change else {
        return change.key().len();
    };
    let fields = item.records.iter().map(|record| record.fields.values());
    fields.flatten().map(|value| value.to_string().len()).sum()
}

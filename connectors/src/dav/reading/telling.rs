//! From a list to a page: what is unchanged is said, what is not is fetched.

use std::collections::HashMap;

use super::CollectionReading;
use crate::dav::listing::{DavListing, ListedResource};
use crate::dav::multiget::{FetchedResource, fetch};
use crate::dav::records;
use crate::digest_key::digest;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{DAV_LOT_MAX, DAV_PAGE_ITEMS_MAX};
use crate::round::{ItemChange, KnownItems, Page, SkippedItem, SourceItem};

impl CollectionReading {
    /// Takes from the list what fits a page.
    pub(super) async fn tell(
        &self,
        listing: &mut DavListing,
        page: &mut Page,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        let removed = listing.removed.len().min(DAV_PAGE_ITEMS_MAX);
        let removed = listing.removed.drain(..removed);
        page.changes
            .extend(removed.map(|key| ItemChange::Remove { key }));
        let room = DAV_PAGE_ITEMS_MAX - page.changes.len();
        let listed: Vec<_> = listing
            .there
            .drain(..listing.there.len().min(room))
            .collect();
        let keys: Vec<_> = listed.iter().map(|one| one.key.clone()).collect();
        let versions = known.versions(&page.scope, &keys).await?;
        let is_same = |one: &ListedResource| {
            let stored = versions.get(&one.key).zip(one.etag.as_ref());
            stored.is_some_and(|(stored, etag)| self.window.is_current(stored, etag))
        };
        let (same, mut changed): (Vec<_>, Vec<_>) = listed.into_iter().partition(is_same);
        if self.position.pass.is_some() {
            let keep = |one: ListedResource| ItemChange::Keep { key: one.key };
            page.changes.extend(same.into_iter().map(keep));
        }
        put_back(listing, &mut changed, DAV_LOT_MAX);
        while !changed.is_empty() {
            match fetch(&self.client, self.kind, &self.collection, &changed).await {
                Ok(fetched) if fetched.is_empty() && changed.len() == DAV_LOT_MAX => {
                    let message = "the source sent none of the resources that it listed";
                    return Err(SourceFailure::new(FailureKind::Malformed, message));
                }
                Ok(fetched) if !fetched.is_empty() || changed.len() == 1 => {
                    self.add(listing, page, changed, fetched, &versions);
                    return Ok(());
                }
                Ok(_) => halve(listing, &mut changed),
                Err(failure) if failure.kind == FailureKind::TooLarge && changed.len() > 1 => {
                    halve(listing, &mut changed);
                }
                Err(failure) if failure.kind == FailureKind::TooLarge => {
                    for resource in changed.drain(..) {
                        self.skip(page, resource.key, failure.message.clone(), &versions);
                    }
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }

    /// Adds what was fetched. What the server did not send although it was asked for several is asked for again, by itself at last.
    fn add(
        &self,
        listing: &mut DavListing,
        page: &mut Page,
        asked: Vec<ListedResource>,
        mut fetched: HashMap<String, FetchedResource>,
        versions: &HashMap<String, String>,
    ) {
        let is_one = asked.len() == 1;
        let (sent, mut unsent): (Vec<_>, Vec<_>) = asked
            .into_iter()
            .partition(|one| fetched.contains_key(&one.key));
        if !is_one {
            put_back(listing, &mut unsent, 0);
        }
        for resource in unsent {
            let reason = "the source did not send it".to_owned();
            self.skip(page, resource.key, reason, versions);
        }
        for resource in sent {
            match fetched.remove(&resource.key) {
                Some(FetchedResource::Body { etag, body }) => {
                    self.put(page, resource, etag, &body, versions);
                }
                Some(FetchedResource::Refused(status)) => {
                    let reason = format!("the source answered {status} for it");
                    self.skip(page, resource.key, reason, versions);
                }
                Some(FetchedResource::Gone) | None => {
                    page.changes.push(ItemChange::Remove { key: resource.key });
                }
            }
        }
    }

    fn put(
        &self,
        page: &mut Page,
        resource: ListedResource,
        etag: Option<String>,
        body: &str,
        versions: &HashMap<String, String>,
    ) {
        let read = records::read(self.kind, &self.collection, &resource.key, body);
        if read.is_partly_unread && read.records.is_empty() {
            let reason = "it cannot be read".to_owned();
            return self.skip(page, resource.key, reason, versions);
        }
        if read.is_partly_unread {
            page.skipped.push(SkippedItem {
                key: resource.key.clone(),
                reason: "a part of it cannot be read".to_owned(),
            });
        }
        let version = etag.or(resource.etag).unwrap_or_else(|| digest(body));
        let stored = versions.get(&resource.key);
        let (version, records) = self.window.admit(stored, version, read.records);
        page.changes.push(ItemChange::Put(SourceItem {
            version,
            key: resource.key,
            at: None,
            holds: None,
            records,
        }));
    }

    /// Leaves an item out. What is stored of it stays, in a pass too: the source still has it.
    fn skip(
        &self,
        page: &mut Page,
        key: String,
        reason: String,
        versions: &HashMap<String, String>,
    ) {
        if self.position.pass.is_some() && versions.contains_key(&key) {
            page.changes.push(ItemChange::Keep { key: key.clone() });
        }
        page.skipped.push(SkippedItem { key, reason });
    }
}

/// Leaves the first half to be fetched.
fn halve(listing: &mut DavListing, resources: &mut Vec<ListedResource>) {
    let half = resources.len() / 2;
    put_back(listing, resources, half);
}

/// Leaves the first `count` to be fetched, the rest to a later page.
fn put_back(listing: &mut DavListing, resources: &mut Vec<ListedResource>, count: usize) {
    let rest = resources.split_off(resources.len().min(count));
    for resource in rest.into_iter().rev() {
        listing.there.push_front(resource);
    }
}

//! One list of a collection, page by page, and what its pages say.

use std::collections::HashSet;

use chrono::{DateTime, Utc};

use super::client::{AskedSpan, WhoopClient, malformed};
use super::collection::WhoopCollection;
use super::items::{self, ReadRecord};
use crate::failure::SourceFailure;
use crate::limits::{WHOOP_PAGE_RECORDS, WHOOP_PAGES_MAX};
use crate::round::{ItemChange, KnownItems, Page, SkippedItem, SourceItem};

/// The key under which a record without one is told.
const UNNAMED: &str = "(no id)";

/// What a list's items become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Telling {
    /// What is unchanged is named too.
    pub(super) is_pass: bool,
    /// Items before it are not wanted.
    pub(super) since: Option<DateTime<Utc>>,
}

/// A list that is being read.
pub(super) struct CollectionListing {
    collection: WhoopCollection,
    span: AskedSpan,
    telling: Telling,
    token: Option<String>,
    pages: usize,
    named: HashSet<String>,
    is_all_named: bool,
    is_over: bool,
}

impl CollectionListing {
    pub(super) fn new(collection: WhoopCollection, span: AskedSpan, telling: Telling) -> Self {
        Self {
            collection,
            span,
            telling,
            token: None,
            pages: 0,
            named: HashSet::new(),
            is_all_named: true,
            is_over: false,
        }
    }

    /// Whether the last page was read.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether each record had a name: if not, one that was not named may still be there.
    pub(super) const fn is_all_named(&self) -> bool {
        self.is_all_named
    }

    /// Whether it was read to its end and has no record at all.
    pub(super) fn is_empty(&self) -> bool {
        self.is_over && self.named.is_empty() && self.is_all_named
    }

    /// The next page, whose position is the caller's to say.
    pub(super) async fn next_page(
        &mut self,
        client: &mut WhoopClient,
        known: &dyn KnownItems,
    ) -> Result<Page, SourceFailure> {
        let read = self.ask(client).await?;
        let mut page = Page::new(self.collection.scope(), serde_json::json!({}));
        let keys: Vec<_> = read.iter().filter_map(key_of).map(str::to_owned).collect();
        let versions = known.versions(&page.scope, &keys).await?;
        for record in read {
            let stored = key_of(&record).and_then(|key| versions.get(key));
            match record {
                ReadRecord::Item(item) => self.tell(&mut page, item, stored),
                ReadRecord::Unread { key, reason } => {
                    self.skip(&mut page, key, reason, stored.is_some());
                }
            }
        }
        Ok(page)
    }

    /// The records of the next page that were not told before.
    async fn ask(&mut self, client: &mut WhoopClient) -> Result<Vec<ReadRecord>, SourceFailure> {
        self.pages += 1;
        if self.pages > WHOOP_PAGES_MAX {
            return Err(malformed("a list that does not end"));
        }
        let token = self.token.take();
        let asked = client.list(
            self.collection,
            self.span,
            token.as_deref(),
            WHOOP_PAGE_RECORDS,
        );
        let answered = asked.await?;
        self.token = answered.next_token().map(str::to_owned);
        self.is_over = self.token.is_none();
        let sent = answered.records.len();
        let read = answered.records.into_iter();
        let collection = self.collection;
        let read = read.map(|sent| items::read(collection, sent));
        let read: Vec<_> = read.filter(|record| self.is_new(record)).collect();
        let goes_in_a_circle = self.token == token || (sent > 0 && read.is_empty());
        if !self.is_over && goes_in_a_circle {
            return Err(malformed("a list that goes in a circle"));
        }
        Ok(read)
    }

    /// Whether a record was not told before: what comes while pages are read moves others to the next page, which tells them twice.
    fn is_new(&mut self, record: &ReadRecord) -> bool {
        match key_of(record) {
            Some(key) => self.named.insert(key.to_owned()),
            None => {
                self.is_all_named = false;
                true
            }
        }
    }

    fn tell(&self, page: &mut Page, item: SourceItem, stored: Option<&String>) {
        let is_wanted = self
            .telling
            .since
            .is_none_or(|since| item.at >= Some(since));
        let is_same = stored == Some(&item.version);
        match (is_wanted, is_same) {
            (false, _) => {}
            (true, false) => page.changes.push(ItemChange::Put(item)),
            (true, true) if self.telling.is_pass => {
                page.changes.push(ItemChange::Keep { key: item.key });
            }
            (true, true) => {}
        }
    }

    /// Leaves a record out. What is stored of it stays: the source still has it.
    fn skip(&self, page: &mut Page, key: Option<String>, reason: &str, is_stored: bool) {
        let key = key.unwrap_or_else(|| UNNAMED.to_owned());
        if is_stored && self.telling.is_pass {
            page.changes.push(ItemChange::Keep { key: key.clone() });
        }
        let reason = reason.to_owned();
        page.skipped.push(SkippedItem { key, reason });
    }
}

fn key_of(record: &ReadRecord) -> Option<&str> {
    match record {
        ReadRecord::Item(item) => Some(&item.key),
        ReadRecord::Unread { key, .. } => key.as_deref(),
    }
}

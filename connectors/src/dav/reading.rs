//! One collection in a round, page by page.
//!
//! A list is got first: of the changes since a token, or of everything, as a pass. Pages tell it in order; the position after the
//! last page of a list is the list's own token, and after any page before it is still where the list began, so that after a kill
//! the list is got anew and what is stored already is not fetched again.

mod telling;

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::client::DavClient;
use super::discovery::DavCollection;
use super::kind::DavKind;
use super::listing::{DavListing, list_changes, list_versions};
use super::position::{DavPosition, PassPosition};
use super::window::DavWindow;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::DAV_LISTS_MAX;
use crate::round::{KnownItems, Page, Round, ScopeCoverage};

/// The reading of a collection.
pub(super) struct CollectionReading {
    client: Arc<DavClient>,
    kind: DavKind,
    collection: DavCollection,
    window: DavWindow,
    now: DateTime<Utc>,
    /// What is stored after the pages so far.
    position: DavPosition,
    /// The list that is being told; none: the next is to be got.
    list: Option<CurrentList>,
    lists: usize,
    /// A token was lost in this round. A server that loses another, of its own answer, is not asked for changes any more.
    is_anew: bool,
    is_over: bool,
}

/// A list and what follows it.
struct CurrentList {
    listing: DavListing,
    /// The position after its last page.
    after: DavPosition,
    is_last: bool,
}

impl CollectionReading {
    pub(super) fn new(
        client: Arc<DavClient>,
        kind: DavKind,
        collection: DavCollection,
        position: DavPosition,
        window: DavWindow,
        now: DateTime<Utc>,
    ) -> Self {
        // What was left out is found by a pass over everything.
        let position = match window.is_wider_than(position.since) {
            true => DavPosition::default(),
            false => position,
        };
        Self {
            is_over: is_unchanged(&collection, &position),
            client,
            kind,
            collection,
            window,
            now,
            position,
            list: None,
            lists: 0,
            is_anew: false,
        }
    }
}

#[async_trait]
impl Round for CollectionReading {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        if self.is_over {
            return Ok(None);
        }
        let mut list = match self.list.take() {
            Some(list) => list,
            None => self.next_list().await?,
        };
        let mut page = Page::new(self.collection.key.clone(), serde_json::json!({}));
        page.coverage = match self.window.since() {
            Some(_) => ScopeCoverage::AsAsked,
            None => ScopeCoverage::Everything,
        };
        self.tell(&mut list.listing, &mut page, known).await?;
        let is_told = list.listing.is_told();
        let pass = self.position.pass.as_ref();
        page.pass = pass.map(|pass| pass.page(is_told && list.is_last));
        if is_told {
            self.position = list.after;
            self.is_over = list.is_last;
        } else {
            self.list = Some(list);
        }
        self.position.since = self.window.since();
        page.position = self.position.to_value();
        Ok(Some(page))
    }
}

impl CollectionReading {
    /// The list that the position asks for. A token that is lost begins a pass; a server that takes none is listed whole.
    async fn next_list(&mut self) -> Result<CurrentList, SourceFailure> {
        self.lists += 1;
        if self.lists > DAV_LISTS_MAX {
            let message = format!("the source cut its list more than {DAV_LISTS_MAX} times");
            return Err(SourceFailure::new(FailureKind::Malformed, message));
        }
        if self.collection.sync_token.is_none() {
            return self.list_everything().await;
        }
        loop {
            let token = self.token().to_owned();
            match list_changes(&self.client, &self.collection, &token).await {
                Err(lost) if lost.kind == FailureKind::PositionLost => {
                    if token.is_empty() || self.is_anew {
                        return self.list_everything().await;
                    }
                    self.is_anew = true;
                    self.position = DavPosition::in_pass(PassPosition::new(self.now));
                }
                listing => return self.follow(&token, listing?),
            }
        }
    }

    /// What changes are asked for since; empty for everything, which is a pass.
    fn token(&mut self) -> &str {
        if self.position.token.is_none() && self.position.pass.is_none() {
            self.position = DavPosition::in_pass(PassPosition::new(self.now));
        }
        let pass = self.position.pass.as_ref();
        let token = self.position.token.as_ref();
        token
            .or_else(|| pass?.from.as_ref())
            .map_or("", String::as_str)
    }

    fn follow(&mut self, asked: &str, listing: DavListing) -> Result<CurrentList, SourceFailure> {
        let told = listing.token.clone().unwrap_or_default();
        if listing.is_cut && told == asked {
            let message = "the source cut its list without getting on";
            return Err(SourceFailure::new(FailureKind::Malformed, message));
        }
        let Some(pass) = self.position.pass.as_mut() else {
            return Ok(CurrentList {
                is_last: !listing.is_cut,
                listing,
                after: DavPosition::at_token(told),
            });
        };
        // A list that was begun before: what went since then stands in the changes since its own token.
        let is_begun = pass.token.is_some();
        let token = pass.token.get_or_insert(told).clone();
        let is_last = !listing.is_cut && !is_begun;
        let after = match is_last {
            true => DavPosition::at_token(token),
            false => DavPosition::in_pass(PassPosition {
                from: Some(token),
                token: None,
                ..pass.clone()
            }),
        };
        Ok(CurrentList {
            listing,
            after,
            is_last,
        })
    }

    async fn list_everything(&mut self) -> Result<CurrentList, SourceFailure> {
        let begun = self.position.pass.take();
        let mut pass = begun.unwrap_or_else(|| PassPosition::new(self.now));
        if pass.ctag.is_none() {
            pass.ctag.clone_from(&self.collection.ctag);
        }
        let after = DavPosition::at_ctag(pass.ctag.clone());
        self.position = DavPosition::in_pass(pass);
        Ok(CurrentList {
            listing: list_versions(&self.client, &self.collection).await?,
            after,
            is_last: true,
        })
    }
}

/// Whether the server says that nothing changed since the position.
fn is_unchanged(collection: &DavCollection, position: &DavPosition) -> bool {
    let DavPosition {
        token, ctag, pass, ..
    } = position;
    let is_same = match &collection.sync_token {
        Some(now) => token.as_ref() == Some(now),
        None => ctag.is_some() && *ctag == collection.ctag,
    };
    pass.is_none() && is_same
}

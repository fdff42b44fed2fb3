//! A round over collections, be they calendars, folders or address books: the collections themselves first, then what lies in one after
//! the other. One that is broken does not keep the others from being read.

use async_trait::async_trait;
use serde_json::json;

use crate::failure::{FailureKind, SourceFailure};
use crate::round::{
    CONTAINERS, ItemChange, KnownItems, Page, Pass, Round, RoundRequest, ScopeCoverage, SourceItem,
};

/// One round out of several, in turn; each is begun when the one before has ended.
pub(crate) struct CollectionsRound {
    current: Option<Box<dyn Round>>,
    rest: Box<dyn Iterator<Item = Box<dyn Round>> + Send>,
    /// What kept a collection from being read; told when the others were.
    failure: Option<SourceFailure>,
}

impl CollectionsRound {
    /// `collections` tells which there are, each of `readings` what lies in one of them.
    pub(crate) fn new(
        collections: impl Round + 'static,
        readings: impl Iterator<Item: Round + 'static> + Send + 'static,
    ) -> Self {
        let boxed = |reading| Box::new(reading) as Box<dyn Round>;
        Self {
            current: Some(Box::new(collections)),
            rest: Box::new(readings.map(boxed)),
            failure: None,
        }
    }
}

#[async_trait]
impl Round for CollectionsRound {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        while let Some(mut current) = self.current.take().or_else(|| self.rest.next()) {
            match current.next_page(known).await {
                Ok(Some(page)) => {
                    self.current = Some(current);
                    return Ok(Some(page));
                }
                Ok(None) => {}
                Err(failure) if is_of_one_collection(&failure) => {
                    self.failure.get_or_insert(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        self.failure.take().map_or(Ok(None), Err)
    }
}

/// Whether the other collections may answer better.
const fn is_of_one_collection(failure: &SourceFailure) -> bool {
    use FailureKind::{Malformed, NotFound, PositionLost, Rejected, TooLarge};
    matches!(
        failure.kind,
        Malformed | NotFound | PositionLost | Rejected | TooLarge
    )
}

/// A round of one page that is known when it begins.
pub(crate) struct OnePage(Option<Page>);

impl OnePage {
    /// All collections, as a pass: one that is not named any more ends with its rows.
    pub(crate) fn of_collections(
        items: impl Iterator<Item = SourceItem>,
        request: &RoundRequest,
    ) -> Self {
        let mut page = Page::new(CONTAINERS, json!({}));
        page.coverage = ScopeCoverage::Everything;
        page.changes = items.map(ItemChange::Put).collect();
        page.pass = Some(Pass {
            begun_at: request.now,
            since: None,
            is_complete: true,
        });
        Self(Some(page))
    }
}

#[async_trait]
impl Round for OnePage {
    async fn next_page(&mut self, _: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        Ok(self.0.take())
    }
}

//! One collection in a round, page by page.
//!
//! Graph tells everything, then a link by which changes are asked for; each page names the next, and a link is good after a
//! restart too. So the position after a page is the link that came with it, and no link is stored before its page.

use std::sync::Arc;

use async_trait::async_trait;

use super::client::{GraphClient, judge_link};
use super::delta::{GraphPage, ListedObject, PageEnd};
use super::position::{GraphPass, GraphPosition, ReadingDepth};
use super::trail::PageTrail;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{GRAPH_PAGES_MAX, GRAPH_PASSES_MAX};
use crate::round::{KnownItems, Page, Round, RoundRequest};

/// In what the collections of mail, calendars and contacts differ.
#[async_trait]
pub(super) trait GraphItems: Send + Sync {
    /// How many items a page holds at most.
    fn page_items(&self) -> usize;

    /// The pass that this round is to begin, although changes could be asked for.
    fn pass_due(&self, position: &GraphPosition, request: &RoundRequest) -> bool;

    /// What of a round's window a pass reads.
    fn pass(&self, request: &RoundRequest) -> GraphPass;

    /// Where a pass begins.
    fn first_link(&self, scope: &str, reading: ReadingDepth, pass: GraphPass) -> String;

    /// How to read what is too long in one answer, if there is a way.
    fn when_too_long(&self) -> Option<ReadingDepth>;

    /// Tells on a page what one of Graph's says.
    async fn tell(
        &self,
        listed: Vec<ListedObject>,
        page: &mut Page,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure>;
}

/// The reading of a collection.
pub(super) struct DeltaReading {
    client: GraphClient,
    items: Arc<dyn GraphItems>,
    scope: String,
    request: RoundRequest,
    /// What is stored after the pages so far.
    position: GraphPosition,
    trail: PageTrail,
    pages: usize,
    passes: usize,
    is_over: bool,
}

impl DeltaReading {
    pub(super) fn new(
        client: GraphClient,
        items: Arc<dyn GraphItems>,
        scope: String,
        request: RoundRequest,
    ) -> Self {
        let mut position = GraphPosition::parse(request.positions.get(&scope));
        let is_begun = position.link.is_some();
        let is_wider = match (items.pass(&request).since, position.since()) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(wanted), Some(read)) => wanted < read,
        };
        if !is_begun || is_wider || items.pass_due(&position, &request) {
            let reading = position.reading_of_pass(request.now);
            position = position.begin(items.pass(&request), reading);
        }
        Self {
            client,
            items,
            scope,
            request,
            position,
            trail: PageTrail::default(),
            pages: 0,
            passes: 0,
            is_over: false,
        }
    }
}

#[async_trait]
impl Round for DeltaReading {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        if self.is_over {
            return Ok(None);
        }
        let listed = self.next_listed().await?;
        self.trail.note(&listed);
        let mut page = Page::new(self.scope.clone(), serde_json::json!({}));
        let is_last = !matches!(listed.end, PageEnd::More(_));
        page.pass = self.position.pass.map(|pass| pass.page(is_last));
        self.items.tell(listed.objects, &mut page, known).await?;
        match listed.end {
            PageEnd::More(link) => self.position.link = Some(link),
            PageEnd::Told(link) => self.position = self.position.clone().end(Some(link)),
            PageEnd::Listed => self.position = self.position.clone().end(None),
        }
        self.is_over = is_last;
        page.position = self.position.to_value();
        Ok(Some(page))
    }
}

impl DeltaReading {
    /// The page at the position. Where the position is none any more, or leads nowhere, a pass is begun.
    async fn next_listed(&mut self) -> Result<GraphPage, SourceFailure> {
        loop {
            let usual = self.position.reading;
            let (reading, failure) = match self.fetch().await {
                Ok(page) if self.trail.knows(&page) => {
                    let message = "the source told the same pages again and again";
                    let failure = SourceFailure::new(FailureKind::Malformed, message);
                    (
                        (usual != ReadingDepth::Plain).then_some(ReadingDepth::Plain),
                        failure,
                    )
                }
                Err(lost) if lost.kind == FailureKind::PositionLost => (Some(usual), lost),
                Err(long) if long.kind == FailureKind::TooLarge && usual == ReadingDepth::Usual => {
                    (self.items.when_too_long(), long)
                }
                fetched => return fetched,
            };
            self.passes += 1;
            match reading.filter(|_| self.passes <= GRAPH_PASSES_MAX) {
                Some(reading) => self.begin(reading),
                None => return Err(failure),
            }
        }
    }

    async fn fetch(&mut self) -> Result<GraphPage, SourceFailure> {
        self.pages += 1;
        if self.pages > GRAPH_PAGES_MAX {
            let message = format!("the source has more than {GRAPH_PAGES_MAX} pages");
            return Err(SourceFailure::new(FailureKind::Malformed, message));
        }
        let link = match (&self.position.link, self.position.pass) {
            (Some(link), _) => link.clone(),
            (None, pass) => {
                let pass = pass.unwrap_or_else(|| self.items.pass(&self.request));
                self.items
                    .first_link(&self.scope, self.position.reading, pass)
            }
        };
        let answer = self.client.follow(&link, Some(self.items.page_items()));
        let page = GraphPage::of_answer(answer.await?)?;
        if let PageEnd::More(link) | PageEnd::Told(link) = &page.end {
            judge_link(link)?;
        }
        Ok(page)
    }

    fn begin(&mut self, reading: ReadingDepth) {
        let pass = self.items.pass(&self.request);
        let reading = (reading, Some(self.request.now));
        self.position = self.position.begin(pass, reading);
        self.trail = PageTrail::default();
    }
}

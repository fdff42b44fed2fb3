//! The sector of a sign-in, in rounds.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};

use super::client::{AskedSpan, WhoopClient};
use super::collection::WhoopCollection;
use super::items::{self, ReadRecord};
use super::listing::{CollectionListing, Telling};
use super::position::WhoopPosition;
use super::steps::{ReadStep, ReadSteps};
use crate::bearer::BearerClient;
use crate::failure::{FailureKind, SourceFailure};
use crate::round::{Feed, KnownItems, Page, Round, RoundRequest};

/// What a person consented to of their WHOOP.
pub struct WhoopFeed {
    bearer: BearerClient,
    collections: Vec<WhoopCollection>,
}

impl WhoopFeed {
    /// Reads these collections, which are those whose scopes came back with the token ([`WhoopCollection::of_granted`]); the others
    /// would be refused.
    pub fn new(bearer: BearerClient, granted: impl IntoIterator<Item = WhoopCollection>) -> Self {
        let granted: Vec<_> = granted.into_iter().collect();
        let in_order = WhoopCollection::ALL.into_iter();
        Self {
            bearer,
            collections: in_order.filter(|own| granted.contains(own)).collect(),
        }
    }
}

#[async_trait]
impl Feed for WhoopFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        let collection = self.collections.first().ok_or_else(|| {
            let message = "the sign-in opens none of the source's collections";
            SourceFailure::new(FailureKind::Rejected, message)
        })?;
        let mut client = WhoopClient::new(self.bearer.clone());
        let span = AskedSpan::default();
        client.list(*collection, span, None, 1).await.map(drop)
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        Ok(Box::new(WhoopRound {
            client: WhoopClient::new(self.bearer.clone()),
            steps: ReadSteps::new(&self.collections, &request),
            reading: None,
            failure: None,
            request,
        }))
    }
}

struct WhoopRound {
    client: WhoopClient,
    request: RoundRequest,
    steps: ReadSteps,
    reading: Option<StepReading>,
    /// What kept a collection from being read; told when the others were.
    failure: Option<SourceFailure>,
}

/// A step that is being read.
struct StepReading {
    collection: WhoopCollection,
    step: ReadStep,
    listing: CollectionListing,
}

#[async_trait]
impl Round for WhoopRound {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        while let Some(mut reading) = self.reading.take().or_else(|| self.next_reading()) {
            match self.read_page(&mut reading, known).await {
                Ok(page) => {
                    if !reading.listing.is_over() {
                        self.reading = Some(reading);
                    }
                    return Ok(Some(page));
                }
                Err(failure) if is_of_one_collection(&failure) => {
                    self.steps.give_up(reading.collection);
                    self.failure.get_or_insert(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        self.failure.take().map_or(Ok(None), Err)
    }
}

impl WhoopRound {
    fn next_reading(&mut self) -> Option<StepReading> {
        let (collection, step) = self.steps.next()?;
        Some(StepReading {
            listing: self.list(collection, step),
            collection,
            step,
        })
    }

    fn list(&self, collection: WhoopCollection, step: ReadStep) -> CollectionListing {
        let telling = Telling {
            is_pass: matches!(step, ReadStep::Anew { .. }),
            since: self.request.since,
        };
        CollectionListing::new(collection, step.span(), telling)
    }

    /// The next page of a step. The position stays until its last page: a step that was cut off is read again.
    async fn read_page(
        &mut self,
        reading: &mut StepReading,
        known: &dyn KnownItems,
    ) -> Result<Page, SourceFailure> {
        let mut page = reading.listing.next_page(&mut self.client, known).await?;
        if matches!(reading.step, ReadStep::Anew { .. }) && reading.listing.is_empty() {
            // The source may not have caught up: that nothing is there is believed when it is told twice.
            reading.listing = self.list(reading.collection, reading.step);
            page = reading.listing.next_page(&mut self.client, known).await?;
        }
        let is_over = reading.listing.is_over();
        if let ReadStep::Anew { mut pass, .. } = reading.step {
            pass.is_complete = is_over && reading.listing.is_all_named();
            page.pass = Some(pass);
        }
        if is_over {
            let position = self.position_after(reading).await?;
            self.steps.advance(reading.collection, position);
        }
        page.position = self.steps.position(reading.collection).to_value();
        Ok(page)
    }

    async fn position_after(
        &mut self,
        reading: &StepReading,
    ) -> Result<WhoopPosition, SourceFailure> {
        let position = self.steps.position(reading.collection);
        match reading.step {
            ReadStep::Anew { start, .. } => Ok(position.reread(start, self.request.now)),
            ReadStep::Back { start, .. }
                if reading.listing.is_empty() && self.request.since != Some(start) =>
            {
                self.skip_gap(reading.collection, position, start).await
            }
            ReadStep::Back { start, .. } => Ok(position.back_to(start)),
        }
    }

    /// After a step that found nothing: the next begins at the newest record before it, if there is one.
    async fn skip_gap(
        &mut self,
        collection: WhoopCollection,
        position: WhoopPosition,
        start: DateTime<Utc>,
    ) -> Result<WhoopPosition, SourceFailure> {
        let span = AskedSpan {
            start: None,
            end: Some(start),
        };
        let before = self.client.list(collection, span, None, 1).await?;
        let Some(newest) = before.records.into_iter().next() else {
            return Ok(position.back_to_the_beginning(start));
        };
        let at = match items::read(collection, newest) {
            ReadRecord::Item(item) => item.at,
            ReadRecord::Unread { .. } => None,
        };
        let end = at.and_then(|at| at.checked_add_signed(TimeDelta::seconds(1)));
        Ok(position.back_to(end.map_or(start, |end| end.min(start))))
    }
}

/// Whether the other collections may answer better: one that is broken does not keep them from being read.
fn is_of_one_collection(failure: &SourceFailure) -> bool {
    use FailureKind::{Malformed, NotFound, Rejected, TooLarge};
    matches!(failure.kind, Malformed | NotFound | Rejected | TooLarge)
}

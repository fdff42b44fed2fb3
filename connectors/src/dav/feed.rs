//! One sector of a sign-in at a server of WebDAV, in rounds.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::Url;
use serde_json::{Value, json};

use super::client::DavClient;
use super::discovery::{DavCollection, find_homes, list_collections};
use super::kind::DavKind;
use super::position::DavPosition;
use super::reading::CollectionReading;
use super::records::container;
use super::window::DavWindow;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::HttpGuard;
use crate::round::{
    CONTAINERS, Feed, ItemChange, KnownItems, Page, Pass, Round, RoundRequest, ScopeCoverage,
};
use crate::secret::SourceSecret;

/// The calendars or the contacts of one person at one server.
pub struct DavFeed {
    client: Arc<DavClient>,
    start: Url,
    kind: DavKind,
}

impl DavFeed {
    /// Reads from `start`, the address that was typed or that the provider has, as `user`.
    ///
    /// # Errors
    /// [`FailureKind::ForbiddenAddress`] if the guard's rule does not allow `start`; [`FailureKind::CredentialRefused`] if the
    /// name and the password cannot be sent.
    pub fn new(
        kind: DavKind,
        guard: HttpGuard,
        start: Url,
        user: &str,
        password: &SourceSecret,
    ) -> Result<Self, SourceFailure> {
        let client = Arc::new(DavClient::new(guard, user, password)?);
        client.judge(&start)?;
        Ok(Self {
            client,
            start,
            kind,
        })
    }
}

#[async_trait]
impl Feed for DavFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        let homes = find_homes(&self.client, &self.start, self.kind).await?;
        let listed = list_collections(&self.client, &homes, self.kind).await;
        listed.map(drop)
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let homes = find_homes(&self.client, &self.start, self.kind).await?;
        let collections = list_collections(&self.client, &homes, self.kind).await?;
        Ok(Box::new(DavRound {
            client: Arc::clone(&self.client),
            kind: self.kind,
            containers: Some(containers_page(self.kind, &collections, &request)),
            collections: collections.into(),
            reading: None,
            failure: None,
            request,
        }))
    }
}

/// All collections, as a pass: one that is not named any more ends with its rows.
fn containers_page(kind: DavKind, collections: &[DavCollection], request: &RoundRequest) -> Page {
    let mut page = Page::new(CONTAINERS, json!({}));
    page.coverage = ScopeCoverage::Everything;
    let containers = collections.iter().map(|one| container(kind, one));
    page.changes = containers.map(ItemChange::Put).collect();
    page.pass = Some(Pass {
        begun_at: request.now,
        since: None,
        is_complete: true,
    });
    page
}

/// The containers first, then one collection after the other.
struct DavRound {
    client: Arc<DavClient>,
    kind: DavKind,
    request: RoundRequest,
    containers: Option<Page>,
    collections: VecDeque<DavCollection>,
    reading: Option<CollectionReading>,
    /// What kept a collection from being read; told when the others were.
    failure: Option<SourceFailure>,
}

#[async_trait]
impl Round for DavRound {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        if let Some(containers) = self.containers.take() {
            return Ok(Some(containers));
        }
        while let Some(mut reading) = self.reading.take().or_else(|| self.next_reading()) {
            match reading.next_page(known).await {
                Ok(Some(page)) => {
                    self.reading = Some(reading);
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

impl DavRound {
    fn next_reading(&mut self) -> Option<CollectionReading> {
        let collection = self.collections.pop_front()?;
        let position = stored_position(&self.request.positions, &collection.key);
        Some(CollectionReading::new(
            Arc::clone(&self.client),
            self.kind,
            collection,
            position,
            DavWindow::new(self.kind, self.request.since),
            self.request.now,
        ))
    }
}

fn stored_position(positions: &HashMap<String, Value>, scope: &str) -> DavPosition {
    DavPosition::parse(positions.get(scope))
}

/// Whether the other collections may answer better: one that is broken does not keep them from being read.
fn is_of_one_collection(failure: &SourceFailure) -> bool {
    use FailureKind::{Malformed, NotFound, Rejected, TooLarge};
    matches!(failure.kind, Malformed | NotFound | Rejected | TooLarge)
}

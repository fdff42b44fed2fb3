//! One sector of a sign-in at a server of WebDAV, in rounds.

use std::sync::Arc;

use async_trait::async_trait;
use reqwest::Url;

use super::client::DavClient;
use super::discovery::{find_homes, list_collections, try_to_list};
use super::kind::DavKind;
use super::position::DavPosition;
use super::reading::CollectionReading;
use super::records::container;
use super::window::DavWindow;
use crate::collections::{CollectionsRound, OnePage};
use crate::failure::SourceFailure;
use crate::guard::HttpGuard;
use crate::round::{Feed, Round, RoundRequest};
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
    /// [`crate::failure::FailureKind::ForbiddenAddress`] if the guard's rule does not allow `start`;
    /// [`crate::failure::FailureKind::CredentialRefused`] if the name and the password cannot be sent.
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
        try_to_list(&self.client, &homes, self.kind).await
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let homes = find_homes(&self.client, &self.start, self.kind).await?;
        let collections = list_collections(&self.client, &homes, self.kind).await?;
        let (client, kind) = (Arc::clone(&self.client), self.kind);
        let items = collections.iter().map(|one| container(kind, one));
        let told = OnePage::of_collections(items, &request);
        let readings = collections.into_iter().map(move |collection| {
            let position = DavPosition::parse(request.positions.get(&collection.key));
            let window = DavWindow::new(kind, request.since);
            let client = Arc::clone(&client);
            CollectionReading::new(client, kind, collection, position, window, request.now)
        });
        Ok(Box::new(CollectionsRound::new(told, readings)))
    }
}

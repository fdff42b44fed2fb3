//! The calendars of a sign-in, in rounds.

use std::sync::Arc;

use async_trait::async_trait;

use super::calendars::{GoogleCalendar, list_calendars};
use super::client::{GoogleClient, GoogleService};
use super::position::GooglePosition;
use super::reading::CalendarReading;
use crate::bearer::BearerClient;
use crate::collections::{CollectionsRound, OnePage};
use crate::failure::SourceFailure;
use crate::round::{Feed, Round, RoundRequest};

/// The calendars of the one who signed in. Its requests go to `www.googleapis.com`.
pub struct GoogleCalendarFeed {
    client: Arc<GoogleClient>,
}

impl GoogleCalendarFeed {
    /// Asks with the tokens of a sign-in whose scopes hold `calendar.readonly`.
    pub fn new(bearer: BearerClient) -> Self {
        Self {
            client: Arc::new(GoogleClient::new(bearer)),
        }
    }
}

#[async_trait]
impl Feed for GoogleCalendarFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        let path = ["users", "me", "calendarList"];
        let query = [("maxResults", "1")];
        let answer = self.client.ask(GoogleService::Calendar, &path, &query);
        answer.await.map(drop)
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let calendars = list_calendars(&self.client).await?;
        let client = Arc::clone(&self.client);
        let items = calendars.iter().map(GoogleCalendar::item);
        let told = OnePage::of_collections(items, &request);
        let readings = calendars.into_iter().map(move |calendar| {
            let stored = request.positions.get(&calendar.key);
            let position = GooglePosition::parse(stored, &calendar.basis());
            CalendarReading::new(Arc::clone(&client), calendar, position, request.now)
        });
        Ok(Box::new(CollectionsRound::new(told, readings)))
    }
}

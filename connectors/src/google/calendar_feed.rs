//! The calendars of a sign-in, in rounds.

use std::collections::VecDeque;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;

use super::calendars::{GoogleCalendar, list_calendars};
use super::client::{GoogleClient, GoogleService};
use super::position::GooglePosition;
use super::reading::CalendarReading;
use crate::bearer::BearerClient;
use crate::failure::{FailureKind, SourceFailure};
use crate::round::{CONTAINERS, Feed, ItemChange, KnownItems, Page, Pass, Round, RoundRequest};

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
        Ok(Box::new(CalendarRound {
            client: Arc::clone(&self.client),
            containers: Some(containers_page(&calendars, &request)),
            calendars: calendars.into(),
            reading: None,
            failure: None,
            request,
        }))
    }
}

/// All calendars, as a pass: one that is not named any more ends with its rows.
fn containers_page(calendars: &[GoogleCalendar], request: &RoundRequest) -> Page {
    let mut page = Page::new(CONTAINERS, json!({}));
    let items = calendars.iter().map(GoogleCalendar::item);
    page.changes = items.map(ItemChange::Put).collect();
    page.pass = Some(Pass {
        begun_at: request.now,
        since: None,
        is_complete: true,
    });
    page
}

/// The calendars first, then the events of one after the other.
struct CalendarRound {
    client: Arc<GoogleClient>,
    request: RoundRequest,
    containers: Option<Page>,
    calendars: VecDeque<GoogleCalendar>,
    reading: Option<CalendarReading>,
    /// What kept a calendar from being read; told when the others were.
    failure: Option<SourceFailure>,
}

#[async_trait]
impl Round for CalendarRound {
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
                Err(failure) if is_of_one_calendar(&failure) => {
                    self.failure.get_or_insert(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        self.failure.take().map_or(Ok(None), Err)
    }
}

impl CalendarRound {
    fn next_reading(&mut self) -> Option<CalendarReading> {
        let calendar = self.calendars.pop_front()?;
        let stored = self.request.positions.get(&calendar.key);
        let position = GooglePosition::parse(stored, &calendar.basis());
        let client = Arc::clone(&self.client);
        Some(CalendarReading::new(
            client,
            calendar,
            position,
            self.request.now,
        ))
    }
}

/// Whether the other calendars may answer better: one that is broken does not keep them from being read.
fn is_of_one_calendar(failure: &SourceFailure) -> bool {
    use FailureKind::{Malformed, NotFound, PositionLost, Rejected, TooLarge};
    matches!(
        failure.kind,
        Malformed | NotFound | PositionLost | Rejected | TooLarge
    )
}

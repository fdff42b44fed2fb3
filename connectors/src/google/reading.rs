//! One calendar in a round, page by page.
//!
//! A list names single events, masters and exceptions in no order. Single events are told as they come, series when the list has ended:
//! in a pass from what it named, else asked for whole, since a list of changes names only the part that changed. The list's token is the
//! position of the last page, and of no page before.

use std::collections::HashSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::calendars::GoogleCalendar;
use super::client::{GoogleClient, GoogleService};
use super::event::{Event, EventPlace};
use super::held::{HeldSeries, Parts};
use super::listing::{EmptyList, ListPage, ListPages, NextPage};
use super::position::GooglePosition;
use super::series;
use super::telling::{Told, tell};
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{GOOGLE_PAGE_BYTES_MAX, GOOGLE_PAGE_SERIES_MAX};
use crate::round::{KnownItems, Page, Pass, SkippedItem};

/// Events on a page of a list.
const LIST_PAGE: &str = "250";

/// The reading of a calendar.
pub(super) struct CalendarReading {
    client: Arc<GoogleClient>,
    calendar: GoogleCalendar,
    now: DateTime<Utc>,
    /// What is stored before the last page.
    position: GooglePosition,
    is_pass: bool,
    pages: ListPages,
    held: HeldSeries,
    at: At,
}

/// How far it has come.
enum At {
    List,
    /// The list has ended with this token.
    Series(String),
    End,
}

impl CalendarReading {
    pub(super) fn new(
        client: Arc<GoogleClient>,
        calendar: GoogleCalendar,
        position: GooglePosition,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            is_pass: position.token.is_none(),
            client,
            calendar,
            now,
            position,
            pages: ListPages::default(),
            held: HeldSeries::default(),
            at: At::List,
        }
    }

    /// The next page; `None` when everything was told.
    pub(super) async fn next_page(
        &mut self,
        known: &dyn KnownItems,
    ) -> Result<Option<Page>, SourceFailure> {
        loop {
            let page = match &self.at {
                At::List => self.tell_list(known).await,
                At::Series(token) => {
                    let token = token.clone();
                    self.tell_series(token, known).await
                }
                At::End => return Ok(None),
            };
            match page {
                Err(lost) if lost.kind == FailureKind::PositionLost && !self.is_pass => {
                    self.begin_anew();
                }
                Err(refused) if self.is_nobodys(&refused) => {
                    self.at = At::End;
                    return Ok(Some(self.unread(&refused)));
                }
                Ok(page) if page.changes.is_empty() && page.skipped.is_empty() => {
                    let is_said = self.position.to_value() == page.position;
                    if matches!(self.at, At::End) && (self.is_pass || !is_said) {
                        return Ok(Some(page));
                    }
                }
                page => return page.map(Some),
            }
        }
    }

    fn begin_anew(&mut self) {
        self.position = GooglePosition::default();
        self.is_pass = true;
        self.pages = ListPages::default();
        self.held = HeldSeries::default();
        self.at = At::List;
    }

    /// Calendars whose owner has taken them away stay in the lists of others: nobody here can do anything about it.
    fn is_nobodys(&self, failure: &SourceFailure) -> bool {
        let is_first = matches!(self.at, At::List) && self.pages.token().is_none();
        is_first
            && matches!(failure.status, Some(403 | 404))
            && matches!(failure.kind, FailureKind::Rejected | FailureKind::NotFound)
    }

    fn unread(&self, failure: &SourceFailure) -> Page {
        let mut page = Page::new(self.calendar.key.clone(), self.position.to_value());
        page.skipped.push(SkippedItem {
            key: self.calendar.key.clone(),
            reason: format!("its events cannot be read: {failure}"),
        });
        page
    }

    /// A page with the single events of the next page of the list.
    async fn tell_list(&mut self, known: &dyn KnownItems) -> Result<Page, SourceFailure> {
        let list = self.ask_list().await?;
        let mut page = self.page();
        let mut told = Vec::new();
        for item in list.items {
            let name = name_of(&item).map(|name| self.calendar.key_of(name));
            match (Event::read(item), name) {
                (Some(event), _) => told.extend(self.take(event)),
                (None, Some(key)) => told.push(Told::Unread(key, "it cannot be read")),
                (None, None) => page.skipped.push(SkippedItem {
                    key: self.calendar.key.clone(),
                    reason: "an event in it has no name".to_owned(),
                }),
            }
        }
        tell(&mut page, told, known).await?;
        if let NextPage::End(token) = list.next {
            self.at = At::Series(NextPage::sync_token(token)?);
        }
        Ok(page)
    }

    /// What is to be said of an event now; a part of a series waits.
    fn take(&mut self, event: Event) -> Option<Told> {
        match event.place() {
            EventPlace::Single => Some(series::single(&event, &self.calendar)),
            EventPlace::Gone => Some(Told::Gone(self.calendar.key_of(&event.id))),
            EventPlace::OfSeries(master) => {
                let master = master.to_owned();
                match self.is_pass {
                    true => self.held.hold(master, event),
                    false => self.held.ask(master, event.uid),
                }
                None
            }
        }
    }

    /// A page with some of the series, as many as fit.
    async fn tell_series(
        &mut self,
        token: String,
        known: &dyn KnownItems,
    ) -> Result<Page, SourceFailure> {
        let mut page = self.page();
        let (mut told, mut bytes) = (Vec::new(), 0);
        while told.len() < GOOGLE_PAGE_SERIES_MAX && bytes < GOOGLE_PAGE_BYTES_MAX {
            let Some((master, parts)) = self.held.take() else {
                break;
            };
            let parts = match parts {
                Parts::Whole(parts) => parts,
                Parts::ToAsk(uid) => self.ask_series(&master, uid).await?,
            };
            let sizes = parts.iter().map(|part| part.sent.to_string().len());
            bytes += sizes.sum::<usize>();
            told.push(series::whole(&master, &parts, &self.calendar));
        }
        tell(&mut page, told, known).await?;
        if self.held.is_empty() {
            self.at = At::End;
            let basis = self.calendar.basis();
            page.position = GooglePosition::at_token(token, &basis).to_value();
            if let Some(pass) = &mut page.pass {
                pass.is_complete = true;
            }
        }
        Ok(page)
    }

    fn page(&self) -> Page {
        let mut page = Page::new(self.calendar.key.clone(), self.position.to_value());
        page.pass = self.is_pass.then_some(Pass {
            begun_at: self.now,
            since: None,
            is_complete: false,
        });
        page
    }

    async fn ask_list(&mut self) -> Result<ListPage, SourceFailure> {
        let mut query = Vec::new();
        let sync = self.position.token.as_deref();
        query.extend(sync.map(|token| ("syncToken", token)));
        let list = ask_events(&self.client, &self.calendar, &mut self.pages, query).await;
        list.map_err(|failure| match failure.status {
            Some(410) if sync.is_some() => SourceFailure {
                kind: FailureKind::PositionLost,
                ..failure
            },
            _ => failure,
        })
    }

    /// All parts of a series. They share a UID, which a cancelled exception need not say: then the master does.
    ///
    /// # Errors
    /// [`FailureKind::PositionLost`] if nothing says the UID: a list of everything names the parts.
    async fn ask_series(
        &self,
        master: &str,
        uid: Option<String>,
    ) -> Result<Vec<Event>, SourceFailure> {
        let uid = match uid {
            Some(uid) => uid,
            None => match self.ask_uid(master).await? {
                Some(uid) => uid,
                None => return Ok(Vec::new()),
            },
        };
        let mut pages = ListPages::default();
        let (mut parts, mut ids) = (Vec::new(), HashSet::new());
        loop {
            let query = vec![("iCalUID", uid.as_str())];
            let list = ask_events(&self.client, &self.calendar, &mut pages, query).await?;
            let events = list.items.into_iter().filter_map(Event::read);
            let own = events.filter(|event| event.place() == EventPlace::OfSeries(master));
            parts.extend(own.filter(|event| ids.insert(event.id.clone())));
            if let NextPage::End(_) = list.next {
                return Ok(parts);
            }
        }
    }

    /// The UID of a series by its master; `None` if the series was deleted.
    async fn ask_uid(&self, master: &str) -> Result<Option<String>, SourceFailure> {
        let path = ["calendars", &self.calendar.id, "events", master];
        let answer = self.client.ask(GoogleService::Calendar, &path, &[]).await;
        let event = match answer {
            Ok(answer) => Event::read(answer),
            Err(failure) if failure.kind == FailureKind::NotFound => None,
            Err(failure) => return Err(failure),
        };
        match event {
            Some(event) if event.is_cancelled() => Ok(None),
            Some(Event { uid: Some(uid), .. }) => Ok(Some(uid)),
            _ => {
                let message = "the source does not say to what an event belongs";
                Err(SourceFailure::new(FailureKind::PositionLost, message))
            }
        }
    }
}

/// By what name an item that cannot be read is stored, if it was read before.
fn name_of(item: &Value) -> Option<&str> {
    let text = |name: &str| item.get(name)?.as_str();
    let name = text("recurringEventId").or_else(|| text("id"));
    name.filter(|name| !name.is_empty())
}

/// A page of events. Masters and exceptions, not what the rules make of them: occurrences are made here.
async fn ask_events(
    client: &GoogleClient,
    calendar: &GoogleCalendar,
    pages: &mut ListPages,
    mut query: Vec<(&str, &str)>,
) -> Result<ListPage, SourceFailure> {
    query.extend([("maxResults", LIST_PAGE), ("singleEvents", "false")]);
    query.extend(pages.token().map(|token| ("pageToken", token)));
    let path = ["calendars", &calendar.id, "events"];
    let answer = client.ask(GoogleService::Calendar, &path, &query).await?;
    pages.read(answer, "items", EmptyList::Written)
}

//! One calendar in a round, page by page.
//!
//! A list names single events, masters and exceptions in no order. Single events are told as they come, series when the list has ended:
//! in a pass from what it named, else asked for whole, since a list of changes names only the part that changed. The list's token is the
//! position of the last page, and of no page before.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::Value;

use super::asking::{ask_events, ask_series};
use super::calendars::GoogleCalendar;
use super::client::GoogleClient;
use super::event::{EventPlace, GoogleEvent};
use super::held::{HeldSeries, SeriesParts};
use super::listing::{GooglePage, ListPages, NextPage};
use super::position::GooglePosition;
use super::series;
use super::telling::{ToldItem, tell};
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{GOOGLE_PAGE_BYTES_MAX, GOOGLE_PAGE_SERIES_MAX};
use crate::round::{KnownItems, Page, Pass, Round, SkippedItem};

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
}

#[async_trait]
impl Round for CalendarReading {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
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
}

impl CalendarReading {
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
            match (GoogleEvent::read(item), name) {
                (Some(event), _) => told.extend(self.take(event)),
                (None, Some(key)) => told.push(ToldItem::Unread(key, "it cannot be read")),
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
    fn take(&mut self, event: GoogleEvent) -> Option<ToldItem> {
        match event.place() {
            EventPlace::Single => Some(series::single(&event, &self.calendar)),
            EventPlace::Gone => Some(ToldItem::Gone(self.calendar.key_of(&event.id))),
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
                SeriesParts::Whole(parts) => parts,
                SeriesParts::ToAsk(uid) => {
                    ask_series(&self.client, &self.calendar, &master, uid).await?
                }
            };
            let sizes = parts.iter().map(|part| part.sent.to_string().len());
            bytes += sizes.sum::<usize>();
            let series = series::whole(&master, &parts, &self.calendar);
            // In a pass it is gone by not being named; an event that does not repeat any more is named by itself.
            if !(self.is_pass && matches!(series, ToldItem::Gone(_))) {
                told.push(series);
            }
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

    async fn ask_list(&mut self) -> Result<GooglePage, SourceFailure> {
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
}

/// By what name an item that cannot be read is stored, if it was read before.
fn name_of(item: &Value) -> Option<&str> {
    let text = |name: &str| item.get(name)?.as_str();
    let name = text("recurringEventId").or_else(|| text("id"));
    name.filter(|name| !name.is_empty())
}

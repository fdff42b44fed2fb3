//! The pages of a home: a pass over everything, then what changes, gathered for about a second.

use std::collections::VecDeque;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::gathered::Gathered;
use super::history::HomeHistory;
use super::session::{HomeEvents, HomeSession};
use super::snapshot::{HomeSnapshot, wait_until_running};
use super::{items, pages};
use crate::failure::SourceFailure;
use crate::limits::HOME_GATHER_INTERVAL;
use crate::round::{ChangeStream, KnownItems, Page, RoundRequest, ScopeCoverage};

/// What is listened to: the states, and that the registries are others.
const EVENT_TYPES: [&str; 4] = [
    "state_changed",
    "area_registry_updated",
    "device_registry_updated",
    "entity_registry_updated",
];

/// One home as it changes.
pub(super) struct HomeChanges {
    session: HomeSession,
    events: HomeEvents,
    snapshot: HomeSnapshot,
    history: HomeHistory,
    ready: VecDeque<Page>,
    opened: (Instant, DateTime<Utc>),
    /// The last pages were of what changed.
    was_live: bool,
    has_caught_up: bool,
}

impl HomeChanges {
    /// Waits until the home runs, subscribes, and reads everything: what changes meanwhile waits in the queue.
    pub(super) async fn open(
        session: HomeSession,
        request: RoundRequest,
    ) -> Result<Self, SourceFailure> {
        let opened = (Instant::now(), request.now);
        wait_until_running(&session).await?;
        let events = session.subscribe(&EVENT_TYPES).await?;
        let snapshot = HomeSnapshot::read(&session).await?;
        let history = HomeHistory::new(&request, &snapshot);
        let mut changes = Self {
            session,
            events,
            snapshot,
            history,
            ready: VecDeque::new(),
            opened,
            was_live: true,
            has_caught_up: false,
        };
        changes.ready = changes.snapshot.pages(changes.now());
        Ok(changes)
    }

    /// The present: that of the request, and how long ago it was made.
    fn now(&self) -> DateTime<Utc> {
        let (at, then) = self.opened;
        let elapsed = TimeDelta::from_std(at.elapsed()).unwrap_or_default();
        then.checked_add_signed(elapsed).unwrap_or(then)
    }

    /// Makes pages ready: of the past, or of what changes. While the past is read, both take turns.
    async fn make_ready(&mut self) -> Result<(), SourceFailure> {
        let due = self.history.due();
        let is_due = due.is_some_and(|due| due <= Instant::now());
        if is_due && (self.events.is_empty() || self.was_live) {
            self.was_live = false;
            self.ready = self
                .history
                .read_next(&self.session, &self.snapshot)
                .await?;
            return Ok(());
        }
        self.was_live = true;
        let first = match due.filter(|_| !is_due) {
            Some(due) => timeout_at(due, self.events.next()).await.ok(),
            None => Some(self.events.next().await),
        };
        match first {
            Some(first) => self.gather(first?).await,
            None => Ok(()),
        }
    }

    /// Gathers what follows an event within [`HOME_GATHER_INTERVAL`].
    async fn gather(&mut self, first: Value) -> Result<(), SourceFailure> {
        let mut gathered = Gathered::default();
        gathered.take(first);
        let until = Instant::now() + HOME_GATHER_INTERVAL;
        while !gathered.is_full() {
            match timeout_at(until, self.events.next()).await {
                Ok(event) => gathered.take(event?),
                Err(_) => break,
            }
        }
        self.tell(&gathered).await
    }

    /// What was gathered, as pages. Registries that changed are read anew, with everything: keys and rooms may be others.
    async fn tell(&mut self, gathered: &Gathered) -> Result<(), SourceFailure> {
        if gathered.has_new_registries {
            self.snapshot = HomeSnapshot::read(&self.session).await?;
            self.ready = self.snapshot.pages(self.now());
        } else {
            self.ready = gathered.pages(&self.snapshot.registry, self.now());
        }
        let past = gathered.past(&self.snapshot.registry);
        self.ready.append(&mut self.history.tell(past));
        Ok(())
    }
}

#[async_trait]
impl ChangeStream for HomeChanges {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Page, SourceFailure> {
        loop {
            if let Some(mut page) = self.ready.pop_front() {
                self.has_caught_up |= self.ready.is_empty();
                // What is there now is told whole, whatever the window.
                page.coverage = match page.scope.as_str() {
                    items::HISTORY => ScopeCoverage::From(self.history.covered_from()),
                    _ => ScopeCoverage::Everything,
                };
                return pages::without_known(page, known).await;
            }
            self.make_ready().await?;
        }
    }

    fn has_caught_up(&self) -> bool {
        self.has_caught_up
    }
}

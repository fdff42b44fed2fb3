//! One round, from its first page to its end.

use std::collections::HashMap;
use std::future::Future;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use sextant_actors::ports::{RoundEnd, RoundOrder, RoundReport, SourceProblem};
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::provider::Source;
use sextant_connectors::round::{ChangeStream, Feed, Page, RoundRequest, Watch};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

use super::known::StoredVersions;
use super::limits::PAGES_MAX;
use super::page::{PageRefusal, PageTarget, store_page};
use super::services::SyncParts;
use super::source::ReadableSource;
use super::tally::RoundTally;
use super::verdict;
use crate::ingest::StoreFailure;

/// A round under way.
pub(super) struct RunningRound<'a> {
    parts: &'a SyncParts,
    order: &'a RoundOrder,
    source: &'a ReadableSource,
    run: i64,
    known: StoredVersions,
    positions: HashMap<String, Value>,
    since: Option<DateTime<Utc>>,
    tally: RoundTally,
    deadline: Instant,
}

/// Why a round goes no further.
enum Stop {
    Halted,
    TimeOver,
    Failed(SourceFailure),
    Refused(PageRefusal),
}

impl<'a> RunningRound<'a> {
    pub(super) fn new(
        parts: &'a SyncParts,
        order: &'a RoundOrder,
        source: &'a ReadableSource,
        run: i64,
        positions: HashMap<String, Value>,
    ) -> Self {
        let window = source.window_days.map(|days| TimeDelta::days(days.into()));
        let since = window.and_then(|window| parts.clock.now().checked_sub_signed(window));
        Self {
            parts,
            order,
            source,
            run,
            known: StoredVersions::new(parts.pool.clone(), order.connection),
            positions,
            since,
            tally: RoundTally::default(),
            deadline: Instant::now() + order.time,
        }
    }

    /// Runs it to its end. A source that is listened to gives its turn back once it has caught up.
    pub(super) async fn run(
        mut self,
        source: Source,
        turn: Option<OwnedSemaphorePermit>,
    ) -> RoundReport {
        let stop = match source {
            Source::Rounds(feed) => self.read(feed.as_ref()).await,
            Source::Stream(watch) => self.listen(watch.as_ref(), turn).await,
        };
        match stop {
            Ok(()) => self.tally.report(RoundEnd::Finished),
            Err(stop) => self.stopped(stop),
        }
    }

    async fn read(&mut self, feed: &dyn Feed) -> Result<(), Stop> {
        let begun = feed.begin(self.request());
        let mut round = self.timed(begun).await?;
        let read = self.read_pages(round.as_mut()).await;
        round.end().await;
        read
    }

    async fn read_pages(
        &mut self,
        round: &mut dyn sextant_connectors::round::Round,
    ) -> Result<(), Stop> {
        let mut before: Option<Page> = None;
        for _ in 0..PAGES_MAX {
            let next = self.timed(round.next_page(&self.known)).await?;
            let Some(page) = next else {
                return Ok(());
            };
            if before.as_ref().is_some_and(|before| repeats(before, &page)) {
                let message = "the source tells the same page again and again";
                let failure = SourceFailure::new(FailureKind::Malformed, message);
                return Err(Stop::Failed(failure));
            }
            self.store(&page).await?;
            before = Some(page);
        }
        Err(Stop::TimeOver)
    }

    /// Stores what a source has, and then what changes there, for as long as it speaks.
    async fn listen(
        &mut self,
        watch: &dyn Watch,
        turn: Option<OwnedSemaphorePermit>,
    ) -> Result<(), Stop> {
        let opened = watch.open(self.request());
        let mut watched = self.timed(opened).await?;
        let _reachable = self
            .parts
            .homes
            .enter(self.order.connection, watched.actions);
        while !watched.changes.has_caught_up() {
            let page = self.timed(watched.changes.next_page(&self.known)).await?;
            self.store(&page).await?;
        }
        // Whoever set it before has told the same.
        let _ = self
            .order
            .caught_up
            .set(self.tally.report(RoundEnd::Listening));
        drop(turn);
        loop {
            let page = self.next_change(watched.changes.as_mut()).await?;
            self.store(&page).await?;
        }
    }

    async fn next_change(&self, changes: &mut dyn ChangeStream) -> Result<Page, Stop> {
        tokio::select! {
            biased;
            () = self.order.halt.cancelled() => Err(Stop::Halted),
            page = changes.next_page(&self.known) => page.map_err(Stop::Failed),
        }
    }

    /// Waits for the source, unless the round is halted or its time is over.
    async fn timed<T>(
        &self,
        asked: impl Future<Output = Result<T, SourceFailure>>,
    ) -> Result<T, Stop> {
        tokio::select! {
            biased;
            () = self.order.halt.cancelled() => Err(Stop::Halted),
            answered = timeout_at(self.deadline, asked) => match answered {
                Ok(answered) => answered.map_err(Stop::Failed),
                Err(_) => Err(Stop::TimeOver),
            },
        }
    }

    async fn store(&mut self, page: &Page) -> Result<(), Stop> {
        let target = PageTarget {
            user: self.source.user,
            connection: self.order.connection,
            sector: self.source.sector,
            zone: self.parts.zone,
            now: self.parts.clock.now(),
            since: self.since,
        };
        let from = self.positions.get(&page.scope);
        let _turn = self.parts.commits.acquire().await;
        let stored = store_page(&self.parts.pool, &target, self.run, page, from).await;
        let stored = stored.map_err(Stop::Refused)?;
        match stored.position.clone() {
            Some(position) => self.positions.insert(page.scope.clone(), position),
            None => self.positions.remove(&page.scope),
        };
        self.tally.add(stored);
        Ok(())
    }

    fn request(&self) -> RoundRequest {
        RoundRequest {
            positions: self.positions.clone(),
            since: self.since,
            now: self.parts.clock.now(),
            zone: self.parts.zone,
        }
    }

    fn stopped(&self, stop: Stop) -> RoundReport {
        match stop {
            Stop::Halted => self.tally.report(RoundEnd::Halted),
            Stop::TimeOver if self.tally.has_stored() => self.tally.report(RoundEnd::Unfinished),
            Stop::TimeOver => {
                let message = "the source told nothing within the time of a round";
                self.failed(&SourceFailure::new(FailureKind::Unavailable, message))
            }
            Stop::Failed(_) if self.is_store_away() => self.tally.report(RoundEnd::StoreAway),
            Stop::Failed(failure) => self.failed(&failure),
            Stop::Refused(PageRefusal::Closed) => self.tally.report(RoundEnd::Halted),
            Stop::Refused(refusal) => self.refused(&refusal),
        }
    }

    /// Whether the database did not tell the source what it asked for: what is stored, or an access token.
    fn is_store_away(&self) -> bool {
        let is_known_away = self.known.take_failed();
        self.source.is_store_away.take() || is_known_away
    }

    fn failed(&self, failure: &SourceFailure) -> RoundReport {
        let (source, now) = (self.source, self.parts.clock.now());
        let kind = (source.sector, source.is_stream);
        let before = source.problem.as_ref();
        let report = verdict::of_failure(failure, kind, before, now);
        let report = match self.parts.providers.linked(&source.provider) {
            Some(_) => verdict::of_link(report, failure),
            None => report,
        };
        let provider = self.parts.providers.get(&source.provider);
        let longest = provider.and_then(|provider| provider.busy_rest_max());
        self.tally
            .counted(verdict::rested(report, failure, longest, before, now))
    }

    /// The database's trouble is none of the source's, unless a page can never be stored.
    fn refused(&self, refusal: &PageRefusal) -> RoundReport {
        log::warn!(
            "a page of connection {} was not stored: {refusal}",
            self.order.connection
        );
        let is_lasting = match refusal {
            PageRefusal::Store(StoreFailure::Store(cause)) => {
                cause.is_rejected() || matches!(cause, crate::db::StoreError::Fault { .. })
            }
            PageRefusal::Store(_) => true,
            PageRefusal::Closed | PageRefusal::Moved => false,
        };
        if !is_lasting {
            return self.tally.report(RoundEnd::StoreAway);
        }
        let problem = SourceProblem {
            code: "not_storable",
            message: "a page of the source could not be stored; the service's log says why"
                .to_owned(),
            status: None,
        };
        let failed = RoundReport::of(RoundEnd::Failed { retry_at: None });
        self.tally.counted(RoundReport {
            problem: Some(problem),
            ..failed
        })
    }
}

/// Whether a source goes in a circle (providers rule 9): the same items, and the same position.
fn repeats(before: &Page, page: &Page) -> bool {
    !page.changes.is_empty()
        && before.scope == page.scope
        && before.position == page.position
        && before.keys() == page.keys()
}

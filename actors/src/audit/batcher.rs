//! The only writer of the audit log. It decides when to write; the [`FlushBatch`] decides what, and in which order.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::{
    Actor, ActorFutureExt as _, AsyncContext as _, Context, Handler, Message, ResponseActFuture,
    Supervised, WrapFuture as _,
};
use tokio::sync::oneshot;

use super::batch::{FlushBatch, FlushPart, RefusedPart};
use super::metrics::AuditMetrics;
use super::step::{BatcherStep, StepAnswer, perform};
use crate::audit_queue::{AuditQueue, JournalSpan, NextRows};
use crate::journal::{Journal, ReadBack};
use crate::limits::{FLUSH_ROWS_MAX, JOURNAL_LOOK_INTERVAL, JOURNAL_READS_MAX, STORE_BACKOFF};
use crate::ports::{AuditStore, Flush, Flushed, PortError};

/// Writes everything that waits now; answered when it is written.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Drain;

/// Drains the queue once per interval, and at once while there is more than one flush takes.
pub(crate) struct AuditBatcher {
    store: Arc<dyn AuditStore>,
    queue: Arc<AuditQueue>,
    journal: Arc<Journal>,
    metrics: Arc<AuditMetrics>,
    interval: Duration,
    /// The flush under way; kept over a restart, so that its rows keep their numbers.
    batch: Option<FlushBatch>,
    /// Where the database's position stands; unknown after every error, and then read before anything is sent again.
    position: Option<u64>,
    failures: u32,
    reads_failed: u32,
    /// The number of the latest timer; earlier ones do nothing.
    timer: u64,
    working: bool,
    waiters: Vec<oneshot::Sender<()>>,
    dropped_logged: u64,
}

impl AuditBatcher {
    pub(super) fn new(
        queue: Arc<AuditQueue>,
        journal: Arc<Journal>,
        metrics: Arc<AuditMetrics>,
        store: Arc<dyn AuditStore>,
        interval: Duration,
    ) -> Self {
        Self {
            store,
            queue,
            journal,
            metrics,
            interval,
            batch: None,
            position: None,
            failures: 0,
            reads_failed: 0,
            timer: 0,
            working: false,
            waiters: Vec::new(),
            dropped_logged: 0,
        }
    }

    fn flush_after(&mut self, wait: Duration, context: &mut Context<Self>) {
        // A timer that has been overtaken is ignored rather than cancelled: actix mistakes one handle for another after a restart.
        self.timer = self.timer.wrapping_add(1);
        let timer = self.timer;
        context.run_later(wait, move |batcher, context| {
            if batcher.timer == timer {
                batcher.flush(context);
            }
        });
    }

    /// Goes on with the flush under way, or begins one.
    fn flush(&mut self, context: &mut Context<Self>) {
        if self.working {
            return;
        }
        self.log_dropped();
        match self.next() {
            Some(step) => self.perform_step(step, context),
            None => self.settle(context),
        }
    }

    fn next(&mut self) -> Option<BatcherStep> {
        let Some(position) = self.position else {
            return Some(BatcherStep::Locate);
        };
        if !self.journal.has_begun() {
            return Some(BatcherStep::Begin(position));
        }
        self.journal.announce();
        if self.batch.is_none() {
            match self.queue.take(FLUSH_ROWS_MAX) {
                NextRows::Rows(taken) => self.batch = Some(FlushBatch::of(taken)),
                NextRows::Stored(span) => return Some(BatcherStep::Load(span)),
                NextRows::Undecided => return None,
            }
        }
        let batch = self.batch.as_mut()?;
        // A statement of a killed process, still on its way at the start, may have brought in more than was read back by then.
        self.queue.count_written(batch.advance_to(position));
        let FlushPart { rows, through } = batch.next()?;
        Some(BatcherStep::Append(Flush {
            journal: self.journal.id(),
            expected: position,
            through: *through,
            rows: Arc::clone(rows),
        }))
    }

    fn perform_step(&mut self, step: BatcherStep, context: &mut Context<Self>) {
        self.working = true;
        let (store, journal) = (Arc::clone(&self.store), Arc::clone(&self.journal));
        let metrics = Arc::clone(&self.metrics);
        let answer = async move {
            let begun = Instant::now();
            let answer = perform(store, journal, step).await;
            if matches!(answer, Ok(StepAnswer::Flushed(Flushed::Done))) {
                metrics.flush_durations.observe(begun.elapsed());
            }
            answer
        };
        context.spawn(answer.into_actor(self).map(|answer, batcher, context| {
            batcher.working = false;
            batcher.handle_answer(answer, context);
        }));
    }

    fn handle_answer(
        &mut self,
        answer: Result<StepAnswer, PortError>,
        context: &mut Context<Self>,
    ) {
        match self.apply(answer) {
            Ok(()) => {
                self.failures = 0;
                self.flush(context);
            }
            Err(error) => {
                self.failures = self.failures.saturating_add(1);
                let wait = STORE_BACKOFF.after(self.failures);
                log::warn!("the record could not be written: {error}; trying again in {wait:?}");
                self.flush_after(wait, context);
            }
        }
    }

    /// Moves on; an error means a wait before the next step.
    fn apply(&mut self, answer: Result<StepAnswer, PortError>) -> Result<(), PortError> {
        match answer {
            Ok(StepAnswer::Stands(position)) => self.stand_at(position),
            Ok(StepAnswer::Begun) => {}
            Ok(StepAnswer::Loaded(span, read)) => return self.take_in(span, read),
            Ok(StepAnswer::Flushed(Flushed::Done)) => self.advance(),
            // An earlier statement of this service, whose answer was lost, has moved it.
            Ok(StepAnswer::Flushed(Flushed::Elsewhere)) => self.position = None,
            Err(PortError::Rejected(_)) if self.batch.is_some() && self.position.is_some() => {
                self.handle_rejection();
            }
            Err(error) => {
                self.position = None;
                return Err(error);
            }
        }
        Ok(())
    }

    fn stand_at(&mut self, position: u64) {
        self.position = Some(position);
        if self.journal.has_begun() {
            self.queue.set_committed_through(position);
        }
        if let Some(batch) = &mut self.batch {
            self.queue.count_written(batch.advance_to(position));
        }
    }

    fn advance(&mut self) {
        let Some(batch) = &mut self.batch else { return };
        let through = batch.next().map(|part| part.through);
        self.queue.count_written(batch.complete_first());
        if let Some(through) = through {
            self.position = Some(through);
            self.queue.set_committed_through(through);
        }
    }

    /// The database refused the data. Nothing was written, so the position is where it was.
    fn handle_rejection(&mut self) {
        if let Some(batch) = &mut self.batch
            && batch.split_refused() == RefusedPart::GivenUp
        {
            self.queue.count_given_up();
        }
    }

    /// Makes what was read from the journal the next batch. A part that cannot be read after `JOURNAL_READS_MAX` attempts is given up,
    /// so that it does not hold up the rest for ever.
    fn take_in(&mut self, span: JournalSpan, read: io::Result<ReadBack>) -> Result<(), PortError> {
        let read = match read {
            Ok(read) => read,
            Err(error) => {
                self.reads_failed += 1;
                if self.reads_failed < JOURNAL_READS_MAX {
                    return Err(PortError::Unavailable(format!("the journal: {error}")));
                }
                log::error!("a part of the journal cannot be read and is given up: {error}");
                self.journal.give_up(span)
            }
        };
        self.reads_failed = 0;
        let taken = self.queue.take_loaded(read.rows, read.through);
        self.batch = Some(FlushBatch::of(taken).with_more());
        Ok(())
    }

    /// The batch is written: takes the next at once if it left rows behind or somebody waits, else after the interval.
    fn settle(&mut self, context: &mut Context<Self>) {
        let full = self.batch.take().is_some_and(|batch| {
            self.queue.release(batch.bytes());
            batch.was_full()
        });
        if self.queue.is_empty() {
            self.waiters.drain(..).for_each(|waiting| {
                // The receiver may have gone.
                let _ = waiting.send(());
            });
        } else if full {
            return self.flush_after(Duration::ZERO, context);
        } else if !self.waiters.is_empty() {
            return self.flush_after(JOURNAL_LOOK_INTERVAL, context);
        }
        self.flush_after(self.interval, context);
    }

    fn log_dropped(&mut self) {
        let dropped = self.queue.stats().dropped_rows;
        if dropped > self.dropped_logged {
            log::error!("the record could not keep {dropped} rows since the start");
            self.dropped_logged = dropped;
        }
    }
}

impl Actor for AuditBatcher {
    type Context = Context<Self>;

    /// The position is read at once: the ports do not open before the journal has begun.
    fn started(&mut self, context: &mut Self::Context) {
        self.flush_after(Duration::ZERO, context);
    }
}

impl Supervised for AuditBatcher {
    fn restarting(&mut self, _: &mut Self::Context) {
        self.working = false;
        self.position = None;
    }
}

impl Handler<Drain> for AuditBatcher {
    type Result = ResponseActFuture<Self, ()>;

    fn handle(&mut self, _: Drain, context: &mut Self::Context) -> Self::Result {
        let (settled, wait) = oneshot::channel();
        self.waiters.push(settled);
        self.flush_after(Duration::ZERO, context);
        // The handle has the deadline; a crash drops the sender, which ends the wait too.
        Box::pin(wait.into_actor(self).map(|_, _, _| ()))
    }
}

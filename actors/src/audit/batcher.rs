//! The only writer of the audit log. It decides when to write; [`FlushProgress`] decides what comes next.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::{
    Actor, ActorFutureExt as _, AsyncContext as _, Context, Handler, Message, ResponseActFuture,
    Supervised, WrapFuture as _,
};
use tokio::sync::oneshot;

use super::metrics::AuditMetrics;
use super::progress::FlushProgress;
use super::step::{BatcherStep, StepAnswer, perform};
use crate::audit_queue::AuditQueue;
use crate::journal::Journal;
use crate::limits::{JOURNAL_LOOK_INTERVAL, STORE_BACKOFF};
use crate::ports::{AuditStore, Flushed, PortError};

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
    /// Kept over a restart, so that the rows of the flush under way keep their numbers.
    progress: FlushProgress,
    failures: u32,
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
            progress: FlushProgress::new(Arc::clone(&queue), Arc::clone(&journal)),
            queue,
            journal,
            metrics,
            interval,
            failures: 0,
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
        match self.progress.next() {
            Some(step) => self.perform_step(step, context),
            None => self.settle(context),
        }
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
        match self.progress.apply(answer) {
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

    /// The batch is written: takes the next at once if it left rows behind or somebody waits, else after the interval.
    fn settle(&mut self, context: &mut Context<Self>) {
        let full = self.progress.end_batch();
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
        self.progress.forget_position();
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

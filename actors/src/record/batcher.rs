//! The one writer of the record. It knows when to write; what and in which order, the [`Batch`] knows.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::{
    Actor, ActorFutureExt as _, AsyncContext as _, Context, Handler, Message, ResponseActFuture,
    Supervised, WrapFuture as _,
};
use tokio::sync::oneshot;

use super::AuditHandle;
use super::batch::{Batch, Refused, Step};
use super::queue::Queue;
use super::tally::Tally;
use crate::limits::{FLUSH_DEADLINE, FLUSH_ROWS_MAX, STORE_BACKOFF};
use crate::ports::{AuditStore, StoreError};
use crate::supervise::bounded;

/// Writes everything that waits now; answered when it is written.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Drain;

/// Drains the queue once per interval, and at once while there is more than one flush takes.
pub(crate) struct AuditBatcher {
    store: Arc<dyn AuditStore>,
    queue: Arc<Queue>,
    tally: Arc<Tally>,
    interval: Duration,
    /// The flush under way; kept over a restart, so that its rows keep their ids.
    batch: Option<Batch>,
    failures: u32,
    /// The timer that counts.
    timer: u64,
    writing: bool,
    awaiting: Vec<oneshot::Sender<()>>,
    dropped_told: u64,
}

/// What the database answered to one step.
enum Answer {
    Ids(Vec<i64>),
    Inserted,
}

impl AuditBatcher {
    pub(crate) fn new(
        handle: &AuditHandle,
        store: Arc<dyn AuditStore>,
        interval: Duration,
    ) -> Self {
        Self {
            store,
            queue: handle.queue(),
            tally: handle.tally(),
            interval,
            batch: None,
            failures: 0,
            timer: 0,
            writing: false,
            awaiting: Vec::new(),
            dropped_told: 0,
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

    /// Takes up the flush that was left, or a new one.
    fn flush(&mut self, context: &mut Context<Self>) {
        if self.writing {
            return;
        }
        self.tell_dropped();
        let batch = self
            .batch
            .get_or_insert_with(|| Batch::of(self.queue.take(FLUSH_ROWS_MAX)));
        match batch.next() {
            Step::Done => self.settle(context),
            step => self.write(step, context),
        }
    }

    fn write(&mut self, step: Step, context: &mut Context<Self>) {
        self.writing = true;
        let (store, tally) = (Arc::clone(&self.store), Arc::clone(&self.tally));
        let answer = async move {
            let begun = Instant::now();
            let answer = perform(store, step).await;
            if matches!(answer, Ok(Answer::Inserted)) {
                tally.flush_times.add(begun.elapsed());
            }
            answer
        };
        context.spawn(answer.into_actor(self).map(|answer, batcher, context| {
            batcher.writing = false;
            batcher.answered(answer, context);
        }));
    }

    fn answered(&mut self, answer: Result<Answer, StoreError>, context: &mut Context<Self>) {
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

    /// Moves the batch on; an error means that the same step is to be tried again.
    fn apply(&mut self, answer: Result<Answer, StoreError>) -> Result<(), StoreError> {
        let Some(batch) = &mut self.batch else {
            return Ok(());
        };
        match answer {
            Ok(Answer::Ids(ids)) => {
                if !batch.number(ids) {
                    return Err(StoreError::Unavailable(
                        "not as many ids as rows".to_owned(),
                    ));
                }
            }
            Ok(Answer::Inserted) => self.queue.written(batch.inserted()),
            Err(StoreError::Rejected(_)) if matches!(batch.next(), Step::Insert(_)) => {
                if batch.refused() == Refused::GivenUp {
                    self.queue.given_up();
                }
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The batch is through: on to the next at once if it left rows behind or somebody waits, else at the next tick.
    fn settle(&mut self, context: &mut Context<Self>) {
        let full = self.batch.take().is_some_and(|batch| {
            self.queue.release(batch.bytes());
            batch.was_full()
        });
        if self.queue.is_empty() {
            self.awaiting.drain(..).for_each(|waiting| {
                // Whoever stopped waiting needs no answer.
                let _ = waiting.send(());
            });
        } else if !self.awaiting.is_empty() || full {
            return self.flush_after(Duration::ZERO, context);
        }
        self.flush_after(self.interval, context);
    }

    fn tell_dropped(&mut self) {
        let dropped = self.queue.stats().dropped_rows;
        if dropped > self.dropped_told {
            log::error!("the record could not keep {dropped} rows since the start");
            self.dropped_told = dropped;
        }
    }
}

async fn perform(store: Arc<dyn AuditStore>, step: Step) -> Result<Answer, StoreError> {
    match step {
        Step::Number(count) => bounded(FLUSH_DEADLINE, store.draw_ids(count))
            .await
            .map(Answer::Ids),
        Step::Insert(rows) => bounded(FLUSH_DEADLINE, store.insert(rows))
            .await
            .map(|()| Answer::Inserted),
        Step::Done => Ok(Answer::Inserted),
    }
}

impl Actor for AuditBatcher {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.flush_after(self.interval, context);
    }
}

impl Supervised for AuditBatcher {
    fn restarting(&mut self, _: &mut Self::Context) {
        self.writing = false;
    }
}

impl Handler<Drain> for AuditBatcher {
    type Result = ResponseActFuture<Self, ()>;

    fn handle(&mut self, _: Drain, context: &mut Self::Context) -> Self::Result {
        let (settled, wait) = oneshot::channel();
        self.awaiting.push(settled);
        self.flush_after(Duration::ZERO, context);
        // The handle has the deadline; a sender that goes with a crash is an answer too, for nobody hears it.
        Box::pin(wait.into_actor(self).map(|_, _, _| ()))
    }
}

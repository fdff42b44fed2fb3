//! A round from its beginning until its end is stored.

use std::future::Future;
use std::sync::Arc;

use tokio::sync::{SetOnce, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::services::{AskedRound, RoundStart};
use crate::limits::{ROUND_GRACE, ROUND_TIME};
use crate::ports::{RoundEnd, RoundReport};

/// How far a round is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It reads what it does not have.
    Reading,
    /// The source has told all that it had, and is listened to; so it was then.
    Listening(RoundReport),
    /// It has ended, and its end is being stored.
    Ended,
}

/// The round of a connection.
pub(super) struct UnderWay {
    pub(super) halt: CancellationToken,
    pub(super) stage: Stage,
    /// The id of its run, once it is kept.
    pub(super) run: Arc<SetOnce<i64>>,
    /// The plan was read again since it began, and knows better than how it ends.
    pub(super) is_plan_newer: bool,
    /// Those who want to know what it brought.
    pub(super) waiting: Vec<oneshot::Sender<RoundReport>>,
    /// Those who want it to be over; they are told by being dropped.
    pub(super) at_end: Vec<oneshot::Sender<()>>,
}

impl UnderWay {
    pub(super) const fn new(halt: CancellationToken, run: Arc<SetOnce<i64>>) -> Self {
        Self {
            halt,
            run,
            stage: Stage::Reading,
            is_plan_newer: false,
            waiting: Vec::new(),
            at_end: Vec::new(),
        }
    }

    /// As it is told to whoever asked for one.
    pub(super) fn asked(&self, start: RoundStart) -> AskedRound {
        let run = Arc::clone(&self.run);
        AskedRound { start, run }
    }

    /// Tells those who wait.
    pub(super) fn tell(&mut self, report: &RoundReport) {
        for waiter in self.waiting.drain(..) {
            // Who asked may have stopped waiting.
            let _ = waiter.send(report.clone());
        }
    }
}

/// Runs a round that ends when it should: one that does not has a source or a disk that hangs. Nothing limits one that has caught up.
pub(super) async fn limited(
    round: impl Future<Output = RoundReport> + Unpin,
    caught_up: Arc<SetOnce<RoundReport>>,
) -> RoundReport {
    let mut round = round;
    if let Ok(report) = timeout(ROUND_TIME + ROUND_GRACE, &mut round).await {
        return report;
    }
    match caught_up.get() {
        Some(_) => round.await,
        None => RoundReport::of(RoundEnd::Failed { retry_at: None }),
    }
}

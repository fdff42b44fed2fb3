//! Rounds of connections that go on while grants are edited: each is held until the scheduler lets it end, or crashes it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use sextant_actors::ports::{
    PortError, PortFuture, RoundEnd, RoundOrder, RoundReport, Rounds, Settlement, SyncPlan,
};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::stage::crash;

/// What becomes of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundFate {
    /// It has stored something, and the next begins at once.
    GoOn,
    Fail,
    Panic,
}

/// The port; clones share it.
#[derive(Clone, Default)]
pub struct StagedRounds(Arc<Mutex<Vec<oneshot::Sender<RoundFate>>>>);

impl StagedRounds {
    /// The rounds under way.
    pub fn under_way(&self) -> usize {
        let mut held = self.0.lock().unwrap();
        held.retain(|round| !round.is_closed());
        held.len()
    }

    /// Ends one of them so.
    pub fn end(&self, index: usize, fate: RoundFate) {
        let round = self.0.lock().unwrap().remove(index);
        // Its actor may have crashed in this very moment.
        let _ = round.send(fate);
    }
}

impl Rounds for StagedRounds {
    fn plan(&self, _: Uuid) -> PortFuture<Result<SyncPlan, PortError>> {
        let plan = SyncPlan {
            interval: Duration::from_secs(60),
            is_stream: false,
            last_success_at: None,
            retry_at: None,
            wished_until: None,
            needs_person: false,
        };
        Box::pin(async move { Ok(plan) })
    }

    fn run(&self, round: RoundOrder) -> PortFuture<RoundReport> {
        let (fate, decided) = oneshot::channel();
        self.0.lock().unwrap().push(fate);
        Box::pin(async move {
            let decided = tokio::select! {
                decided = decided => decided.unwrap_or(RoundFate::GoOn),
                () = round.halt.cancelled() => return RoundReport::of(RoundEnd::Halted),
            };
            RoundReport::of(match decided {
                RoundFate::GoOn => RoundEnd::Unfinished,
                RoundFate::Fail => RoundEnd::Failed { retry_at: None },
                RoundFate::Panic => crash("a round panics"),
            })
        })
    }

    fn settle(&self, _: Uuid, _: Settlement) -> PortFuture<Result<(), PortError>> {
        Box::pin(async { Ok(()) })
    }

    fn siblings(&self, _: Uuid) -> PortFuture<Result<Vec<Uuid>, PortError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

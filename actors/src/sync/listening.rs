//! A source that tells its changes by itself: what is stored while it is listened to.

use std::sync::Arc;

use actix::{ActorFutureExt as _, AsyncContext as _, Context, WrapFuture as _};
use tokio::sync::SetOnce;

use super::actor::SyncActor;
use super::round::Stage;
use super::schedule;
use crate::limits::LISTENING_SETTLED_EVERY;
use crate::ports::{RoundEnd, RoundReport};

impl SyncActor {
    /// Waits until the round has caught up; a round that ends before is not listened to.
    pub(super) fn await_caught_up(
        &mut self,
        caught_up: Arc<SetOnce<RoundReport>>,
        context: &mut Context<Self>,
    ) {
        let wait = async move { caught_up.wait().await.clone() };
        let wait = wait.into_actor(self).map(|report, actor, context| {
            actor.listening = None;
            let report = RoundReport {
                end: RoundEnd::Listening,
                ..report
            };
            actor.settle_listening(report, context);
        });
        self.listening = Some(context.spawn(wait));
    }

    /// Ends the wait: nothing more is to be stored of a source that is not listened to any more.
    pub(super) fn end_listening(&mut self, context: &mut Context<Self>) {
        if let Some(wait) = self.listening.take() {
            context.cancel_future(wait);
        }
    }

    /// Stores that the source has told all that it had until now, so that agents are told how fresh its rows are.
    fn settle_listening(&mut self, report: RoundReport, context: &mut Context<Self>) {
        let settled = self.settlement(report);
        let stored = self.store(settled.clone()).into_actor(self);
        context.spawn(stored.map(move |(), actor, context| {
            actor.note(&settled);
            let round = actor.under_way.as_mut();
            let Some(round) = round.filter(|round| round.stage != Stage::Ended) else {
                return;
            };
            round.tell(&settled.report);
            round.stage = Stage::Listening(settled.report);
            actor.settle_again(context);
        }));
    }

    fn settle_again(&mut self, context: &mut Context<Self>) {
        let clock = Arc::clone(&self.services.clock);
        let next = clock.now() + schedule::delta(LISTENING_SETTLED_EVERY);
        let wait = async move { clock.wait_until(next).await };
        let wait = wait.into_actor(self).map(|(), actor, context| {
            actor.listening = None;
            actor.failures = 0;
            let round = actor.under_way.as_ref();
            if let Some(Stage::Listening(report)) = round.map(|round| &round.stage) {
                actor.settle_listening(report.clone(), context);
            }
        });
        self.listening = Some(context.spawn(wait));
    }
}

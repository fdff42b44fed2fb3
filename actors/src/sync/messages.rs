//! What the actor of a connection is told and asked.

use actix::{
    ActorFutureExt as _, Context, Handler, Message, MessageResult, ResponseActFuture,
    WrapFuture as _,
};
use tokio::sync::oneshot;

use super::actor::SyncActor;
use super::round::Stage;
use super::services::{AskedRound, RoundStart, SyncRefusal};
use crate::ports::RoundReport;

/// Join the round under way, or begin one, and wait for its end (from `fetch_live`).
#[derive(Message)]
#[rtype(result = "Result<RoundReport, SyncRefusal>")]
pub(super) struct SyncNow;

/// The same, without waiting, and in spite of a backoff (from the Console).
#[derive(Message)]
#[rtype(result = "Result<AskedRound, SyncRefusal>")]
pub(super) struct BeginNow;

/// The plan was changed: read it again.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct ReloadPlan;

/// End at the next page, and begin nothing more (at stop, pause and disconnect).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Halt;

impl SyncActor {
    /// Sees to it that a round is under way, unless something speaks against beginning one.
    fn ask_for_round(
        &mut self,
        refusal: Option<SyncRefusal>,
        context: &mut Context<Self>,
    ) -> Result<AskedRound, SyncRefusal> {
        if let Some(under_way) = &self.under_way {
            return Ok(under_way.asked(RoundStart::Joined));
        }
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        self.begin_round(context);
        let under_way = self.under_way.as_ref().ok_or(SyncRefusal::Lost)?;
        Ok(under_way.asked(RoundStart::Begun))
    }
}

impl Handler<SyncNow> for SyncActor {
    type Result = ResponseActFuture<Self, Result<RoundReport, SyncRefusal>>;

    fn handle(&mut self, _: SyncNow, context: &mut Self::Context) -> Self::Result {
        let (waiter, end) = oneshot::channel();
        if let Err(refusal) = self.ask_for_round(self.refusal(), context) {
            return Box::pin(actix::fut::ready(Err(refusal)));
        }
        match self.under_way.as_mut() {
            Some(round) => match &round.stage {
                Stage::Listening(report) => {
                    return Box::pin(actix::fut::ready(Ok(report.clone())));
                }
                Stage::Reading | Stage::Ended => round.waiting.push(waiter),
            },
            None => drop(waiter),
        }
        let lost = |_| SyncRefusal::Lost;
        Box::pin(end.into_actor(self).map(move |end, _, _| end.map_err(lost)))
    }
}

impl Handler<BeginNow> for SyncActor {
    type Result = MessageResult<BeginNow>;

    fn handle(&mut self, _: BeginNow, context: &mut Self::Context) -> Self::Result {
        MessageResult(self.ask_for_round(self.refusal_of_person(), context))
    }
}

impl Handler<ReloadPlan> for SyncActor {
    type Result = ();

    /// A round under way ends by itself, unless a person must act first; then the plan is read once more.
    fn handle(&mut self, _: ReloadPlan, context: &mut Self::Context) {
        self.is_halted = false;
        if let Some(round) = self.under_way.as_mut() {
            round.is_plan_newer = true;
        }
        self.load(context);
    }
}

impl Handler<Halt> for SyncActor {
    type Result = ResponseActFuture<Self, ()>;

    fn handle(&mut self, _: Halt, context: &mut Self::Context) -> Self::Result {
        self.is_halted = true;
        self.await_round(None, context);
        let (waiter, end) = oneshot::channel();
        if let Some(round) = self.under_way.as_mut() {
            round.halt.cancel();
            round.at_end.push(waiter);
        } else {
            drop(waiter);
        }
        // Resolves at the round's end; without a round, at once.
        Box::pin(end.into_actor(self).map(|_, _, _| ()))
    }
}

//! The actor of one connection: waits until a round is due, runs one at a time, settles each before the next.

use std::sync::Arc;

use actix::{
    Actor, ActorFutureExt as _, AsyncContext as _, Context, Handler, Message, ResponseActFuture,
    SpawnHandle, Supervised, WrapFuture as _,
};
use chrono::{DateTime, Utc};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::schedule;
use super::services::{SyncRefusal, SyncServices};
use crate::limits::{ROUND_GRACE, ROUND_TIME};
use crate::port_calls::{retry_read, retry_write};
use crate::ports::{RoundEnd, RoundOrder, RoundReport, Settlement, SyncPlan};

/// Join the round under way, or begin one (from the Console and `fetch_live`).
#[derive(Message)]
#[rtype(result = "Result<RoundReport, SyncRefusal>")]
pub(super) struct SyncNow;

/// The plan was changed: read it again.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct ReloadPlan;

/// End at the next page, and begin nothing more (at stop, pause and disconnect).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Halt;

/// A round from its beginning until its end is stored.
struct UnderWay {
    halt: CancellationToken,
    waiting: Vec<oneshot::Sender<RoundReport>>,
}

/// The actor.
pub(super) struct SyncActor {
    connection: Uuid,
    services: SyncServices,
    /// `None` until it has been read.
    plan: Option<SyncPlan>,
    /// Failures of the source in a row.
    failures: u32,
    under_way: Option<UnderWay>,
    /// The wait for the next round.
    due: Option<SpawnHandle>,
    is_halted: bool,
}

impl SyncActor {
    pub(super) fn new(connection: Uuid, services: SyncServices) -> Self {
        Self {
            connection,
            services,
            plan: None,
            failures: 0,
            under_way: None,
            due: None,
            is_halted: false,
        }
    }

    /// Reads the plan before any other message is taken, and waits for the first round.
    fn load(&mut self, context: &mut Context<Self>) {
        let (rounds, connection) = (Arc::clone(&self.services.rounds), self.connection);
        let plan =
            async move { retry_read("a connection's plan", || rounds.plan(connection)).await };
        context.wait(plan.into_actor(self).map(|plan, actor, context| {
            actor.plan = Some(plan);
            let chance = (actor.services.draw)();
            let first = schedule::first(&plan, actor.services.clock.now(), chance);
            actor.await_round(first, context);
        }));
    }

    /// Waits for the next round, in place of any other wait; for none without an instant.
    fn await_round(&mut self, due: Option<DateTime<Utc>>, context: &mut Context<Self>) {
        if let Some(wait) = self.due.take() {
            context.cancel_future(wait);
        }
        let Some(due) = due.filter(|_| !self.is_halted) else {
            return;
        };
        let clock = Arc::clone(&self.services.clock);
        let wait = async move { clock.wait_until(due).await };
        self.due = Some(
            context.spawn(wait.into_actor(self).map(|(), actor, context| {
                actor.due = None;
                if actor.under_way.is_none() {
                    actor.begin_round(context);
                }
            })),
        );
    }

    fn begin_round(&mut self, context: &mut Context<Self>) {
        self.await_round(None, context);
        let halt = CancellationToken::new();
        let round = self.services.rounds.run(RoundOrder {
            connection: self.connection,
            halt: halt.clone(),
            time: ROUND_TIME,
            caught_up: Arc::default(),
        });
        self.under_way = Some(UnderWay {
            halt,
            waiting: Vec::new(),
        });
        // A round that does not end when it should has a source or a disk that hangs.
        let late = RoundReport::of(RoundEnd::Failed { retry_at: None });
        let round = async move {
            timeout(ROUND_TIME + ROUND_GRACE, round)
                .await
                .unwrap_or(late)
        };
        context.spawn(round.into_actor(self).map(Self::settle));
    }

    /// Stores how a round ended. Until that is stored, no other begins.
    fn settle(report: RoundReport, actor: &mut Self, context: &mut Context<Self>) {
        actor.failures = match report.end {
            RoundEnd::Failed { .. } => actor.failures.saturating_add(1),
            RoundEnd::StoreAway | RoundEnd::Halted => actor.failures,
            RoundEnd::Finished
            | RoundEnd::Listening
            | RoundEnd::Unfinished
            | RoundEnd::NeedsPerson => 0,
        };
        let ended_at = actor.services.clock.now();
        let chance = (actor.services.draw)();
        let settled = Settlement {
            retry_at: schedule::rest(&report.end, ended_at, actor.failures, chance),
            report,
            ended_at,
        };
        let (rounds, connection) = (Arc::clone(&actor.services.rounds), actor.connection);
        let stored = settled.clone();
        let storing = async move {
            let store = || rounds.settle(connection, stored.clone());
            retry_write("the end of a round", store).await;
        };
        let stored = storing.into_actor(actor);
        context.spawn(stored.map(move |(), actor, context| actor.go_on(&settled, chance, context)));
    }

    /// Tells those who waited, and waits for the next round.
    fn go_on(&mut self, settled: &Settlement, chance: u16, context: &mut Context<Self>) {
        let waiting = self.under_way.take().map(|round| round.waiting);
        for waiter in waiting.into_iter().flatten() {
            // Who asked may have stopped waiting.
            let _ = waiter.send(settled.report.clone());
        }
        let Some(plan) = self.plan.as_mut() else {
            return;
        };
        plan.retry_at = settled.retry_at;
        plan.needs_person = settled.report.end == RoundEnd::NeedsPerson;
        if settled.report.end == RoundEnd::Finished {
            plan.last_success_at = Some(settled.ended_at);
        }
        let next = schedule::next(plan, &settled.report.end, settled.ended_at, chance);
        self.await_round(next, context);
    }

    /// Why no round may begin now.
    fn refusal(&self) -> Option<SyncRefusal> {
        if self.is_halted {
            return Some(SyncRefusal::Halted);
        }
        let plan = self.plan?;
        if plan.needs_person {
            return Some(SyncRefusal::NeedsPerson);
        }
        let now = self.services.clock.now();
        plan.retry_at
            .filter(|retry_at| *retry_at > now)
            .map(SyncRefusal::Waiting)
    }
}

impl Actor for SyncActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.load(context);
    }
}

impl Supervised for SyncActor {
    /// A round that was under way is dropped: who waited for it is told that it was lost. Its last page stands.
    fn restarting(&mut self, _: &mut Self::Context) {
        self.plan = None;
        self.under_way = None;
        self.due = None;
    }
}

impl Handler<SyncNow> for SyncActor {
    type Result = ResponseActFuture<Self, Result<RoundReport, SyncRefusal>>;

    fn handle(&mut self, _: SyncNow, context: &mut Self::Context) -> Self::Result {
        let (waiter, end) = oneshot::channel();
        if self.under_way.is_none() {
            if let Some(refusal) = self.refusal() {
                return Box::pin(actix::fut::ready(Err(refusal)));
            }
            self.begin_round(context);
        }
        if let Some(round) = self.under_way.as_mut() {
            round.waiting.push(waiter);
        }
        let lost = |_| SyncRefusal::Lost;
        Box::pin(end.into_actor(self).map(move |end, _, _| end.map_err(lost)))
    }
}

impl Handler<ReloadPlan> for SyncActor {
    type Result = ();

    /// A round under way ends by itself; what it settles follows the plan that is read here.
    fn handle(&mut self, _: ReloadPlan, context: &mut Self::Context) {
        self.is_halted = false;
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
            round.waiting.push(waiter);
        }
        // Resolves at the round's end; without a round, at once.
        Box::pin(end.into_actor(self).map(|_, _, _| ()))
    }
}

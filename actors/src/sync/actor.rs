//! The actor of one connection: waits until a round is due, runs one at a time, settles each before the next.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix::{
    Actor, ActorFutureExt as _, AsyncContext as _, Context, SpawnHandle, Supervised,
    WrapFuture as _,
};
use chrono::{DateTime, Utc};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::round::{Stage, UnderWay, limited};
use super::schedule;
use super::services::{SyncRefusal, SyncServices};
use crate::limits::ROUND_TIME;
use crate::port_calls::{retry_read, retry_write};
use crate::ports::{RoundEnd, RoundOrder, RoundReport, Settlement, SyncPlan};

/// The actor.
pub(super) struct SyncActor {
    connection: Uuid,
    pub(super) services: SyncServices,
    /// `None` until it has been read.
    plan: Option<SyncPlan>,
    /// Failures of the source in a row.
    pub(super) failures: u32,
    pub(super) under_way: Option<UnderWay>,
    /// The wait for the next round.
    due: Option<SpawnHandle>,
    /// The wait for what is next to be stored of a source that is listened to.
    pub(super) listening: Option<SpawnHandle>,
    /// Settlements are stored in their order.
    storing: Arc<Mutex<()>>,
    pub(super) is_halted: bool,
    /// Whether the person wants a round as soon as this has started; whoever restarts it says so.
    is_wanted: Arc<AtomicBool>,
}

impl SyncActor {
    pub(super) fn new(
        connection: Uuid,
        services: SyncServices,
        is_wanted: Arc<AtomicBool>,
    ) -> Self {
        Self {
            connection,
            services,
            plan: None,
            failures: 0,
            under_way: None,
            due: None,
            listening: None,
            storing: Arc::default(),
            is_halted: false,
            is_wanted,
        }
    }

    /// Reads the plan before any other message is taken, and waits for the first round.
    pub(super) fn load(&mut self, context: &mut Context<Self>) {
        let (rounds, connection) = (Arc::clone(&self.services.rounds), self.connection);
        let plan =
            async move { retry_read("a connection's plan", || rounds.plan(connection)).await };
        context.wait(plan.into_actor(self).map(|plan, actor, context| {
            // Only a start takes up what whoever restarts this has said before; a plan that is read again on the way there does not.
            let is_started = actor.plan.replace(plan).is_none();
            if let Some(round) = actor.under_way.as_ref().filter(|_| plan.needs_person) {
                round.halt.cancel();
            }
            let now = actor.services.clock.now();
            let first = match is_started && actor.is_wanted.swap(false, Ordering::SeqCst) {
                true => schedule::wanted(&plan, now),
                false => schedule::first(&plan, now, (actor.services.draw)()),
            };
            actor.await_round(first, context);
        }));
    }

    /// Waits for the next round, in place of any other wait; for none without an instant.
    pub(super) fn await_round(&mut self, due: Option<DateTime<Utc>>, context: &mut Context<Self>) {
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

    pub(super) fn begin_round(&mut self, context: &mut Context<Self>) {
        self.await_round(None, context);
        let (halt, caught_up) = (CancellationToken::new(), Arc::default());
        let under_way = UnderWay::new(halt.clone(), Arc::default());
        let round = self.services.rounds.run(RoundOrder {
            connection: self.connection,
            halt,
            time: ROUND_TIME,
            run: Arc::clone(&under_way.run),
            caught_up: Arc::clone(&caught_up),
        });
        self.under_way = Some(under_way);
        if self.is_stream() {
            self.await_caught_up(Arc::clone(&caught_up), context);
        }
        let round = limited(round, caught_up);
        context.spawn(round.into_actor(self).map(Self::settle));
    }

    /// Stores how a round ended. Until that is stored, no other begins.
    fn settle(report: RoundReport, actor: &mut Self, context: &mut Context<Self>) {
        actor.end_listening(context);
        if let Some(round) = actor.under_way.as_mut() {
            round.stage = Stage::Ended;
        }
        actor.failures = match report.end {
            RoundEnd::Failed { .. } => actor.failures.saturating_add(1),
            RoundEnd::StoreAway | RoundEnd::Halted => actor.failures,
            RoundEnd::Finished
            | RoundEnd::Listening
            | RoundEnd::Unfinished
            | RoundEnd::NeedsPerson => 0,
        };
        let settled = actor.settlement(report);
        let stored = actor.store(settled.clone()).into_actor(actor);
        context.spawn(stored.map(move |(), actor, context| actor.go_on(&settled, context)));
    }

    /// What is to be stored of a round that ends, or has caught up, so and now.
    pub(super) fn settlement(&self, report: RoundReport) -> Settlement {
        let ended_at = self.services.clock.now();
        let chance = (self.services.draw)();
        let is_stream = self.is_stream();
        Settlement {
            retry_at: schedule::rest(is_stream, &report.end, ended_at, self.failures, chance),
            report,
            ended_at,
        }
    }

    /// Stores it after those before it, and tells of it.
    pub(super) fn store(&self, settled: Settlement) -> impl Future<Output = ()> + use<> {
        let (services, connection) = (self.services.clone(), self.connection);
        let storing = Arc::clone(&self.storing);
        async move {
            let _turn = storing.lock().await;
            let store = || services.rounds.settle(connection, settled.clone());
            retry_write("the end of a round", store).await;
            let siblings = match settled.report.end {
                RoundEnd::Failed { retry_at: Some(_) } => {
                    let read = || services.rounds.siblings(connection);
                    retry_read("the connections of a sign-in", read).await
                }
                _ => Vec::new(),
            };
            (services.settled)(&siblings);
        }
    }

    /// Keeps in the plan what was stored.
    pub(super) fn note(&mut self, settled: &Settlement) {
        let Some(plan) = self.plan.as_mut() else {
            return;
        };
        plan.retry_at = settled.retry_at;
        plan.wished_until = settled.report.end.wish();
        plan.needs_person = settled.report.end == RoundEnd::NeedsPerson;
        if let RoundEnd::Finished | RoundEnd::Listening = settled.report.end {
            plan.last_success_at = Some(settled.ended_at);
        }
    }

    /// Tells those who waited, and waits for the next round.
    fn go_on(&mut self, settled: &Settlement, context: &mut Context<Self>) {
        if let Some(mut round) = self.under_way.take() {
            round.tell(&settled.report);
            // What was halted, and not from here, was by what is stored: it is paused, or rests with another of its sign-in.
            let is_halted_elsewhere = settled.report.end == RoundEnd::Halted && !self.is_halted;
            if round.is_plan_newer || is_halted_elsewhere {
                self.load(context);
                return;
            }
        }
        self.note(settled);
        let chance = (self.services.draw)();
        let next = self
            .plan
            .as_ref()
            .and_then(|plan| schedule::next(plan, &settled.report.end, settled.ended_at, chance));
        self.await_round(next, context);
    }

    fn is_stream(&self) -> bool {
        self.plan.is_some_and(|plan| plan.is_stream)
    }

    /// Why no round may begin now.
    pub(super) fn refusal(&self) -> Option<SyncRefusal> {
        self.refusal_until(self.plan.and_then(|plan| plan.retry_at))
    }

    /// Why none may begin now, even if the person wants one.
    pub(super) fn refusal_of_person(&self) -> Option<SyncRefusal> {
        self.refusal_until(self.plan.and_then(|plan| plan.wished_until))
    }

    fn refusal_until(&self, rests_until: Option<DateTime<Utc>>) -> Option<SyncRefusal> {
        if self.is_halted {
            return Some(SyncRefusal::Halted);
        }
        let plan = self.plan?;
        if plan.needs_person {
            return Some(SyncRefusal::NeedsPerson);
        }
        let now = self.services.clock.now();
        rests_until
            .filter(|until| *until > now)
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
        self.listening = None;
    }
}

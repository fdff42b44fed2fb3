//! The guard: polls one actor, catches its panics, and restarts it as its policy says, or because somebody asked for it.

use std::any::Any;
use std::borrow::Cow;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use actix::dev::ContextFut;
use actix::{Actor, ActorContext, Context, Supervised};
use tokio::time::{Instant, Sleep, sleep};

use super::crashes::Crashes;
use super::policy::{CrashVerdict, Policy};
use super::restart::{RestartOrder, RestartOrders, RestartToll};
use super::{ActorState, Board};

/// Stands for the text of a panic that was formatted, and so may quote data.
const UNQUOTED: &str = "a panic whose text is not repeated here";

/// One actor and what is done when it panics. Messages that arrive while it waits to be restarted stay in its mailbox.
pub(super) struct PanicGuard<A>
where
    A: Supervised + Actor<Context = Context<A>>,
{
    name: Cow<'static, str>,
    body: ContextFut<A, Context<A>>,
    policy: Policy,
    board: Board,
    crashes: Crashes,
    rest: Option<Pin<Box<Sleep>>>,
    /// `None` for a temporary actor, which is never restarted.
    orders: Option<RestartOrders>,
}

impl<A> PanicGuard<A>
where
    A: Supervised + Actor<Context = Context<A>>,
{
    pub(super) fn new(
        name: Cow<'static, str>,
        policy: Policy,
        board: Board,
        toll: Option<RestartToll>,
        body: ContextFut<A, Context<A>>,
    ) -> Self {
        board.mark_running(&name);
        let takes_orders = policy != Policy::Temporary;
        Self {
            orders: takes_orders.then(|| board.take_orders(&name, toll)),
            name,
            body,
            policy,
            board,
            crashes: Crashes::default(),
            rest: None,
        }
    }

    /// Waits, restarts or polls, whichever is due; an error is a crash.
    fn step(&mut self, task: &mut TaskContext<'_>) -> Result<Poll<()>, &'static str> {
        // Before the actor is polled: what waits in its mailbox is handled after the restart.
        while let Some(order) = self.orders.as_mut().and_then(|orders| orders.next(task)) {
            if !self.obey(order)? {
                return Ok(Poll::Ready(()));
            }
        }
        if let Some(rest) = self.rest.as_mut() {
            if rest.as_mut().poll(task).is_pending() {
                return Ok(Poll::Pending);
            }
            self.rest = None;
            if !self.restart()? {
                return Ok(Poll::Ready(()));
            }
            self.board.mark_running(&self.name);
        }
        self.poll_body(task)
    }

    /// Restarts because somebody asked for it; false as [`Self::restart`]. An actor that rests after a crash rests no longer.
    fn obey(&mut self, order: RestartOrder) -> Result<bool, &'static str> {
        let after_crash = self.rest.take().is_some();
        if !self.restart()? {
            return Ok(false);
        }
        log::info!("{} was restarted on request", self.name);
        self.board.record_restart(&self.name, after_crash);
        if let Some(orders) = &self.orders {
            orders.fulfil(order);
        }
        Ok(true)
    }

    /// False when nobody can reach the actor any more.
    fn restart(&mut self) -> Result<bool, &'static str> {
        // Futures in flight are dropped here, and what they drop may panic as well.
        catch_unwind(AssertUnwindSafe(|| self.body.restart())).map_err(quotable)
    }

    fn poll_body(&mut self, task: &mut TaskContext<'_>) -> Result<Poll<()>, &'static str> {
        catch_unwind(AssertUnwindSafe(|| Pin::new(&mut self.body).poll(task))).map_err(quotable)
    }

    /// Decides on a crash; true when the actor is to be restarted after `self.rest`.
    fn handle_crash(&mut self, cause: &'static str) -> bool {
        let name = self.name.clone();
        let count = self.crashes.note(Instant::now(), self.policy.window());
        let verdict = self.policy.verdict(count);
        log::error!("{name} crashed ({cause}); {verdict:?}");
        match verdict {
            CrashVerdict::Restart(wait) => self.rest_for(wait, ActorState::Restarting, cause),
            CrashVerdict::Park(wait) => self.rest_for(wait, ActorState::Parked, cause),
            CrashVerdict::GiveUp => {
                self.board.record_crash(&name, ActorState::Failed, cause);
                self.board.give_up(&name, cause);
            }
            CrashVerdict::LetGo => self.board.record_crash(&name, ActorState::Running, cause),
        }
        self.rest.is_some()
    }

    /// One that may come and go is forgotten. Not for a temporary actor: others of its name go on.
    fn mark_stopped(&mut self) {
        match self.policy {
            Policy::Temporary => {}
            Policy::Permanent => self.board.mark_stopped(&self.name),
            Policy::Transient => {
                if let Some(orders) = self.orders.as_mut() {
                    orders.close();
                }
                self.board.forget(&self.name);
            }
        }
    }

    fn rest_for(&mut self, wait: Duration, state: ActorState, cause: &str) {
        self.board.record_crash(&self.name, state, cause);
        self.rest = Some(Box::pin(sleep(wait)));
    }

    /// Ends an actor that is not restarted, without polling it again.
    fn let_go(&mut self) {
        // actix polls a context once more when it is dropped, unless it is terminated.
        self.body.ctx().terminate();
    }
}

impl<A> Future for PanicGuard<A>
where
    A: Supervised + Actor<Context = Context<A>>,
{
    type Output = ();

    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<()> {
        let guard = self.get_mut();
        loop {
            match guard.step(task) {
                Ok(Poll::Pending) => return Poll::Pending,
                Ok(Poll::Ready(())) => {
                    guard.mark_stopped();
                    return Poll::Ready(());
                }
                Err(cause) if guard.handle_crash(cause) => {}
                Err(_) => {
                    guard.let_go();
                    return Poll::Ready(());
                }
            }
        }
    }
}

/// The text of a panic if it is a literal; a formatted one may quote what the actor was working on.
pub(super) fn quotable(panic: Box<dyn Any + Send>) -> &'static str {
    panic
        .downcast_ref::<&'static str>()
        .copied()
        .unwrap_or(UNQUOTED)
}

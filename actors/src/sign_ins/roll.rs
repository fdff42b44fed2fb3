//! Which sign-ins have an actor. One is started with the first message to it, and let go when it is vacant and no message is on its way:
//! so there are never two of one sign-in that could obtain a token at one time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use actix::Addr;
use tokio::sync::SetOnce;
use uuid::Uuid;

use super::actor::{SignInActor, Vacancy};
use crate::clock::Clock;
use crate::ports::SignInTokens;
use crate::supervise::{ActorState, Board, Mailbox, Policy, Threads};

/// Before the sign-in's id in the name of its actor.
pub(super) const NAME: &str = "sign-in ";

/// The name of a sign-in's actor on the board.
pub(super) fn name_of(sign_in: Uuid) -> String {
    format!("{NAME}{sign_in}")
}

/// What the actors run on.
pub(super) struct Ground {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) board: Board,
    pub(super) threads: Threads,
}

impl Ground {
    fn state(&self, sign_in: Uuid) -> Option<ActorState> {
        self.board.state(&name_of(sign_in))
    }
}

/// One actor.
struct RollEntry {
    address: Addr<SignInActor>,
    /// On their way to it, or being handled.
    messages: usize,
    /// It may end: it has nothing under way, and what it knew does not hold any more.
    is_vacant: Arc<AtomicBool>,
}

#[derive(Default)]
struct RollState {
    /// The service stops: nothing is asked any more.
    is_closed: bool,
    actors: BTreeMap<Uuid, RollEntry>,
}

/// All of them.
pub(super) struct Roll {
    tokens: Arc<dyn SignInTokens>,
    ground: SetOnce<Ground>,
    held: Mutex<RollState>,
}

/// One message on its way to an actor, or being handled; meanwhile the actor is not let go.
pub(super) struct MessageLease {
    roll: Weak<Roll>,
    sign_in: Uuid,
}

impl Drop for MessageLease {
    fn drop(&mut self) {
        if let Some(roll) = self.roll.upgrade() {
            roll.update(self.sign_in, |entry| {
                entry.messages = entry.messages.saturating_sub(1);
            });
        }
    }
}

impl Roll {
    pub(super) fn new(tokens: Arc<dyn SignInTokens>) -> Self {
        Self {
            tokens,
            ground: SetOnce::new(),
            held: Mutex::default(),
        }
    }

    pub(super) fn open(&self, ground: Ground) {
        if self.ground.set(ground).is_err() {
            log::error!("the sign-ins have been opened already");
        }
    }

    /// The actor of a sign-in for one message, started if there is none; waits until they are opened. `None` when it could not answer:
    /// the service stops, or the actor crashed too often.
    pub(super) async fn address(
        self: &Arc<Self>,
        sign_in: Uuid,
    ) -> Option<(Addr<SignInActor>, MessageLease)> {
        let ground = self.ground.wait().await;
        let is_parked = ground.state(sign_in) == Some(ActorState::Parked);
        let mut held = self.held();
        if held.is_closed || is_parked {
            return None;
        }
        let start = || self.start(sign_in, ground);
        let entry = held.actors.entry(sign_in).or_insert_with(start);
        Some(self.lease(sign_in, entry))
    }

    /// The same, if there is one already.
    pub(super) fn running(
        self: &Arc<Self>,
        sign_in: Uuid,
    ) -> Option<(Addr<SignInActor>, MessageLease)> {
        let mut held = self.held();
        let entry = held.actors.get_mut(&sign_in)?;
        Some(self.lease(sign_in, entry))
    }

    fn lease(
        self: &Arc<Self>,
        sign_in: Uuid,
        entry: &mut RollEntry,
    ) -> (Addr<SignInActor>, MessageLease) {
        entry.messages += 1;
        let roll = Arc::downgrade(self);
        (entry.address.clone(), MessageLease { roll, sign_in })
    }

    fn start(self: &Arc<Self>, sign_in: Uuid, ground: &Ground) -> RollEntry {
        let (mailbox, is_vacant) = (Mailbox::open(), Arc::<AtomicBool>::default());
        let entry = RollEntry {
            address: mailbox.address(),
            messages: 0,
            is_vacant: Arc::clone(&is_vacant),
        };
        let roll = Arc::downgrade(self);
        let let_go = Box::new(move || {
            if let Some(roll) = roll.upgrade() {
                roll.update(sign_in, |_| {});
            }
        });
        let (tokens, clock) = (Arc::clone(&self.tokens), Arc::clone(&ground.clock));
        let actor = SignInActor::new(sign_in, tokens, clock, Vacancy { is_vacant, let_go });
        let name = name_of(sign_in);
        let thread = ground.threads.worker(sign_in.as_u128());
        if !mailbox.start(name, Policy::Transient, &ground.board, thread, actor) {
            log::error!("its thread is gone; sign-in {sign_in} has no tokens");
        }
        entry
    }

    /// Changes what is known of an actor, and lets it go if it is vacant and no message is on its way to it.
    fn update(&self, sign_in: Uuid, change: impl FnOnce(&mut RollEntry)) {
        let mut held = self.held();
        let Some(entry) = held.actors.get_mut(&sign_in) else {
            return;
        };
        change(entry);
        if entry.messages == 0 && entry.is_vacant.load(Ordering::SeqCst) {
            let ended = held.actors.remove(&sign_in);
            // With the last address may go what takes this lock.
            drop(held);
            drop(ended);
        }
    }

    /// None is asked any more. Returns those that may have something under way: not the ones that rest after a crash.
    pub(super) fn close(&self) -> Vec<Addr<SignInActor>> {
        let mut held = self.held();
        held.is_closed = true;
        let state = |sign_in| self.ground.get()?.state(sign_in);
        let actors = held.actors.iter();
        let running = actors.filter(|(sign_in, _)| state(**sign_in) == Some(ActorState::Running));
        running.map(|(_, entry)| entry.address.clone()).collect()
    }

    fn held(&self) -> MutexGuard<'_, RollState> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

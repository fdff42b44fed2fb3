//! The actor of one sign-in: answers from memory, or obtains one token at a time for all who wait.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context as TaskContext, Poll};

use actix::{Actor, ActorFuture, ActorFutureExt as _, AsyncContext as _, Context, Supervised};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::asker::Asker;
use super::memory::Memory;
use super::obtaining::{Obtained, Obtaining};
use crate::clock::Clock;
use crate::ports::{SignInTokens, TokenRefusal};

/// The actor.
pub(super) struct SignInActor {
    sign_in: Uuid,
    tokens: Arc<dyn SignInTokens>,
    clock: Arc<dyn Clock>,
    memory: Memory,
    pub(super) under_way: Option<Obtaining>,
    waiting: Vec<Asker>,
    /// Those who want nothing to be under way; they are told by being dropped.
    pub(super) at_end: Vec<oneshot::Sender<()>>,
    /// The credential that it knew is another, or gone: it may end, unless a token is obtained after all.
    is_leaving: bool,
    vacancy: Vacancy,
}

/// Tells whether the actor may end.
pub(super) struct Vacancy {
    pub(super) is_vacant: Arc<AtomicBool>,
    /// Called when it may.
    pub(super) let_go: Box<dyn Fn() + Send>,
}

/// Polls what the actor has under way.
struct UntilObtained;

impl ActorFuture<SignInActor> for UntilObtained {
    type Output = Obtained;

    fn poll(
        self: Pin<&mut Self>,
        actor: &mut SignInActor,
        _: &mut Context<SignInActor>,
        task: &mut TaskContext<'_>,
    ) -> Poll<Obtained> {
        match actor.under_way.as_mut() {
            Some(under_way) => under_way.poll(task),
            None => Poll::Ready(Err(TokenRefusal::Lost)),
        }
    }
}

impl SignInActor {
    pub(super) fn new(
        sign_in: Uuid,
        tokens: Arc<dyn SignInTokens>,
        clock: Arc<dyn Clock>,
        vacancy: Vacancy,
    ) -> Self {
        Self {
            sign_in,
            tokens,
            clock,
            memory: Memory::default(),
            under_way: None,
            waiting: Vec::new(),
            at_end: Vec::new(),
            is_leaving: false,
            vacancy,
        }
    }

    /// Answers one who asks, or has it wait.
    pub(super) fn serve(&mut self, asker: Asker, context: &mut Context<Self>) {
        if self.under_way.is_none() {
            let refused = asker.refused.as_ref();
            if let Some(answer) = self.memory.answer(refused, self.clock.now()) {
                asker.tell(answer);
                return;
            }
        }
        self.waiting.push(asker);
        self.go_on(context);
    }

    /// Obtains a token for those who wait, unless one is on its way.
    fn go_on(&mut self, context: &mut Context<Self>) {
        if self.under_way.is_none() {
            self.waiting.retain(|asker| !asker.answer.is_closed());
            if let Some(first) = self.waiting.first() {
                let refused = self.memory.give_up_token(first.refused.clone());
                self.under_way = Some(Obtaining::begin(&self.tokens, self.sign_in, refused));
                self.follow(context);
            }
        }
        self.note_end();
    }

    /// Follows what is under way to its end.
    fn follow(&self, context: &mut Context<Self>) {
        context.spawn(UntilObtained.map(|obtained, actor: &mut Self, context| {
            let ended = actor.under_way.take();
            if ended.is_some_and(|ended| !ended.is_stale) {
                actor.tell(&obtained);
            }
            actor.go_on(context);
        }));
    }

    /// Tells all who wait, but those whose source did not take this very token: they need the next.
    fn tell(&mut self, obtained: &Obtained) {
        self.memory.note(obtained);
        self.is_leaving = matches!(obtained, Err(TokenRefusal::Missing(_)));
        let issued = obtained.as_ref().ok().map(|issued| &issued.token);
        for asker in std::mem::take(&mut self.waiting) {
            if issued.is_some() && issued == asker.refused.as_ref() {
                self.waiting.push(asker);
            } else {
                asker.tell(obtained.clone().map(|issued| issued.token));
            }
        }
    }

    /// What is known is of another credential. Those who wait are told what is obtained after what is under way.
    pub(super) fn forget(&mut self) {
        self.memory = Memory::default();
        if let Some(under_way) = self.under_way.as_mut() {
            under_way.is_stale = true;
        }
        self.is_leaving = true;
        self.note_end();
    }

    /// If nothing is under way, tells those who want that, and may end.
    fn note_end(&mut self) {
        let is_idle = self.under_way.is_none();
        if is_idle {
            self.at_end.clear();
        }
        let is_vacant = is_idle && self.is_leaving;
        self.vacancy.is_vacant.store(is_vacant, Ordering::SeqCst);
        if is_vacant {
            (self.vacancy.let_go)();
        }
    }
}

impl Actor for SignInActor {
    type Context = Context<Self>;

    /// After a restart, what was under way goes on.
    fn started(&mut self, context: &mut Self::Context) {
        if self.under_way.is_some() {
            self.follow(context);
        }
    }
}

impl Supervised for SignInActor {
    /// Who waited is told that the answer was lost. What was under way goes on, unless it has panicked.
    fn restarting(&mut self, _: &mut Self::Context) {
        self.memory.restart();
        self.waiting.clear();
        self.under_way = self.under_way.take().filter(Obtaining::goes_on);
        self.note_end();
    }
}

//! What the actor of a sign-in is told and asked. Answers take a way of their own, so that it is known who still waits.

use actix::{Context, Handler, Message};
use tokio::sync::oneshot;

use super::actor::SignInActor;
use super::memory::Answer;
use super::roll::Lease;
use crate::ports::AccessToken;

/// A token is needed (from a connection). Lost when it is dropped.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Ask {
    pub(super) asker: Asker,
    pub(super) lease: Lease,
}

/// The credential is another, or gone (from whoever stored that).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Forget {
    pub(super) done: oneshot::Sender<()>,
    pub(super) lease: Lease,
}

/// Tells by being dropped when nothing is under way (at the stop).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct AwaitEnd(pub(super) oneshot::Sender<()>);

/// One who needs a token.
pub(super) struct Asker {
    /// The one that its source did not take.
    pub(super) refused: Option<AccessToken>,
    pub(super) answer: oneshot::Sender<Answer>,
}

impl Asker {
    pub(super) fn tell(self, answer: Answer) {
        // Who asked may have stopped waiting.
        let _ = self.answer.send(answer);
    }
}

impl Handler<Ask> for SignInActor {
    type Result = ();

    fn handle(&mut self, ask: Ask, context: &mut Self::Context) {
        // Until this has been handled the actor is not let go.
        let _lease = ask.lease;
        self.serve(ask.asker, context);
    }
}

impl Handler<Forget> for SignInActor {
    type Result = ();

    fn handle(&mut self, forget: Forget, _: &mut Self::Context) {
        let _lease = forget.lease;
        self.forget();
        // Who told may have stopped waiting.
        let _ = forget.done.send(());
    }
}

impl Handler<AwaitEnd> for SignInActor {
    type Result = ();

    fn handle(&mut self, asked: AwaitEnd, _: &mut Context<Self>) {
        if self.under_way.is_some() {
            self.at_end.push(asked.0);
        }
    }
}

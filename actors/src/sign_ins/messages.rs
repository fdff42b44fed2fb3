//! What the actor of a sign-in is told and asked. Answers take a way of their own, so that it is known who still waits.

use actix::{Context, Handler, Message};
use tokio::sync::oneshot;

use super::actor::SignInActor;
use super::asker::Asker;
use super::roll::MessageLease;

/// A token is needed (from a connection). Lost when it is dropped.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Ask {
    pub(super) asker: Asker,
    pub(super) lease: MessageLease,
}

/// The credential is another, or gone (from whoever stored that).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Forget {
    pub(super) done: oneshot::Sender<()>,
    pub(super) lease: MessageLease,
}

/// Tells by being dropped when nothing is under way (at the stop).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct AwaitEnd(pub(super) oneshot::Sender<()>);

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

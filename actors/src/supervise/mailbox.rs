use std::borrow::Cow;

use actix::dev::channel::{AddressReceiver, channel};
use actix::{Actor, Addr, Context, Supervised};
use actix_rt::ArbiterHandle;

use super::guard::PanicGuard;
use super::restart::RestartToll;
use super::{Board, Policy};
use crate::limits::MAILBOX_SLOTS;

/// A mailbox that is made before its actor, so that handles can be given out, and refer to one another, before anything runs.
pub(crate) struct Mailbox<A>
where
    A: Supervised + Actor<Context = Context<A>>,
{
    address: Addr<A>,
    receiver: AddressReceiver<A>,
    toll: Option<RestartToll>,
}

impl<A> Mailbox<A>
where
    A: Supervised + Actor<Context = Context<A>> + Send,
{
    pub(crate) fn open() -> Self {
        let (sender, receiver) = channel(MAILBOX_SLOTS);
        Self {
            address: Addr::new(sender),
            receiver,
            toll: None,
        }
    }

    /// Whoever asks for a restart of this actor is told what it notes there.
    pub(crate) fn counting(self, toll: RestartToll) -> Self {
        Self {
            toll: Some(toll),
            ..self
        }
    }

    pub(crate) fn address(&self) -> Addr<A> {
        self.address.clone()
    }

    /// Moves the actor to its thread and starts it there, under guard; false when that thread is gone.
    pub(crate) fn start(
        self,
        name: impl Into<Cow<'static, str>>,
        policy: Policy,
        board: &Board,
        thread: &ArbiterHandle,
        actor: A,
    ) -> bool {
        let (name, board) = (name.into(), board.clone());
        let Self { receiver, toll, .. } = self;
        thread.spawn_fn(move || {
            let context = Context::with_receiver(receiver);
            actix_rt::spawn(PanicGuard::new(
                name,
                policy,
                board,
                toll,
                context.into_future(actor),
            ));
        })
    }
}

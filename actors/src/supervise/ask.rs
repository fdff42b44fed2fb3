use std::time::Duration;

use actix::dev::ToEnvelope;
use actix::{Actor, Addr, Handler, MailboxError, Message};

/// Why an actor gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskError {
    /// It is gone, or it crashed over the question.
    Lost,
    /// It did not answer in time.
    Late,
}

/// Asks an actor and waits for the answer, at most for `patience`.
///
/// Each message is sent through a clone of the address: of two senders that share one and find the mailbox full, actix wakes only one.
pub(crate) async fn ask<A, M>(
    address: &Addr<A>,
    message: M,
    patience: Duration,
) -> Result<M::Result, AskError>
where
    A: Actor + Handler<M>,
    A::Context: ToEnvelope<A, M>,
    M: Message + Send + 'static,
    M::Result: Send,
{
    let own = address.clone();
    match own.send(message).timeout(patience).await {
        Ok(answer) => Ok(answer),
        Err(MailboxError::Closed) => Err(AskError::Lost),
        Err(MailboxError::Timeout) => Err(AskError::Late),
    }
}

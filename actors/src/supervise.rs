//! Supervision of our own: what happens to an actor that panics, stops or gives up.
//!
//! `actix::Supervisor` (0.13.5) restarts an actor that *stops* and does not survive a panic. The guard here does the opposite: a
//! panic is caught at `poll`, and after a backoff the same actor goes on with the same mailbox and the same addresses; a deliberate
//! stop is the end. The room knows policies, backoffs and the status board; it must not know what any actor is for.

mod ask;
mod board;
mod crashes;
mod guard;
mod mailbox;
mod policy;
mod threads;

pub use board::{ActorState, ActorStatus, Board};
pub use policy::Policy;
pub use threads::Threads;

pub(crate) use ask::{AskError, ask};
pub(crate) use mailbox::Mailbox;

#[cfg(test)]
mod tests;

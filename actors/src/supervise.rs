//! Supervision: what happens to an actor that panics, stops or crashes too often.
//!
//! # Why it is written by hand
//! `actix::Supervisor` (0.13.5) restarts an actor that *stops*, and does not survive a panic: the actor is gone, its addresses close, and
//! `do_send` to it fails silently (`tests.rs` asserts that it still does). The guard here does the opposite: a panic is caught at
//! `poll`, and after a backoff the same actor goes on with the same mailbox, addresses and queued messages; its futures in flight are
//! dropped. A deliberate stop is the end; a deliberate restart ([`Board::restart`]) is the same without the crash. actix has no limit on restarts either; here too many crashes end the service in order.
//!
//! This room knows policies, backoffs and the status board; it must not know what any actor is for.

mod ask;
mod board;
mod caught;
mod crashes;
mod guard;
mod mailbox;
mod policy;
mod restart;
mod threads;

pub use board::{ActorState, ActorStatus, Board};
pub use policy::Policy;
pub use restart::RestartRefusal;
pub use threads::Threads;

pub(crate) use ask::{AskError, ask};
pub(crate) use caught::{CaughtWork, Panicked};
pub(crate) use mailbox::Mailbox;
pub(crate) use restart::RestartToll;

#[cfg(test)]
mod tests;

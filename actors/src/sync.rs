//! Connections that are read from their sources: one supervised actor each, which decides when its rounds run.
//!
//! The room knows time, backoff and single flight. What a round does, and what of it is stored, is behind the port
//! ([`crate::ports::Rounds`]).

mod actor;
mod handle;
mod listening;
mod messages;
mod round;
mod schedule;
mod services;

pub use handle::SyncHandle;
pub use services::{AskedRound, OnSettled, RoundStart, SyncRefusal, SyncServices};

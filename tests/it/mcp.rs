//! The agent port, through a listening socket: real actors, real transport, a small desk in place of the data.

mod conformance;
mod door;
mod fuzzed;
mod handshake;
mod kill;
mod messages;
mod python;
mod race;
mod session;
mod stateless;
pub mod support;

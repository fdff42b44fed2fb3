//! The agent port, through a listening socket: real actors, real transport, and a small tool service in place of the
//! data.

mod clients;
mod conformance;
mod differential;
mod fuzzed;
mod handshake;
mod kill;
mod leftovers;
mod messages;
mod owner;
mod race;
mod refused;
mod refused_heads;
mod resumed;
mod session;
mod stateless;
pub mod support;

//! The agent port, through a listening socket: real actors, real transport, a small desk in place of the data.

mod door;
mod handshake;
mod kill;
mod leftovers;
mod messages;
mod owner;
mod python;
mod race;
mod session;
mod stateless;
pub mod support;

//! Ports for servers that must be told theirs before they listen.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// Below those that a system gives to outgoing connections, of which one may be taken before a server has its own.
const FIRST: u16 = 20_000;
const COUNT: u16 = 10_000;

/// Given out so far. Another process begins elsewhere.
static GIVEN: AtomicU16 = AtomicU16::new(0);

/// A port on which nobody listens, and which is given out once.
pub fn unused() -> u16 {
    let start = u16::try_from(std::process::id() * 64 % u32::from(COUNT)).unwrap();
    for _ in 0..COUNT {
        let next = GIVEN.fetch_add(1, Ordering::Relaxed) % COUNT;
        let port = FIRST + (start + next) % COUNT;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port is free");
}

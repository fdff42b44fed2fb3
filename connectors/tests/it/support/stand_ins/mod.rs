//! Stand-ins for providers of which no server can be had: each keeps what one person has there, answers by the provider's own
//! documents, and does what a test wants of it.
//!
//! ```text
//! google, graph, whoop, simplefin, enable_banking   what a person has, and what is answered to a request
//! bearers    which access tokens are taken        faults   what is answered in their place
//! wire       requests and answers as texts        served   a stand-in as a server, behind its contract
//! contracts  what the providers publish, and who holds to it: prism, and types
//! ```
//!
//! The tests of several crates use this folder by its path, each beside its own `sink` and `skipped`:
//!
//! ```text
//! #[expect(dead_code, reason = "the connectors' tests use the rest")]
//! #[path = "../../connectors/tests/it/support/stand_ins/mod.rs"]
//! pub mod stand_ins;
//! ```
//!
//! A test keeps the handle, by which it looks at the account and changes it, and the server until its end, which is when the contract
//! is asked for what was broken:
//!
//! ```text
//! let google = StandIn::new(Google::default());
//! let served = google.serve(test, Some((&certificates.server, &certificates.server_key))).await;
//! // www.googleapis.com and people.googleapis.com are led to `served.address`, which has a certificate of these names.
//! google.state().agenda.calendar("op@x.test").put("a", event("A"));
//! google.state().bearers.spend();
//! google.state().faults.once("/events", Law::Kept, refusal(429, "rateLimitExceeded", ""));
//! ```

pub mod bearers;
pub mod contracts;
pub mod enable_banking;
pub mod faults;
pub mod google;
pub mod graph;
mod parameters;
mod prism;
pub mod served;
pub mod simplefin;
mod types;
pub mod whoop;
pub mod wire;

use std::sync::{Arc, Mutex, MutexGuard};

use self::contracts::Contract;
use self::faults::{Faults, Law};

/// What one person has at a provider.
pub trait Account: Send + 'static {
    /// What a request to this path, and its answer, are held to.
    fn contract(&self, target: &str) -> Contract;

    /// What is answered in place of the provider.
    fn faults(&mut self) -> &mut Faults;

    /// The provider's own answer to a request's text.
    fn answer(&mut self, request: &str) -> Vec<u8>;

    /// A request came, and was answered like that.
    fn note(&mut self, request: &str, answer: &[u8]);
}

/// A stand-in; each copy is the same one.
pub struct StandIn<A>(Arc<Mutex<A>>);

impl<A> Clone for StandIn<A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<A: Account> StandIn<A> {
    pub fn new(account: A) -> Self {
        Self(Arc::new(Mutex::new(account)))
    }

    /// What the person has, to be looked at and changed.
    pub fn state(&self) -> MutexGuard<'_, A> {
        self.0.lock().unwrap()
    }
}

/// What is answered to a request: a fault of the law, or the provider's own.
fn answer(account: &mut dyn Account, request: &str, law: Law) -> Option<Vec<u8>> {
    let fault = account.faults().take(wire::target(request), law);
    let answer = match law {
        Law::Broken => fault?,
        Law::Kept => fault.unwrap_or_else(|| account.answer(request)),
    };
    account.note(request, &answer);
    Some(answer)
}

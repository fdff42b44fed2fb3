//! The one way out: every connection of a source, over HTTP or as a stream, goes through here.
//!
//! ```text
//! rule.rs         which addresses a sign-in may lead to      destination.rs  an address that was judged
//! resolver.rs     names to the addresses connected to        tls.rs          certificates: the system's, or an authority given
//! http.rs         requests, redirects one at a time          stream.rs       TLS or TCP streams, for mail and WebSockets
//! public.rs       documents at addresses that anybody named    private.rs    whose network an address belongs to
//! probe.rs        what others see at an address of one's own
//! ```
//!
//! A rule judges the name that a server or a person wrote; only a [`JudgedAddress`] can be connected to, and no other room makes one.
//! Which address a name stands for is looked up last, and judged there where that matters, so that a name that changes its address
//! in between leads nowhere else.

mod destination;
mod http;
mod private;
mod probe;
mod public;
mod resolver;
mod rule;
mod stream;
mod tls;

pub use destination::JudgedAddress;
pub use http::{HttpAnswer, HttpGuard, HttpRequest};
pub use private::is_public;
pub use probe::{CertificateFault, FoundHost, NameLookup, ProbeWay, PublicProbe};
pub use public::PublicGuard;
pub use resolver::Diversions;
pub use rule::{AddressRule, Domain, Plaintext};
pub use stream::{GuardedStream, StreamGuard};
pub use tls::Trust;

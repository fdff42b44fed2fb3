//! The way in for agents elsewhere that can hold no key: they sign in with OAuth 2.1, and a person shows the agent's key once.
//!
//! ```text
//! address.rs        the public address: set, cleared, and read at the start
//! clients.rs        clients, registered or known by a document      client.rs  registration.rs  documents.rs
//! sign_in.rs        a request before a person, a key, a code        sign_in_request.rs  form.rs  codes.rs
//! exchange.rs       a code or a refresh token for a pair of tokens  token_request.rs  refresh.rs  refresh_verdict.rs  tokens.rs
//! rate.rs           how often all of it may be asked                upkeep.rs  what is forgotten
//! ```
//!
//! It is on while there is a public address, and only for who comes by it (`http::bridge`). An access token stands for the key that was
//! shown and for nothing else: it is resolved as the key is, so that whatever ends a key ends its tokens at once, and an edit of the grant
//! holds for the token's next request.
//!
//! Written here and not taken from a library: those that are kept (oxide-auth) know neither a key in place of an account, nor tokens that
//! end with a grant, nor the repeated answer within a window, which is most of this room.

mod address;
mod client;
mod clients;
mod codes;
mod documents;
mod exchange;
mod form;
mod limits;
mod outcome;
mod parameters;
mod rate;
mod refresh;
mod refresh_verdict;
mod registration;
mod sign_in;
mod sign_in_request;
mod token_request;
mod tokens;
mod upkeep;

use std::net::IpAddr;
use std::sync::{Arc, Mutex as StdMutex};

use chrono::TimeDelta;
use sextant_actors::audit::AuditHandle;
use sextant_actors::clock::Clock;
use sextant_actors::grants::GrantsHandle;
use sextant_actors::random::Unavailable;
use tokio::sync::Mutex;

use crate::db::ServicePool;
use crate::exposure::Exposure;

use self::codes::Codes;
use self::documents::ClientDocuments;
use self::form::FormSeal;
use self::rate::RequestRate;

pub(crate) use self::address::{AddressChange, AddressError};
pub(crate) use self::client::{BridgeClient, RedirectAddress};
pub use self::documents::DocumentWay;
pub(crate) use self::exchange::IssuedPair;
pub(crate) use self::outcome::BridgeError;
pub(crate) use self::parameters::OAuthParameters;
pub(crate) use self::rate::TooOften;
pub(crate) use self::registration::{ClientMetadata, MetadataFault};
pub(crate) use self::sign_in::{KeyFault, ShownKey};
pub(crate) use self::sign_in_request::{SignInFault, SignInRequest, Unanswerable};
pub(crate) use self::token_request::{TokenFault, TokenRequest};

/// The bridge; clones are the same.
#[derive(Clone)]
pub struct Bridge(Arc<BridgeParts>);

/// What it works with.
struct BridgeParts {
    pool: ServicePool,
    grants: GrantsHandle,
    audit: AuditHandle,
    clock: Arc<dyn Clock>,
    exposure: Exposure,
    access_life: TimeDelta,
    documents: ClientDocuments,
    forms: FormSeal,
    codes: StdMutex<Codes>,
    rate: RequestRate,
    /// Held by whatever changes the address or the tokens, from what is stored to what is published of it: no token is given out under an
    /// address that is gone, and none is published after its sign-in has ended.
    turn: Mutex<()>,
}

/// What of it a test sets otherwise; no setting does.
#[derive(Clone, Debug)]
pub struct BridgeOptions {
    /// How long an access token serves.
    pub access_life: TimeDelta,
    /// How documents of clients are reached.
    pub documents: DocumentWay,
}

impl Default for BridgeOptions {
    fn default() -> Self {
        Self {
            access_life: limits::ACCESS_LIFE,
            documents: DocumentWay::default(),
        }
    }
}

/// Whose the bridge is.
pub(crate) struct BridgeOwner {
    pub pool: ServicePool,
    pub grants: GrantsHandle,
    pub audit: AuditHandle,
    pub clock: Arc<dyn Clock>,
}

impl Bridge {
    /// Nothing is exposed until [`Bridge::load`] has found an address.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub(crate) fn new(owner: BridgeOwner, options: BridgeOptions) -> Result<Self, Unavailable> {
        let BridgeOwner {
            pool,
            grants,
            audit,
            clock,
        } = owner;
        Ok(Self(Arc::new(BridgeParts {
            pool,
            grants,
            audit,
            clock,
            exposure: Exposure::default(),
            access_life: options.access_life,
            documents: ClientDocuments::new(options.documents),
            forms: FormSeal::generate()?,
            codes: StdMutex::default(),
            rate: RequestRate::default(),
            turn: Mutex::default(),
        })))
    }

    /// The public address as every request reads it.
    pub(crate) fn exposure(&self) -> &Exposure {
        &self.0.exposure
    }

    /// Counts a request of this caller, or of all callers who cannot be told apart (r103).
    ///
    /// # Errors
    /// [`TooOften`].
    pub(crate) fn admit(&self, caller: Option<IpAddr>) -> Result<(), TooOften> {
        self.0.rate.admit(caller, self.0.clock.now())
    }
}

//! The way in for agents elsewhere that can hold no key: they sign in with OAuth 2.1, and a person shows the agent's key once.
//!
//! ```text
//! address.rs      the public address: set, cleared, and read at the start
//! ```
//!
//! It is on while there is a public address, and only for who comes by it (`http::bridge`).

mod address;
pub mod limits;

use std::sync::Arc;

use sextant_actors::grants::GrantsHandle;
use tokio::sync::RwLock;

use crate::db::ServicePool;
use crate::exposure::Exposure;

pub use self::address::{AddressChange, AddressError};

/// The bridge; clones are the same.
#[derive(Clone)]
pub struct Bridge(Arc<BridgeParts>);

/// What it works with.
struct BridgeParts {
    pool: ServicePool,
    grants: GrantsHandle,
    exposure: Exposure,
    /// Written by what changes the address, read by what gives out tokens: none is given out under an address that is gone.
    address_turn: RwLock<()>,
}

impl Bridge {
    /// Over these grants; nothing is exposed until [`Bridge::load`] has found an address.
    pub fn new(pool: ServicePool, grants: GrantsHandle, exposure: Exposure) -> Self {
        Self(Arc::new(BridgeParts {
            pool,
            grants,
            exposure,
            address_turn: RwLock::default(),
        }))
    }

    /// The public address as every request reads it.
    pub fn exposure(&self) -> &Exposure {
        &self.0.exposure
    }
}

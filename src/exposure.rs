//! The address by which agents elsewhere reach this service, if the operator has given it one (r008, r501).
//!
//! Pure but for the value that is shared: the one place where every request of the agent port reads whether it may have been sent from
//! elsewhere. Who sets it, stores it first.

mod public_address;

use std::sync::{Arc, PoisonError, RwLock};

pub use self::public_address::{PublicAddress, PublicAddressFault};

/// The public address as it stands now; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Exposure(Arc<RwLock<Option<Arc<PublicAddress>>>>);

impl Exposure {
    /// The address; `None` while only this computer may reach the agent port.
    pub fn address(&self) -> Option<Arc<PublicAddress>> {
        let published = self.0.read().unwrap_or_else(PoisonError::into_inner);
        published.clone()
    }

    /// Lets the agent port answer to this address from now on, and to no other but this computer's own.
    pub fn publish(&self, address: Option<PublicAddress>) {
        let mut published = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *published = address.map(Arc::new);
    }
}

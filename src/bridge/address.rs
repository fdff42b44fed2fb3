//! The public address: stored first, then published, and what had come by the old one ended before the change is answered.

use std::fmt;
use std::sync::PoisonError;

use sextant_actors::domain::Digest;

use tokio::time::sleep;

use super::Bridge;
use super::limits::LOAD_PAUSE;
use crate::db::StoreError;
use crate::exposure::PublicAddress;
use crate::store::bridge::sign_ins::{self, ListedBridgeSignIn};
use crate::store::settings;

/// What a change of the address did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AddressChange {
    /// Clients that had signed in and have to sign in again.
    pub sign_ins_ended: usize,
    /// Live sessions that ended, of every agent.
    pub sessions_ended: usize,
}

/// Why the address is not known to have changed as it was to.
#[derive(Debug)]
pub(crate) enum AddressError {
    Store(StoreError),
    /// The address has changed; sessions that were open before may be open still.
    SessionsMayLive,
}

impl fmt::Display for AddressError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(cause) => cause.fmt(formatter),
            Self::SessionsMayLive => formatter.write_str(
                "the address was changed, but sessions that were open before may be open still: change it again",
            ),
        }
    }
}

impl std::error::Error for AddressError {}

impl From<StoreError> for AddressError {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause)
    }
}

impl Bridge {
    /// Reads what is stored, before both ports open: the address, and the tokens that serve under it. A database that is away is waited for.
    pub(crate) async fn load(&self) {
        while let Err(cause) = self.try_load().await {
            log::warn!("the public address could not be read, again in a second: {cause}");
            sleep(LOAD_PAUSE).await;
        }
    }

    async fn try_load(&self) -> Result<(), StoreError> {
        let _turn = self.0.turn.lock().await;
        let stored = settings::public_address(&self.0.pool).await?;
        let address = stored.and_then(|text| match PublicAddress::parse(&text) {
            Ok(address) => Some(address),
            Err(fault) => {
                log::error!("the public address that is stored is none: {fault}");
                None
            }
        });
        if address.is_some() {
            let issued = sign_ins::access_tokens(&self.0.pool).await?;
            self.0.grants.publish_tokens(&issued);
        }
        self.0.exposure.publish(address);
        Ok(())
    }

    /// Lets the agent port answer to `address`. In place of another one, whoever came by that has to sign in again, and every live
    /// session ends: what came by the old name may be one of them.
    ///
    /// # Errors
    /// [`AddressError`].
    pub(crate) async fn set_address(
        &self,
        address: PublicAddress,
    ) -> Result<AddressChange, AddressError> {
        let _turn = self.0.turn.lock().await;
        let before = self.0.exposure.address();
        let moves = !before
            .as_ref()
            .is_none_or(|old| old.is_same_place(&address));
        let text = address.to_string();
        let ended = settings::set_public_address(&self.0.pool, &text, moves).await?;
        self.0.exposure.publish(Some(address));
        match moves {
            true => self.end(&ended).await,
            false => Ok(AddressChange::default()),
        }
    }

    /// Lets the agent port answer to this computer alone, and ends every client's sign-in and every live session.
    ///
    /// # Errors
    /// [`AddressError`].
    pub(crate) async fn clear_address(&self) -> Result<AddressChange, AddressError> {
        let _turn = self.0.turn.lock().await;
        let ended = settings::clear_public_address(&self.0.pool).await?;
        self.0.exposure.publish(None);
        self.end(&ended).await
    }

    /// The clients that have signed in with keys that open something.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) async fn signed_in(&self) -> Result<Vec<ListedBridgeSignIn>, StoreError> {
        sign_ins::list(&self.0.pool).await
    }

    fn forget_codes(&self) {
        let mut codes = self.0.codes.lock().unwrap_or_else(PoisonError::into_inner);
        codes.clear();
    }

    async fn end(&self, tokens: &[Digest]) -> Result<AddressChange, AddressError> {
        self.forget_codes();
        self.0.grants.withdraw_tokens(tokens);
        let sessions_ended = self.0.grants.end_sessions().await;
        Ok(AddressChange {
            sign_ins_ended: tokens.len(),
            sessions_ended: sessions_ended.map_err(|_| AddressError::SessionsMayLive)?,
        })
    }
}

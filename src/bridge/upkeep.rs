//! What is forgotten of the bridge, hourly.

use super::Bridge;
use super::limits::{ENDED_ACCESS_KEPT, IDLE_MAX, UNUSED_CLIENT_LIFE};
use crate::db::StoreError;
use crate::store::bridge::{clients, sign_ins};

impl Bridge {
    /// Forgets sign-ins that were not used for [`IDLE_MAX`] or whose key opens nothing any more, clients that nobody uses, and access
    /// tokens that ended long ago; how many sign-ins and clients.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) async fn forget_ended(&self) -> Result<u64, StoreError> {
        let _turn = self.0.turn.lock().await;
        let now = self.0.clock.now();
        self.0.grants.forget_tokens(now - ENDED_ACCESS_KEPT);
        let ended = sign_ins::forget_ended(&self.0.pool, now - IDLE_MAX).await?;
        self.0.grants.withdraw_tokens(&ended);
        let unused = clients::forget(&self.0.pool, now - UNUSED_CLIENT_LIFE, now - IDLE_MAX);
        Ok(ended.len() as u64 + unused.await?)
    }
}

//! The revocation of every agent: one transaction, one publication, one pass over the sessions. No other edit runs meanwhile, so that none
//! can publish a grant that it read before.

use std::sync::Arc;

use tokio::sync::OwnedRwLockWriteGuard;

use super::claim::Claim;
use super::edit::{AllRevoked, EditError};
use super::editor::{Editor, Unsettled, error_of_store};
use crate::domain::{AgentName, Grant};
use crate::limits::{EDIT_DEADLINE, EDITS_WAITING_MAX};
use crate::port_calls::with_deadline;

impl Editor {
    /// Revokes every agent that is not revoked, publishes that, ends their sessions, then answers. A revocation that was withdrawn before
    /// its turn does nothing. Where its fate is unknown, all agents that it may have revoked are refused until their grants are read again.
    pub(super) async fn revoke_all(self: Arc<Self>, claim: Claim) -> Result<AllRevoked, EditError> {
        let _alone = self.wait_alone().await?;
        if !claim.begin() {
            return Err(EditError::Unavailable);
        }
        let agents = self.published.revocable();
        let unsettled = Unsettled::new(&self.published, &agents);
        let revoked = match self.apply_to_all().await {
            Ok(grants) => self.publish_revoked(grants).await,
            Err(error) => Err(error),
        };
        if matches!(revoked, Err(EditError::FateUnknown)) {
            self.cut_off_at_once(&agents).await;
        } else {
            unsettled.settle();
        }
        revoked
    }

    async fn apply_to_all(&self) -> Result<Vec<Grant>, EditError> {
        let applied = self.store.revoke_all(self.clock.now());
        with_deadline(EDIT_DEADLINE, applied)
            .await
            .map_err(|error| {
                log::warn!("the agents were not revoked: {error}");
                error_of_store(&error)
            })
    }

    async fn publish_revoked(&self, grants: Vec<Grant>) -> Result<AllRevoked, EditError> {
        if grants.is_empty() {
            return Ok(AllRevoked::default());
        }
        let epoch = self.published.publish_all(&grants);
        let agents: Vec<AgentName> = grants.into_iter().map(|grant| grant.agent).collect();
        let revoked = agents.len();
        // The revocation is committed, but sessions may live: their agents stay cut off until those are known to have ended.
        let killed = self.sessions.kill_agents(agents, epoch).await;
        Ok(AllRevoked {
            agents: revoked,
            sessions_ended: killed.map_err(|_| EditError::FateUnknown)?,
        })
    }

    async fn cut_off_at_once(&self, agents: &[AgentName]) {
        let epoch = self.published.mark_all_in_doubt(agents);
        if let Err(error) = self.sessions.kill_agents(agents.to_vec(), epoch).await {
            log::error!("the sessions of revoked agents may live on: {error:?}");
        }
    }

    /// Waits until no other edit is under way.
    pub(super) async fn wait_alone(&self) -> Result<OwnedRwLockWriteGuard<()>, EditError> {
        let everybody = Arc::clone(&self.everybody);
        if Arc::strong_count(&everybody) > EDITS_WAITING_MAX + 2 {
            return Err(EditError::Unavailable);
        }
        Ok(everybody.write_owned().await)
    }
}

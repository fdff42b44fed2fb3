//! The agent that the doctor signs in as: without sectors, for an hour, removed when the check is over.

use std::fmt;

use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentKey, AgentName};
use sextant_actors::grants::{EditError, GrantsHandle};
use sextant_actors::ports::GrantChange;
use sextant_actors::random::{self, Unavailable};

use super::error::DoctorError;
use super::limits::{AGENT_LIFE, AGENT_NAME_BYTES};

/// The agent. Whoever makes it removes it; its deadline ends it where that was impossible.
pub(super) struct DoctorAgent {
    name: AgentName,
    key: String,
    grants: GrantsHandle,
}

/// Without its key.
impl fmt::Debug for DoctorAgent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("DoctorAgent")
            .field(&self.name)
            .finish()
    }
}

impl DoctorAgent {
    /// Makes it.
    ///
    /// # Errors
    /// When the store takes no agent now.
    pub(super) async fn make(
        grants: &GrantsHandle,
        now: DateTime<Utc>,
    ) -> Result<Self, DoctorError> {
        let drawn = random::base64url(&random::bytes::<AGENT_NAME_BYTES>()?);
        let name = format!("doctor-{drawn}").parse().map_err(|_| Unavailable)?;
        let key = AgentKey::mint()?;
        let change = GrantChange::Create {
            key: key.digest(),
            sectors: Vec::new(),
            expires_at: Some(now + AGENT_LIFE),
        };
        let agent = Self {
            name,
            key: key.reveal(),
            grants: grants.clone(),
        };
        let made = agent.edit(change).await;
        if let Err(EditError::FateUnknown) = made {
            agent.remove().await;
        }
        made?;
        Ok(agent)
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Its key is refused from now on.
    ///
    /// # Errors
    /// When the store does not take that now.
    pub(super) async fn revoke(&self) -> Result<(), DoctorError> {
        Ok(self.edit(GrantChange::Revoke).await?)
    }

    /// Removes it with all that was signed in with its key.
    pub(super) async fn remove(&self) {
        match self.edit(GrantChange::Remove).await {
            Ok(()) | Err(EditError::NotFound) => {}
            Err(cause) => log::warn!(
                "the agent {} of the doctor was not removed, and ends by itself within an hour: {cause}",
                self.name.as_str()
            ),
        }
    }

    async fn edit(&self, change: GrantChange) -> Result<(), EditError> {
        self.grants.edit(self.name.clone(), change).await.map(drop)
    }
}

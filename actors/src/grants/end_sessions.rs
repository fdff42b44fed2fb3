//! The end of sessions without a change of any grant: the same grants are published anew, so that what was opened before may not live on.
//! No edit runs meanwhile.

use std::sync::Arc;

use super::edit::EditError;
use super::editor::Editor;
use crate::domain::AgentName;

impl Editor {
    /// Publishes the grant of one agent or of all anew, and ends the sessions that were opened before; how many. An agent in doubt has
    /// none.
    pub(super) async fn end_sessions(
        self: Arc<Self>,
        only: Option<AgentName>,
    ) -> Result<usize, EditError> {
        let _alone = self.wait_alone().await?;
        let mut grants = self.published.list();
        grants.retain(|grant| {
            let is_meant = only.as_ref().is_none_or(|agent| *agent == grant.agent);
            is_meant && !self.published.is_in_doubt(&grant.agent)
        });
        let epoch = self.published.publish_all(&grants);
        let agents: Vec<AgentName> = grants.into_iter().map(|grant| grant.agent).collect();
        let ended = self.sessions.kill_agents(agents, epoch).await;
        ended.map_err(|_| EditError::Unavailable)
    }
}

//! The end of everybody's sessions without a change of any grant: the same grants are published anew, so that what was opened before may
//! not live on. No edit runs meanwhile.

use std::sync::Arc;

use super::edit::EditError;
use super::editor::Editor;
use crate::domain::AgentName;

impl Editor {
    /// Publishes every grant anew, and ends all sessions that were opened before; how many. An agent in doubt has none.
    pub(super) async fn end_sessions(self: Arc<Self>) -> Result<usize, EditError> {
        let _alone = self.wait_alone().await?;
        let mut grants = self.published.list();
        grants.retain(|grant| !self.published.is_in_doubt(&grant.agent));
        let epoch = self.published.publish_all(&grants);
        let agents: Vec<AgentName> = grants.into_iter().map(|grant| grant.agent).collect();
        let ended = self.sessions.kill_agents(agents, epoch).await;
        ended.map_err(|_| EditError::Unavailable)
    }
}

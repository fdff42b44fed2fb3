use std::sync::Arc;

use actix::Addr;

use super::kill::{KillAgents, KillAll};
use super::opening::{Find, Open};
use super::published::PublishedSessions;
use super::registry::List;
use super::{ClientInfo, Era, Lease, OpenError, SessionId, SessionRegistry, SessionSummary};
use crate::domain::{AgentName, Ticket};
use crate::limits::{CLOSE_DEADLINE, KILL_DEADLINE, REGISTRY_PATIENCE};
use crate::supervise::{AskError, ask};

/// The handle of the sessions: opens, finds, lists and ends them.
#[derive(Clone)]
pub struct SessionsHandle {
    registry: Addr<SessionRegistry>,
    published: Arc<PublishedSessions>,
}

impl SessionsHandle {
    pub(crate) fn new(registry: Addr<SessionRegistry>, published: Arc<PublishedSessions>) -> Self {
        Self {
            registry,
            published,
        }
    }

    /// Opens a session (legacy), or finds or opens the one of this agent and client (modern), or of this agent (mirror). Finding is a
    /// read.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn open(
        &self,
        ticket: Ticket,
        client: ClientInfo,
        era: Era,
    ) -> Result<Lease, OpenError> {
        let client = client.truncated();
        if let Some(lease) = self.published.shared(&ticket, &client, era) {
            return Ok(lease);
        }
        let open = Open {
            ticket,
            client,
            era,
        };
        ask(&self.registry, open, REGISTRY_PATIENCE)
            .await
            .unwrap_or(Err(OpenError::Unavailable))
    }

    /// The legacy session with this id, if it is this agent's under this very grant: live, or of an earlier run and taken up now.
    pub async fn find(&self, id: SessionId, ticket: &Ticket) -> Option<Lease> {
        if let Some(lease) = self.published.named(&id, ticket) {
            return Some(lease);
        }
        let find = Find {
            id,
            ticket: ticket.clone(),
        };
        ask(&self.registry, find, REGISTRY_PATIENCE).await.ok()?
    }

    /// The live sessions, of one agent or of all, the oldest first; none while the registry restarts.
    pub async fn list(&self, agent: Option<AgentName>) -> Vec<SessionSummary> {
        // A registry that restarts has none: its sessions ended with it.
        ask(&self.registry, List { agent }, REGISTRY_PATIENCE)
            .await
            .unwrap_or_default()
    }

    /// Ends the agent's sessions of epochs before `epoch`; how many. After `Ok` none of them hands out another byte.
    pub(crate) async fn kill_agent(&self, agent: AgentName, epoch: u64) -> Result<usize, AskError> {
        self.kill_agents(vec![agent], epoch).await
    }

    /// Ends the sessions of several agents as [`Self::kill_agent`] does those of one, in one pass.
    pub(crate) async fn kill_agents(
        &self,
        agents: Vec<AgentName>,
        epoch: u64,
    ) -> Result<usize, AskError> {
        let kill = || {
            let agents = agents.clone();
            ask(&self.registry, KillAgents { agents, epoch }, KILL_DEADLINE)
        };
        match kill().await {
            // A registry that crashed ends all sessions before it answers again.
            Err(AskError::Lost) => kill().await,
            answer => answer,
        }
    }

    /// Ends all sessions and opens no more; how many.
    pub(crate) async fn kill_all(&self) -> Result<usize, AskError> {
        ask(&self.registry, KillAll, CLOSE_DEADLINE).await
    }
}

use std::sync::Arc;

use actix::Addr;

use super::actor::{Edit, ReloadGrants, Restore, RevokeAll};
use super::claim::Claim;
use super::{AllRevoked, EditError, Edited, GrantsActor};
use crate::domain::{AgentName, Digest, Grant, KeyRefusal, Ticket};
use crate::limits::{EDIT_ATTEMPTS_MAX, EDIT_PATIENCE};
use crate::ports::GrantChange;
use crate::published_grants::PublishedGrants;
use crate::sessions::SessionsHandle;
use crate::supervise::{AskError, ask};

/// The handle of the grants: resolves keys, edits grants, lists them.
#[derive(Clone)]
pub struct GrantsHandle {
    grants: Addr<GrantsActor>,
    published: Arc<PublishedGrants>,
    sessions: SessionsHandle,
}

impl GrantsHandle {
    pub(crate) fn new(
        grants: Addr<GrantsActor>,
        published: Arc<PublishedGrants>,
        sessions: SessionsHandle,
    ) -> Self {
        Self {
            grants,
            published,
            sessions,
        }
    }

    /// Resolves a presented key by a read of the published snapshot: no database, no message.
    ///
    /// # Errors
    /// Why the key is refused.
    pub fn resolve(&self, digest: &Digest) -> Result<Ticket, KeyRefusal> {
        self.published.resolve(digest)
    }

    /// Changes one agent's grant: commits, publishes, ends its live sessions, then answers. An edit that has begun is carried through
    /// even when this future is dropped.
    ///
    /// # Errors
    /// Why nothing was changed, or that nobody knows whether it was.
    pub async fn edit(&self, agent: AgentName, change: GrantChange) -> Result<Edited, EditError> {
        for _ in 0..EDIT_ATTEMPTS_MAX {
            // An edit that had not begun when the actor crashed over another one is sent again.
            if let Some(edited) = self.attempt(&agent, &change).await? {
                return Ok(edited);
            }
        }
        Err(EditError::Unavailable)
    }

    /// One question; no answer when the actor crashed before it began.
    async fn attempt(
        &self,
        agent: &AgentName,
        change: &GrantChange,
    ) -> Result<Option<Edited>, EditError> {
        let claim = Claim::default();
        let edit = Edit {
            agent: agent.clone(),
            change: change.clone(),
            claim: claim.clone(),
        };
        match ask(&self.grants, edit, EDIT_PATIENCE).await {
            Ok(answer) => answer.map(Some),
            Err(cause) if claim.withdraw() => match cause {
                AskError::Lost => Ok(None),
                AskError::Late => Err(EditError::Unavailable),
            },
            Err(_) => Err(self.recover_lost_answers(vec![agent.clone()]).await),
        }
    }

    /// Revokes every agent that is not revoked: one transaction, one publication, all their sessions ended in one pass, then the answer.
    /// A revocation that has begun is carried through even when this future is dropped.
    ///
    /// # Errors
    /// Why nobody was revoked, or that nobody knows whether they were.
    pub async fn revoke_all(&self) -> Result<AllRevoked, EditError> {
        for _ in 0..EDIT_ATTEMPTS_MAX {
            // A revocation that had not begun when the actor crashed over an edit is sent again.
            if let Some(revoked) = self.attempt_to_revoke_all().await? {
                return Ok(revoked);
            }
        }
        Err(EditError::Unavailable)
    }

    /// One question; no answer when the actor crashed before it began.
    async fn attempt_to_revoke_all(&self) -> Result<Option<AllRevoked>, EditError> {
        let claim = Claim::default();
        let revoke = RevokeAll {
            claim: claim.clone(),
        };
        match ask(&self.grants, revoke, EDIT_PATIENCE).await {
            Ok(answer) => answer.map(Some),
            Err(cause) if claim.withdraw() => match cause {
                AskError::Lost => Ok(None),
                AskError::Late => Err(EditError::Unavailable),
            },
            Err(_) => Err(self.recover_lost_answers(self.published.revocable()).await),
        }
    }

    /// Reads the grants of `agents` from the store, which somebody else wrote to (an import), and publishes them; returns when that is
    /// done. An agent is refused until its grant has been read.
    pub async fn reload(&self, agents: Vec<AgentName>) {
        for agent in &agents {
            self.published.mark_in_doubt(agent);
        }
        let reload = ReloadGrants {
            agents: agents.clone(),
        };
        if ask(&self.grants, reload, EDIT_PATIENCE).await.is_err() {
            for agent in agents {
                self.grants.do_send(Restore { agent });
            }
        }
    }

    /// All grants as published, by name.
    pub fn list(&self) -> Vec<Grant> {
        self.published.list()
    }

    /// One agent's grant as published.
    pub fn get(&self, agent: &AgentName) -> Option<Grant> {
        self.published.get(agent)
    }

    /// The actor crashed in this edit or is stuck in it, so the sessions are ended from here. `Restore` is sent before the first await:
    /// a caller whose future is dropped there leaves no agent in doubt for good.
    async fn recover_lost_answers(&self, agents: Vec<AgentName>) -> EditError {
        let epoch = self.published.mark_all_in_doubt(&agents);
        for agent in agents.iter().cloned() {
            self.grants.do_send(Restore { agent });
        }
        if let Err(error) = self.sessions.kill_agents(agents.clone(), epoch).await {
            let names: Vec<&str> = agents.iter().map(AgentName::as_str).collect();
            log::error!(
                "the sessions of {} may live on: {error:?}",
                names.join(", ")
            );
        }
        EditError::FateUnknown
    }
}

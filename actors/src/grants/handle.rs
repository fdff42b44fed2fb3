use std::sync::Arc;

use actix::Addr;
use chrono::{DateTime, Utc};

use super::actor::{Edit, EndSessions, ReloadGrants, Restore, RevokeAll};
use super::claim::Claim;
use super::{AllRevoked, EditError, Edited, GrantsActor};
use crate::domain::{AgentName, Digest, Grant, KeyRefusal, PresentedAs, Ticket};
use crate::issued_tokens::{IssuedAccess, TokenSnapshot};
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
    tokens: Arc<TokenSnapshot>,
    sessions: SessionsHandle,
}

impl GrantsHandle {
    pub(crate) fn new(
        grants: Addr<GrantsActor>,
        published: Arc<PublishedGrants>,
        tokens: Arc<TokenSnapshot>,
        sessions: SessionsHandle,
    ) -> Self {
        Self {
            grants,
            published,
            tokens,
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

    /// Resolves what was presented, a key or an access token that stands for one, as [`Self::resolve`] does.
    ///
    /// # Errors
    /// Why the token or its key is refused.
    pub fn resolve_bearer(&self, presented: &Digest) -> Result<Ticket, KeyRefusal> {
        match self.tokens.key_of(presented)? {
            Some(key) => Ok(Ticket {
                presented: PresentedAs::Token,
                ..self.published.resolve(&key)?
            }),
            None => self.published.resolve(presented),
        }
    }

    /// Lets these access tokens be presented for the keys that they stand for. They are stored by then.
    pub fn publish_tokens(&self, issued: &[IssuedAccess]) {
        self.tokens.publish(issued);
    }

    /// Refuses these access tokens from now on, and every other one of their sign-ins; live sessions that were opened with them go on.
    pub fn withdraw_tokens(&self, withdrawn: &[Digest]) {
        self.tokens.withdraw(withdrawn);
    }

    /// Forgets access tokens that ended before `ended`.
    pub fn forget_tokens(&self, ended: DateTime<Utc>) {
        self.tokens.forget(ended);
    }

    /// Ends the live sessions of every agent, and leaves the grants as they are; how many.
    ///
    /// # Errors
    /// When nobody knows whether they have ended: ask again.
    pub async fn end_sessions(&self) -> Result<usize, EditError> {
        self.end(EndSessions { only: None }).await
    }

    /// Ends the live sessions of one agent, and leaves its grant as it is; how many.
    ///
    /// # Errors
    /// As [`Self::end_sessions`].
    pub async fn end_sessions_of(&self, agent: AgentName) -> Result<usize, EditError> {
        self.end(EndSessions { only: Some(agent) }).await
    }

    async fn end(&self, sessions: EndSessions) -> Result<usize, EditError> {
        let ended = ask(&self.grants, sessions, EDIT_PATIENCE).await;
        ended.unwrap_or(Err(EditError::Unavailable))
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

//! What an edit does, step by step. Its futures run inside the grants' actor and are dropped when it crashes or is restarted.

use std::collections::{BTreeSet, HashMap};
use std::slice;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, RwLock};
use tokio::time::sleep;

use super::claim::Claim;
use super::edit::{EditError, Edited};
use crate::clock::Clock;
use crate::domain::{AgentName, Grant};
use crate::limits::{EDIT_DEADLINE, EDITS_WAITING_MAX, STORE_BACKOFF};
use crate::port_calls::{retry_read, with_deadline};
use crate::ports::{GrantApplied, GrantChange, GrantStore, PortError};
use crate::published_grants::PublishedGrants;
use crate::sessions::SessionsHandle;

/// Everything an edit needs; shared by the edits under way.
pub(super) struct Editor {
    pub(super) store: Arc<dyn GrantStore>,
    pub(super) published: Arc<PublishedGrants>,
    pub(super) sessions: SessionsHandle,
    pub(super) clock: Arc<dyn Clock>,
    turns: Mutex<HashMap<AgentName, Arc<AsyncMutex<()>>>>,
    /// Read by what changes one agent, written by what changes all: that runs alone.
    pub(super) everybody: Arc<RwLock<()>>,
}

/// Guards an edit from its first statement on: dropped before [`Unsettled::settle`] (a crash or a restart in mid-edit), it puts its agents in doubt,
/// because the commit may or may not have happened.
pub(super) struct Unsettled<'a> {
    published: &'a PublishedGrants,
    agents: &'a [AgentName],
    settled: bool,
}

impl<'a> Unsettled<'a> {
    pub(super) const fn new(published: &'a PublishedGrants, agents: &'a [AgentName]) -> Self {
        Self {
            published,
            agents,
            settled: false,
        }
    }

    pub(super) fn settle(mut self) {
        self.settled = true;
    }
}

impl Drop for Unsettled<'_> {
    fn drop(&mut self) {
        if !self.settled {
            self.published.mark_all_in_doubt(self.agents);
        }
    }
}

impl Editor {
    pub(super) fn new(
        store: Arc<dyn GrantStore>,
        published: Arc<PublishedGrants>,
        sessions: SessionsHandle,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            store,
            published,
            sessions,
            clock,
            turns: Mutex::default(),
            everybody: Arc::default(),
        }
    }

    /// Commits the change, publishes the grant, ends the agent's sessions, then answers; one edit of an agent at a time. An edit that was
    /// withdrawn before its turn does nothing.
    pub(super) async fn edit(
        self: Arc<Self>,
        agent: AgentName,
        change: GrantChange,
        claim: Claim,
    ) -> Result<Edited, EditError> {
        let _turn = self.wait_turn(&agent).await?;
        let _beside_others = self.everybody.read().await;
        if !claim.begin() {
            return Err(EditError::Unavailable);
        }
        let unsettled = Unsettled::new(&self.published, slice::from_ref(&agent));
        let edited = match self.apply(&agent, change).await {
            Ok((grant, replaced)) => self.publish(&agent, grant, replaced).await,
            Err(error) => Err(error),
        };
        if matches!(edited, Err(EditError::FateUnknown)) {
            self.cut_off(&agent).await;
        } else {
            unsettled.settle();
        }
        edited
    }

    /// The grant as the change left it, and whether there was one before.
    async fn apply(
        &self,
        agent: &AgentName,
        change: GrantChange,
    ) -> Result<(Option<Grant>, bool), EditError> {
        let applied = self.store.apply(agent.clone(), change, self.clock.now());
        match with_deadline(EDIT_DEADLINE, applied).await {
            Ok(GrantApplied::Done { grant, replaced }) => Ok((grant, replaced)),
            Ok(GrantApplied::NotFound) => Err(EditError::NotFound),
            Ok(GrantApplied::DeadlinePassed) => Err(EditError::DeadlinePassed),
            Err(error) => Err(edit_error(agent, &error)),
        }
    }

    async fn publish(
        &self,
        agent: &AgentName,
        grant: Option<Grant>,
        replaced: bool,
    ) -> Result<Edited, EditError> {
        let epoch = self.published.publish(agent, grant.clone());
        match self.sessions.kill_agent(agent.clone(), epoch).await {
            Ok(sessions_ended) => Ok(Edited {
                grant,
                replaced,
                sessions_ended,
            }),
            // The edit is committed, but its sessions may live: the agent stays cut off until they are known to have ended.
            Err(_) => Err(EditError::FateUnknown),
        }
    }

    /// Refuses the agent and ends its sessions; true when they are known to have ended.
    pub(super) async fn cut_off(&self, agent: &AgentName) -> bool {
        let epoch = self.published.mark_in_doubt(agent);
        self.sessions.kill_agent(agent.clone(), epoch).await.is_ok()
    }

    /// Reads the grant of an agent in doubt, with a backoff until the database answers, and publishes it.
    pub(super) async fn restore(self: Arc<Self>, agent: AgentName) {
        let mut failures = 0_u32;
        while self.published.is_in_doubt(&agent) && !self.try_restore(&agent).await {
            failures = failures.saturating_add(1);
            sleep(STORE_BACKOFF.after(failures)).await;
        }
    }

    async fn try_restore(&self, agent: &AgentName) -> bool {
        let Ok(_turn) = self.wait_turn(agent).await else {
            return false;
        };
        let _beside_others = self.everybody.read().await;
        // An edit that had its turn meanwhile has published the grant.
        if !self.published.is_in_doubt(agent) {
            return true;
        }
        let row = with_deadline(EDIT_DEADLINE, self.store.read(agent.clone())).await;
        match row {
            Ok(grant) if self.cut_off(agent).await => {
                self.published.publish(agent, grant);
                true
            }
            Ok(_) => false,
            Err(error) => {
                log::warn!("the grant of {agent} could not be read: {error}");
                false
            }
        }
    }

    /// Reads all grants. Agents in doubt lose their sessions before that, for the database may be away; those whose grant is no longer
    /// the published one lose theirs before anything new is published.
    pub(super) async fn load(self: Arc<Self>) {
        self.cut_off_all(self.published.in_doubt()).await;
        let grants = retry_read("grants", || self.store.load()).await;
        self.cut_off_all(self.published.differing(&grants)).await;
        self.published.replace(grants);
    }

    async fn cut_off_all(&self, agents: BTreeSet<AgentName>) {
        for agent in agents {
            let mut failures = 0_u32;
            while !self.cut_off(&agent).await {
                failures = failures.saturating_add(1);
                sleep(STORE_BACKOFF.after(failures)).await;
            }
        }
    }

    /// Waits until no other edit of this agent is under way.
    async fn wait_turn(&self, agent: &AgentName) -> Result<OwnedMutexGuard<()>, EditError> {
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            Arc::clone(turns.entry(agent.clone()).or_default())
        };
        if Arc::strong_count(&turn) > EDITS_WAITING_MAX + 2 {
            return Err(EditError::Unavailable);
        }
        Ok(turn.lock_owned().await)
    }
}

fn edit_error(agent: &AgentName, error: &PortError) -> EditError {
    log::warn!("the grant of {agent} was not edited: {error}");
    error_of_store(error)
}

/// What an error of the store means for an edit.
pub(super) const fn error_of_store(error: &PortError) -> EditError {
    match error {
        PortError::FateUnknown(_) => EditError::FateUnknown,
        PortError::Unavailable(_) | PortError::Rejected(_) => EditError::Unavailable,
    }
}

//! The published grants: an immutable snapshot that every request reads without a message, and the counter of epochs.
//!
//! The grants' actor alone writes it; sessions are opened only on what stands in it. It is a room of its own because both need it, and
//! the grants' actor in turn ends sessions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::SetOnce;

use crate::clock::Clock;
use crate::domain::{AgentName, Digest, Grant, KeyRefusal, PresentedAs, Ticket};

/// One agent's grant and the epoch it was published under.
#[derive(Clone, Debug)]
struct Edition {
    grant: Grant,
    epoch: u64,
}

#[derive(Clone, Debug, Default)]
struct GrantSnapshot {
    editions: BTreeMap<AgentName, Edition>,
    /// By key; without the agents in doubt.
    agents: HashMap<Digest, AgentName>,
    /// Agents whose stored grant is not known: they are refused until it has been read.
    in_doubt: BTreeSet<AgentName>,
}

/// The snapshot, the counter of epochs, which outlives every restart, and the clock that deadlines are compared with.
pub(crate) struct PublishedGrants {
    snapshot: RwLock<Arc<GrantSnapshot>>,
    epochs: AtomicU64,
    clock: Arc<dyn Clock>,
    loaded: SetOnce<()>,
}

impl PublishedGrants {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            snapshot: RwLock::default(),
            epochs: AtomicU64::new(1),
            clock,
            loaded: SetOnce::new(),
        }
    }

    /// The ticket of a presented key.
    ///
    /// # Errors
    /// The refusal; the key of an agent in doubt is refused as unknown.
    pub(crate) fn resolve(&self, digest: &Digest) -> Result<Ticket, KeyRefusal> {
        let snapshot = self.read();
        let edition = snapshot.by_key(digest).ok_or(KeyRefusal::UnknownAgent)?;
        edition.grant.check(self.clock.now())?;
        Ok(Ticket {
            agent: edition.grant.agent.clone(),
            epoch: edition.epoch,
            edition: edition.grant.edition,
            digest: *digest,
            sectors: edition.grant.granted(),
            expires_at: edition.grant.expires_at,
            presented: PresentedAs::Key,
        })
    }

    /// Whether the grant is still the one that this ticket was made from.
    pub(crate) fn is_current(&self, ticket: &Ticket) -> bool {
        self.resolve(&ticket.digest)
            .is_ok_and(|present| present.agent == ticket.agent && present.epoch == ticket.epoch)
    }

    pub(crate) fn list(&self) -> Vec<Grant> {
        let snapshot = self.read();
        snapshot
            .editions
            .values()
            .map(|edition| edition.grant.clone())
            .collect()
    }

    pub(crate) fn get(&self, agent: &AgentName) -> Option<Grant> {
        let snapshot = self.read();
        snapshot
            .editions
            .get(agent)
            .map(|edition| edition.grant.clone())
    }

    /// Publishes one agent's grant, or that it has none, and ends the doubt; returns the epoch from which its sessions may live.
    pub(crate) fn publish(&self, agent: &AgentName, grant: Option<Grant>) -> u64 {
        let epoch = self.next_epoch();
        self.update(|snapshot| {
            snapshot.remove(agent);
            if let Some(grant) = grant {
                snapshot.insert(Edition { grant, epoch });
            }
        });
        epoch
    }

    /// Publishes the changed grants of several agents at once, and ends the doubt about them; returns as [`Self::publish`] does.
    pub(crate) fn publish_all(&self, grants: &[Grant]) -> u64 {
        let epoch = self.next_epoch();
        self.update(|snapshot| {
            for grant in grants.iter().cloned() {
                snapshot.remove(&grant.agent);
                snapshot.insert(Edition { grant, epoch });
            }
        });
        epoch
    }

    /// Refuses one agent until its grant is published again; returns the epoch below which its sessions must end.
    pub(crate) fn mark_in_doubt(&self, agent: &AgentName) -> u64 {
        self.mark_all_in_doubt(std::slice::from_ref(agent))
    }

    /// Refuses several agents as [`Self::mark_in_doubt`] does one.
    pub(crate) fn mark_all_in_doubt(&self, agents: &[AgentName]) -> u64 {
        self.update(|snapshot| {
            for agent in agents {
                snapshot.mark_in_doubt(agent);
            }
        });
        self.next_epoch()
    }

    /// The agents that a revocation of everybody may change: those whose grant is not revoked, and those in doubt.
    pub(crate) fn revocable(&self) -> Vec<AgentName> {
        let snapshot = self.read();
        let live = (snapshot.editions.iter())
            .filter(|(_, edition)| edition.grant.revoked_at.is_none())
            .map(|(agent, _)| agent);
        let both: BTreeSet<AgentName> = live.chain(&snapshot.in_doubt).cloned().collect();
        both.into_iter().collect()
    }

    pub(crate) fn is_in_doubt(&self, agent: &AgentName) -> bool {
        self.read().in_doubt.contains(agent)
    }

    /// The agents that are refused until their grant is published again.
    pub(crate) fn in_doubt(&self) -> BTreeSet<AgentName> {
        self.read().in_doubt.clone()
    }

    /// The agents whose sessions may not outlive the publication of `grants`.
    pub(crate) fn differing(&self, grants: &[Grant]) -> BTreeSet<AgentName> {
        let rows: HashMap<&AgentName, &Grant> =
            grants.iter().map(|grant| (&grant.agent, grant)).collect();
        let snapshot = self.read();
        let changed = snapshot
            .editions
            .iter()
            .filter(|(agent, edition)| rows.get(agent) != Some(&&edition.grant))
            .map(|(agent, _)| agent);
        changed.chain(&snapshot.in_doubt).cloned().collect()
    }

    /// Publishes all grants as they were read; an agent whose grant is unchanged keeps its epoch, and so its sessions.
    pub(crate) fn replace(&self, grants: Vec<Grant>) {
        let fresh = self.next_epoch();
        self.update(|snapshot| {
            let before = std::mem::take(snapshot);
            for grant in grants {
                let epoch = before.epoch_of(&grant).unwrap_or(fresh);
                snapshot.insert(Edition { grant, epoch });
            }
        });
        // Every load after the first finds it set.
        let _ = self.loaded.set(());
    }

    /// Resolves when the grants have been read for the first time.
    pub(crate) async fn loaded(&self) {
        self.loaded.wait().await;
    }

    fn next_epoch(&self) -> u64 {
        self.epochs.fetch_add(1, Ordering::AcqRel)
    }

    fn read(&self) -> Arc<GrantSnapshot> {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn update(&self, change: impl FnOnce(&mut GrantSnapshot)) {
        let mut published = self
            .snapshot
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let mut next = GrantSnapshot::clone(&published);
        change(&mut next);
        *published = Arc::new(next);
    }
}

impl GrantSnapshot {
    fn by_key(&self, digest: &Digest) -> Option<&Edition> {
        self.editions.get(self.agents.get(digest)?)
    }

    fn insert(&mut self, edition: Edition) {
        let agent = edition.grant.agent.clone();
        self.agents.insert(edition.grant.key_digest, agent.clone());
        self.editions.insert(agent, edition);
    }

    fn remove(&mut self, agent: &AgentName) {
        self.in_doubt.remove(agent);
        self.agents.retain(|_, owner| owner != agent);
        self.editions.remove(agent);
    }

    fn mark_in_doubt(&mut self, agent: &AgentName) {
        self.in_doubt.insert(agent.clone());
        self.agents.retain(|_, owner| owner != agent);
    }

    /// The epoch of a grant that is published unchanged and not in doubt.
    fn epoch_of(&self, grant: &Grant) -> Option<u64> {
        self.editions
            .get(&grant.agent)
            .filter(|edition| edition.grant == *grant && !self.in_doubt.contains(&grant.agent))
            .map(|edition| edition.epoch)
    }
}

//! Stores that keep in memory what the database keeps.

use std::collections::BTreeMap;
use std::sync::Mutex;

use chrono::{DateTime, Utc};
use sextant_actors::audit::AuditEntry;
use sextant_actors::domain::{AgentName, Grant, KnownConnection};
use sextant_actors::ports::{
    AuditStore, ConnectionStore, Flush, Flushed, GrantApplied, GrantChange, GrantStore, PortError,
    PortFuture,
};
use tokio::sync::Notify;
use uuid::Uuid;

#[derive(Default)]
pub struct MemoryAudit {
    rows: Mutex<BTreeMap<u64, AuditEntry>>,
    changed: Notify,
}

impl MemoryAudit {
    /// The rows so far, in order.
    pub fn rows(&self) -> Vec<AuditEntry> {
        self.rows.lock().unwrap().values().cloned().collect()
    }

    /// Waits until there are `count` rows, and returns them.
    pub async fn wait_for(&self, count: usize) -> Vec<AuditEntry> {
        let fact = async {
            loop {
                let changed = self.changed.notified();
                let rows = self.rows();
                if rows.len() >= count {
                    return rows;
                }
                changed.await;
            }
        };
        super::soon("rows of the record", fact).await
    }
}

impl AuditStore for MemoryAudit {
    fn position(&self, _: Uuid) -> PortFuture<Result<u64, PortError>> {
        Box::pin(async { Ok(0) })
    }

    fn append(&self, flush: Flush) -> PortFuture<Result<Flushed, PortError>> {
        self.rows.lock().unwrap().extend(flush.rows.iter().cloned());
        self.changed.notify_waiters();
        Box::pin(async { Ok(Flushed::Done) })
    }
}

#[derive(Default)]
pub struct MemoryGrants(Mutex<BTreeMap<AgentName, Grant>>);

impl GrantStore for MemoryGrants {
    fn load(&self) -> PortFuture<Result<Vec<Grant>, PortError>> {
        let grants = self.0.lock().unwrap().values().cloned().collect();
        Box::pin(async move { Ok(grants) })
    }

    fn read(&self, agent: AgentName) -> PortFuture<Result<Option<Grant>, PortError>> {
        let grant = self.0.lock().unwrap().get(&agent).cloned();
        Box::pin(async move { Ok(grant) })
    }

    fn apply(
        &self,
        agent: AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
    ) -> PortFuture<Result<GrantApplied, PortError>> {
        let mut grants = self.0.lock().unwrap();
        let old = grants.remove(&agent);
        let replaced = old.is_some();
        let grant = changed(old, &agent, change, now);
        if let Some(grant) = &grant {
            grants.insert(agent, grant.clone());
        }
        Box::pin(async move { Ok(GrantApplied::Done { grant, replaced }) })
    }

    fn revoke_all(&self, now: DateTime<Utc>) -> PortFuture<Result<Vec<Grant>, PortError>> {
        let mut grants = self.0.lock().unwrap();
        let live = grants
            .values_mut()
            .filter(|grant| grant.revoked_at.is_none());
        let revoked = live.map(|grant| {
            grant.revoked_at = Some(now);
            grant.edition += 1;
            grant.clone()
        });
        let revoked = revoked.collect();
        Box::pin(async move { Ok(revoked) })
    }
}

fn changed(
    old: Option<Grant>,
    agent: &AgentName,
    change: GrantChange,
    now: DateTime<Utc>,
) -> Option<Grant> {
    match change {
        GrantChange::Create {
            key,
            sectors,
            expires_at,
        } => Some(Grant {
            agent: agent.clone(),
            key_digest: key,
            sectors,
            created_at: now,
            revoked_at: None,
            expires_at,
            edition: old.map_or(0, |old| old.edition + 1),
        }),
        GrantChange::Rotate { key } => old.map(|old| Grant {
            key_digest: key,
            revoked_at: None,
            edition: old.edition + 1,
            ..old
        }),
        GrantChange::Amend {
            sectors,
            expires_at,
        } => old.map(|old| Grant {
            sectors: sectors.unwrap_or_else(|| old.sectors.clone()),
            expires_at: expires_at.unwrap_or(old.expires_at),
            edition: old.edition + 1,
            ..old
        }),
        GrantChange::Revoke => old.map(|old| Grant {
            revoked_at: Some(now),
            edition: old.edition + 1,
            ..old
        }),
        GrantChange::Remove => None,
    }
}

pub struct NoConnections;

impl ConnectionStore for NoConnections {
    fn load(&self) -> PortFuture<Result<Vec<KnownConnection>, PortError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

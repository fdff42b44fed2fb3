use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentName, Grant};
use sextant_actors::ports::{GrantApplied, GrantChange, GrantStore, PortError, PortFuture};

use super::faults::{Fact, Fault, Script, lost};
use super::{key, name, noon, sectors};

/// The table `agents`.
#[derive(Clone, Default)]
pub struct FakeGrants {
    pub on_load: Script,
    pub on_read: Script,
    pub on_apply: Script,
    /// An edit has reached the database.
    pub applying: Fact,
    /// An edit has been committed.
    pub applied: Fact,
    /// The grants have been requested.
    pub loading: Fact,
    rows: Arc<Mutex<BTreeMap<AgentName, Grant>>>,
}

/// A grant as the database holds it; its key is `<agent>-key`.
pub fn grant(agent: &str, words: &[&str]) -> Grant {
    Grant {
        agent: name(agent),
        key_digest: key(agent),
        sectors: sectors(words),
        created_at: noon(),
        revoked_at: None,
        expires_at: None,
        edition: 0,
    }
}

impl FakeGrants {
    /// Writes to the table without the actors' knowledge.
    pub fn put(&self, grant: Grant) {
        self.rows.lock().unwrap().insert(grant.agent.clone(), grant);
    }

    pub fn get(&self, agent: &AgentName) -> Option<Grant> {
        self.rows.lock().unwrap().get(agent).cloned()
    }

    fn apply_now(
        &self,
        agent: &AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
    ) -> GrantApplied {
        let mut rows = self.rows.lock().unwrap();
        let before = rows.remove(agent);
        let replaced = before.is_some();
        let Some(next) = change_row(agent, before.clone(), change, now) else {
            return GrantApplied::Done {
                grant: None,
                replaced,
            };
        };
        match next {
            Ok(grant) => {
                rows.insert(agent.clone(), grant.clone());
                GrantApplied::Done {
                    grant: Some(grant),
                    replaced,
                }
            }
            Err(refused) => {
                rows.extend(before.map(|grant| (agent.clone(), grant)));
                refused
            }
        }
    }

    fn revoke_all_now(&self, now: DateTime<Utc>) -> Vec<Grant> {
        let mut rows = self.rows.lock().unwrap();
        let live = rows.values_mut().filter(|grant| grant.revoked_at.is_none());
        live.map(|grant| {
            grant.revoked_at = Some(now);
            grant.edition += 1;
            grant.clone()
        })
        .collect()
    }
}

/// The row after the change; `None` when it is gone.
pub fn change_row(
    agent: &AgentName,
    before: Option<Grant>,
    change: GrantChange,
    now: DateTime<Utc>,
) -> Option<Result<Grant, GrantApplied>> {
    let present = before.clone().ok_or(GrantApplied::NotFound);
    Some(match change {
        GrantChange::Create {
            key,
            sectors,
            expires_at,
        } => Ok(Grant {
            agent: agent.clone(),
            key_digest: key,
            sectors,
            created_at: now,
            revoked_at: None,
            expires_at,
            edition: next(before.as_ref()),
        }),
        GrantChange::Rotate { key } => present.and_then(|grant| {
            let passed = grant.expires_at.is_some_and(|deadline| deadline <= now);
            let rotated = Grant {
                key_digest: key,
                revoked_at: None,
                edition: grant.edition + 1,
                ..grant
            };
            if passed {
                Err(GrantApplied::DeadlinePassed)
            } else {
                Ok(rotated)
            }
        }),
        GrantChange::Amend {
            sectors,
            expires_at,
        } => present.map(|grant| Grant {
            sectors: sectors.unwrap_or(grant.sectors),
            expires_at: expires_at.unwrap_or(grant.expires_at),
            edition: grant.edition + 1,
            ..grant
        }),
        GrantChange::Revoke => present.map(|grant| Grant {
            revoked_at: Some(now),
            edition: grant.edition + 1,
            ..grant
        }),
        GrantChange::Remove if before.is_some() => return None,
        GrantChange::Remove => Err(GrantApplied::NotFound),
    })
}

/// The edition that replaces this one.
fn next(before: Option<&Grant>) -> i32 {
    before.map_or(0, |grant| grant.edition + 1)
}

impl GrantStore for FakeGrants {
    fn load(&self) -> PortFuture<Result<Vec<Grant>, PortError>> {
        let (store, fault) = (self.clone(), self.on_load.next());
        Box::pin(async move {
            store.loading.happened();
            Script::act(fault).await?;
            Ok(store.rows.lock().unwrap().values().cloned().collect())
        })
    }

    fn read(&self, agent: AgentName) -> PortFuture<Result<Option<Grant>, PortError>> {
        let (store, fault) = (self.clone(), self.on_read.next());
        Box::pin(async move {
            Script::act(fault).await?;
            Ok(store.get(&agent))
        })
    }

    fn apply(
        &self,
        agent: AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
    ) -> PortFuture<Result<GrantApplied, PortError>> {
        let (store, fault) = (self.clone(), self.on_apply.next());
        Box::pin(async move {
            store.applying.happened();
            let lose = Script::act(fault.clone()).await?;
            let applied = store.apply_now(&agent, change, now);
            store.applied.happened();
            Fault::after(fault).await;
            if lose { Err(lost()) } else { Ok(applied) }
        })
    }

    fn revoke_all(&self, now: DateTime<Utc>) -> PortFuture<Result<Vec<Grant>, PortError>> {
        let (store, fault) = (self.clone(), self.on_apply.next());
        Box::pin(async move {
            store.applying.happened();
            let lose = Script::act(fault.clone()).await?;
            let revoked = store.revoke_all_now(now);
            store.applied.happened();
            Fault::after(fault).await;
            if lose { Err(lost()) } else { Ok(revoked) }
        })
    }
}

//! An agent as the Console shows it: never its key, never the hash.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::domain::{AgentName, Grant, KeyRefusal};

use super::by_name::not_found;
use crate::http::console::Parts;
use crate::http::problem::Problem;
use crate::store;

/// One agent (console S5).
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AgentView {
    name: String,
    /// As stored: unknown names and a lone `*` included.
    sectors: Vec<String>,
    status: AgentStatus,
    created_at: DateTime<Utc>,
    expires_at: Option<DateTime<Utc>>,
    revoked_at: Option<DateTime<Utc>>,
    last_call_at: Option<DateTime<Utc>>,
    live_sessions: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AgentStatus {
    Active,
    Revoked,
    Expired,
}

impl AgentStatus {
    fn of(grant: &Grant, now: DateTime<Utc>) -> Self {
        match grant.check(now) {
            Ok(()) => Self::Active,
            Err(KeyRefusal::Revoked) => Self::Revoked,
            Err(KeyRefusal::Expired | KeyRefusal::UnknownAgent) => Self::Expired,
        }
    }
}

/// When agents called last, by name.
pub(super) struct LastCalls(HashMap<String, DateTime<Utc>>);

impl LastCalls {
    /// Reads the last calls of these agents.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn read(parts: &Parts, agents: &[AgentName]) -> Result<Self, Problem> {
        let names = agents.iter().map(AgentName::to_string).collect();
        let last_calls = store::audit_hourly::last_calls(&parts.pool, names).await?;
        Ok(Self(last_calls))
    }

    /// Adds the sessions that are live now.
    pub(super) async fn with_live_sessions(self, parts: &Parts) -> AgentActivity {
        AgentActivity {
            last_calls: self,
            live_sessions: count_live_sessions(parts).await,
        }
    }
}

/// What agents did, beside their grants.
pub(super) struct AgentActivity {
    last_calls: LastCalls,
    live_sessions: HashMap<AgentName, usize>,
}

impl AgentActivity {
    /// The agent of `grant`, as of `now`.
    pub(super) fn view(&self, grant: Grant, now: DateTime<Utc>) -> AgentView {
        AgentView {
            status: AgentStatus::of(&grant, now),
            name: grant.agent.to_string(),
            sectors: grant.sectors,
            created_at: grant.created_at,
            expires_at: grant.expires_at,
            revoked_at: grant.revoked_at,
            last_call_at: self.last_calls.0.get(grant.agent.as_str()).copied(),
            live_sessions: self.live_sessions.get(&grant.agent).copied().unwrap_or(0),
        }
    }
}

/// The agent of a grant.
///
/// # Errors
/// As [`views`].
pub(super) async fn view(parts: &Parts, grant: Grant) -> Result<AgentView, Problem> {
    views(parts, vec![grant]).await?.pop().ok_or_else(not_found)
}

/// The agents of several grants, in their order.
///
/// # Errors
/// When the database cannot be read.
pub(super) async fn views(parts: &Parts, grants: Vec<Grant>) -> Result<Vec<AgentView>, Problem> {
    let names: Vec<_> = grants.iter().map(|grant| grant.agent.clone()).collect();
    let last_calls = LastCalls::read(parts, &names).await?;
    let activity = last_calls.with_live_sessions(parts).await;
    let now = parts.clock.now();
    let views = grants.into_iter().map(|grant| activity.view(grant, now));
    Ok(views.collect())
}

async fn count_live_sessions(parts: &Parts) -> HashMap<AgentName, usize> {
    let mut counts = HashMap::new();
    for session in parts.sessions.list(None).await {
        *counts.entry(session.agent).or_insert(0) += 1;
    }
    counts
}

//! An agent as the Console shows it: never its key, never the hash.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sextant_actors::domain::{Grant, Refusal};

use crate::http::schema::{count, flag, joined, list, object, one_of, or_null, stamp, text};

/// One agent.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentView {
    pub name: String,
    /// As stored: unknown names and a lone `*` included.
    pub sectors: Vec<String>,
    pub status: &'static str,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    pub last_call_at: Option<DateTime<Utc>>,
    pub live_sessions: usize,
}

/// The JSON Schema of an agent.
pub fn agent_schema() -> Value {
    object([
        ("name", text()),
        ("sectors", list(text())),
        ("status", one_of(&["active", "revoked", "expired"])),
        ("createdAt", stamp()),
        ("expiresAt", or_null(stamp())),
        ("revokedAt", or_null(stamp())),
        ("lastCallAt", or_null(stamp())),
        ("liveSessions", count()),
    ])
}

impl AgentView {
    /// The agent of `grant`, as of `now`.
    pub fn of(
        grant: Grant,
        now: DateTime<Utc>,
        last_call_at: Option<DateTime<Utc>>,
        live_sessions: usize,
    ) -> Self {
        Self {
            status: status(&grant, now),
            name: grant.agent.to_string(),
            sectors: grant.sectors,
            created_at: grant.created_at,
            expires_at: grant.expires_at,
            revoked_at: grant.revoked_at,
            last_call_at,
            live_sessions,
        }
    }
}

fn status(grant: &Grant, now: DateTime<Utc>) -> &'static str {
    match grant.check(now) {
        Ok(()) => "active",
        Err(Refusal::Revoked) => "revoked",
        Err(Refusal::Expired | Refusal::UnknownAgent) => "expired",
    }
}

/// A fresh key with its grant: shown this once (r061).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyView {
    pub name: String,
    pub sectors: Vec<String>,
    pub expires_at: Option<DateTime<Utc>>,
    pub key: String,
    /// Whether there was a grant under this name before.
    pub replaced: bool,
    pub sessions_ended: usize,
}

/// The JSON Schema of a fresh key.
pub fn key_schema() -> Value {
    object([
        ("name", text()),
        ("sectors", list(text())),
        ("expiresAt", or_null(stamp())),
        ("key", text()),
        ("replaced", flag()),
        ("sessionsEnded", count()),
    ])
}

/// A fresh key for a grant that was made or replaced.
#[derive(Serialize)]
pub struct CreatedView {
    #[serde(flatten)]
    pub key: KeyView,
    /// Sentences; empty where nothing stands out.
    pub warnings: Vec<String>,
}

/// The JSON Schema of the answer to a new grant.
pub fn created_schema() -> Value {
    joined(key_schema(), object([("warnings", list(text()))]))
}

/// The JSON Schema of an agent after an edit.
pub fn edited_schema() -> Value {
    let edited = object([("sessionsEnded", count()), ("warnings", list(text()))]);
    joined(agent_schema(), edited)
}

/// An agent after an edit, and what the edit ended.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EditedView {
    #[serde(flatten)]
    pub agent: AgentView,
    pub sessions_ended: usize,
    /// Sentences; empty where nothing stands out.
    pub warnings: Vec<String>,
}

/// What a revocation or a removal ended.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EndedView {
    pub sessions_ended: usize,
}

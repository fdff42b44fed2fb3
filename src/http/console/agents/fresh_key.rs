use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::domain::AgentKey;
use sextant_actors::grants::Edited;

use super::by_name::not_found;
use crate::http::problem::Problem;

/// A fresh key with its grant: shown this once (r061).
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FreshKey {
    name: String,
    sectors: Vec<String>,
    expires_at: Option<DateTime<Utc>>,
    key: String,
    /// Whether there was a grant under this name before.
    replaced: bool,
    sessions_ended: usize,
}

impl FreshKey {
    /// The key that an edit gave its agent.
    ///
    /// # Errors
    /// When the edit left no grant.
    pub(super) fn of(edited: Edited, key: AgentKey) -> Result<Self, Problem> {
        let grant = edited.grant.ok_or_else(not_found)?;
        Ok(Self {
            name: grant.agent.to_string(),
            sectors: grant.sectors,
            expires_at: grant.expires_at,
            key: key.reveal(),
            replaced: edited.replaced,
            sessions_ended: edited.sessions_ended,
        })
    }
}

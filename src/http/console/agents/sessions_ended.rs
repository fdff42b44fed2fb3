use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::ports::GrantChange;

use super::by_name::name_in_path;
use crate::http::console::Parts;
use crate::http::problem::Problem;

/// How many sessions ended with a grant.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionsEnded {
    sessions_ended: usize,
}

/// Ends a grant: revokes or removes it.
///
/// # Errors
/// When no agent has this name, or the edit cannot be made.
pub(super) async fn end(
    parts: &Parts,
    name: &str,
    change: GrantChange,
) -> Result<SessionsEnded, Problem> {
    let edited = parts.grants.edit(name_in_path(name)?, change).await?;
    Ok(SessionsEnded {
        sessions_ended: edited.sessions_ended,
    })
}

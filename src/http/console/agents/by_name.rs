//! The agent that a path names, and what the routes about it refuse.

use sextant_actors::domain::{AgentName, Grant};

use crate::http::console::Parts;
use crate::http::problem::{Code, Problem};

/// What a read is refused with, besides a name that no agent has.
pub(super) const READ: &[Code] = &[Code::Internal, Code::Unavailable];
/// What an edit is refused with.
pub(super) const EDIT: &[Code] = &[Code::Conflict, Code::Internal, Code::Unavailable];

/// The name in a path. A text that no agent can be called is the name of no agent.
///
/// # Errors
/// When it is none.
pub(super) fn name_in_path(name: &str) -> Result<AgentName, Problem> {
    name.parse().map_err(|_| not_found())
}

/// The grant of the agent that a path names.
///
/// # Errors
/// When there is none.
pub(super) fn find(parts: &Parts, name: &str) -> Result<Grant, Problem> {
    let grant = parts.grants.get(&name_in_path(name)?);
    grant.ok_or_else(not_found)
}

/// What a path is answered that names no agent.
pub(super) fn not_found() -> Problem {
    Problem::new(
        Code::NotFound,
        "no agent has this name; GET /api/agents lists them",
    )
}

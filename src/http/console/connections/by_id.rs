//! The connection that a path names, and what the routes about it refuse.

use uuid::Uuid;

use crate::http::problem::{Code, Problem};

/// What a route is refused with that reads or changes what is stored, besides an id that no connection has.
pub(super) const STORED: &[Code] = &[Code::Internal, Code::Unavailable];

/// The id in a path. A text that is no id is the id of no connection.
///
/// # Errors
/// When it is none.
pub(super) fn id_in_path(id: &str) -> Result<Uuid, Problem> {
    id.parse().map_err(|_| not_found())
}

/// What an id is answered that no connection has.
pub(in crate::http::console) fn not_found() -> Problem {
    Problem::new(
        Code::NotFound,
        "no connection has this id; GET /api/connections lists them",
    )
}

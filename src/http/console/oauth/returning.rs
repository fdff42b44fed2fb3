//! Where browsers come back from.

use crate::http::console::Parts;
use crate::http::problem::{Code, Problem};
use crate::sign_ins::AwayAt;

/// Where the provider of this word sends browsers, of whichever kind it is.
///
/// # Errors
/// When no browser is sent to one of it.
pub(super) fn away_at<'a>(parts: &'a Parts, id: &str) -> Result<AwayAt<'a>, Problem> {
    parts.sign_ins.away_at(id).ok_or_else(|| {
        Problem::new(
            Code::NotFound,
            "there is no such provider where one signs in; GET /api/providers lists them (methods oauth and link)",
        )
    })
}

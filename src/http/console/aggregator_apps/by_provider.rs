//! The aggregator that a path names.

use sextant_connectors::provider::LinkedProvider;

use crate::http::console::Parts;
use crate::http::problem::{Code, Problem};

/// The provider of this word, if banks are linked there.
///
/// # Errors
/// When there is none.
pub(in crate::http::console) fn linked<'a>(
    parts: &'a Parts,
    id: &str,
) -> Result<&'a dyn LinkedProvider, Problem> {
    let provider = parts.sign_ins.providers.linked(id);
    provider.ok_or_else(|| {
        Problem::new(
            Code::NotFound,
            "there is no such aggregator; GET /api/aggregator-apps lists them",
        )
    })
}

//! The provider that a path names.

use sextant_connectors::provider::ConsentedProvider;

use crate::http::console::Parts;
use crate::http::problem::{Code, Problem};

/// The provider of this word, if a person consents there.
///
/// # Errors
/// When there is none.
pub(in crate::http::console) fn consented<'a>(
    parts: &'a Parts,
    id: &str,
) -> Result<&'a dyn ConsentedProvider, Problem> {
    let provider = parts.sign_ins.providers.consented(id);
    provider.ok_or_else(|| {
        Problem::new(
            Code::NotFound,
            "there is no such provider where one signs in; GET /api/providers lists them (method oauth)",
        )
    })
}

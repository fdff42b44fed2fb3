//! What an act on an application leaves in the audit log.

use serde_json::json;
use sextant_actors::domain::Outcome;

use crate::http::console::Parts;

/// One row of the operator, whatever came of it.
pub(super) async fn record<T, E>(
    parts: &Parts,
    verb: &'static str,
    provider: &str,
    done: &Result<T, E>,
) {
    let outcome = match done {
        Ok(_) => Outcome::Ok,
        Err(_) => Outcome::Error,
    };
    let args = json!({ "provider": provider });
    parts
        .audit
        .record_operator(verb, None, Some(args), outcome, None)
        .await;
}

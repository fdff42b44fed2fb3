//! What a change of the public address leaves in the audit log.

use serde_json::Value;
use sextant_actors::domain::Outcome;

use crate::bridge::{AddressChange, AddressError};
use crate::http::console::Parts;

/// One row of the operator, whatever came of it.
pub(super) async fn record(
    parts: &Parts,
    verb: &'static str,
    args: Option<Value>,
    done: &Result<AddressChange, AddressError>,
) {
    let outcome = match done {
        Ok(_) => Outcome::Ok,
        Err(_) => Outcome::Error,
    };
    parts
        .audit
        .record_operator(verb, None, args, outcome, None)
        .await;
}

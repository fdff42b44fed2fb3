//! The result of a served call as a JSON route answers it: the tool's own result, or a problem with the tool's own message.

use sextant_actors::domain::{Decision, Obstacle, Reply, Served};

use super::problem::{Code, Problem};
use crate::query::fault::quoted;

/// The codes that a served call may be answered with.
pub(crate) const CODES: &[Code] = &[
    Code::Invalid,
    Code::Forbidden,
    Code::Conflict,
    Code::Internal,
    Code::ProviderError,
    Code::Unavailable,
];

/// The result, compact JSON.
///
/// # Errors
/// The refusal or the fault, with the repair that it names.
pub(crate) fn result(served: Served) -> Result<String, Problem> {
    let is_denied = matches!(served.decision, Decision::Deny(_));
    match served.reply {
        Reply::Answer(json) => Ok(json.to_string()),
        Reply::Fault(words) if is_denied => Err(Problem::new(Code::Forbidden, words)),
        Reply::Fault(words) => Err(Problem::new(Code::Invalid, words)),
        Reply::Failure(obstacle, words) => Err(Problem::new(code(obstacle), words)),
        Reply::UnknownTool(name) => {
            let words = format!("unknown tool {}", quoted(&name));
            Err(Problem::invalid("tool", words))
        }
    }
}

const fn code(obstacle: Obstacle) -> Code {
    match obstacle {
        Obstacle::NoSource => Code::Conflict,
        Obstacle::Source => Code::ProviderError,
        Obstacle::Database | Obstacle::Busy => Code::Unavailable,
        Obstacle::Service => Code::Internal,
    }
}

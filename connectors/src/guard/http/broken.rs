//! What kept a request from its answer.

use crate::failure::{FailureKind, SourceFailure};
use crate::guard::stream::not_connected;

/// That no answer came in its time.
pub(super) fn not_in_time() -> SourceFailure {
    unavailable("the source did not answer in time")
}

fn unavailable(message: &str) -> SourceFailure {
    SourceFailure::new(FailureKind::Unavailable, message)
}

/// What kept a request from its answer. The library's own sentence may hold the address, so it is not repeated.
pub(super) fn not_sent(cause: &reqwest::Error) -> SourceFailure {
    if let Some(refused) = refusal(cause) {
        return not_connected(refused);
    }
    if cause.is_timeout() {
        return not_in_time();
    }
    unavailable(if cause.is_connect() {
        "the source cannot be reached, or its certificate is not trusted"
    } else {
        "the connection to the source broke"
    })
}

/// The resolver's refusal, if that is what ended a request.
fn refusal(cause: &reqwest::Error) -> Option<&std::io::Error> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(cause);
    while let Some(error) = cause {
        if let Some(refused) = error.downcast_ref::<std::io::Error>()
            && refused.kind() == std::io::ErrorKind::PermissionDenied
        {
            return Some(refused);
        }
        cause = error.source();
    }
    None
}

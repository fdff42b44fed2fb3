//! What kept a request from its answer.

use std::io::ErrorKind;

use crate::failure::{FailureKind, SourceFailure};
use crate::guard::stream::not_connected;

/// That no answer came in its time.
pub(in crate::guard) fn not_in_time() -> SourceFailure {
    unavailable("the source did not answer in time")
}

fn unavailable(message: &str) -> SourceFailure {
    SourceFailure::new(FailureKind::Unavailable, message)
}

/// What kept a request from its answer. The library's own sentence may hold the address, so it is not repeated.
pub(in crate::guard) fn not_sent(cause: &reqwest::Error) -> SourceFailure {
    let broken = below(cause);
    match broken {
        // The resolver's refusal.
        Some(refused) if refused.kind() == ErrorKind::PermissionDenied => {
            not_connected(refused).unsent()
        }
        _ if cause.is_connect() && cause.is_timeout() => not_in_time().unsent(),
        _ if cause.is_timeout() => not_in_time(),
        Some(broken) if cause.is_connect() => not_connected(broken).unsent(),
        _ if cause.is_connect() => unavailable("the source cannot be reached").unsent(),
        _ => unavailable("the connection to the source broke"),
    }
}

/// The first error of the system, or of TLS, that lies below a request's.
fn below(cause: &reqwest::Error) -> Option<&std::io::Error> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(cause);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref::<std::io::Error>() {
            return Some(found);
        }
        cause = error.source();
    }
    None
}

//! Why a connection's source is not read now, as the Console is told it.

use chrono::SecondsFormat;
use sextant_actors::connections::NotBegun;

use super::by_id::not_found;
use crate::http::problem::{Code, Problem};

/// The answer to a sync or a restart that was refused.
pub(super) fn problem(refusal: NotBegun) -> Problem {
    let (code, message) = match refusal {
        NotBegun::Unknown => return not_found(),
        NotBegun::Waiting(until) => {
            return waits(&until.to_rfc3339_opts(SecondsFormat::Secs, true));
        }
        NotBegun::IsPushed => (
            Code::Conflict,
            "its device pushes to it: there is no source to read",
        ),
        NotBegun::Paused => (Code::Conflict, "it is paused: resume it first"),
        NotBegun::NeedsPerson => (
            Code::Conflict,
            "its source does not take the credential: sign in again first",
        ),
        NotBegun::Resting => (
            Code::Conflict,
            "what reads it crashed and rests: it goes on by itself, and a restart of a parked one ends the rest",
        ),
        NotBegun::Busy => (
            Code::Unavailable,
            "what reads it is starting or busy: try again in a few seconds",
        ),
    };
    Problem::new(code, message)
}

fn waits(until: &str) -> Problem {
    let message = format!(
        "its source is not asked before {until}: it asked for that rest, or may have counted a refused credential"
    );
    Problem::new(Code::Conflict, message)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    #[test]
    fn a_source_that_rests_is_a_conflict_that_says_until_when() {
        let refused = problem(NotBegun::Waiting(DateTime::UNIX_EPOCH));
        assert_eq!(refused.code, Code::Conflict);
        assert!(refused.json().contains("before 1970-01-01T00:00:00Z"));
        assert_eq!(problem(NotBegun::Unknown).code, Code::NotFound);
        assert_eq!(problem(NotBegun::Busy).code, Code::Unavailable);
    }
}

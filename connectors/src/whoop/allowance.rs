//! How many requests the interface still answers: 100 a minute and 10,000 a day, told with every answer.
//!
//! `X-RateLimit-Remaining` counts the window that is nearest to its end, and `X-RateLimit-Reset` is how many seconds are left of it:
//! a time to wait, no moment of a clock (developer.whoop.com, "Rate Limiting").

use std::time::Duration;

use reqwest::header::HeaderMap;

use crate::failure::{FailureKind, RetryAfter, SourceFailure};
use crate::limits::{WHOOP_REQUESTS_KEPT, WHOOP_RESET_MAX};

const REMAINING: &str = "x-ratelimit-remaining";
const RESET: &str = "x-ratelimit-reset";

/// What the last answer said of it; nothing before the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RequestAllowance {
    remaining: Option<u64>,
    wait: Option<Duration>,
}

impl RequestAllowance {
    /// Reads the headers of an answer.
    pub(super) fn of_headers(headers: &HeaderMap) -> Self {
        Self {
            remaining: number(headers, REMAINING),
            wait: wait(headers),
        }
    }

    /// Whether another request may be sent: some are kept back, so that a person who signs in anew or disconnects is answered.
    ///
    /// # Errors
    /// [`FailureKind::RateLimited`] with the time to wait.
    pub(super) fn spend(self) -> Result<(), SourceFailure> {
        let (Some(remaining), Some(wait)) = (self.remaining, self.wait) else {
            return Ok(());
        };
        if remaining > WHOOP_REQUESTS_KEPT {
            return Ok(());
        }
        let message = "the source allows few more requests for now";
        Err(SourceFailure {
            retry_after: Some(RetryAfter::Wait(wait)),
            ..SourceFailure::new(FailureKind::RateLimited, message)
        })
    }
}

/// How long an answer says to wait; `None` where it does not, or says what cannot be a time to wait.
pub(super) fn wait(headers: &HeaderMap) -> Option<Duration> {
    let wait = Duration::from_secs(number(headers, RESET)?);
    (!wait.is_zero() && wait <= WHOOP_RESET_MAX).then_some(wait)
}

fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    fn allowance(remaining: &'static str, reset: &'static str) -> RequestAllowance {
        RequestAllowance::of_headers(&HeaderMap::from_iter([
            (
                REMAINING.parse().unwrap(),
                HeaderValue::from_static(remaining),
            ),
            (RESET.parse().unwrap(), HeaderValue::from_static(reset)),
        ]))
    }

    #[test]
    fn the_last_requests_are_kept_back_for_as_long_as_the_source_says() {
        for (remaining, reset, expected) in [
            ("98", "3", None),
            ("6", "3", None),
            ("5", "3", Some(3)),
            ("0", "86399", Some(86_399)),
            // The window is over, or the number is a moment of a clock.
            ("0", "0", None),
            ("0", "1767225600", None),
            ("-1", "3", None),
            ("0", "soon", None),
        ] {
            let refused = allowance(remaining, reset).spend().err();
            let waits = refused.and_then(|failure| failure.retry_after);
            let expected = expected.map(|seconds| RetryAfter::Wait(Duration::from_secs(seconds)));
            assert_eq!(waits, expected, "{remaining} {reset}");
        }
        assert_eq!(RequestAllowance::default().spend(), Ok(()));
    }
}

//! How often the bridge may be asked (r103): a number of requests in a window, for each caller; no other limit slows a caller down.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::limits::{CALLERS_MAX, REQUEST_WINDOW, REQUESTS_PER_WINDOW};

/// The windows of the callers.
#[derive(Default)]
pub(super) struct RequestRate(Mutex<HashMap<Option<IpAddr>, RateWindow>>);

struct RateWindow {
    begun: DateTime<Utc>,
    requests: u32,
}

/// The caller has asked as often as it may; how long until it may ask again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooOften(pub Duration);

impl RequestRate {
    /// Counts a request of this caller; `None` for all callers who cannot be told apart.
    ///
    /// # Errors
    /// [`TooOften`].
    pub(super) fn admit(&self, caller: Option<IpAddr>, now: DateTime<Utc>) -> Result<(), TooOften> {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= CALLERS_MAX {
            windows.retain(|_, window| window.lasts(now));
        }
        let is_full = windows.len() >= CALLERS_MAX && !windows.contains_key(&caller);
        let window = windows.entry(if is_full { None } else { caller });
        let window = window.or_insert(RateWindow {
            begun: now,
            requests: 0,
        });
        if !window.lasts(now) {
            *window = RateWindow {
                begun: now,
                requests: 0,
            };
        }
        if window.requests >= REQUESTS_PER_WINDOW {
            let left = window.begun + REQUEST_WINDOW - now;
            return Err(TooOften(left.to_std().unwrap_or_default()));
        }
        window.requests += 1;
        Ok(())
    }
}

impl RateWindow {
    /// A clock that was set back ends the window too.
    fn lasts(&self, now: DateTime<Utc>) -> bool {
        self.begun <= now && now - self.begun < REQUEST_WINDOW
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn second(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + second, 0).unwrap()
    }

    fn caller(number: u32) -> Option<IpAddr> {
        Some(IpAddr::from(number.to_be_bytes()))
    }

    #[test]
    fn r103_120_requests_a_window_and_each_caller_has_its_own() {
        let rate = RequestRate::default();
        for _ in 0..120 {
            assert_eq!(rate.admit(None, second(1)), Ok(()));
        }
        assert_eq!(
            rate.admit(None, second(11)),
            Err(TooOften(Duration::from_secs(50)))
        );
        assert_eq!(rate.admit(caller(1), second(11)), Ok(()));
        assert_eq!(rate.admit(None, second(61)), Ok(()));
        let back = rate.admit(None, second(61) - TimeDelta::days(1));
        assert_eq!(back, Ok(()), "a clock that was set back holds nobody off");
    }

    #[test]
    fn r103_callers_beyond_those_that_are_counted_share_one_window() {
        let rate = RequestRate::default();
        let most = u32::try_from(CALLERS_MAX).unwrap();
        for number in 0..most {
            assert_eq!(rate.admit(caller(number), second(0)), Ok(()));
        }
        for number in 0..REQUESTS_PER_WINDOW {
            assert_eq!(rate.admit(caller(most + number), second(0)), Ok(()));
        }
        assert!(rate.admit(caller(most + 1), second(0)).is_err());
        assert_eq!(
            rate.admit(caller(0), second(0)),
            Ok(()),
            "who is counted apart"
        );
        assert_eq!(rate.admit(caller(most + 1), second(60)), Ok(()));
    }
}

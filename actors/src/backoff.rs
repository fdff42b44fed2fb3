//! How long to wait after the n-th failure in a row.

use std::time::Duration;

/// Doubles from `first` to `longest`; a pure function of the number of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Backoff {
    pub(crate) first: Duration,
    pub(crate) longest: Duration,
}

impl Backoff {
    /// The wait after `failures` failures in a row; none after none.
    pub(crate) fn after(self, failures: u32) -> Duration {
        let Some(doublings) = failures.checked_sub(1) else {
            return Duration::ZERO;
        };
        let factor = 1_u32.checked_shl(doublings).unwrap_or(u32::MAX);
        self.first.saturating_mul(factor).min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{PERMANENT_BACKOFF, TRANSIENT_BACKOFF};

    #[test]
    fn the_wait_doubles_up_to_its_longest() {
        let cases = [
            (PERMANENT_BACKOFF, 0, 0),
            (PERMANENT_BACKOFF, 1, 100),
            (PERMANENT_BACKOFF, 2, 200),
            (PERMANENT_BACKOFF, 4, 800),
            (PERMANENT_BACKOFF, 7, 5_000),
            (PERMANENT_BACKOFF, u32::MAX, 5_000),
            (TRANSIENT_BACKOFF, 1, 1_000),
            (TRANSIENT_BACKOFF, 10, 512_000),
            (TRANSIENT_BACKOFF, 11, 600_000),
            (TRANSIENT_BACKOFF, 33, 600_000),
        ];
        for (backoff, failures, wait_ms) in cases {
            assert_eq!(
                backoff.after(failures),
                Duration::from_millis(wait_ms),
                "{failures} failures of {backoff:?}"
            );
        }
    }
}

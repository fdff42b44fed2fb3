//! The cap on refusals that anybody can cause without a key (r034): thirty a window are recorded, the rest is counted.

use std::sync::Mutex;

use chrono::{DateTime, Utc};

use crate::limits::{REFUSAL_WINDOW, REFUSALS_PER_WINDOW};

/// What is done about one refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThrottleVerdict {
    /// It gets a row.
    Record,
    /// It gets a row, after one that says how many the last window only counted.
    RecordAfterSummary { coalesced: u64 },
    /// It is counted.
    Count,
}

/// The kinds of refusals that are capped: handshakes (r034), and what costs nothing at the OAuth bridge (r035).
#[derive(Default)]
pub(super) struct Throttles {
    pub(super) handshakes: Mutex<Throttle>,
    pub(super) bridge: Mutex<Throttle>,
}

/// One kind of refusal. A window begins with the first refusal after the last one ended, and lasts a minute.
#[derive(Debug, Default)]
pub(super) struct Throttle {
    begun: Option<DateTime<Utc>>,
    recorded: u32,
    coalesced: u64,
}

impl Throttle {
    pub(super) fn admit(&mut self, now: DateTime<Utc>) -> ThrottleVerdict {
        if !self.within(now) {
            return self.begin(now);
        }
        if self.recorded < REFUSALS_PER_WINDOW {
            self.recorded += 1;
            return ThrottleVerdict::Record;
        }
        self.coalesced += 1;
        ThrottleVerdict::Count
    }

    /// A clock that was set back ends the window too: else it could last for years.
    fn within(&self, now: DateTime<Utc>) -> bool {
        self.begun
            .is_some_and(|begun| begun <= now && now - begun < REFUSAL_WINDOW)
    }

    fn begin(&mut self, now: DateTime<Utc>) -> ThrottleVerdict {
        self.begun = Some(now);
        self.recorded = 1;
        match std::mem::take(&mut self.coalesced) {
            0 => ThrottleVerdict::Record,
            coalesced => ThrottleVerdict::RecordAfterSummary { coalesced },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + second, 0).unwrap()
    }

    fn admit(throttle: &mut Throttle, at: i64, times: usize) -> Vec<ThrottleVerdict> {
        (0..times).map(|_| throttle.admit(second(at))).collect()
    }

    #[test]
    fn r034_thirty_a_window_and_a_summary_only_if_another_refusal_arrives() {
        let mut throttle = Throttle::default();
        assert_eq!(admit(&mut throttle, 0, 30), [ThrottleVerdict::Record; 30]);
        assert_eq!(admit(&mut throttle, 59, 7), [ThrottleVerdict::Count; 7]);
        let opening = throttle.admit(second(60));
        assert_eq!(
            opening,
            ThrottleVerdict::RecordAfterSummary { coalesced: 7 }
        );
        assert_eq!(
            admit(&mut throttle, 61, 29),
            [ThrottleVerdict::Record; 29],
            "the summary is outside the thirty"
        );
        assert_eq!(throttle.admit(second(61)), ThrottleVerdict::Count);
        assert_eq!(
            throttle.admit(second(120)),
            ThrottleVerdict::RecordAfterSummary { coalesced: 1 },
            "each summary tells of one window"
        );
    }

    #[test]
    fn r034_a_window_begins_with_a_refusal_not_with_the_minute() {
        let mut throttle = Throttle::default();
        throttle.admit(second(0));
        assert_eq!(throttle.admit(second(500)), ThrottleVerdict::Record);
        assert_eq!(admit(&mut throttle, 559, 29), [ThrottleVerdict::Record; 29]);
        assert_eq!(throttle.admit(second(559)), ThrottleVerdict::Count);
        assert_eq!(
            throttle.admit(second(560)),
            ThrottleVerdict::RecordAfterSummary { coalesced: 1 }
        );
    }

    #[test]
    fn a_clock_that_is_set_back_begins_a_window() {
        let mut throttle = Throttle::default();
        admit(&mut throttle, 1_000_000, 31);
        assert_eq!(
            throttle.admit(second(0)),
            ThrottleVerdict::RecordAfterSummary { coalesced: 1 }
        );
    }
}

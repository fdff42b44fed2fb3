//! The window over which an endless series is expanded.
//!
//! What it knows: the present moment and two distances from it.
//! What it must not know: what is expanded inside.

use chrono::{DateTime, Months, TimeDelta, Utc};

const YEARS_BACK: u32 = 10;
const YEARS_AHEAD: u32 = 2;
const MONTHS_A_YEAR: u32 = 12;

/// Below this width a window is not narrowed further: one second contains at most one instance.
const WIDTH_MIN: TimeDelta = TimeDelta::seconds(2);

/// A range of time around `now`; its end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    now: DateTime<Utc>,
    back: TimeDelta,
    ahead: TimeDelta,
}

impl Window {
    /// From ten years back to two years ahead: the window that the service keeps expanded.
    pub(super) fn around(now: DateTime<Utc>) -> Self {
        let back = now - Months::new(YEARS_BACK * MONTHS_A_YEAR);
        let ahead = now + Months::new(YEARS_AHEAD * MONTHS_A_YEAR);
        Self {
            now,
            back: now - back,
            ahead: ahead - now,
        }
    }

    /// The window with its longer side halved, so that what is near `now` stays; `None` when it is as
    /// narrow as it can be.
    pub(super) fn halve_longer_side(&self) -> Option<Self> {
        if self.back + self.ahead < WIDTH_MIN {
            return None;
        }
        let (mut back, mut ahead) = (self.back, self.ahead);
        if back > ahead {
            back = back / 2
        } else {
            ahead = ahead / 2
        }
        Some(Self {
            now: self.now,
            back,
            ahead,
        })
    }

    /// The first instant inside.
    pub(super) fn from(&self) -> DateTime<Utc> {
        self.now - self.back
    }

    /// The first instant after it.
    pub(super) fn to(&self) -> DateTime<Utc> {
        self.now + self.ahead
    }

    pub(super) fn contains(&self, at: DateTime<Utc>) -> bool {
        self.from() <= at && at < self.to()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reaches_ten_years_back_and_two_ahead() {
        let window = Window::around("2028-02-29T12:00:00Z".parse().unwrap());
        assert_eq!(window.from().to_rfc3339(), "2018-02-28T12:00:00+00:00");
        assert_eq!(window.to().to_rfc3339(), "2030-02-28T12:00:00+00:00");
    }

    #[test]
    fn narrows_around_now_and_ends() {
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let mut window = Window::around(now);
        let mut steps = 0;
        while let Some(narrower) = window.halve_longer_side() {
            assert!(narrower.from() <= now && now <= narrower.to());
            window = narrower;
            steps += 1;
        }
        assert!(steps < 70);
    }
}

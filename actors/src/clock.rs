//! The only place where the clock is read.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Duration, SubsecRound, Utc};

/// Digits of a second that are kept, as many as the database keeps: a stamp is the same before and after it was stored.
const SUBSECOND_DIGITS: u16 = 6;

/// Tells the time; shared by everything that needs it.
pub trait Clock: Send + Sync + 'static {
    /// The present instant.
    fn now(&self) -> DateTime<Utc>;
}

/// The system's wall clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is that one place")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now().trunc_subsecs(SUBSECOND_DIGITS)
    }
}

/// A clock that stands still until it is moved: for tests.
#[derive(Clone)]
pub struct FrozenClock(Arc<Mutex<DateTime<Utc>>>);

impl FrozenClock {
    /// A clock that shows `now`.
    pub fn at(now: DateTime<Utc>) -> Self {
        Self(Arc::new(Mutex::new(now)))
    }

    /// Moves the clock on.
    pub fn advance(&self, by: Duration) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now += by;
    }
}

impl Clock for FrozenClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! The only place where the clock is read.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration as Wait;

use chrono::{DateTime, Duration, SubsecRound, Utc};
use tokio::sync::watch;
use tokio::time::sleep;

/// Digits of a second that are kept, as many as the database keeps: a stamp is the same before and after it was stored.
const SUBSECOND_DIGITS: u16 = 6;

/// How long is waited before the clock is read again: a clock that was set, or a machine that slept, is noticed so soon.
const LOOK_INTERVAL: Wait = Wait::from_secs(60);

/// Resolves at an instant.
pub type ClockFuture<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Tells the time; shared by everything that needs it.
pub trait Clock: Send + Sync + 'static {
    /// The present instant.
    fn now(&self) -> DateTime<Utc>;

    /// Resolves when the clock shows `at`, at once if that has passed.
    fn wait_until(&self, at: DateTime<Utc>) -> ClockFuture<'_> {
        Box::pin(async move {
            // A negative difference is no wait: it has passed.
            while let Ok(left) = (at - self.now()).to_std()
                && !left.is_zero()
            {
                sleep(left.min(LOOK_INTERVAL)).await;
            }
        })
    }
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
pub struct FrozenClock(watch::Sender<DateTime<Utc>>);

impl FrozenClock {
    /// A clock that shows `now`.
    pub fn at(now: DateTime<Utc>) -> Self {
        Self(watch::Sender::new(now))
    }

    /// Moves the clock on.
    pub fn advance(&self, by: Duration) {
        self.0.send_modify(|now| *now += by);
    }
}

impl Clock for FrozenClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.borrow()
    }

    fn wait_until(&self, at: DateTime<Utc>) -> ClockFuture<'_> {
        let mut clock = self.0.subscribe();
        Box::pin(async move {
            // The clock is borrowed, so it is not gone before this resolves.
            let _ = clock.wait_for(|now| *now >= at).await;
        })
    }
}

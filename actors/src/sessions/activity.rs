use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};

/// When a session was last used and what it runs; written by its leases, read by the registry without a message to the session.
pub(super) struct SessionActivity {
    running: AtomicUsize,
    calls: AtomicU64,
    times: Mutex<Times>,
}

#[derive(Clone, Copy)]
struct Times {
    used_at: DateTime<Utc>,
    last_call_at: Option<DateTime<Utc>>,
}

/// A call under way; while one is, the session is not idle.
pub(super) struct RunningCall<'a>(&'a SessionActivity);

impl SessionActivity {
    pub(super) fn new(now: DateTime<Utc>) -> Self {
        Self {
            running: AtomicUsize::new(0),
            calls: AtomicU64::new(0),
            times: Mutex::new(Times {
                used_at: now,
                last_call_at: None,
            }),
        }
    }

    /// Notes that a lease was taken.
    pub(super) fn touch(&self, now: DateTime<Utc>) {
        self.update(|times| times.used_at = now);
    }

    /// Notes that a call begins.
    pub(super) fn begin_call(&self, now: DateTime<Utc>) -> RunningCall<'_> {
        self.running.fetch_add(1, Ordering::AcqRel);
        self.calls.fetch_add(1, Ordering::AcqRel);
        self.update(|times| {
            times.used_at = now;
            times.last_call_at = Some(now);
        });
        RunningCall(self)
    }

    /// Since when no call has been running; `None` while one is.
    pub(super) fn idle_since(&self) -> Option<DateTime<Utc>> {
        let idle = self.running.load(Ordering::Acquire) == 0;
        idle.then(|| self.times().used_at)
    }

    pub(super) fn last_call_at(&self) -> Option<DateTime<Utc>> {
        self.times().last_call_at
    }

    pub(super) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Acquire)
    }

    fn times(&self) -> Times {
        *self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, change: impl FnOnce(&mut Times)) {
        change(&mut self.times.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl RunningCall<'_> {
    /// Ends the call; idleness is counted from `now`.
    pub(super) fn end(self, now: DateTime<Utc>) {
        self.0.touch(now);
    }
}

impl Drop for RunningCall<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::AcqRel);
    }
}

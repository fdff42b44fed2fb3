use std::time::Duration;

use crate::backoff::Backoff;
use crate::limits::{
    CRASH_WINDOW, CRASHES_MAX, PARKED_FOR, PERMANENT_BACKOFF, TRANSIENT_BACKOFF, TRANSIENT_WINDOW,
};

/// What becomes of an actor that crashes. None of them restarts an actor that stopped of its own accord.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The service needs it: restarted at once (100 ms to 5 s); the fifth crash within 60 s ends the service.
    Permanent,
    /// It may be away for a while: restarted slowly (1 s to 10 min); the fifth crash within an hour parks it for an hour.
    Transient,
    /// Never restarted.
    Temporary,
}

/// What the guard does about one crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CrashVerdict {
    /// Restart after this wait.
    Restart(Duration),
    /// Too many crashes: rest for this long, then try again.
    Park(Duration),
    /// Too many crashes: the service must stop.
    GiveUp,
    /// It is not restarted.
    LetGo,
}

impl Policy {
    /// How far back crashes are counted.
    pub(super) const fn window(self) -> Duration {
        match self {
            Policy::Permanent | Policy::Temporary => CRASH_WINDOW,
            Policy::Transient => TRANSIENT_WINDOW,
        }
    }

    /// Decides on a crash that is the `crashes`-th within the window.
    pub(super) fn verdict(self, crashes: u32) -> CrashVerdict {
        let too_many = crashes >= CRASHES_MAX;
        match self {
            Policy::Temporary => CrashVerdict::LetGo,
            Policy::Permanent if too_many => CrashVerdict::GiveUp,
            Policy::Transient if too_many => CrashVerdict::Park(PARKED_FOR),
            Policy::Permanent => restart(PERMANENT_BACKOFF, crashes),
            Policy::Transient => restart(TRANSIENT_BACKOFF, crashes),
        }
    }
}

fn restart(backoff: Backoff, crashes: u32) -> CrashVerdict {
    CrashVerdict::Restart(backoff.after(crashes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_policy_has_its_own_end() {
        let ms = Duration::from_millis;
        let cases = [
            (Policy::Permanent, 1, CrashVerdict::Restart(ms(100))),
            (Policy::Permanent, 4, CrashVerdict::Restart(ms(800))),
            (Policy::Permanent, 5, CrashVerdict::GiveUp),
            (Policy::Transient, 1, CrashVerdict::Restart(ms(1_000))),
            (Policy::Transient, 4, CrashVerdict::Restart(ms(8_000))),
            (Policy::Transient, 5, CrashVerdict::Park(ms(3_600_000))),
            (Policy::Temporary, 1, CrashVerdict::LetGo),
        ];
        for (policy, crashes, verdict) in cases {
            assert_eq!(policy.verdict(crashes), verdict, "{policy:?} {crashes}");
        }
    }
}

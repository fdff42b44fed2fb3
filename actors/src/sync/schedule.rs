//! When the next round is due: pure functions of the plan, how the last round ended, and a chance.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::limits::{SOURCE_BACKOFF, STREAM_BACKOFF, SYNC_JITTER_PERCENT};
use crate::ports::{RoundEnd, SyncPlan};

/// A random number; all of its range is equally likely.
pub(super) type Chance = u16;

/// When the first round after a start is due: at once for a connection that was never read, and for a stream; when its rest ends for
/// one that failed last; for another at any time within its interval, so that a restart of the service does not read all of them at one
/// time. `None` when a person must act first.
pub(super) fn first(plan: &SyncPlan, now: DateTime<Utc>, chance: Chance) -> Option<DateTime<Utc>> {
    let spread = match plan.last_success_at {
        Some(_) if !plan.is_stream && plan.retry_at.is_none() => share(plan.interval, chance),
        Some(_) | None => Duration::ZERO,
    };
    (!plan.needs_person).then(|| not_before(now + delta(spread), plan.retry_at))
}

/// When a round is due that the person wants: at once, or when its source wishes. `None` when the person must do something else first.
pub(super) fn wanted(plan: &SyncPlan, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    (!plan.needs_person).then(|| not_before(now, plan.wished_until))
}

/// Until when no round may begin, after one that ended so; `failures` counts those in a row, this one included. A stream that fell
/// silent rests a minute at the most, unless its source wishes for longer.
pub(super) fn rest(
    is_stream: bool,
    end: &RoundEnd,
    ended_at: DateTime<Utc>,
    failures: u32,
    chance: Chance,
) -> Option<DateTime<Utc>> {
    match end {
        RoundEnd::Failed { retry_at } => {
            let backoff = if is_stream {
                STREAM_BACKOFF
            } else {
                SOURCE_BACKOFF
            };
            let wait = backoff.after(failures);
            let wait = wait + share(wait, chance) * SYNC_JITTER_PERCENT / 100;
            Some(not_before(ended_at + delta(wait), *retry_at))
        }
        RoundEnd::StoreAway => Some(ended_at + delta(SOURCE_BACKOFF.after(1))),
        RoundEnd::Finished
        | RoundEnd::Listening
        | RoundEnd::Unfinished
        | RoundEnd::Halted
        | RoundEnd::NeedsPerson => None,
    }
}

/// When the round after one that ended so is due; `None` when a person must act first.
pub(super) fn next(
    plan: &SyncPlan,
    end: &RoundEnd,
    ended_at: DateTime<Utc>,
    chance: Chance,
) -> Option<DateTime<Utc>> {
    let due = match end {
        RoundEnd::NeedsPerson => return None,
        // A stream is opened again, whatever its round says it is.
        RoundEnd::Finished | RoundEnd::Listening if plan.is_stream => {
            ended_at + delta(STREAM_BACKOFF.after(1))
        }
        RoundEnd::Finished => {
            let jitter = share(plan.interval, chance) * SYNC_JITTER_PERCENT / 100;
            ended_at + delta(plan.interval) + delta(jitter)
        }
        _ => ended_at,
    };
    Some(not_before(due, plan.retry_at))
}

/// A part of a time.
fn share(whole: Duration, chance: Chance) -> Duration {
    whole / u32::from(Chance::MAX) * u32::from(chance)
}

fn not_before(due: DateTime<Utc>, earliest: Option<DateTime<Utc>>) -> DateTime<Utc> {
    earliest.map_or(due, |earliest| due.max(earliest))
}

/// Intervals and waits are far below what a calendar can hold.
pub(super) fn delta(wait: Duration) -> TimeDelta {
    TimeDelta::from_std(wait).unwrap_or(TimeDelta::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plan(interval_s: u64, read: bool, retry_s: Option<i64>) -> SyncPlan {
        SyncPlan {
            interval: Duration::from_secs(interval_s),
            is_stream: false,
            last_success_at: read.then_some(DateTime::UNIX_EPOCH),
            retry_at: retry_s.map(at),
            wished_until: None,
            needs_person: false,
        }
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    #[test]
    fn a_new_connection_is_read_at_once_and_others_are_spread() {
        assert_eq!(first(&plan(900, false, None), at(0), 9), Some(at(0)));
        assert_eq!(first(&plan(900, true, None), at(0), 0), Some(at(0)));
        let last = first(&plan(900, true, None), at(0), Chance::MAX);
        assert!(last > Some(at(890)) && last <= Some(at(900)), "{last:?}");
        assert_eq!(first(&plan(900, false, Some(70)), at(0), 0), Some(at(70)));
        let failed = first(&plan(900, true, Some(-70)), at(0), Chance::MAX);
        assert_eq!(failed, Some(at(0)), "its rest is over");
        let mut stopped = plan(900, true, None);
        stopped.needs_person = true;
        assert_eq!(first(&stopped, at(0), 0), None);
        let mut stream = plan(900, true, None);
        stream.is_stream = true;
        assert_eq!(first(&stream, at(0), Chance::MAX), Some(at(0)));
    }

    #[test]
    fn a_round_that_is_wanted_waits_for_its_source_alone() {
        let mut resting = plan(900, true, Some(70));
        assert_eq!(wanted(&resting, at(5)), Some(at(5)));
        resting.wished_until = Some(at(60));
        assert_eq!(wanted(&resting, at(5)), Some(at(60)));
        resting.needs_person = true;
        assert_eq!(wanted(&resting, at(5)), None);
    }

    #[test]
    fn failures_in_a_row_wait_longer_up_to_an_hour() {
        let failed = RoundEnd::Failed { retry_at: None };
        let waits = |failures| rest(false, &failed, at(0), failures, 0);
        assert_eq!(waits(1), Some(at(60)));
        assert_eq!(waits(2), Some(at(120)));
        assert_eq!(waits(40), Some(at(3600)));
        let asked = RoundEnd::Failed {
            retry_at: Some(at(7200)),
        };
        assert_eq!(rest(false, &asked, at(0), 1, 0), Some(at(7200)));
        assert_eq!(rest(true, &asked, at(0), 1, 0), Some(at(7200)));
        assert_eq!(rest(false, &RoundEnd::Finished, at(0), 0, 0), None);
        let stream = |failures| rest(true, &failed, at(0), failures, 0);
        let waits: Vec<_> = [1, 2, 3, 7, 40].into_iter().map(stream).collect();
        assert_eq!(waits, [1, 2, 4, 60, 60].map(|second| Some(at(second))));
    }

    fn any_end() -> impl Strategy<Value = RoundEnd> {
        prop_oneof![
            Just(RoundEnd::Finished),
            Just(RoundEnd::Unfinished),
            Just(RoundEnd::StoreAway),
            (0..90_000_i64).prop_map(|wish| RoundEnd::Failed {
                retry_at: Some(at(wish))
            }),
            Just(RoundEnd::Failed { retry_at: None }),
        ]
    }

    proptest! {
        #[test]
        fn nothing_begins_before_what_was_asked_for(
            interval in 1..90_000_u64, retry in proptest::option::of(0..90_000_i64), now in 0..90_000_i64,
            end in any_end(), failures in 1..50_u32, chance in any::<Chance>(),
        ) {
            let mut plan = plan(interval, true, retry);
            prop_assert!(first(&plan, at(now), chance) >= plan.retry_at);
            plan.retry_at = rest(false, &end, at(now), failures, chance);
            let due = next(&plan, &end, at(now), chance);
            prop_assert!(due >= Some(at(now)) && due >= plan.retry_at);
            if let RoundEnd::Failed { retry_at } = end {
                prop_assert!(due >= retry_at);
            }
            if end == RoundEnd::Finished {
                let interval = TimeDelta::seconds(interval.try_into().unwrap());
                prop_assert!(due >= Some(at(now) + interval) && due <= Some(at(now) + interval * 2));
            }
        }
    }
}

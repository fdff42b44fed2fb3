//! Which time is asked for next. Pure.

use chrono::{DateTime, NaiveTime, Utc};

use super::position::AccountPosition;
use crate::limits::{SIMPLEFIN_OVERLAP, SIMPLEFIN_REREAD, SIMPLEFIN_SPAN};

/// A span before what was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BackSpan {
    pub(super) start: DateTime<Utc>,
    /// Not within it any more.
    pub(super) end: DateTime<Utc>,
}

/// From when on a round asks for everything: some weeks, more after a pause, as much as is given where there is no account yet.
pub(super) fn recent<'a>(
    positions: impl Iterator<Item = &'a AccountPosition>,
    now: DateTime<Utc>,
) -> DateTime<Utc> {
    let longest = now - SIMPLEFIN_SPAN;
    let read = positions.map(|position| position.read_at.map(|at| at - SIMPLEFIN_OVERLAP));
    let earliest = read.min().flatten().unwrap_or(longest);
    day_of(earliest.min(now - SIMPLEFIN_REREAD).max(longest))
}

/// The next span before what was read, the latest first: one request is for all accounts.
pub(super) fn back<'a>(
    positions: impl Iterator<Item = &'a AccountPosition>,
    since: DateTime<Utc>,
) -> Option<BackSpan> {
    let unread = positions.filter_map(|position| position.unread_before(since));
    let end = unread.max()?;
    Some(BackSpan {
        start: day_of((end - SIMPLEFIN_SPAN).max(since)),
        end,
    })
}

/// The beginning of a day: bridges count by days.
fn day_of(at: DateTime<Utc>) -> DateTime<Utc> {
    at.date_naive().and_time(NaiveTime::MIN).and_utc()
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn at(days: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000 + days)
    }

    fn now() -> DateTime<Utc> {
        at(0) + TimeDelta::hours(9)
    }

    fn read_at(days: i64) -> AccountPosition {
        AccountPosition {
            read_at: Some(at(days)),
            from: Some(at(days - 89)),
            ..AccountPosition::default()
        }
    }

    #[test]
    fn a_round_reads_some_weeks_and_after_a_pause_more() {
        let recent = |positions: &[AccountPosition]| recent(positions.iter(), now());
        assert_eq!(recent(&[]), at(-89));
        assert_eq!(recent(&[read_at(0)]), at(-30));
        assert_eq!(recent(&[read_at(0), read_at(-50)]), at(-58));
        assert_eq!(recent(&[read_at(-200)]), at(-89));
        // Another account does not make the round longer.
        assert_eq!(recent(&[read_at(0), AccountPosition::default()]), at(-89));
        assert!(now() - recent(&[]) < TimeDelta::days(90));
    }

    #[test]
    fn spans_go_back_from_the_latest_that_is_unread() {
        let mut one = read_at(0);
        let mut other = read_at(0);
        other.from = Some(at(-30));
        let since = at(-730);
        let span =
            |one: &AccountPosition, other: &AccountPosition| back([one, other].into_iter(), since);
        let first = span(&one, &other).unwrap();
        assert_eq!((first.start, first.end), (at(-119), at(-30)));
        other.back_to(first.start, false);
        one.back_to(first.start, false);
        let second = span(&one, &other).unwrap();
        assert_eq!((second.start, second.end), (at(-208), at(-119)));
        for position in [&mut one, &mut other] {
            position.back_to(at(-208), true);
            position.back_to(at(-297), true);
        }
        assert_eq!(span(&one, &other), None);
        assert_eq!(one.told_from, Some(at(-119)));
    }

    #[test]
    fn no_more_is_asked_for_than_is_wanted() {
        let one = read_at(0);
        let wanted = back([&one].into_iter(), at(-100)).unwrap();
        assert_eq!((wanted.start, wanted.end), (at(-100), at(-89)));
        assert_eq!(back([&one].into_iter(), at(-89)), None);
    }
}

//! Local days in the person's time zone: when each begins, and which one an instant lies in. Pure.
//!
//! By hand, since `chrono` maps single local times to instants but says neither which of two midnights begins a day nor what to do
//! where midnight is skipped.

mod early;

use chrono::{
    DateTime, Days, Duration, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc,
};
use chrono_tz::Tz;

/// The steps in which a local time before a skipped midnight is searched.
const STEP_MINUTES: i64 = 15;
/// A clock is never put forward by more: Samoa skipped a whole day in 2011.
const STEPS_MAX: i64 = 24 * 60 / STEP_MINUTES;
/// Instants of changed rows are marked by the quarter of an hour that they lie in (`sql/migrations/0002_derived.sql`).
const MARK_MINUTES: i64 = 15;

/// The local days of a zone. They cover time without gap or overlap, on the days of a clock change too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalDays(Tz);

impl LocalDays {
    /// The days of `zone`.
    pub(crate) fn of(zone: Tz) -> Self {
        Self(zone)
    }

    /// The first instant of `day`: of a midnight that occurs twice, the one after which the clock does not show the day before
    /// again; of a skipped midnight, the instant at which the clock was put forward.
    pub(crate) fn begin(self, day: NaiveDate) -> DateTime<Utc> {
        let midnight = day.and_time(NaiveTime::MIN);
        (0..=STEPS_MAX)
            .find_map(|steps| {
                let shift = Duration::minutes(STEP_MINUTES * steps);
                let before = midnight.checked_sub_signed(shift)?;
                Some(self.instant_shown(before, day)? + shift)
            })
            .unwrap_or_else(|| midnight.and_utc())
    }

    /// The instant at which the clock shows `local`, which is `day`'s midnight or earlier; `None` where it never does.
    fn instant_shown(self, local: NaiveDateTime, day: NaiveDate) -> Option<DateTime<Utc>> {
        let (first, second) = match self.0.from_local_datetime(&local) {
            LocalResult::Single(instant) => return Some(instant.with_timezone(&Utc)),
            LocalResult::Ambiguous(first, second) => (first, second),
            LocalResult::None => return None,
        };
        let first = first.with_timezone(&Utc);
        let second = second.with_timezone(&Utc);
        let between = (second - Duration::nanoseconds(1)).with_timezone(&self.0);
        Some(if between.date_naive() == day {
            first
        } else {
            second
        })
    }

    /// The first instant after `day`.
    pub(crate) fn end(self, day: NaiveDate) -> DateTime<Utc> {
        day.checked_add_days(Days::new(1))
            .map_or(DateTime::<Utc>::MAX_UTC, |next| self.begin(next))
    }

    /// The day that `instant` lies in.
    pub(crate) fn day_of(self, instant: DateTime<Utc>) -> NaiveDate {
        let day = instant.with_timezone(&self.0).date_naive();
        // Where a clock is put back over midnight, it shows the day before again.
        if instant < self.begin(day) {
            day.pred_opt().unwrap_or(day)
        } else if instant >= self.end(day) {
            day.succ_opt().unwrap_or(day)
        } else {
            day
        }
    }

    /// The first and last day of the marked quarter of an hour that starts at `begins`: they differ only where a zone's offset
    /// is no multiple of a quarter of an hour.
    pub(crate) fn of_mark(self, begins: DateTime<Utc>) -> [NaiveDate; 2] {
        let last = Duration::minutes(MARK_MINUTES) - Duration::microseconds(1);
        [begins, begins + last].map(|instant| self.day_of(instant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_day_is_as_long_as_the_clocks_make_it() {
        for (zone, date, hours) in [
            (Tz::Europe__Berlin, "2026-03-29", 23),
            (Tz::Europe__Berlin, "2026-10-25", 25),
            (Tz::Europe__Berlin, "2028-02-29", 24),
            (Tz::Asia__Kathmandu, "2026-01-01", 24),
            (Tz::America__Sao_Paulo, "2018-11-04", 23),
            (Tz::America__Sao_Paulo, "2018-02-17", 25),
            (Tz::Pacific__Apia, "2011-12-30", 0),
            // Midnight comes twice, and both belong to the day.
            (Tz::America__Havana, "2026-11-01", 25),
            (Tz::America__Havana, "2026-10-31", 24),
            // The clock goes back at a minute past midnight, into the day before.
            (Tz::America__St_Johns, "2010-11-06", 25),
            (Tz::America__St_Johns, "2010-11-07", 24),
            (Tz::America__St_Johns, "2010-03-14", 23),
        ] {
            let days = LocalDays::of(zone);
            let length = days.end(day(date)) - days.begin(day(date));
            assert_eq!(length.num_hours(), hours, "{zone} {date}");
        }
    }

    /// The definition of a day's beginning: the clock shows no earlier day from then on.
    #[test]
    fn a_day_begins_where_the_one_before_is_left_for_good() {
        for zone in [
            Tz::Europe__Berlin,
            Tz::America__St_Johns,
            Tz::America__Havana,
            Tz::America__Sao_Paulo,
            Tz::America__Asuncion,
            Tz::Africa__Cairo,
            Tz::Asia__Amman,
            Tz::Asia__Kathmandu,
            Tz::Asia__Pyongyang,
            Tz::Atlantic__Azores,
            Tz::Australia__Lord_Howe,
            Tz::Pacific__Apia,
            Tz::Pacific__Chatham,
        ] {
            let shown = |instant: DateTime<Utc>| instant.with_timezone(&zone).date_naive();
            let days = LocalDays::of(zone);
            for number in 0..365 * 41 {
                let date = day("1986-01-01") + Days::new(number);
                let begin = days.begin(date);
                let before = begin - Duration::nanoseconds(1);
                assert!(shown(before) < date, "{zone} {date}");
                let behind = (0..13).map(|quarters| begin + Duration::minutes(15 * quarters));
                for instant in behind {
                    assert!(shown(instant) >= date, "{zone} {date} {instant}");
                }
            }
        }
    }

    #[test]
    fn every_instant_lies_between_the_ends_of_its_day() {
        for zone in [
            Tz::Europe__Berlin,
            Tz::America__St_Johns,
            Tz::America__Sao_Paulo,
            Tz::Pacific__Apia,
            Tz::Africa__Monrovia,
            Tz::Australia__Lord_Howe,
            Tz::Pacific__Chatham,
            Tz::America__Havana,
        ] {
            let days = LocalDays::of(zone);
            for (from, minutes) in [("1971-12-20T00:00:00Z", 40), ("2006-10-20T00:00:00Z", 13)] {
                for step in 0..3_000 {
                    let instant = at(from) + Duration::minutes(step * minutes);
                    let found = days.day_of(instant);
                    assert!(
                        days.begin(found) <= instant && instant < days.end(found),
                        "{zone} {instant}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_mark_reaches_into_two_days_only_where_midnight_lies_inside_it() {
        let monrovia = LocalDays::of(Tz::Africa__Monrovia).of_mark(at("1971-06-01T00:30:00Z"));
        assert_eq!(monrovia, [day("1971-05-31"), day("1971-06-01")]);
        let kathmandu = LocalDays::of(Tz::Asia__Kathmandu).of_mark(at("2026-05-31T18:15:00Z"));
        assert_eq!(kathmandu, [day("2026-06-01"); 2]);
    }
}

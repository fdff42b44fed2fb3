//! Local days in the person's zone: where they begin, and which an instant lies in. Pure.

use chrono::{DateTime, Days, Duration, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::Tz;

/// The steps in which clocks are put forward.
const STEP_MINUTES: i64 = 15;
/// A clock is never put forward by more: a whole day was left out in Samoa.
const STEPS_MAX: i64 = 24 * 60 / STEP_MINUTES;
/// The quarter of an hour by which touched instants are marked.
const MARK_MINUTES: i64 = 15;

/// The local days of a zone. They part time without gap or overlap, on the days of a clock change too.
#[derive(Clone, Copy, Debug)]
pub struct LocalDays(Tz);

impl LocalDays {
    pub fn of(zone: Tz) -> Self {
        Self(zone)
    }

    /// The first instant of `day`. A midnight that occurs twice is the later one, one that is left out the instant at which
    /// the clock was put forward.
    pub fn begin(self, day: NaiveDate) -> DateTime<Utc> {
        let midnight = day.and_time(NaiveTime::MIN);
        (0..=STEPS_MAX)
            .find_map(|steps| {
                let shift = Duration::minutes(STEP_MINUTES * steps);
                let before = midnight.checked_sub_signed(shift)?;
                let instant = self.0.from_local_datetime(&before).latest()?;
                Some(instant.with_timezone(&Utc) + shift)
            })
            .unwrap_or_else(|| midnight.and_utc())
    }

    /// The first instant after `day`.
    pub fn end(self, day: NaiveDate) -> DateTime<Utc> {
        day.checked_add_days(Days::new(1))
            .map_or(DateTime::<Utc>::MAX_UTC, |next| self.begin(next))
    }

    /// The day that `instant` lies in.
    pub fn day_of(self, instant: DateTime<Utc>) -> NaiveDate {
        let day = instant.with_timezone(&self.0).date_naive();
        // Where a clock goes back over midnight, the day before is entered twice.
        if instant < self.begin(day) {
            day.pred_opt().unwrap_or(day)
        } else if instant >= self.end(day) {
            day.succ_opt().unwrap_or(day)
        } else {
            day
        }
    }

    /// The days that a marked quarter of an hour reaches into: two where a zone's offset is no multiple of it.
    pub fn of_mark(self, begins: DateTime<Utc>) -> [NaiveDate; 2] {
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
        ] {
            let days = LocalDays::of(zone);
            let length = days.end(day(date)) - days.begin(day(date));
            assert_eq!(length.num_hours(), hours, "{zone} {date}");
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

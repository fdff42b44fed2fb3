//! The intervals in which a zone's clock shows a day that has not begun. They are searched only in weeks at whose ends the zone's
//! offset differs.

use std::collections::BTreeSet;

use chrono::{
    DateTime, Datelike as _, Days, Duration, FixedOffset, LocalResult, NaiveDate, NaiveTime,
    Offset as _, TimeZone as _, Utc,
};

use super::LocalDays;

/// The years in which clock changes are searched; `chrono-tz` knows changes to the end of this century.
const YEARS: std::ops::Range<i32> = 1900..2100;
/// Two clock changes of a zone are more than a week apart.
const WEEK: Days = Days::new(7);
/// The days whose midnight may lie between two noons in UTC that are a week apart.
const DAYS_AROUND: usize = 9;

impl LocalDays {
    /// The intervals in which the clock shows a day that has not begun, since it is then put back over midnight and shows the day
    /// before again: the beginning and end of each, in order. Most zones have none.
    pub(crate) fn early_edges(self) -> Vec<DateTime<Utc>> {
        let first = NaiveDate::from_ymd_opt(YEARS.start, 1, 1);
        let weeks = first.into_iter().flat_map(|first| first.iter_weeks());
        let weeks = weeks.take_while(|week| YEARS.contains(&week.year()));
        let changing = weeks.filter(|week| self.offset(*week) != self.offset(*week + WEEK));
        let days = changing.flat_map(|week| week.iter_days().take(DAYS_AROUND));
        let days: BTreeSet<NaiveDate> = days.collect();
        let intervals = days.into_iter().filter_map(|day| self.early_interval(day));
        intervals.flatten().collect()
    }

    /// The offset at noon UTC of the day.
    fn offset(self, day: NaiveDate) -> FixedOffset {
        let noon = day.and_time(NaiveTime::MIN) + Duration::hours(12);
        self.0.offset_from_utc_datetime(&noon).fix()
    }

    /// The interval in which the clock shows `day` before it has begun, to the second.
    fn early_interval(self, day: NaiveDate) -> Option<[DateTime<Utc>; 2]> {
        let midnight = self.0.from_local_datetime(&day.and_time(NaiveTime::MIN));
        let LocalResult::Ambiguous(first, second) = midnight else {
            return None;
        };
        let shows = |instant: DateTime<Utc>| instant.with_timezone(&self.0).date_naive() == day;
        let (mut inside, mut outside) = (first.with_timezone(&Utc), second.with_timezone(&Utc));
        if self.begin(day) != outside || !shows(inside) {
            return None;
        }
        let begin = inside;
        outside -= Duration::seconds(1);
        while outside - inside > Duration::seconds(1) {
            let middle = inside + Duration::seconds((outside - inside).num_seconds() / 2);
            if shows(middle) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        Some([begin, outside])
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::*;

    #[test]
    fn what_is_shown_of_a_day_before_it_has_begun_is_the_day_before() {
        for (zone, nights) in [
            (Tz::Europe__Berlin, 0),
            (Tz::America__Havana, 0),
            (Tz::Pacific__Apia, 0),
            (Tz::America__Asuncion, 0),
            (Tz::Africa__Cairo, 0),
            (Tz::America__St_Johns, 24),
            (Tz::America__Goose_Bay, 24),
            (Tz::America__Moncton, 14),
        ] {
            let days = LocalDays::of(zone);
            let edges = days.early_edges();
            assert_eq!(edges.len(), 2 * nights, "{zone} {edges:?}");
            assert!(edges.is_sorted());
            let uneven = (0..365 * 60).map(|number| NaiveDate::default() + Days::new(number));
            for date in
                uneven.filter(|date| days.end(*date) - days.begin(*date) != Duration::days(1))
            {
                for step in -200..200 {
                    let instant = days.end(date) + Duration::seconds(30 * step);
                    let shown = instant.with_timezone(&zone).date_naive();
                    let is_early = edges.partition_point(|edge| *edge <= instant) % 2 == 1;
                    let expected = if is_early {
                        shown - Days::new(1)
                    } else {
                        shown
                    };
                    assert_eq!(days.day_of(instant), expected, "{zone} {instant}");
                }
            }
        }
    }
}

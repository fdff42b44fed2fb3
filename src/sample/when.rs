//! Days as the templates write them, relative to the day of loading.
//!
//! | written | means |
//! |---|---|
//! | `-12`, `+3` | 12 days before, 3 days after today |
//! | `-12w`, `+3w` | the same day, or the next working day in the direction away from today |
//! | `sat-2`, `mon+1` | the second Saturday before today, the first Monday after it |
//! | `m-1/15` | the 15th of the month before this one, or that month's last day |
//!
//! In a text, `{+3w}` is replaced by that day in words, so that a letter and the appointment in it agree.

use chrono::{
    DateTime, Datelike, Days as Count, Duration, Months, NaiveDate, NaiveTime, TimeZone, Utc,
    Weekday,
};
use chrono_tz::Tz;

use super::SampleError;

const DAYS_A_WEEK: i64 = 7;
/// Added to a local time that a clock change skips.
const SKIPPED: Duration = Duration::hours(1);

/// The instant of loading, and the days around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Days {
    pub now: DateTime<Utc>,
    pub zone: Tz,
    pub today: NaiveDate,
}

impl Days {
    pub(super) fn at(now: DateTime<Utc>, zone: Tz) -> Self {
        let today = now.with_timezone(&zone).date_naive();
        Self { now, zone, today }
    }

    /// The day that `written` means.
    pub(super) fn day(&self, written: &str) -> Result<NaiveDate, SampleError> {
        self.read(written)
            .ok_or_else(|| SampleError::of("day", written))
    }

    fn read(&self, written: &str) -> Option<NaiveDate> {
        if let Some((month, day)) = written
            .strip_prefix('m')
            .and_then(|rest| rest.split_once('/'))
        {
            return Some(self.in_month(month.parse().ok()?, day.parse().ok()?));
        }
        if let Some(count) = written.strip_suffix('w') {
            return Some(self.working_day(count.parse().ok()?));
        }
        match written
            .get(..3)
            .and_then(|name| name.parse::<Weekday>().ok())
        {
            Some(weekday) => Some(self.weekday(weekday, written.get(3..)?.parse().ok()?)),
            None => Some(self.ago(-written.parse::<i64>().ok()?)),
        }
    }

    /// The day `days` before today.
    pub(super) fn ago(&self, days: i64) -> NaiveDate {
        self.today - Duration::days(days)
    }

    fn working_day(&self, offset: i64) -> NaiveDate {
        let step = if offset < 0 { 1 } else { -1 };
        let mut day = self.ago(-offset);
        while matches!(day.weekday(), Weekday::Sat | Weekday::Sun) {
            day -= Duration::days(step);
        }
        day
    }

    fn weekday(&self, weekday: Weekday, count: i64) -> NaiveDate {
        let ahead = i64::from(weekday.days_since(self.today.weekday()));
        let first = match (count < 0, ahead) {
            (true, _) => ahead,
            (false, 0) => 0,
            (false, ahead) => ahead - DAYS_A_WEEK,
        };
        self.today + Duration::days(first + count * DAYS_A_WEEK)
    }

    /// Day `day` of the month that is `months` from the present one, or that month's last day.
    pub(super) fn in_month(&self, months: i32, day: u32) -> NaiveDate {
        let first = self.today - Count::new(u64::from(self.today.day0()));
        let count = Months::new(months.unsigned_abs());
        let first = if months < 0 {
            first - count
        } else {
            first + count
        };
        let last = u32::from(first.num_days_in_month());
        first + Count::new(u64::from(day.clamp(1, last) - 1))
    }

    /// The instant of the local `time` on `day`.
    pub(super) fn instant(&self, day: NaiveDate, time: NaiveTime) -> DateTime<Utc> {
        let local = day.and_time(time);
        let found = self.zone.from_local_datetime(&local).earliest();
        let found = found.or_else(|| self.zone.from_local_datetime(&(local + SKIPPED)).earliest());
        found.map_or_else(|| local.and_utc(), |instant| instant.to_utc())
    }

    /// The instant of a local time as the templates write it: `16:30`.
    pub(super) fn clock(
        &self,
        day: NaiveDate,
        written: &str,
    ) -> Result<DateTime<Utc>, SampleError> {
        Ok(self.instant(day, time(written)?))
    }

    /// The offset of local time from UTC at `instant`, such as `+02:00`.
    pub(super) fn offset(&self, instant: DateTime<Utc>) -> String {
        instant.with_timezone(&self.zone).format("%:z").to_string()
    }

    /// `text` with the days in braces replaced by words.
    pub(super) fn fill_in(&self, text: &str) -> Result<String, SampleError> {
        // `split` always yields a first part.
        let mut parts = text.split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (written, rest) = part
                .split_once('}')
                .ok_or_else(|| SampleError::of("text", part))?;
            filled += &self.day(written)?.format("%A, %-d %B").to_string();
            filled += rest;
        }
        Ok(filled)
    }
}

/// A time of day as the templates write it.
fn time(written: &str) -> Result<NaiveTime, SampleError> {
    NaiveTime::parse_from_str(written, "%H:%M").map_err(|fault| SampleError::of(written, fault))
}

/// An instant as records write it.
pub(super) fn stamp(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(today: &str) -> Days {
        let noon = format!("{today}T12:00:00Z").parse().unwrap();
        Days::at(noon, chrono_tz::Europe::Berlin)
    }

    #[test]
    fn days_are_read_as_they_are_written() {
        // A Wednesday.
        let days = days("2026-07-15");
        for (written, expected) in [
            ("-1", "2026-07-14"),
            ("+0", "2026-07-15"),
            ("-4w", "2026-07-10"),
            ("+3w", "2026-07-20"),
            ("wed-1", "2026-07-08"),
            ("wed+1", "2026-07-22"),
            ("sat-1", "2026-07-11"),
            ("sat+1", "2026-07-18"),
            ("tue+2", "2026-07-28"),
            ("m-1/31", "2026-06-30"),
            ("m+0/1", "2026-07-01"),
            ("m-17/29", "2025-02-28"),
        ] {
            assert_eq!(
                days.day(written).unwrap().to_string(),
                expected,
                "{written}"
            );
        }
        assert!(days.day("soon").is_err());
        assert_eq!(days.fill_in("by {+3w}!").unwrap(), "by Monday, 20 July!");
    }

    #[test]
    fn an_hour_that_the_clocks_skip_is_put_off() {
        let days = days("2026-03-29");
        let skipped = days.clock(days.today, "02:30").unwrap();
        assert_eq!(stamp(skipped), "2026-03-29T01:30:00Z");
        assert_eq!(days.offset(skipped), "+02:00");
    }
}

//! The operator's local time, and the times that agents write.

use chrono::{DateTime, Datelike, Days, Duration, Months, NaiveDate, NaiveDateTime};
use chrono::{Offset, TimeZone, Utc};
use chrono_tz::Tz;

/// The zone and instant at which a query is made.
#[derive(Clone, Copy, Debug)]
pub struct Wall {
    pub zone: Tz,
    pub now: DateTime<Utc>,
}

/// What a written time means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    Day(NaiveDate),
    Instant(DateTime<Utc>),
}

impl Wall {
    fn offset_at(&self, instant: DateTime<Utc>) -> Duration {
        let offset = self.zone.offset_from_utc_datetime(&instant.naive_utc());
        Duration::seconds(offset.fix().local_minus_utc().into())
    }

    /// The local time at `instant`.
    pub fn shows(&self, instant: DateTime<Utc>) -> NaiveDateTime {
        instant.naive_utc() + self.offset_at(instant)
    }

    /// The first instant with this local time; within a gap, the instant by the offset before the gap.
    fn when_it_shows(&self, time: NaiveDateTime) -> DateTime<Utc> {
        let about = time.and_utc();
        let [before, behind] = [-1, 1].map(|days| self.offset_at(about + Duration::days(days)));
        let mut instants = [about - before, about - behind];
        instants.sort();
        let shown = instants
            .into_iter()
            .find(|instant| self.shows(*instant) == time);
        shown.unwrap_or(about - before)
    }

    pub fn start_of(&self, day: NaiveDate) -> DateTime<Utc> {
        self.when_it_shows(day.and_hms_opt(0, 0, 0).unwrap())
    }

    pub fn end_of(&self, day: NaiveDate) -> DateTime<Utc> {
        self.start_of(day + Days::new(1))
    }

    /// The start of the local hour of `instant`, with the offset in force then.
    pub fn hour_of(&self, instant: DateTime<Utc>) -> DateTime<chrono::FixedOffset> {
        let fixed = self.zone.offset_from_utc_datetime(&instant.naive_utc());
        let shown = self.shows(instant);
        let hour = shown.format("%Y-%m-%d %H:00:00").to_string();
        let hour = NaiveDateTime::parse_from_str(&hour, "%Y-%m-%d %H:%M:%S").unwrap();
        fixed.fix().from_local_datetime(&hour).unwrap()
    }

    /// What `text` means in this zone at this instant.
    pub fn meaning(&self, text: &str) -> Meaning {
        if let Ok(day) = text.parse::<NaiveDate>() {
            return Meaning::Day(day);
        }
        if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
            return Meaning::Instant(instant.to_utc());
        }
        let end = text.find(['+', '-']).unwrap_or(text.len());
        let (base, shift) = text.split_at(end);
        let today = self.shows(self.now).date();
        let week_day = today.weekday().num_days_from_monday();
        let start = match base {
            "now" => return Meaning::Instant(self.shifted_now(shift)),
            "today" if !shift.ends_with('h') => return Meaning::Day(shifted(today, shift)),
            "today" => today,
            "start_of_week" => today - Days::new(week_day.into()),
            "start_of_month" => today.with_day(1).unwrap(),
            "start_of_year" => NaiveDate::from_ymd_opt(today.year(), 1, 1).unwrap(),
            other => panic!("no time: {other}"),
        };
        Meaning::Instant(match hours(shift) {
            Some(hours) => self.start_of(start) + hours,
            None => self.start_of(shifted(start, shift)),
        })
    }

    fn shifted_now(&self, shift: &str) -> DateTime<Utc> {
        if shift.is_empty() || shift[1..].starts_with("0") {
            return self.now;
        }
        match hours(shift) {
            Some(hours) => self.now + hours,
            None => {
                let shown = self.shows(self.now);
                self.when_it_shows(shifted(shown.date(), shift).and_time(shown.time()))
            }
        }
    }
}

/// A shift in hours; any other unit counts calendar days.
fn hours(shift: &str) -> Option<Duration> {
    let count = shift.strip_suffix('h')?;
    Some(Duration::hours(count.parse().unwrap()))
}

/// The day shifted by this much; the last day of a month that has no such day.
fn shifted(day: NaiveDate, shift: &str) -> NaiveDate {
    let end = shift.find(char::is_alphabetic).unwrap_or(shift.len());
    let (count, unit) = shift.split_at(end);
    let count: i32 = count.parse().unwrap_or(0);
    let size = count.unsigned_abs();
    let (days, months) = match unit {
        "w" => (size * 7, 0),
        "mo" => (0, size),
        "y" => (0, size * 12),
        _ => (size, 0),
    };
    if count < 0 {
        day - Days::new(days.into()) - Months::new(months)
    } else {
        day + Days::new(days.into()) + Months::new(months)
    }
}

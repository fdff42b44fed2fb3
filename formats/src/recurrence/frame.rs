//! The time zone of a series.
//!
//! What it is for: the only file that turns local times into instants. An all-day series is
//! computed in UTC, where every day has 24 hours, so that no other file treats it differently.
//! What it must not know: rules and exceptions.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

use super::error::ExpansionError;
use super::series::{EventTiming, OccurrenceTime};
use super::stamp::{self, IcalStamp};

/// How far back an offset is looked for. The longest gap in local time of any zone is one day
/// (Samoa, 2011).
const GAP_HOURS_MAX: i64 = 48;

/// The local time at which an instance starts, with its instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocalStart {
    pub(super) local: NaiveDateTime,
    pub(super) at: DateTime<Utc>,
}

/// How the starts of a series are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameKind {
    AllDay,
    Floating,
    Zoned,
}

/// The zone of a series and its first instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeriesFrame {
    kind: FrameKind,
    zone: Tz,
    start: LocalStart,
    length: TimeDelta,
}

impl SeriesFrame {
    pub(super) fn from_timing(
        timing: &EventTiming,
        operator_zone: Tz,
    ) -> Result<Self, ExpansionError> {
        check(timing)?;
        let (kind, zone) = match timing {
            EventTiming::AllDay { .. } => (FrameKind::AllDay, Tz::UTC),
            EventTiming::Timed { zone: None, .. } => (FrameKind::Floating, operator_zone),
            EventTiming::Timed {
                zone: Some(zone), ..
            } => (FrameKind::Zoned, *zone),
        };
        let first = OccurrenceTime::from(timing);
        let at = first.starts();
        let local = at.with_timezone(&zone).naive_local();
        Ok(Self {
            kind,
            zone,
            start: LocalStart { local, at },
            length: first.ends() - at,
        })
    }

    /// The exact length of the first instance.
    pub(super) fn length(&self) -> TimeDelta {
        self.length
    }

    /// The first start. Its instant is the stored one, even where its local time occurs twice.
    pub(super) fn start(&self) -> LocalStart {
        self.start
    }

    pub(super) fn is_all_day(&self) -> bool {
        self.kind == FrameKind::AllDay
    }

    /// The start at a local time of the series.
    pub(super) fn at(&self, local: NaiveDateTime) -> LocalStart {
        if local == self.start.local {
            return self.start;
        }
        LocalStart {
            local,
            at: instant(self.zone, local),
        }
    }

    /// The local time of an instant.
    pub(super) fn local(&self, at: DateTime<Utc>) -> NaiveDateTime {
        at.with_timezone(&self.zone).naive_local()
    }

    /// The start that a stamp denotes in this series. In an all-day series only its day counts; in
    /// a timed series a bare date means that day at the time of the first start.
    pub(super) fn resolve(&self, stamp: IcalStamp) -> LocalStart {
        match stamp {
            _ if self.is_all_day() => self.at(day_of(stamp).and_time(NaiveTime::MIN)),
            IcalStamp::Date(date) => self.at(date.and_time(self.start.local.time())),
            IcalStamp::Local(local, None) => self.at(local),
            IcalStamp::Local(local, Some(zone)) if zone == self.zone => self.at(local),
            IcalStamp::Local(local, Some(zone)) => self.local_start_at(instant(zone, local)),
            IcalStamp::Instant(at) => self.local_start_at(at),
        }
    }

    /// The last instant that an `UNTIL` allows. A bare date allows its whole local day.
    pub(super) fn until(&self, stamp: IcalStamp) -> DateTime<Utc> {
        match stamp {
            IcalStamp::Date(date) if !self.is_all_day() => {
                let next = date.succ_opt().unwrap_or(date).and_time(NaiveTime::MIN);
                instant(self.zone, next) - TimeDelta::seconds(1)
            }
            _ => self.resolve(stamp).at,
        }
    }

    /// The natural key of the instance that starts there.
    pub(super) fn key(&self, start: LocalStart) -> String {
        match self.kind {
            FrameKind::AllDay => stamp::date_key(start.local.date()),
            FrameKind::Floating => stamp::local_key(start.local),
            FrameKind::Zoned => stamp::instant_key(start.at),
        }
    }

    /// The time of an instance, in whole days if the series is all-day.
    pub(super) fn occurrence_time(&self, start: LocalStart, end: DateTime<Utc>) -> OccurrenceTime {
        if !self.is_all_day() {
            return OccurrenceTime::Timed {
                start: start.at,
                end,
            };
        }
        let start = start.local.date();
        let last = (end - TimeDelta::seconds(1)).date_naive().max(start);
        OccurrenceTime::AllDay {
            start,
            end: last.succ_opt().unwrap_or(last),
        }
    }

    fn local_start_at(&self, at: DateTime<Utc>) -> LocalStart {
        LocalStart {
            local: self.local(at),
            at,
        }
    }
}

/// The instant of a local time by RFC 5545 §3.3.5: the first of two, or inside a gap the one
/// computed with the offset from before the gap. §3.3.10 applies the same to instances of rules.
pub(super) fn instant(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    if let Some(first) = zone.from_local_datetime(&local).earliest() {
        return first.to_utc();
    }
    let offset = (1..=GAP_HOURS_MAX)
        .find_map(|hours| {
            zone.from_local_datetime(&(local - TimeDelta::hours(hours)))
                .latest()
        })
        .map_or(TimeDelta::zero(), |before| {
            TimeDelta::seconds(before.offset().fix().local_minus_utc().into())
        });
    (local - offset).and_utc()
}

/// Refuses years that cannot be written in four digits, so that no sum of times overflows.
pub(super) fn check(timing: &EventTiming) -> Result<(), ExpansionError> {
    let when = OccurrenceTime::from(timing);
    if stamp::is_writable(when.starts()) && stamp::is_writable(when.ends()) {
        Ok(())
    } else {
        Err(ExpansionError::InvalidDate("DTSTART"))
    }
}

fn day_of(stamp: IcalStamp) -> NaiveDate {
    match stamp {
        IcalStamp::Instant(at) => at.date_naive(),
        IcalStamp::Local(local, _) => local.date(),
        IcalStamp::Date(date) => date,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_times_that_come_never_or_twice() {
        let cases = [
            (
                "America/New_York",
                "2026-03-08T02:30:00",
                "2026-03-08T07:30:00Z",
            ),
            (
                "America/New_York",
                "2026-11-01T01:30:00",
                "2026-11-01T05:30:00Z",
            ),
            (
                "Europe/Berlin",
                "2026-03-29T02:00:00",
                "2026-03-29T01:00:00Z",
            ),
            (
                "Australia/Lord_Howe",
                "2026-10-04T02:15:00",
                "2026-10-03T15:45:00Z",
            ),
            (
                "Pacific/Chatham",
                "2026-04-05T03:00:00",
                "2026-04-04T13:15:00Z",
            ),
            (
                "Pacific/Apia",
                "2011-12-30T09:00:00",
                "2011-12-30T19:00:00Z",
            ),
            (
                "America/Sao_Paulo",
                "2018-11-04T00:00:00",
                "2018-11-04T03:00:00Z",
            ),
            (
                "Asia/Kathmandu",
                "2026-01-01T00:00:00",
                "2025-12-31T18:15:00Z",
            ),
        ];
        for (zone, local, expected) in cases {
            let at = instant(zone.parse().unwrap(), local.parse().unwrap());
            assert_eq!(stamp::instant_key(at), expected, "{zone} {local}");
        }
    }
}

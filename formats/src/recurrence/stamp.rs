//! One point in time as iCalendar writes it.
//!
//! What it is for: keeps instants, local times and dates apart until the zone is known.
//! What it must not know: the series that the point belongs to.

use std::ops::RangeInclusive;
use std::str::FromStr;

use calcard::common::timezone::Tz as NamedZone;
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, SecondsFormat, Timelike, Utc};
use chrono_tz::Tz;

const DATE: &str = "%Y%m%d";
const LOCAL: &str = "%Y%m%dT%H%M%S";
const DATE_EXTENDED: &str = "%Y-%m-%d";
const LOCAL_EXTENDED: &str = "%Y-%m-%dT%H:%M:%S";

const YEARS: RangeInclusive<i32> = 1..=9999;

/// A point in time, as exactly as its source gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IcalStamp {
    Instant(DateTime<Utc>),
    /// A local time, in the zone given or else in the zone of its series.
    Local(NaiveDateTime, Option<Tz>),
    Date(NaiveDate),
}

impl IcalStamp {
    /// Reads the basic form of RFC 5545 §3.3.4 and §3.3.5, such as `20260329T013000Z`.
    pub(super) fn parse(text: &str, zone: Option<Tz>) -> Option<Self> {
        let text = text.trim();
        if let Some(utc) = text.strip_suffix(['Z', 'z']) {
            return Some(Self::Instant(parse_local(utc, LOCAL)?.and_utc()));
        }
        match parse_date(text, DATE) {
            Some(date) => Some(Self::Date(date)),
            None => Some(Self::Local(parse_local(text, LOCAL)?, zone)),
        }
    }

    /// Reads a recurrence id as the store keeps it, in extended form.
    pub(super) fn parse_extended(text: &str) -> Option<Self> {
        if let Some(date) = parse_date(text, DATE_EXTENDED) {
            return Some(Self::Date(date));
        }
        if let Some(local) = parse_local(text, LOCAL_EXTENDED) {
            return Some(Self::Local(local, None));
        }
        let at = DateTime::parse_from_rfc3339(text)
            .ok()?
            .to_utc()
            .with_nanosecond(0)?;
        is_writable(at).then_some(Self::Instant(at))
    }
}

/// Whether a year has the four digits that every form here needs.
pub(super) fn is_writable(at: DateTime<Utc>) -> bool {
    YEARS.contains(&at.year())
}

/// The natural key of an instant.
pub(super) fn instant_key(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// The natural key of a floating local time.
pub(super) fn local_key(local: NaiveDateTime) -> String {
    local.format(LOCAL_EXTENDED).to_string()
}

/// The natural key of a day.
pub(super) fn date_key(date: NaiveDate) -> String {
    date.format(DATE_EXTENDED).to_string()
}

/// The zone that a `TZID` names, Windows names and vendor prefixes included. A name that only its
/// calendar file defines is unknown here: such lines use the zone of their series, which in
/// practice has the same name.
pub(super) fn zone_named(name: &str) -> Option<Tz> {
    match NamedZone::from_str(name) {
        Ok(NamedZone::Tz(zone)) => Some(zone),
        _ => None,
    }
}

/// Leap seconds count as the second before them (RFC 5545 §3.3.12).
fn parse_local(text: &str, format: &str) -> Option<NaiveDateTime> {
    let local = NaiveDateTime::parse_from_str(text, format)
        .ok()?
        .with_nanosecond(0)?;
    YEARS.contains(&local.year()).then_some(local)
}

fn parse_date(text: &str, format: &str) -> Option<NaiveDate> {
    let date = NaiveDate::parse_from_str(text, format).ok()?;
    YEARS.contains(&date.year()).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_form() {
        let half_past_one = NaiveDate::from_ymd_opt(2026, 3, 29)
            .unwrap()
            .and_hms_opt(1, 30, 0)
            .unwrap();
        let zone = Some(chrono_tz::Asia::Kathmandu);
        let cases = [
            (
                "20260329T013000Z",
                Some(IcalStamp::Instant(half_past_one.and_utc())),
            ),
            (
                "20260329T013000",
                Some(IcalStamp::Local(half_past_one, zone)),
            ),
            ("20260329", Some(IcalStamp::Date(half_past_one.date()))),
            ("2026-03-29", None),
            ("20260230", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(IcalStamp::parse(text, zone), expected, "{text}");
        }
    }

    #[test]
    fn reads_back_every_key_it_writes() {
        let local = NaiveDate::from_ymd_opt(1999, 12, 31)
            .unwrap()
            .and_hms_opt(23, 59, 59)
            .unwrap();
        let cases = [
            (
                instant_key(local.and_utc()),
                IcalStamp::Instant(local.and_utc()),
            ),
            (local_key(local), IcalStamp::Local(local, None)),
            (date_key(local.date()), IcalStamp::Date(local.date())),
        ];
        for (key, stamp) in cases {
            assert_eq!(IcalStamp::parse_extended(&key), Some(stamp), "{key}");
        }
    }

    #[test]
    fn a_leap_second_is_the_one_before() {
        let last = NaiveDate::from_ymd_opt(2016, 12, 31)
            .unwrap()
            .and_hms_opt(23, 59, 59)
            .unwrap();
        assert_eq!(
            IcalStamp::parse("20161231T235960Z", None),
            Some(IcalStamp::Instant(last.and_utc()))
        );
    }
}

//! Instants as devices write them: RFC 3339, or a local time together with a time zone. Pure.

use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike, Duration, LocalResult, NaiveDateTime, TimeZone, Timelike, Utc};
use chrono_tz::Tz;

/// The years that RFC 3339 can write.
const YEARS: RangeInclusive<i32> = 1..=9999;
const NANOSECONDS_PER_SECOND: u32 = 1_000_000_000;
/// The longest gap that a change of a zone's offset makes in its local time: a whole day (Samoa, December 2011).
const GAP_MINUTES_MAX: i64 = 24 * 60;

/// An instant from RFC 3339, or from a local time in `zone`; `None` if the text is neither or its year is outside 1–9999.
pub(super) fn parse_instant(text: &str, zone: Tz) -> Option<DateTime<Utc>> {
    let instant = without_leap_second(parse(text, zone)?)?;
    YEARS.contains(&instant.year()).then_some(instant)
}

/// PostgreSQL knows no leap seconds: one becomes the first second of the next minute.
fn without_leap_second(instant: DateTime<Utc>) -> Option<DateTime<Utc>> {
    // chrono represents a leap second as a fraction of a second and more.
    match instant.nanosecond().checked_sub(NANOSECONDS_PER_SECOND) {
        Some(beyond) => DateTime::from_timestamp(instant.timestamp() + 1, beyond),
        None => Some(instant),
    }
}

fn parse(text: &str, zone: Tz) -> Option<DateTime<Utc>> {
    if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
        return Some(instant.with_timezone(&Utc));
    }
    [
        "%Y-%m-%dT%H:%M:%S%.f",
        "%Y-%m-%dT%H:%M",
        "%Y-%m-%d %H:%M:%S%.f",
    ]
    .iter()
    .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())
    .and_then(|local| local_instant(local, zone))
}

/// The instant of a local time in `zone`. A time that occurs twice is the first of the two; one in a gap is read with the
/// offset that was in force before the gap (RFC 5545 §3.3.5).
pub(super) fn local_instant(local: NaiveDateTime, zone: Tz) -> Option<DateTime<Utc>> {
    match zone.from_local_datetime(&local) {
        LocalResult::Single(instant) | LocalResult::Ambiguous(instant, _) => {
            Some(instant.with_timezone(&Utc))
        }
        LocalResult::None => (1..=GAP_MINUTES_MAX / 15).find_map(|quarters| {
            let shift = Duration::minutes(15 * quarters);
            let before = zone
                .from_local_datetime(&(local.checked_sub_signed(shift)?))
                .earliest()?;
            before
                .checked_add_signed(shift)
                .map(|instant| instant.with_timezone(&Utc))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_does_not_exist_is_none() {
        for wrong in [
            "2026-13-01T00:00:00Z",
            "2026-02-30T10:00:00",
            "yesterday",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:00:00-05:00",
            "+12345-01-01T00:00:00",
            "",
        ] {
            assert!(parse_instant(wrong, Tz::UTC).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_leap_second_is_the_next_second() {
        for (sent, kept) in [
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
            (
                "2016-12-31T23:59:60.999999999Z",
                "2017-01-01T00:00:00.999999999Z",
            ),
        ] {
            assert_eq!(
                parse_instant(sent, Tz::UTC),
                parse_instant(kept, Tz::UTC),
                "{sent}"
            );
        }
    }

    #[test]
    fn local_times_are_read_in_their_zone_over_both_dst_days() {
        let zone = Tz::Europe__Vienna;
        for (local, utc) in [
            ("2026-03-28T09:00:00", "2026-03-28T08:00:00+00:00"),
            ("2026-03-29T02:30:00", "2026-03-29T01:30:00+00:00"),
            ("2026-03-29T09:00", "2026-03-29T07:00:00+00:00"),
            ("2026-10-25T02:30:00", "2026-10-25T00:30:00+00:00"),
        ] {
            let instant = parse_instant(local, zone).unwrap();
            assert_eq!(instant.to_rfc3339(), utc, "{local}");
        }
    }
}

//! The zones of times, as banks write them: offsets, names of the IANA database, and abbreviations that mean one offset only.

use std::str::FromStr as _;

use chrono::{DateTime, FixedOffset, NaiveDateTime, TimeZone, Utc};
use chrono_tz::Tz;

/// Names of offsets that mean one only: those of RFC 5322 §4.3, and Europe's.
const OFFSETS_MINUTES: [(&str, i32); 21] = [
    ("Z", 0),
    ("UT", 0),
    ("UTC", 0),
    ("GMT", 0),
    ("EST", -300),
    ("EDT", -240),
    ("CST", -360),
    ("CDT", -300),
    ("MST", -420),
    ("MDT", -360),
    ("PST", -480),
    ("PDT", -420),
    ("WET", 0),
    ("WEST", 60),
    ("BST", 60),
    ("CET", 60),
    ("MEZ", 60),
    ("CEST", 120),
    ("MESZ", 120),
    ("EET", 120),
    ("EEST", 180),
];
const OFFSET_MINUTES_MAX: i32 = 14 * 60;

/// The zone of a time.
#[derive(Debug, Clone, Copy)]
pub(super) enum CsvZone {
    Fixed(FixedOffset),
    Named(Tz),
}

impl CsvZone {
    /// A name of the IANA database, an offset, or a name that means one offset only.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let name = name.trim().trim_matches(['(', ')']);
        let known = |known: &&(&str, i32)| known.0.eq_ignore_ascii_case(name);
        let known = OFFSETS_MINUTES.iter().find(known);
        let minutes = known
            .map(|(_, minutes)| *minutes)
            .or_else(|| offset_minutes(name));
        match minutes {
            Some(minutes) => FixedOffset::east_opt(minutes * 60).map(Self::Fixed),
            None if name.contains('/') => Tz::from_str(name).ok().map(Self::Named),
            None => None,
        }
    }

    /// The first of two; `None` for a time that a change of clocks leaves out.
    pub(super) fn instant(self, local: NaiveDateTime) -> Option<DateTime<Utc>> {
        match self {
            Self::Fixed(offset) => offset.from_local_datetime(&local).earliest().map(to_utc),
            Self::Named(zone) => zone.from_local_datetime(&local).earliest().map(to_utc),
        }
    }
}

fn to_utc<Z: TimeZone>(instant: DateTime<Z>) -> DateTime<Utc> {
    instant.to_utc()
}

/// `+01:00`, `-0500`, `GMT+1`.
fn offset_minutes(text: &str) -> Option<i32> {
    let bare = ["GMT", "UTC"]
        .iter()
        .find_map(|word| text.strip_prefix(word));
    let bare = bare.unwrap_or(text);
    let (sign, digits) = match (bare.strip_prefix('+'), bare.strip_prefix(['-', '\u{2212}'])) {
        (Some(digits), _) => (1, digits),
        (_, Some(digits)) => (-1, digits),
        (None, None) => return None,
    };
    let (hours, minutes) = match (digits.split_once(':'), digits.len()) {
        (Some(parts), _) => parts,
        (None, 4) => digits.split_at_checked(2)?,
        (None, _) => (digits, "0"),
    };
    let number = |text: &str| text.parse::<u8>().ok().map(i32::from);
    let total = number(hours)? * 60 + number(minutes)?;
    (total <= OFFSET_MINUTES_MAX).then_some(sign * total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::SecondsFormat;

    fn instant(local: &str, zone: &str) -> Option<String> {
        let local = NaiveDateTime::parse_from_str(local, "%Y-%m-%d %H:%M").unwrap();
        Some(
            CsvZone::parse(zone)?
                .instant(local)?
                .to_rfc3339_opts(SecondsFormat::Secs, true),
        )
    }

    #[test]
    fn zones_are_read_as_banks_write_them_and_none_is_guessed() {
        let noon = "2026-07-01 12:00";
        for (zone, expected) in [
            ("PST", Some("2026-07-01T20:00:00Z")),
            ("PDT", Some("2026-07-01T19:00:00Z")),
            ("America/Los_Angeles", Some("2026-07-01T19:00:00Z")),
            ("cest", Some("2026-07-01T10:00:00Z")),
            ("GMT+05:30", Some("2026-07-01T06:30:00Z")),
            ("-0330", Some("2026-07-01T15:30:00Z")),
            ("(UTC)", Some("2026-07-01T12:00:00Z")),
            ("IST", None),
            ("+25:00", None),
            ("Mars/Olympus", None),
            ("", None),
        ] {
            assert_eq!(instant(noon, zone).as_deref(), expected, "{zone}");
        }
        assert_eq!(instant("2026-03-29 02:30", "Europe/Berlin"), None);
        let twice = instant("2026-10-25 02:30", "Europe/Berlin");
        assert_eq!(twice.as_deref(), Some("2026-10-25T00:30:00Z"));
    }
}

//! When the money of a row moved, where the file says more than the day: `2026-01-02 10:00:00` in one cell, or a time of
//! day in the column behind its date.
//!
//! A time is one of the zone that stands with it or beside it, else of the one that the person names, else a local one,
//! which the server reads in the operator's. Midnight in the cell of a date stands for a mere day.

use std::str::FromStr as _;

use chrono::{
    DateTime, FixedOffset, NaiveDateTime, NaiveTime, SecondsFormat, TimeZone, Timelike as _, Utc,
};
use chrono_tz::Tz;

use super::dates::day;
use super::dialect::Dialect;
use super::outline::CsvOutline;
use super::role::Role;
use super::rows::CsvRow;
use crate::entry::quoted;

const CLOCKS: [&str; 2] = ["%H:%M:%S%.f", "%H:%M"];
/// Words behind a time that say only that it is one.
const HOUR: [&str; 2] = ["uhr", "h"];
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

/// The moment of a row as `transacted_at`, if there is one.
///
/// # Errors
/// Why a time that stands there cannot be used, as a sentence.
pub(super) fn moment(
    row: &CsvRow,
    dialect: &Dialect,
    outline: &CsvOutline,
) -> Result<Option<String>, String> {
    let beside = dialect.cell(row, Role::Time);
    let moment = match beside {
        Some(time) => of_two_cells(time, row, dialect, outline)?,
        None => [Role::Started, Role::Booked]
            .into_iter()
            .filter_map(|role| dialect.cell(row, role))
            .find_map(|cell| of_one_cell(cell, outline)),
    };
    let Some((local, zone)) = moment else {
        return Ok(None);
    };
    let named = match zone.as_str() {
        "" => dialect.cell(row, Role::Zone),
        zone => Some(zone),
    };
    let zone = match named {
        Some(name) => Some(CsvZone::of(name).ok_or_else(|| {
            format!(
                "{} is no time zone that is known, or none that is certain: the time {} is left out",
                quoted(name),
                quoted(&local.to_string())
            )
        })?),
        None => outline.zone.map(CsvZone::Named),
    };
    Ok(Some(match zone {
        Some(zone) => {
            let instant = zone.instant(local).ok_or_else(|| {
                format!(
                    "{} is no time that exists in its zone",
                    quoted(&local.to_string())
                )
            })?;
            instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
        }
        None => local.format("%Y-%m-%dT%H:%M:%S%.f").to_string(),
    }))
}

/// A local time, and the zone that is written behind it, if one is.
type Local = (NaiveDateTime, String);

fn of_two_cells(
    time: &str,
    row: &CsvRow,
    dialect: &Dialect,
    outline: &CsvOutline,
) -> Result<Option<Local>, String> {
    let before = dialect
        .header
        .at(Role::Time)
        .and_then(|at| at.checked_sub(1));
    let before = before.and_then(|at| row.cells.get(at));
    let dates = before.map(String::as_str).into_iter();
    let mut dates = dates.chain(dialect.cell(row, Role::Booked));
    let Some(date) = dates.find_map(|cell| day(cell, outline.order)) else {
        return Ok(None);
    };
    let (time, zone) = clock(time).ok_or_else(|| {
        let title = dialect.header.title(Role::Time);
        format!("{title} {} is no time of day", quoted(time))
    })?;
    Ok(Some((date.and_time(time), zone.to_owned())))
}

fn of_one_cell(cell: &str, outline: &CsvOutline) -> Option<Local> {
    let date = day(cell, outline.order)?;
    let (before, _) = cell.split_once(':')?;
    let start = before.rfind(|letter: char| !letter.is_ascii_digit())?;
    let is_between = |letter: char| !letter.is_ascii_digit();
    let (time, zone) = clock(cell.get(start..)?.trim_start_matches(is_between))?;
    let is_mere_day = time == NaiveTime::MIN;
    (!is_mere_day).then(|| (date.and_time(time), zone.to_owned()))
}

/// A time of day, and what stands behind it.
fn clock(text: &str) -> Option<(NaiveTime, &str)> {
    let is_clock = |letter: char| letter.is_ascii_digit() || matches!(letter, ':' | '.');
    let text = text.trim();
    let end = text.find(|letter| !is_clock(letter));
    let (digits, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
    let mut forms = CLOCKS.iter();
    let time = forms.find_map(|form| NaiveTime::parse_from_str(digits, form).ok())?;
    let rest = rest.trim();
    match half_of_day(rest) {
        Some((is_afternoon, rest)) => Some((of_twelve(time, is_afternoon)?, rest)),
        None if HOUR.iter().any(|word| rest.eq_ignore_ascii_case(word)) => Some((time, "")),
        None => Some((time, rest)),
    }
}

/// Whether `AM` or `PM` begins a text, and what stands behind it.
fn half_of_day(text: &str) -> Option<(bool, &str)> {
    let (word, rest) = text.split_at_checked(2)?;
    let is_afternoon = match word.to_ascii_lowercase().as_str() {
        "am" => false,
        "pm" => true,
        _ => return None,
    };
    let is_word = !rest.starts_with(char::is_alphanumeric);
    is_word.then(|| (is_afternoon, rest.trim_start()))
}

fn of_twelve(time: NaiveTime, is_afternoon: bool) -> Option<NaiveTime> {
    let hour = Some(time.hour()).filter(|hour| (1..=12).contains(hour))?;
    time.with_hour(hour % 12 + if is_afternoon { 12 } else { 0 })
}

#[derive(Debug, Clone, Copy)]
enum CsvZone {
    Fixed(FixedOffset),
    Named(Tz),
}

impl CsvZone {
    /// A name of the IANA database, an offset, or a name that means one offset only.
    fn of(name: &str) -> Option<Self> {
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
    fn instant(self, local: NaiveDateTime) -> Option<DateTime<Utc>> {
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

    fn instant(local: &str, zone: &str) -> Option<String> {
        let local = NaiveDateTime::parse_from_str(local, "%Y-%m-%d %H:%M").unwrap();
        Some(
            CsvZone::of(zone)?
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

    #[test]
    fn times_of_day_are_read_in_every_form() {
        for (text, expected) in [
            ("10:00:00", Some(("10:00:00", ""))),
            ("9:05", Some(("09:05:00", ""))),
            ("10:00:00.250Z", Some(("10:00:00.250", "Z"))),
            ("12:01:00 AM PST", Some(("00:01:00", "PST"))),
            ("12:30 pm", Some(("12:30:00", ""))),
            ("10.15 Uhr", None),
            ("10:15 Uhr", Some(("10:15:00", ""))),
            ("13:00 PM", None),
            ("25:00", None),
            ("soon", None),
            ("", None),
        ] {
            let read = clock(text).map(|(time, rest)| (time.to_string(), rest));
            let expected = expected.map(|(time, rest)| (time.to_owned(), rest));
            assert_eq!(read, expected, "{text}");
        }
    }
}

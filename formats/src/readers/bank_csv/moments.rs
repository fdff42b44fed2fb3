//! When the money of a row moved, where the file says more than the day: `2026-01-02 10:00:00` in one cell, or a time of
//! day in the column behind its date.
//!
//! A time is one of the zone that stands with it or beside it, else of the one that the person names, else a local one,
//! which the server reads in the operator's. Midnight in the cell of a date stands for the day alone.

use chrono::{NaiveDateTime, NaiveTime, SecondsFormat, Timelike as _};

use super::dates::day;
use super::dialect::Dialect;
use super::outline::CsvOutline;
use super::role::Role;
use super::rows::CsvRow;
use super::zone::CsvZone;
use crate::entry::quoted;

const TIME_FORMS: [&str; 2] = ["%H:%M:%S%.f", "%H:%M"];
/// Words behind a time that say only that it is one.
const HOUR_WORDS: [&str; 2] = ["uhr", "h"];
/// The moment of a row as `transacted_at`, if there is one.
///
/// # Errors
/// Why a time that stands there cannot be used, as a sentence.
pub(super) fn moment(
    row: &CsvRow,
    dialect: &Dialect,
    outline: &CsvOutline,
) -> Result<Option<String>, String> {
    let moment = match dialect.cell(row, Role::Time) {
        Some(time) => read_two_cells(time, row, dialect, outline)?,
        None => [Role::Started, Role::Booked]
            .into_iter()
            .filter_map(|role| dialect.cell(row, role))
            .find_map(|cell| read_one_cell(cell, outline)),
    };
    let Some((local, zone)) = moment else {
        return Ok(None);
    };
    let named = match zone.as_str() {
        "" => dialect.cell(row, Role::Zone),
        zone => Some(zone),
    };
    let zone = match named {
        Some(name) => Some(CsvZone::parse(name).ok_or_else(|| {
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

fn read_two_cells(
    time: &str,
    row: &CsvRow,
    dialect: &Dialect,
    outline: &CsvOutline,
) -> Result<Option<Local>, String> {
    let before = dialect
        .header
        .column(Role::Time)
        .and_then(|at| at.checked_sub(1));
    let before = before.and_then(|at| row.cells.get(at));
    let dates = before.map(String::as_str).into_iter();
    let mut dates = dates.chain(dialect.cell(row, Role::Booked));
    let Some(date) = dates.find_map(|cell| day(cell, outline.order)) else {
        return Ok(None);
    };
    let (time, zone) = parse_time_of_day(time).ok_or_else(|| {
        let title = dialect.header.title(Role::Time);
        format!("{title} {} is no time of day", quoted(time))
    })?;
    Ok(Some((date.and_time(time), zone.to_owned())))
}

fn read_one_cell(cell: &str, outline: &CsvOutline) -> Option<Local> {
    let date = day(cell, outline.order)?;
    let (before, _) = cell.split_once(':')?;
    let start = before.rfind(|letter: char| !letter.is_ascii_digit())?;
    let is_between = |letter: char| !letter.is_ascii_digit();
    let (time, zone) = parse_time_of_day(cell.get(start..)?.trim_start_matches(is_between))?;
    let is_day_alone = time == NaiveTime::MIN;
    (!is_day_alone).then(|| (date.and_time(time), zone.to_owned()))
}

/// A time of day, and what stands behind it.
fn parse_time_of_day(text: &str) -> Option<(NaiveTime, &str)> {
    let is_of_time = |letter: char| letter.is_ascii_digit() || matches!(letter, ':' | '.');
    let text = text.trim();
    let end = text.find(|letter| !is_of_time(letter));
    let (digits, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
    let mut forms = TIME_FORMS.iter();
    let time = forms.find_map(|form| NaiveTime::parse_from_str(digits, form).ok())?;
    let rest = rest.trim();
    match half_of_day(rest) {
        Some((is_afternoon, rest)) => Some((from_twelve_hours(time, is_afternoon)?, rest)),
        None if HOUR_WORDS
            .iter()
            .any(|word| rest.eq_ignore_ascii_case(word)) =>
        {
            Some((time, ""))
        }
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

fn from_twelve_hours(time: NaiveTime, is_afternoon: bool) -> Option<NaiveTime> {
    let hour = Some(time.hour()).filter(|hour| (1..=12).contains(hour))?;
    time.with_hour(hour % 12 + if is_afternoon { 12 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let read = parse_time_of_day(text).map(|(time, rest)| (time.to_string(), rest));
            let expected = expected.map(|(time, rest)| (time.to_owned(), rest));
            assert_eq!(read, expected, "{text}");
        }
    }
}

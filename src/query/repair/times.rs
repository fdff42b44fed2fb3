//! Reads times in formats that a query does not take, and writes them in one that it does. By hand, since
//! what is needed is no instant but the corrected text, relative where the agent's was.

use chrono::{DateTime, Datelike as _, Months, NaiveDate, NaiveTime, SecondsFormat, TimeZone as _};
use serde_json::Value;

use crate::query::nearest::nearest as nearest_word;
use crate::query::time::LocalTime;

/// The suggestion when the text cannot be read at all.
const USUAL: &str = "today-30d";
/// The words that relative times begin with.
const BASES: [&str; 5] = [
    "now",
    "today",
    "start_of_week",
    "start_of_month",
    "start_of_year",
];
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
/// One letter in so many of a base may be wrong.
const BASE_PART: usize = 3;
/// Numbers from this on are seconds since 1970, and from the next on milliseconds.
const SECONDS_MIN: i64 = 100_000_000;
const MILLISECONDS_MIN: i64 = 100_000_000_000;

/// The time that was probably relative, in a format that a query takes.
pub(super) fn nearest(value: &Value, time: &LocalTime) -> String {
    let candidate = match value {
        Value::Number(number) => number.as_i64().and_then(counted),
        Value::String(text) => {
            let text = text.trim().to_lowercase();
            word(&text)
                .or_else(|| absolute(&text, time))
                .or_else(|| ago(&text))
                .or_else(|| relative(&text))
        }
        _ => None,
    };
    let readable = candidate.filter(|candidate| time.parse(candidate).is_some());
    readable.unwrap_or_else(|| USUAL.to_owned())
}

/// Whether a text begins like a relative time.
pub(super) fn is_relative(text: &str) -> bool {
    BASES.iter().any(|base| text.trim().starts_with(base))
}

fn counted(number: i64) -> Option<String> {
    let instant = match number {
        ..SECONDS_MIN => None,
        SECONDS_MIN..MILLISECONDS_MIN => DateTime::from_timestamp(number, 0),
        _ => DateTime::from_timestamp_millis(number),
    };
    instant.map(|instant| instant.to_rfc3339_opts(SecondsFormat::Secs, true))
}

fn word(text: &str) -> Option<String> {
    let relative = match text.replace(['_', '-', ' '], "").as_str() {
        "now()" | "currenttimestamp" | "present" => "now",
        "today()" | "currentdate" | "midnight" | "startofday" => "today",
        "yesterday" => "today-1d",
        "tomorrow" => "today+1d",
        "thisweek" => "start_of_week",
        "thismonth" => "start_of_month",
        "thisyear" => "start_of_year",
        "lastweek" | "pastweek" => "start_of_week-1w",
        "lastmonth" | "pastmonth" => "start_of_month-1mo",
        "lastyear" | "pastyear" => "start_of_year-1y",
        "nextweek" => "start_of_week+1w",
        "nextmonth" => "start_of_month+1mo",
        "nextyear" => "start_of_year+1y",
        _ => return None,
    };
    Some(relative.to_owned())
}

/// `30 days ago`, `last 7 days`, `-2w`.
fn ago(text: &str) -> Option<String> {
    let digits = text.find(|letter: char| letter.is_ascii_digit())?;
    let (before, rest) = text.split_at_checked(digits)?;
    let end = rest.find(|letter: char| !letter.is_ascii_digit())?;
    let (count, after) = rest.split_at_checked(end)?;
    let is_known = matches!(
        before.trim(),
        "" | "-" | "+" | "last" | "past" | "in" | "next"
    );
    let word = after.split_whitespace().next()?;
    let sign = match (before.trim(), after.contains("from now")) {
        ("+" | "in" | "next", _) | (_, true) => '+',
        _ => '-',
    };
    let (unit, base) = unit(word.trim_end_matches(','))?;
    is_known.then(|| format!("{base}{sign}{count}{unit}"))
}

/// A relative time whose base or unit is misspelt, or has none.
fn relative(text: &str) -> Option<String> {
    let text = text.replace(' ', "");
    let end = text.find(['+', '-']).unwrap_or(text.len());
    let (base, offset) = text.split_at_checked(end)?;
    let near = nearest_word(base, BASES)?;
    if strsim::levenshtein(base, near) > base.len() / BASE_PART {
        return None;
    }
    let (sign, rest) = offset.split_at_checked(offset.len().min(1))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    if digits.is_empty() {
        return Some(near.to_owned());
    }
    let unit = match unit(rest.trim_start_matches(|letter: char| letter.is_ascii_digit())) {
        Some((unit, _)) => unit,
        None if near == "now" => "h",
        None => "d",
    };
    Some(format!("{near}{sign}{digits}{unit}"))
}

/// A unit by any of its names, and the base from which times in it are counted.
fn unit(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "h" | "hr" | "hrs" | "hour" | "hours" => ("h", "now"),
        "d" | "day" | "days" => ("d", "today"),
        "w" | "wk" | "week" | "weeks" => ("w", "today"),
        "m" | "mo" | "mon" | "month" | "months" => ("mo", "today"),
        "y" | "yr" | "yrs" | "year" | "years" => ("y", "today"),
        _ => return None,
    })
}

/// Reads a date in another order or with other separators, or past its month's end, or a time without an offset.
fn absolute(text: &str, time: &LocalTime) -> Option<String> {
    let (mut numbers, month) = parts(text);
    let day = match (month, numbers.as_slice()) {
        (Some(month), [day, year, ..]) if *year > 31 => date(*year, month, *day),
        (Some(month), [year, day, ..]) if *year > 31 => date(*year, month, *day),
        (Some(month), [year]) if *year > 31 => date(*year, month, 1),
        (Some(_), _) => None,
        (None, [whole]) if (10_000_000..100_000_000).contains(whole) => {
            date(whole / 10_000, whole / 100 % 100, whole % 100)
        }
        (None, [year]) if (1900..2200).contains(year) => date(*year, 1, 1),
        (None, [year, month]) if (1900..2200).contains(year) => date(*year, *month, 1),
        (None, [year, month, day, ..]) if *year > 31 => date(*year, *month, *day),
        (None, [day, month, year, ..]) if *year > 31 => {
            let is_american = text.contains('/') && *day <= 12;
            let (day, month) = if is_american {
                (*month, *day)
            } else {
                (*day, *month)
            };
            date(*year, month, day)
        }
        _ => None,
    }?;
    if !text.contains(':') || numbers.len() < 5 {
        return Some(day.to_string());
    }
    numbers.drain(..3);
    let at = |index: usize| numbers.get(index).copied().unwrap_or(0);
    let clock = NaiveTime::from_hms_opt(at(0), at(1), at(2).min(59))?;
    let local = time
        .zone
        .from_local_datetime(&day.and_time(clock))
        .earliest()?;
    Some(local.to_rfc3339_opts(SecondsFormat::Secs, false))
}

/// The first day of a month or a year that is written in digits, and the first day after it.
pub(super) fn calendar_interval(text: &str) -> Option<[String; 2]> {
    let (year, month) = match text.split_once(['-', '/']) {
        Some((year, month)) => (year, Some(month)),
        None => (text, None),
    };
    if year.len() != 4 || month.is_some_and(|month| month.len() > 2) {
        return None;
    }
    let months = Months::new(if month.is_some() { 1 } else { 12 });
    let month = month.map_or(Some(1), |month| month.parse().ok())?;
    let first = NaiveDate::from_ymd_opt(year.parse().ok()?, month, 1)?;
    let after = first.checked_add_months(months)?;
    Some([first, after].map(|day| day.to_string()))
}

/// The numbers in a text, and the month that it names.
fn parts(text: &str) -> (Vec<u32>, Option<u32>) {
    let numbers = text
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok());
    let month = text
        .split(|letter: char| !letter.is_ascii_alphabetic())
        .find_map(|word| MONTHS.iter().position(|month| word.starts_with(month)));
    let month = month.and_then(|index| u32::try_from(index + 1).ok());
    (numbers.collect(), month)
}

/// The date, or the last day of its month if the month has fewer days.
fn date(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    let year = i32::try_from(year).ok()?;
    let first = NaiveDate::from_ymd_opt(year, month.clamp(1, 12), 1)?;
    let last = u32::from(first.num_days_in_month());
    first.with_day(day.clamp(1, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_time_that_is_written_in_another_way_is_found() {
        let time = LocalTime {
            now: "2026-03-17T12:00:00Z".parse().unwrap(),
            zone: chrono_tz::Europe::Berlin,
        };
        for (written, expected) in [
            (json!("yesterday"), "today-1d"),
            (json!("last week"), "start_of_week-1w"),
            (json!("30 days ago"), "today-30d"),
            (json!("last 6 hours"), "now-6h"),
            (json!("-2w"), "today-2w"),
            (json!("in 3 days"), "today+3d"),
            (json!("2 weeks from now"), "today+2w"),
            (json!("today-30"), "today-30d"),
            (json!("today - 30days"), "today-30d"),
            (json!("now-1m"), "now-1mo"),
            (json!("tody-3d"), "today-3d"),
            (json!("start_of_mounth"), "start_of_month"),
            (json!("2026-02-30"), "2026-02-28"),
            (json!("2026-13-01"), "2026-12-01"),
            (json!("2026/1/5"), "2026-01-05"),
            (json!("20260105"), "2026-01-05"),
            (json!("01/31/2026"), "2026-01-31"),
            (json!("31.01.2026"), "2026-01-31"),
            (json!("2026-01"), "2026-01-01"),
            (json!("31 January 2026"), "2026-01-31"),
            (json!("March 2026"), "2026-03-01"),
            (json!("2026-01-31T08:00:00"), "2026-01-31T08:00:00+01:00"),
            (json!("2026-01-31 08:00"), "2026-01-31T08:00:00+01:00"),
            (json!(1_767_225_600), "2026-01-01T00:00:00Z"),
            (json!("soon"), "today-30d"),
            (json!(true), "today-30d"),
        ] {
            assert_eq!(nearest(&written, &time), expected, "{written}");
        }
    }
}

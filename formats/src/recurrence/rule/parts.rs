//! The values of a rule's parts, each checked against its range (RFC 5545 §3.3.10).

use std::str::FromStr;

use chrono::Weekday;

use crate::recurrence::error::ExpansionError;
use crate::recurrence::stamp::IcalStamp;

/// How much of the name of an unknown part an error contains.
const PART_NAME_BYTES_MAX: usize = 32;

/// The frequency of a rule (`FREQ`), from the longest step to the shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::recurrence) enum Frequency {
    Yearly,
    Monthly,
    Weekly,
    Daily,
    Hourly,
    Minutely,
    Secondly,
}

/// Every weekday of a kind, or only the nth one of its month or year, from the end if negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::recurrence) struct ByDay {
    pub(in crate::recurrence) nth: Option<i32>,
    pub(in crate::recurrence) weekday: Weekday,
}

pub(super) fn parse_frequency(text: &str) -> Result<Frequency, ExpansionError> {
    match text.trim().to_ascii_uppercase().as_str() {
        "YEARLY" => Ok(Frequency::Yearly),
        "MONTHLY" => Ok(Frequency::Monthly),
        "WEEKLY" => Ok(Frequency::Weekly),
        "DAILY" => Ok(Frequency::Daily),
        "HOURLY" => Ok(Frequency::Hourly),
        "MINUTELY" => Ok(Frequency::Minutely),
        "SECONDLY" => Ok(Frequency::Secondly),
        _ => Err(invalid("FREQ")),
    }
}

/// A number of at least 1.
pub(super) fn parse_positive<T: FromStr + PartialOrd + From<u8>>(
    part: &'static str,
    value: &str,
) -> Result<T, ExpansionError> {
    value
        .parse()
        .ok()
        .filter(|number| *number >= T::from(1))
        .ok_or(invalid(part))
}

pub(super) fn parse_until(value: &str) -> Result<IcalStamp, ExpansionError> {
    IcalStamp::parse(value, None).ok_or(invalid("UNTIL"))
}

/// Numbers separated by commas; each of them must be allowed.
pub(super) fn parse_list<T: FromStr>(
    part: &'static str,
    value: &str,
    is_allowed: impl Fn(&T) -> bool,
) -> Result<Vec<T>, ExpansionError> {
    value
        .split(',')
        .map(|item| {
            item.trim()
                .parse()
                .ok()
                .filter(&is_allowed)
                .ok_or(invalid(part))
        })
        .collect()
}

/// The leap second counts as the second before it (RFC 5545 §3.3.12).
pub(super) fn parse_second_list(value: &str) -> Result<Vec<u32>, ExpansionError> {
    let seconds = parse_list("BYSECOND", value, |second: &u32| *second <= 60)?;
    Ok(seconds.into_iter().map(|second| second.min(59)).collect())
}

/// Whether a number is from 1 to the limit, or from -1 to -limit.
pub(super) fn within(limit: u32) -> impl Fn(&i32) -> bool {
    move |number| (1..=limit).contains(&number.unsigned_abs())
}

pub(super) fn parse_by_day_list(value: &str) -> Result<Vec<ByDay>, ExpansionError> {
    value
        .split(',')
        .map(|item| parse_by_day(item.trim()).ok_or(invalid("BYDAY")))
        .collect()
}

fn parse_by_day(item: &str) -> Option<ByDay> {
    let (number, name) = item.split_at_checked(item.len().checked_sub(2)?)?;
    let weekday = parse_weekday(name)?;
    let nth = match number {
        "" => None,
        number => Some(number.parse().ok().filter(within(53))?),
    };
    Some(ByDay { nth, weekday })
}

pub(super) fn parse_weekday(name: &str) -> Option<Weekday> {
    match name.to_ascii_uppercase().as_str() {
        "MO" => Some(Weekday::Mon),
        "TU" => Some(Weekday::Tue),
        "WE" => Some(Weekday::Wed),
        "TH" => Some(Weekday::Thu),
        "FR" => Some(Weekday::Fri),
        "SA" => Some(Weekday::Sat),
        "SU" => Some(Weekday::Sun),
        _ => None,
    }
}

pub(super) fn invalid(part: &'static str) -> ExpansionError {
    ExpansionError::InvalidPart(part)
}

/// The error contains letters, digits and hyphens only, and at most [`PART_NAME_BYTES_MAX`] of them.
pub(super) fn unknown(name: &str) -> ExpansionError {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let name = name
        .bytes()
        .filter(is_name)
        .take(PART_NAME_BYTES_MAX)
        .map(char::from);
    ExpansionError::UnknownPart(name.collect::<String>().to_ascii_uppercase())
}

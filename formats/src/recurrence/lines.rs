//! The content lines of a master.
//!
//! What it is for: from unfolded text lines (RFC 5545 §3.1) to rules, added dates, excluded dates
//! and a nominal length.
//! What it must not know: the zone of the series, so local times stay local here.

use chrono::TimeDelta;
use chrono_tz::Tz;

use super::error::ExpansionError;
use super::rule::Rule;
use super::stamp::{self, IcalStamp};

/// How long an instance lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventLength {
    /// Elapsed time, whether or not the clocks change meanwhile: a length given by an end.
    Exact(TimeDelta),
    /// Calendar days, then elapsed time: a length given by `DURATION`.
    Nominal { days: i64, rest: TimeDelta },
    /// Until a stamp: a period with an explicit end.
    Until(IcalStamp),
}

/// A date added by `RDATE`, with its own length if it is a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AddedDate {
    pub(super) start: IcalStamp,
    pub(super) length: Option<EventLength>,
}

/// Everything a master says about its recurrence.
#[derive(Debug, Default)]
pub(super) struct Recurrence {
    pub(super) rules: Vec<Rule>,
    pub(super) excluded_rules: Vec<Rule>,
    pub(super) added: Vec<AddedDate>,
    pub(super) excluded: Vec<IcalStamp>,
    pub(super) length: Option<EventLength>,
}

impl Recurrence {
    pub(super) fn parse(lines: &[String]) -> Result<Self, ExpansionError> {
        let mut recurrence = Self::default();
        for line in lines {
            recurrence.add_line(&ContentLine::split(line).ok_or(ExpansionError::UnknownLine)?)?;
        }
        Ok(recurrence)
    }

    pub(super) fn is_endless(&self) -> bool {
        self.rules.iter().any(Rule::is_endless)
    }

    fn add_line(&mut self, line: &ContentLine<'_>) -> Result<(), ExpansionError> {
        match line.name.to_ascii_uppercase().as_str() {
            "RRULE" => self.rules.push(Rule::parse(line.value)?),
            "EXRULE" => self.excluded_rules.push(Rule::parse(line.value)?),
            "RDATE" => self.added.extend(line.parse_list("RDATE", parse_added)?),
            "EXDATE" => self
                .excluded
                .extend(line.parse_list("EXDATE", IcalStamp::parse)?),
            "DURATION" => {
                let length =
                    parse_duration(line.value).ok_or(ExpansionError::InvalidDate("DURATION"))?;
                self.length = Some(length);
            }
            _ => return Err(ExpansionError::UnknownLine),
        }
        Ok(())
    }
}

/// A content line, split into its name, its zone (`TZID`) and its value.
struct ContentLine<'l> {
    name: &'l str,
    zone: Option<Tz>,
    value: &'l str,
}

impl<'l> ContentLine<'l> {
    fn split(line: &'l str) -> Option<Self> {
        let (head, value) = split_unquoted(line.trim(), ':')?;
        let (name, mut parameters) = split_unquoted(head, ';').unwrap_or((head, ""));
        let mut zone = None;
        while !parameters.is_empty() {
            let (parameter, rest) = split_unquoted(parameters, ';').unwrap_or((parameters, ""));
            if let Some((key, text)) = parameter.split_once('=')
                && key.eq_ignore_ascii_case("TZID")
            {
                zone = stamp::zone_named(text.trim_matches('"'));
            }
            parameters = rest;
        }
        Some(Self { name, zone, value })
    }

    /// Reads every value of a comma-separated list.
    fn parse_list<T>(
        &self,
        property: &'static str,
        read: impl Fn(&str, Option<Tz>) -> Option<T>,
    ) -> Result<Vec<T>, ExpansionError> {
        let values = self
            .value
            .split(',')
            .filter(|value| !value.trim().is_empty());
        values
            .map(|value| read(value, self.zone).ok_or(ExpansionError::InvalidDate(property)))
            .collect()
    }
}

/// Splits at the first separator that is not inside double quotes.
fn split_unquoted(text: &str, separator: char) -> Option<(&str, &str)> {
    let mut quoted = false;
    let position = text.find(|character| {
        quoted ^= character == '"';
        character == separator && !quoted
    })?;
    let (before, after) = text.split_at_checked(position)?;
    Some((before, after.strip_prefix(separator)?))
}

/// A date, or a period by its end or by its length (RFC 5545 §3.3.9).
fn parse_added(text: &str, zone: Option<Tz>) -> Option<AddedDate> {
    let Some((start, rest)) = text.split_once('/') else {
        return Some(AddedDate {
            start: IcalStamp::parse(text, zone)?,
            length: None,
        });
    };
    let length = match parse_duration(rest) {
        Some(length) => length,
        None => EventLength::Until(IcalStamp::parse(rest, zone)?),
    };
    Some(AddedDate {
        start: IcalStamp::parse(start, zone)?,
        length: Some(length),
    })
}

/// Weeks and days are calendar days, the rest is elapsed time (RFC 5545 §3.3.6). A negative length
/// makes no sense for an event and is refused.
fn parse_duration(text: &str) -> Option<EventLength> {
    let text = text.trim();
    let rest = text
        .strip_prefix('+')
        .unwrap_or(text)
        .strip_prefix(['P', 'p'])?;
    let (days_text, time_text) = rest.split_once(['T', 't']).unwrap_or((rest, ""));
    let [weeks, days] = parse_amounts(days_text, ['W', 'D'])?;
    let [hours, minutes, seconds] = parse_amounts(time_text, ['H', 'M', 'S'])?;
    let days = weeks * 7 + days;
    let rest = TimeDelta::seconds(hours * 3_600 + minutes * 60 + seconds);
    let is_possible = days <= LENGTH_DAYS_MAX && rest.num_days() <= LENGTH_DAYS_MAX;
    is_possible.then_some(EventLength::Nominal { days, rest })
}

/// The most digits of one amount, so that no sum of amounts overflows.
const AMOUNT_DIGITS_MAX: usize = 9;

/// The longest an event may last: a hundred years.
const LENGTH_DAYS_MAX: i64 = 36_525;

/// Reads amounts, each followed by its unit, in the order of `units` and each at most once.
fn parse_amounts<const N: usize>(text: &str, units: [char; N]) -> Option<[i64; N]> {
    let mut rest = text;
    let mut read = [0; N];
    for (amount, unit) in read.iter_mut().zip(units) {
        let Some((digits, after)) = rest.split_once([unit, unit.to_ascii_lowercase()]) else {
            continue;
        };
        let is_number = digits.len() <= AMOUNT_DIGITS_MAX && !digits.starts_with(['+', '-']);
        *amount = digits.parse().ok().filter(|_| is_number)?;
        rest = after;
    }
    rest.is_empty().then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_durations() {
        let nominal = |days, seconds| {
            Some(EventLength::Nominal {
                days,
                rest: TimeDelta::seconds(seconds),
            })
        };
        let cases = [
            ("PT1H30M", nominal(0, 5_400)),
            ("P1DT12H", nominal(1, 43_200)),
            ("+P2W", nominal(14, 0)),
            ("P15DT5H0M20S", nominal(15, 18_020)),
            ("-PT15M", None),
            ("PT", nominal(0, 0)),
            ("P1H", None),
            ("PT5M1H", None),
            ("P40000D", None),
            ("P99999999999D", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_duration(text), expected, "{text}");
        }
    }

    #[test]
    fn quoted_parameters_may_hold_separators() {
        let line =
            ContentLine::split("RDATE;X-NOTE=\"a:b;c\";TZID=\"Asia/Kathmandu\":20260101T000000");
        let line = line.unwrap();
        assert_eq!(
            (line.name, line.zone),
            ("RDATE", Some(chrono_tz::Asia::Kathmandu))
        );
        assert_eq!(line.value, "20260101T000000");
    }

    #[test]
    fn refuses_what_it_cannot_read() {
        let cases = [
            ("SUMMARY:Dinner", ExpansionError::UnknownLine),
            ("no colon", ExpansionError::UnknownLine),
            ("EXDATE:yesterday", ExpansionError::InvalidDate("EXDATE")),
            (
                "RDATE;VALUE=PERIOD:20260101T000000Z/x",
                ExpansionError::InvalidDate("RDATE"),
            ),
            ("DURATION:-P1D", ExpansionError::InvalidDate("DURATION")),
        ];
        for (line, error) in cases {
            assert_eq!(
                Recurrence::parse(&[line.to_owned()]).unwrap_err(),
                error,
                "{line}"
            );
        }
    }
}

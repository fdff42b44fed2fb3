//! One recurrence rule, parsed and checked (RFC 5545 §3.3.10).
//!
//! What it is for: turns the text of an `RRULE` into numbers that are all in their range.
//! What it must not know: the series the rule belongs to.

mod parts;

use chrono::Weekday;

pub(super) use self::parts::{ByDay, Frequency};
use self::parts::{
    invalid, parse_by_day_list, parse_frequency, parse_list, parse_positive, parse_second_list,
    parse_until, parse_weekday, unknown, within,
};
use super::error::ExpansionError;
use super::stamp::IcalStamp;

/// A recurrence rule. An empty list means that the part is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) frequency: Frequency,
    /// At least 1.
    pub(super) interval: u32,
    pub(super) count: Option<usize>,
    pub(super) until: Option<IcalStamp>,
    pub(super) seconds: Vec<u32>,
    pub(super) minutes: Vec<u32>,
    pub(super) hours: Vec<u32>,
    pub(super) by_day: Vec<ByDay>,
    pub(super) month_days: Vec<i32>,
    pub(super) year_days: Vec<i32>,
    pub(super) week_numbers: Vec<i32>,
    pub(super) months: Vec<u32>,
    pub(super) positions: Vec<i32>,
    pub(super) week_start: Weekday,
}

impl Rule {
    pub(super) fn parse(text: &str) -> Result<Self, ExpansionError> {
        let parts = || text.trim().split(';').filter(|part| !part.is_empty());
        let (_, frequency_name) = parts()
            .filter_map(|part| part.split_once('='))
            .find(|(name, _)| name.eq_ignore_ascii_case("FREQ"))
            .ok_or(ExpansionError::NoFrequency)?;
        let mut rule = Self::with_frequency(parse_frequency(frequency_name)?);
        for part in parts() {
            let (name, value) = part.split_once('=').ok_or_else(|| unknown(part))?;
            rule.set_part(name, value.trim())?;
        }
        Ok(rule)
    }

    /// Whether it has neither `COUNT` nor `UNTIL`.
    pub(super) fn is_endless(&self) -> bool {
        self.count.is_none() && self.until.is_none()
    }

    fn with_frequency(frequency: Frequency) -> Self {
        Self {
            frequency,
            interval: 1,
            count: None,
            until: None,
            seconds: Vec::new(),
            minutes: Vec::new(),
            hours: Vec::new(),
            by_day: Vec::new(),
            month_days: Vec::new(),
            year_days: Vec::new(),
            week_numbers: Vec::new(),
            months: Vec::new(),
            positions: Vec::new(),
            week_start: Weekday::Mon,
        }
    }

    fn set_part(&mut self, name: &str, value: &str) -> Result<(), ExpansionError> {
        match name.trim().to_ascii_uppercase().as_str() {
            "FREQ" => {}
            "INTERVAL" => self.interval = parse_positive("INTERVAL", value)?,
            "COUNT" => self.count = Some(parse_positive("COUNT", value)?),
            "UNTIL" => self.until = Some(parse_until(value)?),
            "BYSECOND" => self.seconds = parse_second_list(value)?,
            "BYMINUTE" => self.minutes = parse_list("BYMINUTE", value, |minute| *minute <= 59)?,
            "BYHOUR" => self.hours = parse_list("BYHOUR", value, |hour| *hour <= 23)?,
            "BYDAY" => self.by_day = parse_by_day_list(value)?,
            "BYMONTHDAY" => self.month_days = parse_list("BYMONTHDAY", value, within(31))?,
            "BYYEARDAY" => self.year_days = parse_list("BYYEARDAY", value, within(366))?,
            "BYWEEKNO" => self.week_numbers = parse_list("BYWEEKNO", value, within(53))?,
            "BYMONTH" => {
                self.months = parse_list("BYMONTH", value, |month| (1..=12).contains(month))?
            }
            "BYSETPOS" => self.positions = parse_list("BYSETPOS", value, within(366))?,
            "WKST" => self.week_start = parse_weekday(value).ok_or(invalid("WKST"))?,
            "RSCALE" if value.eq_ignore_ascii_case("GREGORIAN") => {}
            _ => return Err(unknown(name)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_part() {
        let text = "freq=YEARLY;INTERVAL=2;COUNT=3;BYMONTH=1,12;BYDAY=MO,-1SU,+2TU;BYMONTHDAY=-31;\
                    BYYEARDAY=366;BYWEEKNO=-53;BYHOUR=0,23;BYMINUTE=59;BYSECOND=0,60;BYSETPOS=-1;WKST=SU";
        let rule = Rule::parse(text).unwrap();
        assert_eq!(
            (rule.frequency, rule.interval, rule.count),
            (Frequency::Yearly, 2, Some(3))
        );
        assert_eq!(rule.months, [1, 12]);
        let nths: Vec<_> = rule.by_day.iter().map(|by_day| by_day.nth).collect();
        assert_eq!(nths, [None, Some(-1), Some(2)]);
        assert_eq!(
            (rule.hours, rule.minutes, rule.seconds),
            (vec![0, 23], vec![59], vec![0, 59])
        );
        assert_eq!((rule.positions, rule.week_start), (vec![-1], Weekday::Sun));
    }

    #[test]
    fn refuses_and_names_the_part() {
        let unknown = |name: &str| ExpansionError::UnknownPart(name.to_owned());
        let cases = [
            ("FREQ=DAILY;RSCALE=HEBREW", unknown("RSCALE")),
            ("FREQ=DAILY;SKIP=OMIT", unknown("SKIP")),
            ("FREQ=DAILY;X-Café=1", unknown("X-CAF")),
            ("FREQ=DAILY;BYEASTER=0", unknown("BYEASTER")),
            ("FREQ=DAILY;WHAT", unknown("WHAT")),
            ("INTERVAL=2", ExpansionError::NoFrequency),
            ("", ExpansionError::NoFrequency),
            ("FREQ=FORTNIGHTLY", invalid("FREQ")),
            ("FREQ=DAILY;INTERVAL=0", invalid("INTERVAL")),
            ("FREQ=DAILY;COUNT=0", invalid("COUNT")),
            ("FREQ=DAILY;UNTIL=never", invalid("UNTIL")),
            ("FREQ=DAILY;BYHOUR=24", invalid("BYHOUR")),
            ("FREQ=DAILY;BYMONTHDAY=0", invalid("BYMONTHDAY")),
            ("FREQ=DAILY;BYMONTH=", invalid("BYMONTH")),
            ("FREQ=DAILY;BYDAY=0MO", invalid("BYDAY")),
            ("FREQ=DAILY;BYDAY=é", invalid("BYDAY")),
            ("FREQ=DAILY;WKST=XX", invalid("WKST")),
        ];
        for (text, error) in cases {
            assert_eq!(Rule::parse(text).unwrap_err(), error, "{text}");
        }
    }
}

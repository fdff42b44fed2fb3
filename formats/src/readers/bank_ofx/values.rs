//! Amounts and dates of OFX, read strictly: what is not certain is refused, with what was written.
//!
//! Pure functions over text (OFX 2.3 §3.2.8 dates, §3.2.9 amounts).

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, Utc};
use serde_json::Number;

use crate::entry::quoted;

/// Decimals a column of money has; zeros beyond carry nothing and are dropped, other digits are kept.
const MONEY_DECIMALS: usize = 4;
const OFFSET_HOURS_MAX: i32 = 14;

/// A number with the digits of the file: `-6.60`, `+0012,5`, `1,234.56`. Point and comma may both mark the
/// decimals; a lone one always does (the standard knows no grouping), a second one groups thousands.
pub(super) fn amount(name: &str, text: &str) -> Result<Number, String> {
    let refused = || format!("{name} {} is not an amount", quoted(text));
    let (sign, digits) = match text.trim().strip_prefix(['-', '+']) {
        Some(digits) if text.trim_start().starts_with('-') => ("-", digits),
        Some(digits) => ("", digits),
        None => ("", text.trim()),
    };
    let (whole, decimals) = split_decimals(digits).ok_or_else(refused)?;
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let decimals = without_empty_digits(decimals);
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{decimals}")
        .parse()
        .map_err(|_| refused())
}

/// The digits before and after the decimal mark.
fn split_decimals(text: &str) -> Option<(String, &str)> {
    let (whole, mark, decimals) = match text.rfind(['.', ',']) {
        Some(at) => (text.get(..at)?, text.get(at..=at)?, text.get(at + 1..)?),
        None => (text, "", ""),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let grouping = if mark == "," { '.' } else { ',' };
    let mut groups = whole.split(grouping);
    let first = groups.next()?;
    let is_grouped = groups.all(|group| group.len() == 3 && is_digits(group));
    let is_number = is_grouped
        && is_digits(first)
        && is_digits(decimals)
        && !(whole.is_empty() && decimals.is_empty());
    let is_first_group = first.len() <= 3 || !whole.contains(grouping);
    (is_number && is_first_group).then(|| (whole.replace(grouping, ""), decimals))
}

fn without_empty_digits(decimals: &str) -> &str {
    let significant = decimals.trim_end_matches('0').len();
    decimals
        .get(..significant.max(MONEY_DECIMALS))
        .unwrap_or(decimals)
}

/// A date, and as much of a time as the file gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OfxStamp {
    /// The day as written, in the bank's own zone.
    pub date: NaiveDate,
    time: Option<NaiveTime>,
    /// `None` if the zone is written so that it cannot be read.
    offset: Option<FixedOffset>,
}

impl OfxStamp {
    /// The instant in UTC as RFC 3339, unless the file gives only a day; midnight stands for a mere day too.
    pub(super) fn instant(&self) -> Option<String> {
        let time = self.time.filter(|time| *time != NaiveTime::MIN)?;
        let local: NaiveDateTime = self.date.and_time(time);
        let instant: DateTime<Utc> = local.and_local_timezone(self.offset?).single()?.to_utc();
        Some(instant.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }

    pub(super) fn day(&self) -> String {
        self.date.to_string()
    }
}

/// `YYYYMMDD[HHMM[SS[.XXX]]][[offset[:name]]]`.
pub(super) fn stamp(name: &str, text: &str) -> Result<OfxStamp, String> {
    let (moment, zone) = match text.split_once('[') {
        Some((moment, zone)) => (moment.trim(), zone.trim_end().trim_end_matches(']')),
        None => (text.trim(), "0"),
    };
    let (digits, fraction) = moment.split_once('.').unwrap_or((moment, ""));
    let is_digits = digits
        .bytes()
        .chain(fraction.bytes())
        .all(|byte| byte.is_ascii_digit());
    let date = digits
        .get(..8)
        .and_then(|day| NaiveDate::parse_from_str(day, "%Y%m%d").ok());
    let time = clock_of(digits.get(8..).unwrap_or_default(), fraction);
    match (is_digits, date, time) {
        (true, Some(date), Some(time)) => Ok(OfxStamp {
            date,
            time,
            offset: offset_of(zone),
        }),
        _ => Err(format!("{name} {} is not a date that exists", quoted(text))),
    }
}

/// The time of day: `Some(None)` if there is none, `None` if it is none that exists.
fn clock_of(digits: &str, fraction: &str) -> Option<Option<NaiveTime>> {
    let pair = |at: usize| digits.get(at..at + 2)?.parse::<u32>().ok();
    let seconds = match digits.len() {
        0 => return Some(None),
        4 => 0,
        6 => pair(4)?,
        _ => return None,
    };
    let thousandths = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    NaiveTime::from_hms_milli_opt(pair(0)?, pair(2)?, seconds.min(59), thousandths).map(Some)
}

/// `-5:EST`, `5.30:IST`, `-3.5`, and `-:EST`, where the name has to serve.
fn offset_of(zone: &str) -> Option<FixedOffset> {
    let (hours, name) = zone.split_once(':').unwrap_or((zone, ""));
    let is_west = hours.trim().starts_with('-');
    let (hours, fraction) = hours
        .trim()
        .trim_start_matches(['+', '-'])
        .split_once('.')
        .unwrap_or((hours.trim().trim_start_matches(['+', '-']), ""));
    if hours.is_empty() {
        return FixedOffset::east_opt(named_offset_hours(name.trim())? * 3600);
    }
    let hours: i32 = hours
        .parse()
        .ok()
        .filter(|hours| *hours <= OFFSET_HOURS_MAX)?;
    let seconds = hours * 3600 + minutes_of(fraction)? * 60;
    FixedOffset::east_opt(if is_west { -seconds } else { seconds })
}

/// Banks write half an hour as `.5` and as `.30`.
fn minutes_of(fraction: &str) -> Option<i32> {
    match fraction {
        "" | "0" | "00" => Some(0),
        "25" | "15" => Some(15),
        "5" | "50" | "30" => Some(30),
        "75" | "45" => Some(45),
        _ => None,
    }
}

fn named_offset_hours(name: &str) -> Option<i32> {
    match name {
        "GMT" | "UTC" => Some(0),
        "EDT" => Some(-4),
        "EST" | "CDT" => Some(-5),
        "CST" | "MDT" => Some(-6),
        "MST" | "PDT" => Some(-7),
        "PST" => Some(-8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_keep_their_digits() {
        let table = [
            ("-6.60", "-6.60"),
            ("+0000000000100.00000", "100.0000"),
            ("000000025.635000000", "25.6350"),
            ("0.123456", "0.123456"),
            ("-1234,5", "-1234.5"),
            ("1,234", "1.234"),
            ("1.234.567,89", "1234567.89"),
            ("-1,234.56", "-1234.56"),
            (".5", "0.5"),
            ("7.", "7"),
            (" 12 ", "12"),
            ("-0.00", "-0.00"),
        ];
        for (written, expected) in table {
            assert_eq!(
                amount("TRNAMT", written).unwrap().to_string(),
                expected,
                "{written}"
            );
        }
    }

    #[test]
    fn what_is_no_amount_is_refused_with_its_text() {
        for written in [
            "$120",
            "",
            "-",
            "12a",
            "1 234",
            "1,23.4",
            "1.2.3",
            "--5",
            "1e5",
            "1234,567.8",
            "٣",
        ] {
            let reason = amount("TRNAMT", written).unwrap_err();
            assert_eq!(reason, format!("TRNAMT `{written}` is not an amount"));
        }
    }

    #[test]
    fn stamps_know_their_day_and_their_instant() {
        let table = [
            ("20170508", "2017-05-08", None),
            ("20170508000000", "2017-05-08", None),
            (
                "20090401122017.000[-5:EST]",
                "2009-04-01",
                Some("2009-04-01T17:20:17Z"),
            ),
            (
                "20091217162416.000[-:EST]",
                "2009-12-17",
                Some("2009-12-17T21:24:16Z"),
            ),
            ("201104051200", "2011-04-05", Some("2011-04-05T12:00:00Z")),
            (
                "20130525225731.258",
                "2013-05-25",
                Some("2013-05-25T22:57:31.258Z"),
            ),
            (
                "20200101233000[5.30:IST]",
                "2020-01-01",
                Some("2020-01-01T18:00:00Z"),
            ),
            ("20200101233000[odd]", "2020-01-01", None),
        ];
        for (written, day, instant) in table {
            let stamp = stamp("DTPOSTED", written).unwrap();
            assert_eq!(
                (stamp.day().as_str(), stamp.instant().as_deref()),
                (day, instant),
                "{written}"
            );
        }
    }

    #[test]
    fn dates_that_do_not_exist_are_refused() {
        for written in [
            "201120000000",
            "20230229",
            "2023-01-01",
            "00000000",
            "",
            "20230101250000",
            "2023010112",
            "20230101é",
        ] {
            assert!(stamp("DTPOSTED", written).is_err(), "{written}");
        }
    }

    proptest! {
        #[test]
        fn no_text_upsets_the_readers(text in "\\PC{0,24}") {
            let _ = (amount("A", &text), stamp("D", &text));
        }

        #[test]
        fn a_written_decimal_comes_back(whole in 0_u64..1_000_000_000, cents in 0_u8..100, is_out: bool) {
            let written = format!("{}{whole}.{cents:02}", if is_out { "-" } else { "" });
            prop_assert_eq!(amount("A", &written).unwrap().to_string(), written);
        }
    }
}

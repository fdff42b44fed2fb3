//! Dates and times of OFX (OFX 2.3 §3.2.8), read strictly: what is not certain is refused, with what was written.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, Utc};

use crate::entry::quoted;

/// No zone is further from UTC.
const OFFSET_HOURS_MAX: i32 = 14;

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
    /// The instant in UTC as RFC 3339, unless the file gives only a day; midnight stands for the day alone, too.
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
    let time = time_of_day(digits.get(8..).unwrap_or_default(), fraction);
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
fn time_of_day(digits: &str, fraction: &str) -> Option<Option<NaiveTime>> {
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

/// `-5:EST`, `5.30:IST`, `-3.5`, and `-:EST`, where the name says it.
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
        fn no_text_upsets_the_reader(text in "\\PC{0,24}") {
            let _ = stamp("D", &text);
        }
    }
}

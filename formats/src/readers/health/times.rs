//! When something was measured: `2026-03-01 07:12:00 +0100`.
//!
//! An export is written in the zone in which the phone is at that moment, whatever zone the measurement was taken
//! in. Instants are right all the same; where an entry names its own zone, that gives the offset.

use chrono::{DateTime, FixedOffset, NaiveDate, Offset, SecondsFormat, TimeZone, Utc};
use chrono_tz::Tz;

use super::element::HealthElement;
use crate::entry::quoted;

/// As Apple writes it, and as it did where the phone showed twelve hours. Other programs write RFC 3339.
const FORMATS: [&str; 2] = ["%Y-%m-%d %H:%M:%S %z", "%Y-%m-%d %I:%M:%S %p %z"];

/// From when to when, and the offset of the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SampleSpan {
    pub start: DateTime<Utc>,
    pub end: Option<DateTime<Utc>>,
    pub offset: FixedOffset,
}

impl SampleSpan {
    /// The span of an element; `zone` is the one that the entry names.
    pub(super) fn read(element: &HealthElement, zone: Option<&str>) -> Result<Self, String> {
        let start = moment(element, "startDate")?.ok_or("it has no startDate")?;
        let end = moment(element, "endDate")?.map(|end| end.to_utc());
        if end.is_some_and(|end| end < start.to_utc()) {
            return Err("its endDate is before its startDate".to_owned());
        }
        let zone = zone.and_then(|zone| zone.parse::<Tz>().ok());
        let local = zone.map(|zone| zone.offset_from_utc_datetime(&start.naive_utc()).fix());
        Ok(Self {
            start: start.to_utc(),
            end,
            offset: local.unwrap_or(*start.offset()),
        })
    }
}

fn moment(element: &HealthElement, name: &str) -> Result<Option<DateTime<FixedOffset>>, String> {
    let Some(text) = element.get(name) else {
        return Ok(None);
    };
    // Apple puts narrow spaces before AM and PM.
    let plain = text.replace(['\u{a0}', '\u{202f}'], " ");
    let read = FORMATS
        .iter()
        .find_map(|format| DateTime::parse_from_str(&plain, format).ok())
        .or_else(|| DateTime::parse_from_rfc3339(&plain).ok());
    let fault = || format!("its {name} {} is no time that exists", quoted(text));
    read.map(Some).ok_or_else(fault)
}

/// The day of an element.
pub(super) fn day(element: &HealthElement, name: &str) -> Result<NaiveDate, String> {
    let text = element.get(name).ok_or(format!("it has no {name}"))?;
    let fault = |_| format!("its {name} {} is no day that exists", quoted(text));
    NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(fault)
}

/// As the columns take it.
pub(super) fn format_instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(dates: &str, zone: Option<&str>) -> Result<(String, String), String> {
        let tag = format!("Record {dates}");
        let span = SampleSpan::read(&HealthElement::read(&tag, 1).unwrap(), zone)?;
        Ok((format_instant(span.start), span.offset.to_string()))
    }

    #[test]
    fn instants_are_exact_and_the_offset_is_that_of_the_place() {
        let text = "2026-03-01 07:12:00 +0100";
        for (start, zone, offset) in [
            (text, None, "+01:00"),
            (text, Some("America/New_York"), "-05:00"),
            (text, Some("Nowhere"), "+01:00"),
            ("2026-03-01 7:12:00\u{202f}AM +0100", None, "+01:00"),
            ("2026-03-01T06:12:00Z", None, "+00:00"),
            ("2026-03-01T11:42:00.000+05:30", None, "+05:30"),
        ] {
            let expected = ("2026-03-01T06:12:00Z".to_owned(), offset.to_owned());
            assert_eq!(
                read(&format!("startDate=\"{start}\""), zone).as_ref(),
                Ok(&expected),
                "{start}"
            );
        }
    }

    #[test]
    fn what_is_no_time_is_refused_by_name() {
        for (dates, reason) in [
            ("", "it has no startDate"),
            (
                "startDate=\"2026-02-30 10:00:00 +0100\"",
                "its startDate `2026-02-30 10:00:00 +0100` is no time that exists",
            ),
            (
                "startDate=\"2026-02-03 10:00:00\"",
                "its startDate `2026-02-03 10:00:00` is no time that exists",
            ),
            (
                "startDate=\"2026-02-03 10:00:00 +0000\" endDate=\"2026-02-03 09:59:59 +0000\"",
                "its endDate is before its startDate",
            ),
        ] {
            assert_eq!(read(dates, None).unwrap_err(), reason);
        }
    }
}

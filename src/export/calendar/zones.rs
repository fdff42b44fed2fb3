//! VTIMEZONE: the offset changes of a zone, for programs that do not know it by its name.
//!
//! Every change from the first event on is listed, up to some years after the export, instead of recurring rules, which countries
//! change. Nearly all programs know the zone and use their own database.

use chrono::{DateTime, Datelike, Days, NaiveDateTime, Offset, TimeDelta, TimeZone, Utc};
use chrono_tz::{OffsetComponents, OffsetName, Tz};
use serde_json::Value;

use crate::export::ExportRequest;
use crate::export::content_line::ContentLine;
use crate::export::document::{instant, text};

/// Changes are listed up to this many years after the export.
const YEARS_AHEAD: i32 = 20;
/// The first year that is listed: earlier events get the first listed offset.
const YEAR_MIN: i32 = 1970;
/// The search steps by this many days: no zone changes its offset twice within them.
const STEP_DAYS: u64 = 7;

/// One observance of time under one offset.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Observance {
    /// Local time by the offset before the change.
    begins: NaiveDateTime,
    from_s: i32,
    to_s: i32,
    is_summer: bool,
    name: String,
}

/// Writes a row of `zone` and `from`, the first event in it.
pub(super) fn write(row: &Value, request: &ExportRequest, out: &mut Vec<u8>) {
    let Some(zone) = text(row, "zone").and_then(|name| name.parse::<Tz>().ok()) else {
        return;
    };
    if matches!(zone, Tz::UTC | Tz::Etc__UTC) {
        return;
    }
    let first = instant(row, "from").map_or(request.now.year(), |first| first.year());
    let first = first.clamp(YEAR_MIN, request.now.year());
    let last = request.now.year().saturating_add(YEARS_AHEAD);
    ContentLine::new("BEGIN").value("VTIMEZONE", out);
    ContentLine::new("TZID").text(zone.name(), out);
    for observance in observances(zone, first, last) {
        observance.write(out);
    }
    ContentLine::new("END").value("VTIMEZONE", out);
}

fn observances(zone: Tz, first: i32, last: i32) -> Vec<Observance> {
    let (Some(mut at), Some(end)) = (new_year(first), new_year(last)) else {
        return Vec::new();
    };
    let mut observances = vec![observance(zone, at, at)];
    while at < end {
        let next = at.checked_add_days(Days::new(STEP_DAYS)).unwrap_or(end);
        if offset(zone, at) != offset(zone, next) {
            let change = find_change(zone, at, next);
            observances.push(observance(zone, change - TimeDelta::seconds(1), change));
        }
        at = next;
    }
    observances
}

fn new_year(year: i32) -> Option<DateTime<Utc>> {
    Utc.with_ymd_and_hms(year, 1, 1, 0, 0, 0).single()
}

/// The offset from UTC in seconds, and how much of it is daylight saving time.
fn offset(zone: Tz, at: DateTime<Utc>) -> (i32, i64) {
    let offset = zone.offset_from_utc_datetime(&at.naive_utc());
    (
        offset.fix().local_minus_utc(),
        offset.dst_offset().num_seconds(),
    )
}

/// The first second of the new offset, which is somewhere after `before` and not after `after`.
fn find_change(zone: Tz, before: DateTime<Utc>, after: DateTime<Utc>) -> DateTime<Utc> {
    let old = offset(zone, before);
    let (mut low, mut high) = (before.timestamp(), after.timestamp());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let at = DateTime::from_timestamp(middle, 0).unwrap_or(after);
        if offset(zone, at) == old {
            low = middle;
        } else {
            high = middle;
        }
    }
    DateTime::from_timestamp(high, 0).unwrap_or(after)
}

fn observance(zone: Tz, before: DateTime<Utc>, at: DateTime<Utc>) -> Observance {
    let ((from_s, _), (to_s, summer_s)) = (offset(zone, before), offset(zone, at));
    let named = zone.offset_from_utc_datetime(&at.naive_utc());
    Observance {
        begins: at.naive_utc() + TimeDelta::seconds(i64::from(from_s)),
        from_s,
        to_s,
        is_summer: summer_s > 0,
        // A zone may have no name for a observance.
        name: named.abbreviation().unwrap_or_default().to_owned(),
    }
}

impl Observance {
    fn write(&self, out: &mut Vec<u8>) {
        let kind = if self.is_summer {
            "DAYLIGHT"
        } else {
            "STANDARD"
        };
        ContentLine::new("BEGIN").value(kind, out);
        let begins = self.begins.format("%Y%m%dT%H%M%S").to_string();
        ContentLine::new("DTSTART").value(&begins, out);
        ContentLine::new("TZOFFSETFROM").value(&format_offset(self.from_s), out);
        ContentLine::new("TZOFFSETTO").value(&format_offset(self.to_s), out);
        if !self.name.is_empty() {
            ContentLine::new("TZNAME").text(&self.name, out);
        }
        ContentLine::new("END").value(kind, out);
    }
}

fn format_offset(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let size = seconds.unsigned_abs();
    let (hours, minutes, rest) = (size / 3600, size / 60 % 60, size % 60);
    match rest {
        0 => format!("{sign}{hours:02}{minutes:02}"),
        _ => format!("{sign}{hours:02}{minutes:02}{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_changes_when_its_clocks_do() {
        let berlin = observances(chrono_tz::Europe::Berlin, 2026, 2027);
        let told: Vec<_> = berlin
            .iter()
            .map(|one| {
                (
                    one.begins.to_string(),
                    format_offset(one.from_s),
                    format_offset(one.to_s),
                    one.is_summer,
                )
            })
            .collect();
        let row = |begins: &str, from: &str, to: &str, is_summer| {
            (begins.to_owned(), from.to_owned(), to.to_owned(), is_summer)
        };
        assert_eq!(
            told,
            [
                row("2026-01-01 01:00:00", "+0100", "+0100", false),
                row("2026-03-29 02:00:00", "+0100", "+0200", true),
                row("2026-10-25 03:00:00", "+0200", "+0100", false),
            ]
        );
        assert_eq!(observances(chrono_tz::Asia::Kathmandu, 2026, 2030).len(), 1);
        assert_eq!(format_offset(-12_600), "-0330");
    }
}

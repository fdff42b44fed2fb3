//! Series read from calendar files through calcard.

use std::collections::BTreeMap;
use std::path::Path;

use calcard::common::timezone::Tz as NamedZone;
use calcard::common::{IanaString, PartialDateTime};
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarEntry, ICalendarParameterName,
    ICalendarProperty, ICalendarValue,
};
use calcard::{Entry, Parser};
use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use sextant_formats::recurrence::{EventSeries, EventStatus, EventTiming, Exception, Master};

/// The series of a file by UID and number; exceptions belong to the first of a UID.
pub fn series_of(path: &Path, operator_zone: Tz) -> BTreeMap<String, EventSeries> {
    let text = super::text_of(path);
    let mut parser = Parser::new(&text);
    let mut all = BTreeMap::new();
    let mut exceptions: BTreeMap<String, Vec<Exception>> = BTreeMap::new();
    loop {
        match parser.entry() {
            Entry::ICalendar(calendar) => {
                read(&calendar, operator_zone, &mut all, &mut exceptions);
            }
            Entry::Eof => break,
            _ => {}
        }
    }
    for (uid, exceptions) in exceptions {
        if let Some(series) = all.get_mut(&format!("{uid}#0")) {
            series.exceptions = exceptions;
        }
    }
    all
}

fn read(
    calendar: &ICalendar,
    operator_zone: Tz,
    all: &mut BTreeMap<String, EventSeries>,
    exceptions: &mut BTreeMap<String, Vec<Exception>>,
) {
    let reader = Reader { operator_zone };
    let is_event = |it: &&ICalendarComponent| it.component_type == ICalendarComponentType::VEvent;
    for event in calendar.components.iter().filter(is_event) {
        let uid = event.uid().unwrap_or_default().trim().to_owned();
        if let Some(id) = event.property(&ICalendarProperty::RecurrenceId) {
            if let Some(exception) = reader.exception(event, id) {
                exceptions.entry(uid).or_default().push(exception);
            }
        } else if let Some(master) = reader.master(event) {
            let number = all
                .keys()
                .filter(|key| key.rsplit_once('#').unwrap().0 == uid)
                .count();
            all.insert(
                format!("{uid}#{number}"),
                EventSeries {
                    master: Some(master),
                    exceptions: Vec::new(),
                },
            );
        }
    }
}

/// A point in time in a file: a day, or a local time with the zone given beside it.
enum Point {
    Day(NaiveDate),
    Local(NaiveDateTime, Option<Tz>),
}

struct Reader {
    operator_zone: Tz,
}

impl Reader {
    fn master(&self, event: &ICalendarComponent) -> Option<Master> {
        let is_recurrence = |entry: &&ICalendarEntry| {
            ["RRULE", "RDATE", "EXDATE", "EXRULE", "DURATION"].contains(&entry.name.as_str())
                && entry.values.iter().any(|value| !is_blank(value))
        };
        Some(Master {
            source_id: String::new(),
            timing: self.timing(event)?,
            lines: event
                .entries
                .iter()
                .filter(is_recurrence)
                .map(line)
                .collect(),
            status: status(event),
        })
    }

    fn exception(&self, event: &ICalendarComponent, id: &ICalendarEntry) -> Option<Exception> {
        let mut recurrence_id = match point(id)? {
            Point::Day(day) => day.to_string(),
            Point::Local(local, None) => local.format("%Y-%m-%dT%H:%M:%S").to_string(),
            Point::Local(local, Some(zone)) => instant(local, zone).to_rfc3339(),
        };
        if id.has_parameter(&ICalendarParameterName::Range) {
            recurrence_id.push_str(";RANGE=THISANDFUTURE");
        }
        Some(Exception {
            source_id: String::new(),
            recurrence_id,
            timing: self.timing(event),
            status: status(event),
        })
    }

    fn timing(&self, event: &ICalendarComponent) -> Option<EventTiming> {
        let start = point(event.property(&ICalendarProperty::Dtstart)?)?;
        let end = event.property(&ICalendarProperty::Dtend).and_then(point);
        let length = event
            .property(&ICalendarProperty::Duration)
            .and_then(length);
        match start {
            Point::Day(start) => {
                let end = end.and_then(|end| match end {
                    Point::Day(end) => Some(end),
                    Point::Local(..) => None,
                });
                let by_length = length.map(|(days, _)| start + Days::new(days));
                Some(EventTiming::AllDay {
                    start,
                    end: end.or(by_length),
                })
            }
            Point::Local(local, zone) => {
                let own = zone.unwrap_or(self.operator_zone);
                let end = end.and_then(|end| match end {
                    Point::Day(_) => None,
                    Point::Local(end, zone) => Some(instant(end, zone.unwrap_or(own))),
                });
                let by_length =
                    length.map(|(days, rest)| instant(local + Days::new(days), own) + rest);
                Some(EventTiming::Timed {
                    start: instant(local, own),
                    end: end.or(by_length),
                    zone,
                })
            }
        }
    }
}

fn point(entry: &ICalendarEntry) -> Option<Point> {
    let ICalendarValue::PartialDateTime(value) = entry.values.first()? else {
        return None;
    };
    let local = value.to_date_time()?.date_time;
    if !value.has_time() {
        return Some(Point::Day(local.date()));
    }
    Some(Point::Local(local, zone(entry, value)))
}

fn zone(entry: &ICalendarEntry, value: &PartialDateTime) -> Option<Tz> {
    if value.tz_hour.is_some() {
        return Some(Tz::UTC);
    }
    match entry.tz_id()?.parse() {
        Ok(NamedZone::Tz(zone)) => Some(zone),
        _ => None,
    }
}

/// The instant of a local time, by the same rule as the importer's in its shortest form: within a gap the offset of
/// the day before applies.
fn instant(local: NaiveDateTime, zone: Tz) -> DateTime<Utc> {
    match zone.from_local_datetime(&local).earliest() {
        Some(at) => at.to_utc(),
        None => {
            let day = TimeDelta::days(1);
            zone.from_local_datetime(&(local - day))
                .earliest()
                .unwrap()
                .to_utc()
                + day
        }
    }
}

/// Calendar days and the exact rest; impossible lengths are left out.
fn length(entry: &ICalendarEntry) -> Option<(u64, TimeDelta)> {
    let ICalendarValue::Duration(length) = entry.values.first()? else {
        return None;
    };
    let days = u64::from(length.weeks) * 7 + u64::from(length.days);
    let minutes = i64::from(length.hours) * 60 + i64::from(length.minutes);
    let rest = TimeDelta::minutes(minutes) + TimeDelta::seconds(length.seconds.into());
    (days < 36_525).then_some((days, rest))
}

fn is_blank(value: &ICalendarValue) -> bool {
    value.as_text().is_some_and(|text| text.trim().is_empty())
}

fn line(entry: &ICalendarEntry) -> String {
    let mut folded = String::new();
    entry.write_to(&mut folded).unwrap();
    folded.replace("\r\n ", "").trim_end().to_owned()
}

fn status(event: &ICalendarComponent) -> EventStatus {
    let status = event
        .status()
        .map(|status| status.as_str().to_ascii_lowercase());
    status
        .and_then(|status| status.parse().ok())
        .unwrap_or_default()
}

//! When an event happens: Graph tells instants and the zone in which it was planned, iCalendar wants the local time in that zone.

use chrono::{
    DateTime, Duration, NaiveDate, NaiveDateTime, NaiveTime, Offset as _, TimeZone as _, Utc,
};
use sextant_formats::zone_named;

use super::object::{GraphObject, flag, inner, text};
use super::recurrence::zone_name;

/// The frame in which an event, and all of its series, is written.
#[derive(Clone, Debug)]
pub(super) struct EventFrame {
    is_all_day: bool,
    /// The name of the zone; `None` for UTC.
    zone: Option<String>,
}

impl EventFrame {
    /// The frame of a single event or of a series' first one.
    pub(super) fn of(event: &GraphObject) -> Self {
        let zone = zone_name(event).and_then(zone_named);
        let zone = zone.map(|zone| zone.name().to_owned());
        Self {
            is_all_day: flag(event, "isAllDay").unwrap_or_default(),
            zone: zone.filter(|zone| zone != "UTC"),
        }
    }

    pub(super) const fn is_all_day(&self) -> bool {
        self.is_all_day
    }

    /// The name of its zone; `None` for UTC.
    pub(super) fn zone_name(&self) -> Option<&str> {
        self.zone.as_deref()
    }

    /// The parameters and the value of a property that holds this instant.
    pub(super) fn written(&self, at: DateTime<Utc>) -> (String, String) {
        if self.is_all_day {
            return (";VALUE=DATE".to_owned(), at.format("%Y%m%d").to_string());
        }
        match self.zone.as_deref().zip(self.local(at)) {
            Some((zone, local)) => {
                let local = local.format("%Y%m%dT%H%M%S").to_string();
                (format!(";TZID={zone}"), local)
            }
            None => (String::new(), at.format("%Y%m%dT%H%M%SZ").to_string()),
        }
    }

    /// What ends a rule after a last day.
    pub(super) fn until(&self, last: NaiveDate) -> Option<String> {
        if self.is_all_day {
            return Some(last.format("%Y%m%d").to_string());
        }
        let end = last.and_time(NaiveTime::MIN) + Duration::days(1) - Duration::seconds(1);
        let end = self.instant(end)?;
        Some(end.format("%Y%m%dT%H%M%SZ").to_string())
    }

    /// The start of the occurrence on a day, of a series whose first one starts then.
    pub(super) fn occurrence_on(
        &self,
        day: NaiveDate,
        first: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let time = match self.is_all_day {
            true => NaiveTime::MIN,
            false => self.local(first).unwrap_or(first.naive_utc()).time(),
        };
        match self.is_all_day {
            true => Some(day.and_time(time).and_utc()),
            false => self.instant(day.and_time(time)),
        }
    }

    fn local(&self, at: DateTime<Utc>) -> Option<NaiveDateTime> {
        local_in(self.zone.as_deref()?, at)
    }

    fn instant(&self, local: NaiveDateTime) -> Option<DateTime<Utc>> {
        match self.zone.as_deref() {
            Some(zone) => instant_in(zone, local),
            None => Some(local.and_utc()),
        }
    }
}

/// `start` or `end` of an event. A whole day is the midnight of UTC that bears its date.
pub(super) fn moment(event: &GraphObject, name: &str) -> Option<DateTime<Utc>> {
    let moment = inner(event, name)?;
    let local: NaiveDateTime = text(moment, "dateTime")?
        .trim_end_matches('Z')
        .parse()
        .ok()?;
    if flag(event, "isAllDay") == Some(true) {
        return Some(local.date().and_time(NaiveTime::MIN).and_utc());
    }
    match text(moment, "timeZone") {
        None | Some("UTC") => Some(local.and_utc()),
        Some(zone) => instant_in(zone, local),
    }
}

/// A local time that does not exist, or exists twice, is the first that can be meant.
fn instant_in(zone: &str, local: NaiveDateTime) -> Option<DateTime<Utc>> {
    let zone = zone_named(zone)?;
    let at = zone.from_local_datetime(&local).earliest();
    let later = || {
        zone.from_local_datetime(&(local + Duration::hours(1)))
            .earliest()
    };
    Some(at.or_else(later)?.to_utc())
}

fn local_in(zone: &str, at: DateTime<Utc>) -> Option<NaiveDateTime> {
    let zone = zone_named(zone)?;
    let offset = zone.offset_from_utc_datetime(&at.naive_utc()).fix();
    at.naive_utc().checked_add_offset(offset)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(value: serde_json::Value) -> GraphObject {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn an_instant_is_written_in_the_zone_of_windows_that_it_was_planned_in() {
        let event = event(json!({
            "start": {"dateTime": "2026-07-12T09:00:00.0000000", "timeZone": "UTC"},
            "originalStartTimeZone": "W. Europe Standard Time",
        }));
        let (frame, start) = (EventFrame::of(&event), moment(&event, "start").unwrap());
        let (parameters, value) = frame.written(start);
        assert_eq!(
            (parameters.as_str(), value.as_str()),
            (";TZID=Europe/Berlin", "20260712T110000")
        );
        let winter = frame.occurrence_on(NaiveDate::from_ymd_opt(2026, 12, 1).unwrap(), start);
        assert_eq!(winter.unwrap().to_rfc3339(), "2026-12-01T10:00:00+00:00");
        let until = frame.until(NaiveDate::from_ymd_opt(2026, 12, 1).unwrap());
        assert_eq!(until.as_deref(), Some("20261201T225959Z"));
    }

    #[test]
    fn whole_days_and_unknown_zones() {
        let day = event(json!({
            "isAllDay": true, "start": {"dateTime": "2026-07-12T00:00:00.0000000", "timeZone": "UTC"},
            "originalStartTimeZone": "Pacific Standard Time",
        }));
        let start = moment(&day, "start").unwrap();
        assert_eq!(EventFrame::of(&day).written(start).1, "20260712");
        let custom = event(json!({
            "start": {"dateTime": "2026-07-12T09:00:00", "timeZone": "UTC"},
            "originalStartTimeZone": "tzone://Microsoft/Custom",
        }));
        let start = moment(&custom, "start").unwrap();
        assert_eq!(EventFrame::of(&custom).written(start).1, "20260712T090000Z");
    }
}

//! The first pass over an .ics file: its calendars, with their names and time zones.
//!
//! Holds one small record a VCALENDAR and the VTIMEZONEs, whatever the number of events.

use std::io::BufRead;

use calcard::icalendar::{ICalendar, ICalendarProperty};
use chrono_tz::Tz;
use serde_json::Value;

use super::components::{CALENDAR, IcsComponent, IcsComponents, TIME_ZONE};
use super::parsed::{parse, text};
use super::zones::{IcsZone, Zones};
use crate::entry::RecordFields;
use crate::error::FileError;

/// All calendars of a file in its order.
#[derive(Debug)]
pub(super) struct IcsOutline {
    calendars: Vec<IcsCalendar>,
    /// For components that stand in no VCALENDAR.
    bare: IcsCalendar,
}

#[derive(Debug, Default)]
pub(super) struct IcsCalendar {
    /// A record of `calendar.calendars`, to be nested in each series.
    pub fields: RecordFields,
    /// `X-WR-TIMEZONE`, as it is written.
    zone: Option<String>,
    /// The zone that the person names for times that bear none.
    assumed_zone: Option<Tz>,
    /// `METHOD` in capitals: what the file asks for, if it is a message (RFC 5546).
    pub method: Option<String>,
    pub zones: Zones,
}

impl IcsOutline {
    /// `stem` names a calendar that does not name itself, `zone` is that of times of which the file says none.
    pub(super) fn read<R: BufRead>(
        components: IcsComponents<R>,
        stem: &str,
        zone: Option<Tz>,
    ) -> Result<Self, FileError> {
        let mut outline = Self {
            calendars: Vec::new(),
            bare: IcsCalendar::default(),
        };
        let mut is_calendar = false;
        for component in components {
            is_calendar = true;
            outline.learn(&component?);
        }
        outline.bare.describe(&ICalendar::default(), stem);
        outline.bare.assumed_zone = zone;
        for calendar in &mut outline.calendars {
            calendar.name_after(stem);
            calendar.assumed_zone = zone;
        }
        match is_calendar {
            true => Ok(outline),
            false => Err(FileError::NotThisFormat(
                "this is no calendar: it holds no BEGIN:VCALENDAR",
            )),
        }
    }

    pub(super) fn calendar(&mut self, index: Option<usize>) -> &mut IcsCalendar {
        match index.and_then(|index| self.calendars.get_mut(index)) {
            Some(calendar) => calendar,
            None => &mut self.bare,
        }
    }

    fn learn(&mut self, component: &IcsComponent) {
        let known = self.calendars.len();
        if let Some(index) = component.calendar.filter(|index| *index >= known) {
            self.calendars.resize_with(index + 1, IcsCalendar::default);
        }
        let calendar = self.calendar(component.calendar);
        match component.kind.as_str() {
            CALENDAR => {
                if let Some(parsed) = parse(&component.text) {
                    calendar.describe(&parsed, "");
                }
            }
            TIME_ZONE if component.fault.is_none() => calendar.zones.extend(parse(&component.text)),
            _ => {}
        }
    }
}

impl IcsCalendar {
    fn describe(&mut self, parsed: &ICalendar, stem: &str) {
        let property = |name: ICalendarProperty| text(parsed.components.first()?, &name);
        let extension = |name: &str| {
            text(
                parsed.components.first()?,
                &ICalendarProperty::Other(name.to_owned()),
            )
        };
        let name = extension("X-WR-CALNAME").or_else(|| property(ICalendarProperty::Name));
        let id = extension("X-WR-RELCALID").or_else(|| property(ICalendarProperty::Uid));
        let fields = [
            ("id", id.or_else(|| name.clone())),
            ("name", name),
            (
                "color",
                property(ICalendarProperty::Color).or_else(|| extension("X-APPLE-CALENDAR-COLOR")),
            ),
            ("time_zone", extension("X-WR-TIMEZONE")),
        ];
        self.zone = extension("X-WR-TIMEZONE");
        let present = fields
            .into_iter()
            .filter_map(|(name, text)| Some((name.to_owned(), Value::from(text?))));
        self.fields = present.collect();
        self.method = property(ICalendarProperty::Method).map(|method| method.to_ascii_uppercase());
        self.name_after(stem);
    }

    /// The zone of times that bear none: the file's own, else the one the person names. Without either, or with a zone that
    /// nobody else knows, they are the person's wherever that is, and only the service knows.
    pub(super) fn zone_of_floating(&mut self, year: i32) -> Option<Tz> {
        let own = self.zone.as_deref();
        match own.map(|name| self.zones.resolve(name, year)) {
            Some(Ok(IcsZone::Iana(zone))) => Some(zone),
            _ => self.assumed_zone,
        }
    }

    fn name_after(&mut self, stem: &str) {
        if !stem.is_empty() {
            let name = self
                .fields
                .entry("name")
                .or_insert_with(|| Value::from(stem))
                .clone();
            self.fields.entry("id").or_insert(name);
        }
    }
}

//! The time zones of an .ics file, as zones of the IANA database.
//!
//! A TZID may be an IANA name, an IANA name with a prefix or a suffix, a name of Windows or Outlook, or a name
//! that only the file's own VTIMEZONE defines. Definitions in files are often wrong where names are right, so
//! the name is tried first.

use std::collections::HashMap;
use std::str::FromStr;

use calcard::common::timezone::Tz as CalcardZone;
use calcard::icalendar::{ICalendar, ICalendarProperty};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use chrono_tz::{TZ_VARIANTS, Tz};

use super::vtimezone::{Offsets, instant_of, offset_of};
use crate::entry::quoted;

/// The zone of local times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum IcsZone {
    Iana(Tz),
    /// A zone with offsets that no zone of the database has: usable for instants, not for recurrence rules.
    Custom(Offsets),
}

impl IcsZone {
    /// The instant of a local time in this zone; `None` beyond the calendar.
    pub(super) fn instant(&self, local: NaiveDateTime) -> Option<DateTime<Utc>> {
        match self {
            Self::Iana(zone) => instant_of(local, |utc| offset_of(*zone, utc)),
            Self::Custom(offsets) => instant_of(local, |utc| offsets.at(utc)),
        }
    }

    /// The local time of an instant in this zone; `None` beyond the calendar.
    pub(super) fn local(&self, instant: DateTime<Utc>) -> Option<NaiveDateTime> {
        let utc = instant.naive_utc();
        let offset = match self {
            Self::Iana(zone) => offset_of(*zone, utc),
            Self::Custom(offsets) => offsets.at(utc),
        };
        utc.checked_add_signed(TimeDelta::seconds(offset.into()))
    }
}

/// The zones of one calendar: its definitions, and the names resolved so far.
#[derive(Debug, Default)]
pub(super) struct Zones {
    definitions: HashMap<String, ICalendar>,
    resolved: HashMap<(String, i32), Option<IcsZone>>,
}

impl Extend<ICalendar> for Zones {
    fn extend<T: IntoIterator<Item = ICalendar>>(&mut self, definitions: T) {
        for definition in definitions {
            let name = definition
                .components
                .first()
                .and_then(|component| component.property(&ICalendarProperty::Tzid));
            if let Some(name) = name.and_then(|entry| entry.values.first()?.as_text()) {
                self.definitions
                    .insert(trim_name(name).to_owned(), definition);
            }
        }
    }
}

impl Zones {
    /// The zone that a TZID names. `year` is the year of its use: definitions are compared from that year on.
    ///
    /// # Errors
    /// A sentence, when the name is neither known nor defined in the file.
    pub(super) fn resolve(&mut self, name: &str, year: i32) -> Result<IcsZone, String> {
        let key = (trim_name(name).to_owned(), year);
        if !self.resolved.contains_key(&key) {
            let zone = self.find(&key.0, year);
            self.resolved.insert(key.clone(), zone);
        }
        let zone = self.resolved.get(&key).cloned().flatten();
        zone.ok_or_else(|| {
            format!(
                "the time zone {} is neither known nor defined in the file",
                quoted(name)
            )
        })
    }

    fn find(&self, name: &str, year: i32) -> Option<IcsZone> {
        let definition = self.definitions.get(name);
        let by_name = zone_named(name).filter(|_| definition.is_none() || !is_abbreviation(name));
        let zone = by_name
            .or_else(|| definition.and_then(zone_named_in))
            .or_else(|| Offsets::from_definition(definition?)?.zone(year));
        zone.map(IcsZone::Iana)
            .or_else(|| {
                definition
                    .and_then(Offsets::from_definition)
                    .map(IcsZone::Custom)
            })
            .or_else(|| fixed_zone(name).map(IcsZone::Iana))
    }
}

/// A TZID without the blanks and quotes around it.
fn trim_name(name: &str) -> &str {
    name.trim().trim_matches('"').trim()
}

/// `EST` may mean a zone without daylight saving time, or New York: the file's definition decides.
fn is_abbreviation(name: &str) -> bool {
    name.len() <= 4 && !matches!(name, "UTC" | "GMT")
}

/// The zone of the IANA database that a name means: its own, or that of Windows, Outlook and others. A name that consists of an
/// offset is none.
pub fn zone_named(name: &str) -> Option<Tz> {
    let path = name.replacen(['_', '-'], "/", 1);
    iana_zone(name)
        .or_else(|| iana_zone_at_end(name))
        .or_else(|| iana_zone(&path))
        .or_else(|| vendor_zone(name))
        .or_else(|| zone_of_city(name))
}

/// The names of Windows, Outlook and others. A fixed offset (`Etc/…`) is refused: it has no daylight saving time.
fn vendor_zone(name: &str) -> Option<Tz> {
    match CalcardZone::from_str(name) {
        Ok(CalcardZone::Tz(zone)) => Some(zone).filter(|zone| !zone.name().starts_with("Etc/")),
        _ => None,
    }
}

/// `(UTC+02:00) Athens, Bucharest`: the zone of the first city that has one.
fn zone_of_city(name: &str) -> Option<Tz> {
    let cities = name.split_once(')').map_or(name, |(_, cities)| cities);
    let is_list = cities.contains([',', '/']) || cities.len() < name.len();
    let mut cities = cities
        .split([',', '/'])
        .map(|city| city.trim().replace(' ', "_"))
        .filter(|_| is_list);
    cities.find_map(|city| {
        let is_named = |zone: &&Tz| zone.name().rsplit('/').next() == Some(city.as_str());
        TZ_VARIANTS.iter().find(is_named).copied()
    })
}

fn iana_zone(name: &str) -> Option<Tz> {
    TZ_VARIANTS
        .iter()
        .find(|zone| zone.name().eq_ignore_ascii_case(name))
        .copied()
}

/// `/example.com/2007/America/New_York`: the longest suffix of at least two parts that is a zone.
fn iana_zone_at_end(name: &str) -> Option<Tz> {
    let slashes = name
        .match_indices('/')
        .filter_map(|(at, _)| name.get(at + 1..));
    slashes.filter(|end| end.contains('/')).find_map(iana_zone)
}

/// The zone that a VTIMEZONE names beside its TZID (`X-LIC-LOCATION`, `X-MICROSOFT-CDO-TZID`).
fn zone_named_in(definition: &ICalendar) -> Option<Tz> {
    match definition.components.first()?.timezone()?.1 {
        CalcardZone::Tz(zone) => Some(zone),
        CalcardZone::Fixed(_) | CalcardZone::Floating => None,
    }
}

/// `(GMT+02.00)`: a name that consists of an offset.
fn fixed_zone(name: &str) -> Option<Tz> {
    match CalcardZone::from_str(name) {
        Ok(CalcardZone::Tz(zone)) if name.ends_with(')') => Some(zone),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_everywhere_are_iana_zones() {
        let table = [
            ("Europe/Berlin", "Europe/Berlin"),
            ("europe/berlin", "Europe/Berlin"),
            ("\"America/Los_Angeles\"", "America/Los_Angeles"),
            ("Europe_London", "Europe/London"),
            ("America-Chicago", "America/Chicago"),
            ("W. Europe Standard Time", "Europe/Berlin"),
            ("Eastern Standard Time", "America/New_York"),
            (
                "/softwarestudio.org/Olson_20011030_5/America/Chicago",
                "America/Chicago",
            ),
            (
                "/freeassociation.sourceforge.net/Tzfile/America/Argentina/Buenos_Aires",
                "America/Argentina/Buenos_Aires",
            ),
            (
                "/mozilla.org/20070129_1/America/New_York",
                "America/New_York",
            ),
            ("(UTC-05:00) Eastern Time (US & Canada)", "America/New_York"),
            ("(UTC+02:00) Athens, Bucharest, Istanbul", "Europe/Athens"),
            ("(GMT+01.00) Sarajevo/Warsaw/Zagreb", "Europe/Sarajevo"),
            ("Amsterdam, Belgrade, Berlin, Brussels", "Europe/Amsterdam"),
            ("(GMT +01:00)", "Etc/GMT-1"),
            ("UTC", "UTC"),
        ];
        for (name, expected) in table {
            let Ok(IcsZone::Iana(zone)) = Zones::default().resolve(name, 2026) else {
                panic!("{name} is not resolved")
            };
            assert_eq!(zone.name(), expected);
        }
    }

    #[test]
    fn an_unknown_name_is_an_error_that_names_it() {
        let reason = Zones::default()
            .resolve("Nowhere/Middle", 2026)
            .unwrap_err();
        assert!(reason.contains("`Nowhere/Middle`"), "{reason}");
    }

    #[test]
    fn each_zone_of_the_database_is_found_by_its_own_name() {
        for zone in TZ_VARIANTS {
            assert_eq!(zone_named(zone.name()), Some(zone), "{zone}");
        }
    }
}

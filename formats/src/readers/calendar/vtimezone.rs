//! The offsets that a VTIMEZONE defines (RFC 5545 §3.6.5), and the zone of the IANA database that has the same offsets.
//!
//! It knows no names of zones; `zones` does.

use calcard::common::PartialDateTime;
use calcard::common::timezone::Tz as CalcardZone;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarProperty,
};
use chrono::{
    DateTime, Datelike, Days, NaiveDate, NaiveDateTime, Offset, TimeDelta, TimeZone, Utc,
};
use chrono_tz::{TZ_VARIANTS, Tz};

/// The most onsets of one STANDARD or DAYLIGHT that are expanded. Outlook begins its rules in 1601.
const ONSETS_MAX: usize = 600;
/// For how many years from the year of the event a zone must have the same offsets, hour by hour.
const YEARS_COMPARED: i32 = 2;

/// Preferred among zones with the same offsets, because most people live in them.
const WELL_KNOWN: [Tz; 20] = [
    Tz::UTC,
    Tz::Europe__London,
    Tz::Europe__Berlin,
    Tz::Europe__Athens,
    Tz::Europe__Moscow,
    Tz::Europe__Istanbul,
    Tz::America__New_York,
    Tz::America__Chicago,
    Tz::America__Denver,
    Tz::America__Phoenix,
    Tz::America__Los_Angeles,
    Tz::America__Anchorage,
    Tz::America__Halifax,
    Tz::America__Sao_Paulo,
    Tz::Asia__Kolkata,
    Tz::Asia__Shanghai,
    Tz::Asia__Tokyo,
    Tz::Asia__Dubai,
    Tz::Australia__Sydney,
    Tz::Pacific__Auckland,
];

/// The offsets of a zone over time, as a file defines them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offsets {
    /// The instants in UTC from which each offset, in seconds east, applies; in order.
    onsets: Vec<(NaiveDateTime, i32)>,
    /// The offset before the first onset.
    earliest: i32,
}

impl Offsets {
    /// The offsets of a VTIMEZONE; `None` if it defines none that can be read.
    pub(super) fn from_definition(definition: &ICalendar) -> Option<Self> {
        let observances = definition.components.iter().filter(|component| {
            matches!(
                component.component_type,
                ICalendarComponentType::Standard | ICalendarComponentType::Daylight
            )
        });
        let mut onsets: Vec<_> = observances.filter_map(onsets_of).flatten().collect();
        onsets.sort_unstable();
        let earliest = onsets.first()?.1;
        let onsets = onsets.into_iter().map(|(at, _, to)| (at, to)).collect();
        Some(Self { onsets, earliest })
    }

    /// The offset at an instant in UTC, in seconds east.
    pub(super) fn at(&self, utc: NaiveDateTime) -> i32 {
        let after = self.onsets.partition_point(|(onset, _)| *onset <= utc);
        let current = after
            .checked_sub(1)
            .and_then(|index| self.onsets.get(index));
        current.map_or(self.earliest, |(_, offset)| *offset)
    }

    /// A zone of the IANA database with these offsets in the years from `year` on.
    pub(super) fn zone(&self, year: i32) -> Option<Tz> {
        let from = NaiveDate::from_ymd_opt(year, 1, 1)?.and_hms_opt(0, 0, 0)?;
        let until = from.with_year(year + YEARS_COMPARED)?;
        let mut candidates = WELL_KNOWN.iter().chain(TZ_VARIANTS.iter());
        candidates
            .find(|zone| self.equals(**zone, from, until))
            .copied()
    }

    fn equals(&self, zone: Tz, from: NaiveDateTime, until: NaiveDateTime) -> bool {
        let hours =
            std::iter::successors(Some(from), |at| at.checked_add_signed(TimeDelta::hours(1)));
        hours
            .take_while(|at| *at < until)
            .all(|at| self.at(at) == offset_of(zone, at))
    }
}

/// The offset of an IANA zone at an instant in UTC, in seconds east.
pub(super) fn offset_of(zone: Tz, utc: NaiveDateTime) -> i32 {
    zone.offset_from_utc_datetime(&utc).fix().local_minus_utc()
}

/// The instants at which one STANDARD or DAYLIGHT begins, with the offsets before and after.
fn onsets_of(observance: &ICalendarComponent) -> Option<Vec<(NaiveDateTime, i32, i32)>> {
    let from = seconds_of(moment(observance, &ICalendarProperty::Tzoffsetfrom)?)?;
    let to = seconds_of(moment(observance, &ICalendarProperty::Tzoffsetto)?)?;
    let instants = local_onsets(observance)?.into_iter().filter_map(|local| {
        let instant = local.checked_sub_signed(TimeDelta::seconds(from.into()))?;
        Some((instant, from, to))
    });
    Some(instants.collect())
}

/// The local times of DTSTART and those that RRULE and RDATE add to it, expanded like those of an event.
fn local_onsets(observance: &ICalendarComponent) -> Option<Vec<NaiveDateTime>> {
    let first = moment(observance, &ICalendarProperty::Dtstart)?
        .to_date_time()?
        .date_time;
    let relevant = |name: &ICalendarProperty| {
        matches!(
            name,
            ICalendarProperty::Dtstart | ICalendarProperty::Rrule | ICalendarProperty::Rdate
        )
    };
    let event = ICalendarComponent {
        component_type: ICalendarComponentType::VEvent,
        entries: observance
            .entries
            .iter()
            .filter(|entry| relevant(&entry.name))
            .cloned()
            .collect(),
        component_ids: Vec::new(),
    };
    let expanded = ICalendar {
        components: vec![event],
    }
    .expand_dates(CalcardZone::Floating, ONSETS_MAX);
    let mut onsets: Vec<_> = expanded
        .events
        .iter()
        .map(|event| event.start.naive_local())
        .collect();
    onsets.push(first);
    Some(onsets)
}

fn moment<'a>(
    component: &'a ICalendarComponent,
    name: &ICalendarProperty,
) -> Option<&'a PartialDateTime> {
    component
        .property(name)?
        .values
        .first()?
        .as_partial_date_time()
}

fn seconds_of(offset: &PartialDateTime) -> Option<i32> {
    let minutes = i32::from(offset.tz_hour?) * 60 + i32::from(offset.tz_minute.unwrap_or(0));
    Some(if offset.tz_minus {
        -minutes * 60
    } else {
        minutes * 60
    })
}

/// The instant of a local time under offsets that may change: the first of two, and in a gap the one under the
/// offset before it (RFC 5545 §3.3.5).
pub(super) fn instant_of(
    local: NaiveDateTime,
    offset_at: impl Fn(NaiveDateTime) -> i32,
) -> Option<DateTime<Utc>> {
    let before = offset_at(local.checked_sub_days(Days::new(1))?);
    let after = offset_at(local.checked_add_days(Days::new(1))?);
    let under = |offset: i32| local.checked_sub_signed(TimeDelta::seconds(offset.into()));
    let (first, second) = (under(before)?, under(after)?);
    let is_second = offset_at(first) != before && offset_at(second) == after;
    Some(if is_second { second } else { first }.and_utc())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::calendar::parsed::parse;

    const OUTLOOK_BERLIN: &str = "BEGIN:VTIMEZONE\nTZID:Customized Time Zone\nBEGIN:STANDARD\nDTSTART:16010101T030000
TZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD\nBEGIN:DAYLIGHT
DTSTART:16010101T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE\n";

    fn at(text: &str) -> NaiveDateTime {
        text.parse().unwrap()
    }

    #[test]
    fn a_definition_is_matched_by_its_offsets() {
        let offsets = Offsets::from_definition(&parse(OUTLOOK_BERLIN).unwrap()).unwrap();
        assert_eq!(offsets.at(at("2026-01-01T00:00:00")), 3600);
        assert_eq!(offsets.at(at("2026-03-29T00:59:59")), 3600);
        assert_eq!(offsets.at(at("2026-03-29T01:00:00")), 7200);
        assert_eq!(offsets.zone(2026), Some(Tz::Europe__Berlin));
    }

    #[test]
    fn offsets_that_no_zone_has_match_none() {
        let odd = OUTLOOK_BERLIN.replace("+0200", "+0217");
        assert_eq!(
            Offsets::from_definition(&parse(&odd).unwrap())
                .unwrap()
                .zone(2026),
            None
        );
    }

    #[test]
    fn local_times_on_the_days_of_change_have_one_instant() {
        let berlin = |utc| offset_of(Tz::Europe__Berlin, utc);
        let table = [
            ("2026-03-29T01:59:00", "2026-03-29T00:59:00"),
            ("2026-03-29T02:30:00", "2026-03-29T01:30:00"),
            ("2026-03-29T03:00:00", "2026-03-29T01:00:00"),
            ("2026-10-25T02:30:00", "2026-10-25T00:30:00"),
            ("2026-10-25T03:00:00", "2026-10-25T02:00:00"),
            ("2026-07-01T12:00:00", "2026-07-01T10:00:00"),
        ];
        for (local, instant) in table {
            assert_eq!(
                instant_of(at(local), berlin).unwrap().naive_utc(),
                at(instant),
                "{local}"
            );
        }
    }
}

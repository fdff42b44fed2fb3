//! The recurrence of an event as content lines: RRULE as the file has it, RDATE and EXDATE in IANA zones.
//!
//! Nothing is expanded here. An event that the expansion would get wrong is refused: a rule that does not parse, a rule
//! in another calendar system, or a zone that only the file defines.

use calcard::common::{CalendarScale, IanaString as _};
use calcard::icalendar::{
    ICalendarComponent, ICalendarEntry, ICalendarProperty, ICalendarRecurrenceRule, ICalendarValue,
};

use super::moment::IcsMoment;
use super::recurrence_dates::dates_line;
use super::zones::Zones;
use crate::entry::quoted;

/// The properties that make an event repeat; some programs write them without a value.
const REPEATING: [ICalendarProperty; 3] = [
    ICalendarProperty::Rrule,
    ICalendarProperty::Rdate,
    ICalendarProperty::Exrule,
];

/// The lines of an event; empty if it happens once. `text` is its unfolded text, `start` its start.
///
/// # Errors
/// A sentence that says why the event cannot be repeated as its file says.
pub(super) fn lines(
    event: &ICalendarComponent,
    text: &str,
    start: &IcsMoment,
    zones: &mut Zones,
) -> Result<Vec<String>, String> {
    if REPEATING
        .iter()
        .all(|name| with_values(event, name).next().is_none())
    {
        return Ok(Vec::new());
    }
    if event.has_property(&ICalendarProperty::Exrule) {
        return Err("it repeats with an EXRULE, which RFC 5545 has withdrawn".to_owned());
    }
    if start.is_custom() {
        return Err("it repeats in a time zone that the file defines and that is like no zone of the IANA database".to_owned());
    }
    for entry in with_values(event, &ICalendarProperty::Rrule) {
        check_rule(entry)?;
    }
    let mut lines: Vec<String> = own_lines(text).filter_map(to_rule_line).collect();
    for name in [ICalendarProperty::Rdate, ICalendarProperty::Exdate] {
        for entry in with_values(event, &name) {
            lines.push(dates_line(entry, start, zones)?);
        }
    }
    Ok(lines)
}

fn with_values<'a>(
    event: &'a ICalendarComponent,
    name: &'a ICalendarProperty,
) -> impl Iterator<Item = &'a ICalendarEntry> {
    let is_empty =
        |value: &ICalendarValue| value.as_text().is_some_and(|text| text.trim().is_empty());
    event
        .properties(name)
        .filter(move |entry| !entry.values.iter().all(is_empty))
}

fn check_rule(entry: &ICalendarEntry) -> Result<(), String> {
    match entry.values.first() {
        Some(ICalendarValue::RecurrenceRule(rule)) => check_scale(rule),
        Some(other) => Err(format!(
            "RRULE {} cannot be read",
            quoted(other.as_text().unwrap_or_default())
        )),
        None => Ok(()),
    }
}

fn check_scale(rule: &ICalendarRecurrenceRule) -> Result<(), String> {
    match &rule.rscale {
        None | Some(CalendarScale::Gregorian) => Ok(()),
        Some(scale) => Err(format!(
            "it repeats by the {} calendar (RSCALE)",
            scale.as_str().to_ascii_lowercase()
        )),
    }
}

/// The lines of a component without those of the components inside it.
fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.lines().filter(move |line| {
        let begins = line.starts_with("BEGIN:");
        let is_own = depth == 1;
        depth = (depth + usize::from(begins)).saturating_sub(usize::from(line.starts_with("END:")));
        is_own && !begins
    })
}

fn to_rule_line(line: &str) -> Option<String> {
    let (name, value) = line.split_once(':')?;
    let name = name.split(';').next()?.trim();
    (name.eq_ignore_ascii_case("RRULE") && !value.trim().is_empty())
        .then(|| format!("RRULE:{}", value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::calendar::parsed::parse;
    use crate::readers::calendar::times::EventSpan;

    fn read(lines_of_event: &str) -> Result<Vec<String>, String> {
        let text = format!(
            "BEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20260101T100000\n{lines_of_event}\nEND:VEVENT\n"
        );
        let event = parse(&text).unwrap();
        let mut zones = Zones::default();
        let span = EventSpan::from_event(&event.components[0], &mut zones).unwrap();
        lines(&event.components[0], &text, &span.start, &mut zones)
    }

    #[test]
    fn rules_keep_their_form_and_dates_get_iana_zones() {
        let table = [
            ("RRULE:FREQ=DAILY;COUNT=3", vec!["RRULE:FREQ=DAILY;COUNT=3"]),
            (
                "RRULE;X-A=b:FREQ=DAILY\nBEGIN:VALARM\nRRULE:FREQ=YEARLY\nEND:VALARM",
                vec!["RRULE:FREQ=DAILY"],
            ),
            (
                "RRULE:FREQ=DAILY\nEXDATE;TZID=W. Europe Standard Time:20260102T100000,20260103T100000",
                vec![
                    "RRULE:FREQ=DAILY",
                    "EXDATE;TZID=Europe/Berlin:20260102T100000,20260103T100000",
                ],
            ),
            ("RDATE:20260102T090000Z", vec!["RDATE:20260102T090000Z"]),
            (
                "RDATE;VALUE=DATE:20260102",
                vec!["RDATE;VALUE=DATE:20260102"],
            ),
            (
                "RDATE;VALUE=PERIOD:20260102T090000Z/PT1H",
                vec!["RDATE;VALUE=PERIOD:20260102T090000Z/P0DT1H0M0S"],
            ),
            (
                "RDATE;VALUE=PERIOD:20260102T090000+0200/PT1H",
                vec!["RDATE;VALUE=PERIOD:20260102T070000Z/P0DT1H0M0S"],
            ),
            (
                "RDATE;VALUE=PERIOD:20260102T090000/20260102T100000",
                vec!["RDATE;VALUE=PERIOD:20260102T090000/20260102T100000"],
            ),
            ("SUMMARY:once\nEXDATE:20260102T090000Z", vec![]),
            ("RRULE:\nRDATE:", vec![]),
        ];
        for (content, expected) in table {
            assert_eq!(read(content).unwrap(), expected, "{content}");
        }
    }

    #[test]
    fn rules_that_cannot_be_followed_are_refused() {
        let table = [
            ("RRULE:W1 MO #10", "RRULE `W1 MO #10` cannot be read"),
            (
                "RRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY",
                "it repeats with an EXRULE",
            ),
            (
                "RRULE:RSCALE=CHINESE;FREQ=YEARLY",
                "it repeats by the chinese calendar",
            ),
            (
                "RDATE:20260231T100000",
                "RDATE is a date that does not exist",
            ),
            (
                "RDATE;VALUE=PERIOD:20260231T090000Z/PT1H",
                "RDATE is a date that does not exist",
            ),
            (
                "RDATE;VALUE=PERIOD:20260201T090000Z/20260231T100000Z",
                "RDATE is a date that does not exist",
            ),
            (
                "RDATE;TZID=Nowhere:20260201T100000",
                "the time zone `Nowhere` is neither known",
            ),
        ];
        for (content, reason) in table {
            let found = read(content).unwrap_err();
            assert!(found.starts_with(reason), "{content}: {found}");
        }
    }
}

//! The components of an .ics file, one at a time, each as its unfolded text.
//!
//! Forgiving about what is broken: a component that was not closed ends where the next begins and is refused, an `END` without a
//! `BEGIN` is dropped, an `END` that is missing inside is added. Knows BEGIN and END, no other property.

use std::collections::VecDeque;

use crate::readers::components::{
    ComponentFault, ComponentRules, Components, Folding, LINE_BYTES_MAX,
};
use crate::text::decode;
use crate::text::lines::TextLine;

/// The longest component that is read.
const COMPONENT_BYTES_MAX: usize = 4 * 1024 * 1024;

pub(super) const CALENDAR: &str = "VCALENDAR";
pub(super) const TIME_ZONE: &str = "VTIMEZONE";
/// Components that stand in no other; where one begins within another, the other was not closed.
const NEVER_INSIDE: [&str; 6] = [
    CALENDAR,
    TIME_ZONE,
    "VEVENT",
    "VTODO",
    "VJOURNAL",
    "VFREEBUSY",
];
/// Properties that may be dropped for their length: what they carry is not stored.
const DISPENSABLE: [&str; 3] = ["ATTACH", "IMAGE", "X-"];

/// A component with all it holds, or the properties of a VCALENDAR without its components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IcsComponent {
    /// In capitals.
    pub kind: String,
    /// The line of its BEGIN, counted from 1.
    pub line: u64,
    /// The ordinal of the VCALENDAR it stands in.
    pub calendar: Option<usize>,
    /// Its unfolded lines, BEGIN and END included.
    pub text: String,
    /// How many properties were dropped for their length.
    pub dropped: u64,
    /// Why it is refused.
    pub fault: Option<ComponentFault>,
}

impl IcsComponent {
    pub(super) fn is_entry(&self) -> bool {
        self.kind != CALENDAR && self.kind != TIME_ZONE
    }

    /// Its UID, for showing; empty if it has none.
    pub(super) fn uid(&self) -> &str {
        let uid = self.text.lines().find_map(|line| line.strip_prefix("UID"));
        let value = uid
            .and_then(|uid| uid.split_once(':'))
            .map(|(_, value)| value);
        value.unwrap_or_default().trim()
    }
}

/// Iterates over the components of a reader. A VCALENDAR comes after its components.
pub(super) type IcsComponents<R> = Components<R, IcsRules>;

/// Which component the next line belongs to.
#[derive(Debug, Default)]
pub(super) struct IcsRules {
    calendars: usize,
    /// The VCALENDAR that is open.
    calendar: Option<IcsComponent>,
    component: Option<IcsComponent>,
    /// Names of what is open within the component.
    inside: Vec<String>,
}

impl ComponentRules for IcsRules {
    type Component = IcsComponent;

    const MARKER_BYTES_MAX: usize = LINE_BYTES_MAX;

    fn folding(&self) -> Folding {
        Folding::Calendar
    }

    fn begin(&mut self, line: u64, kind: String, complete: &mut VecDeque<IcsComponent>) {
        if self.component.is_some() && !NEVER_INSIDE.contains(&kind.as_str()) {
            self.append(&format!("BEGIN:{kind}"));
            self.inside.push(kind);
            return;
        }
        self.abandon_component(complete);
        let component = IcsComponent {
            text: format!("BEGIN:{kind}\n"),
            kind,
            line,
            calendar: self.calendar.as_ref().and_then(|open| open.calendar),
            dropped: 0,
            fault: None,
        };
        if component.kind == CALENDAR {
            self.end_calendar(complete);
            let calendar = Some(self.calendars);
            self.calendars += 1;
            self.calendar = Some(IcsComponent {
                calendar,
                ..component
            });
        } else {
            self.component = Some(component);
        }
    }

    fn end(&mut self, _line: u64, kind: &str, complete: &mut VecDeque<IcsComponent>) {
        let is_component = |open: &IcsComponent| open.kind == kind;
        if let Some(at) = self.inside.iter().rposition(|inside| inside == kind) {
            self.end_inside(at);
        } else if self.component.as_ref().is_some_and(is_component) {
            self.end_inside(0);
            self.append(&format!("END:{kind}"));
            complete.extend(self.component.take());
        } else if kind == CALENDAR {
            self.abandon_component(complete);
            self.end_calendar(complete);
        }
    }

    fn add_property(&mut self, line: &TextLine) {
        let text = decode(&line.bytes, None);
        if !line.is_cut {
            self.append(&text);
        } else if DISPENSABLE.iter().any(|name| text.starts_with(name)) {
            self.component.iter_mut().for_each(|open| open.dropped += 1);
        } else {
            self.set_fault(ComponentFault::LineTooLong { line: line.number });
        }
    }

    fn finish(&mut self, complete: &mut VecDeque<IcsComponent>) {
        self.abandon_component(complete);
        self.end_calendar(complete);
    }
}

impl IcsRules {
    /// Closes what is open within the component, down to the depth `at`.
    fn end_inside(&mut self, at: usize) {
        for kind in self.inside.split_off(at).into_iter().rev() {
            self.append(&format!("END:{kind}"));
        }
    }

    fn append(&mut self, text: &str) {
        let Some(component) = self.component.as_mut().or(self.calendar.as_mut()) else {
            return;
        };
        if component.text.len() + text.len() > COMPONENT_BYTES_MAX {
            self.set_fault(ComponentFault::TooLong {
                bytes_max: COMPONENT_BYTES_MAX,
            });
        } else {
            component.text.push_str(text);
            component.text.push('\n');
        }
    }

    /// Refuses the open component; the first reason stays. A VCALENDAR is not refused: what is too much of it is dropped.
    fn set_fault(&mut self, fault: ComponentFault) {
        if let Some(component) = self.component.as_mut() {
            component.fault.get_or_insert(fault);
        }
    }

    /// Refuses the open component, if there is one, because it was not closed.
    fn abandon_component(&mut self, complete: &mut VecDeque<IcsComponent>) {
        if let Some(mut component) = self.component.take() {
            let kind = component.kind.clone();
            component
                .fault
                .get_or_insert(ComponentFault::NotClosed { kind });
            self.inside.clear();
            complete.push_back(component);
        }
    }

    fn end_calendar(&mut self, complete: &mut VecDeque<IcsComponent>) {
        if let Some(mut calendar) = self.calendar.take() {
            calendar.text.push_str("END:VCALENDAR\n");
            complete.push_back(calendar);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn components(text: &str) -> Vec<IcsComponent> {
        IcsComponents::new(text.as_bytes())
            .map(Result::unwrap)
            .collect()
    }

    #[test]
    fn alarms_are_parts_and_folded_lines_are_one() {
        let text = "begin:vcalendar\r\nX-A:1\r\nBEGIN:VEVENT\r\nUID:a\r\n b\r\nBEGIN:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
        let components = components(text);
        assert_eq!(
            components[0].text,
            "BEGIN:VEVENT\nUID:ab\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\n"
        );
        assert_eq!(
            (
                components[0].line,
                components[0].uid(),
                components[0].calendar
            ),
            (3, "ab", Some(0))
        );
        assert_eq!(
            components[1].text,
            "BEGIN:VCALENDAR\nX-A:1\nEND:VCALENDAR\n"
        );
    }

    #[test]
    fn an_unclosed_component_ends_where_the_next_begins() {
        let text =
            "BEGIN:VEVENT\nUID:1\nBEGIN:VEVENT\nUID:2\nEND:VEVENT\nEND:VTODO\nBEGIN:VTODO\nUID:3";
        let components = components(text);
        let seen: Vec<_> = components
            .iter()
            .map(|one| (one.uid(), one.fault.is_some()))
            .collect();
        assert_eq!(seen, [("1", true), ("2", false), ("3", true)]);
    }

    #[test]
    fn a_long_attachment_is_dropped_and_a_long_title_is_a_fault() {
        let long = "x".repeat(LINE_BYTES_MAX);
        let text = format!(
            "BEGIN:VEVENT\nATTACH:{long}\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:{long}\nUID:2\nEND:VEVENT\n"
        );
        let components = components(&text);
        assert_eq!(components[0].fault, None);
        let fault = components[1].fault.as_ref().unwrap().to_string();
        assert!(fault.starts_with("line 5 is longer"));
        assert_eq!(components[1].uid(), "2");
    }

    proptest! {
        #[test]
        fn every_event_that_begins_leaves(lines in proptest::collection::vec(0_usize..7, 0..60)) {
            let known = ["BEGIN:VEVENT", "END:VEVENT", "BEGIN:VALARM", "END:VALARM", "BEGIN:VCALENDAR", "END:VCALENDAR", " x"];
            let text: String = lines.iter().map(|line| format!("{}\n", known[*line])).collect();
            let folded = text.replace("\n x", "x");
            let begun = folded.lines().filter(|line| *line == "BEGIN:VEVENT").count();
            let left = components(&text).iter().filter(|one| one.kind == "VEVENT").count();
            prop_assert_eq!(left, begun);
        }
    }
}

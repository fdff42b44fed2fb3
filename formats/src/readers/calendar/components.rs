//! Lines of an .ics file to whole components, one at a time, each within a limit.
//!
//! Forgiving about what is broken: a component that was not closed ends where the next begins and says so, a
//! stray `END` is dropped, a forgotten `END` inside is added. Knows BEGIN and END, no other property.

use std::io::{self, BufRead};
use std::iter::Peekable;

use crate::entry::shorten;
use crate::text::decode;
use crate::text::lines::{TextLine, TextLines};

/// The longest line that is read, unfolded.
pub(super) const LINE_BYTES_MAX: usize = 1024 * 1024;
/// The longest component that is read.
pub(super) const COMPONENT_BYTES_MAX: usize = 4 * 1024 * 1024;

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
    pub fault: Option<String>,
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
pub(super) struct IcsComponents<R: BufRead> {
    lines: Peekable<TextLines<R>>,
    calendars: usize,
    /// The VCALENDAR that is open.
    calendar: Option<IcsComponent>,
    component: Option<IcsComponent>,
    /// Names of what is open within the component.
    inside: Vec<String>,
    ready: Vec<IcsComponent>,
    is_ended: bool,
}

impl<R: BufRead> IcsComponents<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            lines: TextLines::new(reader, LINE_BYTES_MAX).peekable(),
            calendars: 0,
            calendar: None,
            component: None,
            inside: Vec::new(),
            ready: Vec::new(),
            is_ended: false,
        }
    }

    /// The next line with its continuations (RFC 5545 §3.1).
    fn next_unfolded(&mut self) -> Option<io::Result<TextLine>> {
        let mut line = match self.lines.next()? {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        while let Some(Ok(next)) = self.lines.next_if(is_continuation) {
            let room = LINE_BYTES_MAX.saturating_sub(line.bytes.len());
            line.is_cut |= next.is_cut || next.bytes.len() > room.saturating_add(1);
            line.bytes.extend(next.bytes.into_iter().skip(1).take(room));
        }
        Some(Ok(line))
    }

    fn take(&mut self, line: &TextLine) {
        let text = decode(&line.bytes, None);
        match text.split_once(':') {
            Some((name, kind)) if name.trim().eq_ignore_ascii_case("BEGIN") => {
                self.begin(line.number, kind.trim().to_ascii_uppercase());
            }
            Some((name, kind)) if name.trim().eq_ignore_ascii_case("END") => {
                self.end(&kind.trim().to_ascii_uppercase())
            }
            _ => self.property(line, &text),
        }
    }

    fn begin(&mut self, line: u64, kind: String) {
        if self.component.is_some() && !NEVER_INSIDE.contains(&kind.as_str()) {
            self.append(&format!("BEGIN:{kind}"));
            self.inside.push(kind);
            return;
        }
        self.abandon();
        let component = IcsComponent {
            text: format!("BEGIN:{kind}\n"),
            kind,
            line,
            calendar: self
                .calendar
                .as_ref()
                .and_then(|calendar| calendar.calendar),
            dropped: 0,
            fault: None,
        };
        if component.kind == CALENDAR {
            self.end_calendar();
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

    fn end(&mut self, kind: &str) {
        if let Some(at) = self.inside.iter().rposition(|inside| inside == kind) {
            self.end_inside(at);
        } else if self
            .component
            .as_ref()
            .is_some_and(|component| component.kind == kind)
        {
            self.end_inside(0);
            self.append(&format!("END:{kind}"));
            self.ready.extend(self.component.take());
        } else if kind == CALENDAR {
            self.abandon();
            self.end_calendar();
        }
    }

    fn end_inside(&mut self, at: usize) {
        while self.inside.len() > at {
            let kind = self.inside.pop().unwrap_or_default();
            self.append(&format!("END:{kind}"));
        }
    }

    fn property(&mut self, line: &TextLine, text: &str) {
        if !line.is_cut {
            self.append(text);
        } else if DISPENSABLE.iter().any(|name| text.starts_with(name)) {
            self.component.iter_mut().for_each(|open| open.dropped += 1);
        } else {
            self.set_fault(format!(
                "line {} is longer than {LINE_BYTES_MAX} bytes",
                line.number
            ));
        }
    }

    fn append(&mut self, text: &str) {
        let Some(component) = self.component.as_mut().or(self.calendar.as_mut()) else {
            return;
        };
        if component.text.len() + text.len() > COMPONENT_BYTES_MAX {
            self.set_fault(format!("it is longer than {COMPONENT_BYTES_MAX} bytes"));
        } else {
            component.text.push_str(text);
            component.text.push('\n');
        }
    }

    fn set_fault(&mut self, fault: String) {
        if let Some(component) = self.component.as_mut() {
            component.fault.get_or_insert(fault);
        }
    }

    /// Gives up on the open component, if there is one.
    fn abandon(&mut self) {
        if let Some(mut component) = self.component.take() {
            let fault = format!("it has no END:{}", shorten(&component.kind));
            component.fault.get_or_insert(fault);
            self.inside.clear();
            self.ready.push(component);
        }
    }

    fn end_calendar(&mut self) {
        if let Some(mut calendar) = self.calendar.take() {
            calendar.text.push_str("END:VCALENDAR\n");
            self.ready.push(calendar);
        }
    }

    fn next_ready(&mut self) -> Option<IcsComponent> {
        (!self.ready.is_empty()).then(|| self.ready.remove(0))
    }
}

fn is_continuation(line: &io::Result<TextLine>) -> bool {
    line.as_ref()
        .is_ok_and(|line| matches!(line.bytes.first(), Some(b' ' | b'\t')))
}

impl<R: BufRead> Iterator for IcsComponents<R> {
    type Item = io::Result<IcsComponent>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(component) = self.next_ready() {
                return Some(Ok(component));
            }
            if self.is_ended {
                return None;
            }
            match self.next_unfolded() {
                Some(Ok(line)) => self.take(&line),
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    self.is_ended = true;
                    self.abandon();
                    self.end_calendar();
                }
            }
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
        assert!(
            components[1]
                .fault
                .as_deref()
                .unwrap()
                .starts_with("line 5 is longer")
        );
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

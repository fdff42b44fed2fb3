//! Tags to whole entries of a health export, one at a time.
//!
//! An entry is an element that stands directly in `HealthData`; what stands in it are its parts. Of these only the
//! ones that say something of the entry are held. What is broken costs little: an entry that was not closed ends
//! where the next begins, an end without a beginning is skipped.

use std::io::{self, BufRead};

use super::element::{HealthElement, name_in};
use super::item::{ENTRIES, HealthItem, META, NO_ENTRIES, ROOT, STATISTICS, may_hold};
use crate::entry::{LeftBehind, shorten};
use crate::readers::markup::{Markup, MarkupContent, MarkupFault, Scanner};

/// Elements that no table holds, and what they are called when they are counted. Details of an entry are among them
/// where they stand deeper than in it, or are too many.
const LEFT_BEHIND: [(&str, &str); 7] = [
    ("Me", "birthdays, sexes and blood types"),
    (META, "further details"),
    (STATISTICS, "further statistics of workouts"),
    ("WorkoutEvent", "pauses and laps of workouts"),
    ("WorkoutActivity", "parts of workouts"),
    ("WorkoutRoute", "routes of workouts"),
    ("InstantaneousBeatsPerMinute", "single heartbeats"),
];
/// The parts of one entry that are held.
const PARTS_MAX: usize = 256;
/// Elements that may stand in one another within an entry.
const NESTING_MAX: usize = 32;
/// The records of one correlation; a meal has some forty. One that has more was not closed.
const CORRELATED_MAX: usize = 128;

/// Iterates over the entries of a reader. Ends with an error if the file ends before its root does.
pub(super) struct HealthItems<R> {
    markup: Scanner<R>,
    is_root_open: bool,
    open: Option<HealthItem>,
    /// Names of what is open within it.
    inside: Vec<String>,
    correlated: usize,
    /// An entry to return before more of the file is read.
    next: Option<HealthItem>,
    left_behind: LeftBehind,
}

impl<R: BufRead> HealthItems<R> {
    /// What no table holds is counted in `left_behind`.
    pub(super) fn new(reader: R, left_behind: LeftBehind) -> Self {
        Self {
            left_behind,
            markup: Scanner::new(reader),
            is_root_open: false,
            open: None,
            inside: Vec::new(),
            correlated: 0,
            next: None,
        }
    }

    fn read_markup(&mut self, markup: Markup) -> Option<HealthItem> {
        let line = markup.line;
        match markup.content {
            MarkupContent::Start(tag) => match HealthElement::read(&tag, line) {
                Ok(element) => self.start(element),
                Err((name, reason)) => self.broken(&name, line, reason),
            },
            // The end of something, or a mere bracket.
            MarkupContent::Broken(tag, _) if tag.is_empty() || tag.starts_with('/') => None,
            MarkupContent::Broken(tag, fault) => self.broken(name_in(&tag), line, fault.reason()),
            MarkupContent::End(name) => self.end(&name),
            MarkupContent::Text(text) if self.is_root_open => {
                let reason = format!("the text `{}` belongs to no entry", shorten(text.trim()));
                self.insert_before_open(HealthItem::broken("", line, reason))
            }
            MarkupContent::Text(_) => None,
        }
    }

    fn start(&mut self, element: HealthElement) -> Option<HealthItem> {
        if !self.is_root_open {
            self.is_root_open = element.name == ROOT && !element.is_empty;
            return None;
        }
        if self.begins_entry(&element.name) {
            let is_empty = element.is_empty;
            let item = HealthItem {
                name: element.name.clone(),
                line: element.line,
                element: Ok(element),
                parts: Vec::new(),
            };
            return match is_empty {
                true => self.insert_before_open(item),
                false => self.close_and_open(item),
            };
        }
        self.add_part(element);
        None
    }

    /// Whether an element of this name is an entry where it stands.
    fn begins_entry(&mut self, name: &str) -> bool {
        let Some(open) = &self.open else {
            return !NO_ENTRIES.contains(&name);
        };
        if may_hold(open, name) {
            self.correlated += 1;
            return self.correlated > CORRELATED_MAX;
        }
        ENTRIES.contains(&name)
    }

    fn add_part(&mut self, element: HealthElement) {
        let Some(open) = &mut self.open else {
            return self.count_left_behind(&element.name);
        };
        let is_held = [META, STATISTICS].contains(&element.name.as_str())
            && self.inside.is_empty()
            && open.parts.len() < PARTS_MAX;
        if !element.is_empty && self.inside.len() < NESTING_MAX {
            self.inside.push(element.name.clone());
        }
        match is_held {
            true => open.parts.push(element),
            false => self.count_left_behind(&element.name),
        }
    }

    fn count_left_behind(&self, name: &str) {
        let kind = LEFT_BEHIND.iter().find(|(known, _)| *known == name);
        kind.iter().for_each(|(_, kind)| self.left_behind.add(kind));
    }

    fn end(&mut self, name: &str) -> Option<HealthItem> {
        if name == ROOT {
            self.is_root_open = false;
            return self.close();
        }
        if let Some(at) = self.inside.iter().rposition(|inside| inside == name) {
            self.inside.truncate(at);
            return None;
        }
        let is_own = self.open.as_ref().is_some_and(|open| open.name == name);
        is_own.then(|| self.close()).flatten()
    }

    /// A tag that cannot be read spoils the entry that it begins, or the one in which it stands.
    fn broken(&mut self, name: &str, line: u64, reason: String) -> Option<HealthItem> {
        let is_part = |open: &HealthItem| !ENTRIES.contains(&name) || may_hold(open, name);
        match &mut self.open {
            _ if !self.is_root_open => None,
            Some(open) if is_part(open) => {
                open.element = Err(format!("line {line}, {name} in it: {reason}"));
                None
            }
            Some(_) => self.insert_before_open(HealthItem::broken(name, line, reason)),
            None if NO_ENTRIES.contains(&name) => None,
            None => Some(HealthItem::broken(name, line, reason)),
        }
    }

    fn close(&mut self) -> Option<HealthItem> {
        self.inside.clear();
        let correlated = std::mem::take(&mut self.correlated);
        let mut closed = self.open.take()?;
        if correlated > CORRELATED_MAX {
            closed.element = Err(format!(
                "it has no end: {CORRELATED_MAX} records after it were taken for its own"
            ));
        }
        Some(closed)
    }

    fn close_and_open(&mut self, item: HealthItem) -> Option<HealthItem> {
        let closed = self.close();
        self.open = Some(item);
        closed
    }

    /// Returns a complete entry, after the one that is still open.
    fn insert_before_open(&mut self, item: HealthItem) -> Option<HealthItem> {
        match self.close() {
            Some(closed) => {
                self.next = Some(item);
                Some(closed)
            }
            None => Some(item),
        }
    }

    fn next_item(&mut self) -> io::Result<Option<HealthItem>> {
        loop {
            if let Some(item) = self.next.take() {
                return Ok(Some(item));
            }
            let Some(markup) = self.markup.next().transpose()? else {
                return self.finish_input();
            };
            if let Some(item) = self.read_markup(markup) {
                return Ok(Some(item));
            }
        }
    }

    /// The end of the input: an error unless the root element has ended.
    fn finish_input(&mut self) -> io::Result<Option<HealthItem>> {
        if let Some(mut item) = self.close() {
            item.element = Err(MarkupFault::CutOff.reason());
            return Ok(Some(item));
        }
        if std::mem::take(&mut self.is_root_open) {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "it ends before its last tag, so something was cut off; export or copy it again",
            ));
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for HealthItems<R> {
    type Item = io::Result<HealthItem>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_item().transpose()
    }
}

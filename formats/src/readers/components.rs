//! Components of iCalendar (RFC 5545 §3.4) and vCard (RFC 6350 §3.3): from the bytes of a file, or of an object that a
//! server sent, to whole components, one at a time and each within a limit.
//!
//! ```text
//! content_lines.rs  physical lines -> content lines, joined as each format folds them
//! ```
//!
//! What both formats share is here: content lines, `BEGIN` and `END`, the order of what is complete. What may stand in what, and
//! what becomes of a component that was not closed, is said by the format's [`ComponentRules`]. Written by hand although
//! calcard parses both: calcard wants the whole text in memory, and a broken component must not cost those after it.

mod content_lines;

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead};

use self::content_lines::ContentLines;
pub(super) use self::content_lines::{Folding, LINE_BYTES_MAX, colon_of, name_and_value};
use crate::entry::shorten;
use crate::text::lines::TextLine;

/// What a format makes of its content lines. Each method adds the components that its line completes to `complete`.
pub(super) trait ComponentRules {
    /// A whole component, or what takes its place.
    type Component;

    /// The most bytes of a line in which a `BEGIN` or an `END` is looked for; its kind is cut there.
    const MARKER_BYTES_MAX: usize;

    /// How the next line is folded.
    fn folding(&self) -> Folding;

    /// A `BEGIN` of this kind, in capitals, in this line.
    fn begin(&mut self, line: u64, kind: String, complete: &mut VecDeque<Self::Component>);

    /// An `END` of this kind, in capitals, in this line.
    fn end(&mut self, line: u64, kind: &str, complete: &mut VecDeque<Self::Component>);

    /// Any other content line.
    fn add_property(&mut self, line: &TextLine);

    /// The end of the file: what is open is not closed any more.
    fn finish(&mut self, complete: &mut VecDeque<Self::Component>);
}

/// Iterates over the components of a reader, of which it holds one at a time. After an error of the reader it may be read on.
pub(super) struct Components<R: BufRead, Rules: ComponentRules> {
    lines: ContentLines<R>,
    rules: Rules,
    complete: VecDeque<Rules::Component>,
    is_ended: bool,
}

impl<R: BufRead, Rules: ComponentRules + Default> Components<R, Rules> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            lines: ContentLines::new(reader),
            rules: Rules::default(),
            complete: VecDeque::new(),
            is_ended: false,
        }
    }
}

impl<R: BufRead, Rules: ComponentRules> Components<R, Rules> {
    fn add_line(&mut self, line: &TextLine) {
        let (name, kind) = name_and_value(line, Rules::MARKER_BYTES_MAX).unwrap_or_default();
        match name.as_str() {
            "BEGIN" => self.rules.begin(line.number, kind, &mut self.complete),
            "END" => self.rules.end(line.number, &kind, &mut self.complete),
            _ => self.rules.add_property(line),
        }
    }
}

impl<R: BufRead, Rules: ComponentRules> Iterator for Components<R, Rules> {
    type Item = io::Result<Rules::Component>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(component) = self.complete.pop_front() {
                return Some(Ok(component));
            }
            if self.is_ended {
                return None;
            }
            match self.lines.read_line(self.rules.folding()) {
                Some(Ok(line)) => self.add_line(&line),
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    self.is_ended = true;
                    self.rules.finish(&mut self.complete);
                }
            }
        }
    }
}

/// Why a component is refused as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ComponentFault {
    /// The next component or the end of the file came before its `END`.
    NotClosed { kind: String },
    /// A property that cannot be left out is in a line longer than [`LINE_BYTES_MAX`].
    LineTooLong { line: u64 },
    /// It is longer than its format allows, in bytes.
    TooLong { bytes_max: usize },
}

impl fmt::Display for ComponentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotClosed { kind } => write!(f, "it has no END:{}", shorten(kind)),
            Self::LineTooLong { line } => {
                write!(f, "line {line} is longer than {LINE_BYTES_MAX} bytes")
            }
            Self::TooLong { bytes_max } => write!(f, "it is longer than {bytes_max} bytes"),
        }
    }
}

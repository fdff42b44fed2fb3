//! Lines that wait until all that stands before them in the file has been answered, and the form in which foreign text is printed.

use std::collections::BTreeSet;

/// Lines that are held; when there are more, what waits to be sent is sent.
const HELD_LINES_MAX: usize = 1000;

/// How many of the server's notes are printed, each once; the server sends at most as many for one push.
const REMARKS_MAX: usize = 20;

/// The lines held of one file, and the remarks printed so far of all files.
#[derive(Default)]
pub(super) struct HeldLines {
    /// By the lines of their entries.
    lines: Vec<(u64, String)>,
    remarks: BTreeSet<String>,
}

impl HeldLines {
    /// Holds what is to be printed of the entry at this line.
    pub(super) fn hold(&mut self, line: u64, text: String) {
        self.lines.push((line, text));
    }

    /// Holds a remark of the server, behind the lines of all entries; one that has been made already is not repeated.
    pub(super) fn remark(&mut self, remark: &str) {
        if self.remarks.len() < REMARKS_MAX && self.remarks.insert(remark.to_owned()) {
            self.hold(u64::MAX, format!("  note: {}", shown(remark)));
        }
    }

    /// Whether no more should be held.
    pub(super) fn is_full(&self) -> bool {
        self.lines.len() >= HELD_LINES_MAX
    }

    /// Takes the texts out, in the order of the file.
    pub(super) fn take(&mut self) -> Vec<String> {
        self.lines.sort_by_key(|(line, _)| *line);
        self.lines.drain(..).map(|(_, text)| text).collect()
    }
}

/// A text out of a file or of the server without its control characters.
pub(super) fn shown(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

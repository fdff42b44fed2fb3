//! Lines to records: each line a letter and a text, up to a line that begins with `^`.

use std::io::{self, BufRead};

use crate::readers::DateOrder;
use crate::text::decode;
use crate::text::lines::TextLines;

const LINE_BYTES_MAX: usize = 8 * 1024;
/// The lines of one record: a payment that is split has three for each part.
pub(super) const LINES_MAX: usize = 4_096;

/// What the records of a section are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QifSection {
    /// Accounts; the last one is whose the transactions are that follow.
    Accounts,
    /// Transactions of a bank, card or cash account.
    Moves,
    /// Transactions of an investment account.
    Investments,
    /// A list that has no table.
    Other,
    /// No line has said yet what they are.
    Untitled,
}

/// The titles of sections of transactions. Others after `!Type:` are lists.
const MOVES: [&str; 8] = [
    "bank",
    "ccard",
    "cash",
    "oth a",
    "oth l",
    "oth s",
    "port",
    "401(k)/403(b)",
];

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct QifRecord {
    /// Where it begins, counted from 1.
    pub line: u64,
    /// Letters and texts in their order.
    lines: Vec<(char, String)>,
    /// It had more lines, or a longer one, than a record may have.
    pub is_cut: bool,
}

/// A record, and where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct QifItem {
    pub section: QifSection,
    pub record: QifRecord,
}

impl QifRecord {
    /// The text of the first line with this letter, unless it is blank.
    pub(super) fn get(&self, letter: char) -> Option<&str> {
        self.all(letter).next()
    }

    /// The texts of all lines with this letter that are not blank.
    pub(super) fn all(&self, letter: char) -> impl Iterator<Item = &str> {
        let own = self.lines.iter().filter(move |(own, _)| *own == letter);
        own.map(|(_, text)| text.trim())
            .filter(|text| !text.is_empty())
    }

    /// All lines in their order.
    pub(super) fn lines(&self) -> &[(char, String)] {
        &self.lines
    }
}

/// The records of a file in its order.
pub(super) struct QifRecords<R> {
    lines: TextLines<R>,
    section: QifSection,
    open: QifRecord,
    /// How the file says that it writes its days, as far as it has been read.
    date_order: Option<DateOrder>,
}

impl<R: BufRead> QifRecords<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            lines: TextLines::new(reader, LINE_BYTES_MAX),
            section: QifSection::Untitled,
            open: QifRecord::default(),
            date_order: None,
        }
    }

    /// How the file says that it writes its days, known when it has been read; few say it.
    pub(super) const fn date_order(&self) -> Option<DateOrder> {
        self.date_order
    }

    /// The record that has ended, if it holds anything.
    fn close(&mut self) -> Option<QifItem> {
        let record = std::mem::take(&mut self.open);
        (record.is_cut || !record.lines.is_empty()).then_some(QifItem {
            section: self.section,
            record,
        })
    }

    fn add(&mut self, number: u64, is_cut: bool, text: &str) {
        let mut characters = text.chars();
        let Some(letter) = characters.next() else {
            return;
        };
        if self.open.line == 0 {
            self.open.line = number;
        }
        self.open.is_cut |= is_cut || self.open.lines.len() >= LINES_MAX;
        if !self.open.is_cut {
            self.open
                .lines
                .push((letter, characters.as_str().to_owned()));
        }
    }
}

impl<R: BufRead> Iterator for QifRecords<R> {
    type Item = io::Result<QifItem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match self.lines.next() {
                None => return self.close().map(Ok),
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(line)) => line,
            };
            let text = decode(&line.bytes, None);
            let text = text.trim_end();
            let ended = match text.strip_prefix('!') {
                Some(title) => {
                    let ended = self.close();
                    let title = title.trim().to_lowercase();
                    self.section = section_of(&title, self.section);
                    self.date_order = date_order_of(&title).or(self.date_order);
                    ended
                }
                None if text.starts_with('^') => self.close(),
                None => {
                    self.add(line.number, line.is_cut, text.trim_start());
                    None
                }
            };
            if let Some(ended) = ended {
                return Some(Ok(ended));
            }
        }
    }
}

/// `!Option:MDY`, `!Option:DMY`.
fn date_order_of(title: &str) -> Option<DateOrder> {
    match title.strip_prefix("option:")?.trim() {
        "mdy" => Some(DateOrder::Mdy),
        "dmy" => Some(DateOrder::Dmy),
        "ymd" => Some(DateOrder::Ymd),
        _ => None,
    }
}

/// The section that a title begins. An option (`!Option:`, `!Clear:`) begins none.
fn section_of(title: &str, before: QifSection) -> QifSection {
    if title.starts_with("account") {
        return QifSection::Accounts;
    }
    match title.strip_prefix("type:").map(str::trim) {
        None => before,
        Some(kind) if kind.starts_with("invst") => QifSection::Investments,
        Some(kind) if MOVES.contains(&kind) => QifSection::Moves,
        Some(_) => QifSection::Other,
    }
}

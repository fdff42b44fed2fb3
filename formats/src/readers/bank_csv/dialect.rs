//! How a file is laid out: its separator, the lines before its header, and the header itself.

use std::io::{self, BufRead};

use super::currency::parse_currency;
use super::header::CsvHeader;
use super::role::Role;
use super::rows::{CsvRow, CsvRows};
use super::untitled;
use crate::error::FileError;

const SEPARATORS: [char; 4] = [';', ',', '\t', '|'];
/// Where the header is looked for.
const PREAMBLE_ROWS_MAX: usize = 60;
/// How rows begin that sum up the others.
const TOTALS: [&str; 14] = [
    "total",
    "summe",
    "saldo",
    "kontostand",
    "balance",
    "anfangssaldo",
    "endsaldo",
    "solde",
    "beginning balance",
    "opening balance",
    "closing balance",
    "ending balance",
    "alter kontostand",
    "neuer kontostand",
];

/// How a file is laid out.
#[derive(Debug)]
pub(super) struct Dialect {
    pub separator: char,
    pub header: CsvHeader,
    /// The line the header stands on; 0 if the file has none.
    pub header_line: u64,
    /// What stands before it.
    pub preamble: Vec<CsvRow>,
}

impl Dialect {
    /// The separator under which the most columns are known, by their titles or else by their values.
    pub(super) fn find<R: BufRead>(
        open: impl Fn(char) -> io::Result<CsvRows<R>>,
    ) -> Result<Self, FileError> {
        let mut best: Option<Self> = None;
        let (mut has_date, mut has_money) = (false, false);
        for separator in SEPARATORS {
            let rows = open(separator)?.take(PREAMBLE_ROWS_MAX);
            let rows = rows.collect::<io::Result<Vec<_>>>()?;
            let is_header = |row: &CsvRow| {
                let header = CsvHeader::from_titles(&row.cells);
                has_date |= header.has_date();
                has_money |= header.has_money();
                header.has_date() && header.has_money()
            };
            let dialect = match rows.iter().position(is_header) {
                Some(at) => Self::with_header(separator, rows, at),
                None => Self::untitled(separator, &rows),
            };
            let known = best.as_ref().map(Self::known_columns);
            best = match dialect {
                Some(dialect) if Some(dialect.known_columns()) > known => Some(dialect),
                _ => best,
            };
        }
        best.ok_or(FileError::NotThisFormat(match (has_date, has_money) {
            (true, _) => "this is no bank statement that can be read: no line of it has titles of a date and of an amount; the amount is missing",
            (false, true) => "this is no bank statement that can be read: no line of it has titles of a date and of an amount; the date is missing",
            (false, false) => "this is no bank statement that can be read: no line of it has titles of a date and of an amount",
        }))
    }

    fn with_header(separator: char, mut rows: Vec<CsvRow>, at: usize) -> Option<Self> {
        rows.truncate(at.saturating_add(1));
        let row = rows.pop()?;
        Some(Self {
            separator,
            header: CsvHeader::from_titles(&row.cells),
            header_line: row.line,
            preamble: rows,
        })
    }

    fn untitled(separator: char, rows: &[CsvRow]) -> Option<Self> {
        Some(Self {
            separator,
            header: untitled::header_of(rows)?,
            header_line: 0,
            preamble: Vec::new(),
        })
    }

    /// Titles count for more than values, however few they are.
    fn known_columns(&self) -> (bool, usize) {
        (self.header_line > 0, self.header.titles.len())
    }

    /// What stands in the column of a role, if there is such a column and the cell is not empty.
    pub(super) fn cell<'a>(&self, row: &'a CsvRow, role: Role) -> Option<&'a str> {
        let cell = row.cells.get(self.header.column(role)?)?;
        Some(cell.as_str()).filter(|cell| !cell.is_empty() && self.can_be(role, cell))
    }

    /// `Valuta` is the day of value in some countries, in others the currency: its content decides.
    fn can_be(&self, role: Role, cell: &str) -> bool {
        let is_shared = self.header.column(Role::Valued) == self.header.column(Role::Currency);
        match role {
            Role::Valued if is_shared => parse_currency(cell).is_none(),
            Role::Currency if is_shared => parse_currency(cell).is_some(),
            _ => true,
        }
    }

    /// Whether a row says something and stands where the transactions do.
    pub(super) fn is_under_header(&self, row: &CsvRow) -> bool {
        row.line > self.header_line && !row.is_empty()
    }

    /// Whether a row is one of the transactions: under the header, not empty, no totals and no mere words.
    pub(super) fn is_entry(&self, row: &CsvRow) -> bool {
        self.is_under_header(row) && !self.is_total_or_note(row)
    }

    /// A row without a date or without an amount that begins as totals do, or one of neither: some banks end a
    /// statement with a paragraph.
    fn is_total_or_note(&self, row: &CsvRow) -> bool {
        let has_date = self
            .cell(row, Role::Booked)
            .is_some_and(super::dates::is_like_a_date);
        let moved = [Role::Amount, Role::Debit, Role::Credit];
        let has_money = moved.into_iter().any(|role| self.cell(row, role).is_some());
        let first = row.cells.iter().find(|cell| !cell.is_empty());
        let mut beginnings = first
            .map(String::as_str)
            .into_iter()
            .chain(self.cell(row, Role::Description));
        let is_called_total = beginnings.any(|text| {
            let text = text.to_lowercase();
            TOTALS.iter().any(|word| text.starts_with(word))
        });
        let is_words = row.cells.iter().filter(|cell| !cell.is_empty()).count() == 1;
        match (has_date, has_money) {
            (true, true) => false,
            (false, false) => is_called_total || (is_words && !row.is_cut),
            _ => is_called_total,
        }
    }
}

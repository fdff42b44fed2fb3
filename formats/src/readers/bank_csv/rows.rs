//! Lines of a .csv file to rows of cells, each within a limit.
//!
//! A quoted cell may hold line ends (RFC 4180). A quote that is not closed within a few lines is a character of its cell: so a
//! stray one costs its row, not the rest of the file.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use crate::text::decode;
use crate::text::lines::{TextLine, TextLines};

/// The longest line that is read.
const LINE_BYTES_MAX: usize = 256 * 1024;
/// How many lines a row may take.
const ROW_LINES_MAX: usize = 20;

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CsvRow {
    /// Counted from 1.
    pub line: u64,
    pub cells: Vec<String>,
    /// The line was too long to be read whole.
    pub is_cut: bool,
}

impl CsvRow {
    pub(super) fn is_empty(&self) -> bool {
        self.cells.iter().all(String::is_empty)
    }
}

/// Iterates over the rows of a reader.
pub(super) struct CsvRows<R> {
    lines: TextLines<R>,
    /// Lines that were looked at for the end of a quote, and read again.
    ahead: VecDeque<TextLine>,
    separator: char,
}

impl<R: BufRead> CsvRows<R> {
    pub(super) fn new(reader: R, separator: char) -> Self {
        let lines = TextLines::new(reader, LINE_BYTES_MAX);
        Self {
            lines,
            ahead: VecDeque::new(),
            separator,
        }
    }

    fn next_line(&mut self) -> io::Result<Option<TextLine>> {
        match self.ahead.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.lines.next().transpose(),
        }
    }

    fn read_row(&mut self) -> io::Result<Option<CsvRow>> {
        let Some(first) = self.next_line()? else {
            return Ok(None);
        };
        let mut text = decode(&first.bytes, None);
        let row = |cells| CsvRow {
            line: first.number,
            cells,
            is_cut: first.is_cut,
        };
        let mut used = Vec::new();
        loop {
            let (cells, is_closed) = split_cells(&text, self.separator);
            if is_closed || first.is_cut {
                return Ok(Some(row(cells)));
            }
            let next = if used.len() < ROW_LINES_MAX {
                self.next_line()?
            } else {
                None
            };
            let Some(next) = next else {
                used.into_iter()
                    .rev()
                    .for_each(|line| self.ahead.push_front(line));
                let alone = decode(&first.bytes, None);
                return Ok(Some(row(split_unquoted(&alone, self.separator))));
            };
            text.push('\n');
            text.push_str(&decode(&next.bytes, None));
            used.push(next);
        }
    }
}

impl<R: BufRead> Iterator for CsvRows<R> {
    type Item = io::Result<CsvRow>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_row().transpose()
    }
}

/// The cells of a row, and whether its last quote is closed.
fn split_cells(text: &str, separator: char) -> (Vec<String>, bool) {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let Some(cell) = cells.last_mut() else { break };
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.trim().is_empty() => {
                cell.clear();
                is_quoted = true;
            }
            other if other == separator && !is_quoted => cells.push(String::new()),
            other => cell.push(other),
        }
    }
    (trim_cells(cells), !is_quoted)
}

fn split_unquoted(text: &str, separator: char) -> Vec<String> {
    trim_cells(text.split(separator).map(str::to_owned).collect())
}

fn trim_cells(cells: Vec<String>) -> Vec<String> {
    cells
        .into_iter()
        .map(|cell| cell.trim().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<(u64, Vec<String>)> {
        CsvRows::new(text.as_bytes(), ',')
            .map(|row| row.map(|row| (row.line, row.cells)).unwrap())
            .collect()
    }

    #[test]
    fn quotes_hold_separators_quotes_and_line_ends() {
        let expected = vec![
            (1, vec!["a,b".to_owned(), "c\"d\ne".to_owned()]),
            (3, vec!["f".to_owned(), String::new()]),
        ];
        assert_eq!(rows("\"a,b\",\"c\"\"d\ne\"\nf,"), expected);
    }

    #[test]
    fn a_stray_quote_costs_its_row_alone() {
        let text = format!("\"a,b\n{}", "c,d\n".repeat(40));
        let rows = rows(&text);
        assert_eq!(rows.len(), 41);
        assert_eq!(rows[1], (2, vec!["c".to_owned(), "d".to_owned()]));
    }
}

//! Words that say whether money came or went, and the column of them, known by what stands in it.
//!
//! Where no amount of a file has a sign and one column says `debit` or `credit` in each row, that column gives the
//! signs, whatever its title: read without it, all that was spent would have been earned.

use super::amounts;
use super::rows::Row;

/// A single letter says a direction only where both directions occur: it may be a code of the bank.
const WORD_CHARACTERS_MIN: usize = 3;
/// Words that say that money went out, and that it came in; they stand beside amounts, too.
const OUT: [&str; 16] = [
    "dr",
    "d",
    "s",
    "debit",
    "soll",
    "af",
    "out",
    "dbit",
    "ausgang",
    "withdrawal",
    "expense",
    "débit",
    "cargo",
    "uscita",
    "belastung",
    "debet",
];
const IN: [&str; 16] = [
    "cr",
    "c",
    "h",
    "credit",
    "haben",
    "bij",
    "in",
    "crdt",
    "eingang",
    "deposit",
    "income",
    "crédit",
    "abono",
    "entrata",
    "gutschrift",
    "kredit",
];

/// Whether a word says that money went out (`true`) or came in.
pub fn is_out(word: &str) -> Option<bool> {
    let word = word.trim().to_lowercase();
    let out = OUT.contains(&word.as_str());
    (out || IN.contains(&word.as_str())).then_some(out)
}

/// What the rows so far say of one column.
#[derive(Debug, Default, Clone)]
struct Column {
    has_out: bool,
    has_in: bool,
    has_letters_alone: bool,
    is_other: bool,
}

impl Column {
    fn take(&mut self, cell: &str) {
        match is_out(cell) {
            Some(true) => self.has_out = true,
            Some(false) => self.has_in = true,
            None => self.is_other = true,
        }
        self.has_letters_alone |= cell.trim().chars().count() < WORD_CHARACTERS_MIN;
    }

    fn is_direction(&self) -> bool {
        let is_sure = match self.has_letters_alone {
            true => self.has_out && self.has_in,
            false => self.has_out || self.has_in,
        };
        is_sure && !self.is_other
    }
}

#[derive(Debug, Default)]
pub struct Evidence {
    columns: Vec<Column>,
    has_signs: bool,
}

impl Evidence {
    pub fn take(&mut self, row: &Row, amount: Option<&str>) {
        self.has_signs |= amount.is_some_and(amounts::is_negative);
        let count = self.columns.len().max(row.cells.len());
        self.columns.resize_with(count, Column::default);
        let cells = row.cells.iter().map(String::as_str);
        let cells = cells.chain(std::iter::repeat(""));
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.take(cell);
        }
    }

    /// The place of the column that gives the signs, if they need one and one alone can.
    pub fn column(&self) -> Option<usize> {
        let mut places = (0..).zip(&self.columns);
        let mut found = places.by_ref().filter(|(_, column)| column.is_direction());
        let (at, _) = found.next()?;
        (found.next().is_none() && !self.has_signs).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(rows: &[[&str; 3]]) -> Option<usize> {
        let mut evidence = Evidence::default();
        for cells in rows {
            let row = Row {
                line: 1,
                cells: cells.iter().map(|cell| (*cell).to_owned()).collect(),
                is_cut: false,
            };
            evidence.take(&row, Some(cells[0]));
        }
        evidence.column()
    }

    #[test]
    fn words_of_direction_give_the_signs_where_no_amount_has_one() {
        let table: [(&[[&str; 3]], Option<usize>); 7] = [
            (&[["4.50", "debit", "a"], ["9", "credit", "b"]], Some(1)),
            (&[["4.50", "x", "Debit"]], Some(2)),
            (&[["-4.50", "debit", "a"], ["9", "credit", "b"]], None),
            (&[["4.50", "debit", "a"], ["9", "", "b"]], None),
            (&[["4.50", "debit", "a"], ["9", "fee", "b"]], None),
            (&[["4.50", "C", "a"], ["9", "C", "b"]], None),
            (&[["4.50", "C", "a"], ["9", "D", "b"]], Some(1)),
        ];
        for (rows, expected) in table {
            assert_eq!(column(rows), expected, "{rows:?}");
        }
    }
}

//! Words that say whether money came or went, and the column of them, known by what stands in it.

/// A shorter word says a direction only beside an amount, or where a column has both directions: it may be a code of
/// the bank.
const WORD_CHARACTERS_MIN: usize = 3;
/// Columns that are looked at for words.
pub(super) const COLUMNS_MAX: usize = 64;
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
pub(super) fn is_out(word: &str) -> Option<bool> {
    let word = word.trim().to_lowercase();
    let out = OUT.contains(&word.as_str());
    (out || IN.contains(&word.as_str())).then_some(out)
}

/// The same of a word that says it wherever it stands.
pub(super) fn is_surely_out(word: &str) -> Option<bool> {
    is_out(word).filter(|_| !is_short(word))
}

fn is_short(word: &str) -> bool {
    word.trim().chars().count() < WORD_CHARACTERS_MIN
}

/// What the rows so far say of one column.
#[derive(Debug, Default)]
struct DirectionColumn {
    has_out: bool,
    has_in: bool,
    has_short: bool,
    has_others: bool,
}

impl DirectionColumn {
    fn add(&mut self, cell: &str) {
        match is_out(cell) {
            Some(true) => self.has_out = true,
            Some(false) => self.has_in = true,
            None => self.has_others = true,
        }
        self.has_short |= is_short(cell);
    }

    fn has_both(&self) -> bool {
        self.has_out && self.has_in
    }

    fn is_direction(&self) -> bool {
        !self.has_others && (self.has_both() || !self.has_short)
    }
}

/// The columns as wide as the first row: one that begins later does not say it of each row.
#[derive(Debug, Default)]
pub(super) struct DirectionEvidence {
    columns: Option<Vec<DirectionColumn>>,
}

impl DirectionEvidence {
    pub(super) fn add(&mut self, cells: &[String]) {
        let count = cells.len().min(COLUMNS_MAX);
        let columns = self.columns.get_or_insert_with(|| {
            std::iter::repeat_with(DirectionColumn::default)
                .take(count)
                .collect()
        });
        let cells = cells.iter().map(String::as_str);
        let cells = cells.chain(std::iter::repeat(""));
        for (column, cell) in columns.iter_mut().zip(cells) {
            column.add(cell);
        }
    }

    /// The place of the only column that says a direction in each row. Of several it is the only one that says both: a
    /// kind of card (`credit`) is the same in each row.
    pub(super) fn column(&self) -> Option<usize> {
        let found = || {
            let columns = (0..).zip(self.columns.as_deref().unwrap_or_default());
            columns.filter(|(_, column)| column.is_direction())
        };
        let places = found().map(|(at, _)| at);
        let both = found().filter(|(_, column)| column.has_both());
        only(places).or_else(|| only(both.map(|(at, _)| at)))
    }
}

fn only(mut places: impl Iterator<Item = usize>) -> Option<usize> {
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(rows: &[&[&str]]) -> Option<usize> {
        let mut evidence = DirectionEvidence::default();
        for cells in rows {
            let cells: Vec<_> = cells.iter().map(|cell| (*cell).to_owned()).collect();
            evidence.add(&cells);
        }
        evidence.column()
    }

    #[test]
    fn a_column_of_directions_is_known_by_its_words() {
        let table: [(&[&[&str]], Option<usize>); 9] = [
            (&[&["4.50", "debit", "a"], &["9", "credit", "b"]], Some(1)),
            (&[&["4.50", "x", "Debit"]], Some(2)),
            (&[&["4.50", "debit", "a"], &["9", "", "b"]], None),
            (&[&["4.50", "debit", "a"], &["9", "fee", "b"]], None),
            (&[&["4.50", "C", "a"], &["9", "C", "b"]], None),
            (&[&["4.50", "C", "a"], &["9", "D", "b"]], Some(1)),
            (&[&["4.50", "a"], &["9", "b", "debit"]], None),
            (
                &[&["4.50", "credit", "debit"], &["9", "credit", "credit"]],
                Some(2),
            ),
            (&[&["4.50", "credit", "debit"]], None),
        ];
        for (rows, expected) in table {
            assert_eq!(column(rows), expected, "{rows:?}");
        }
    }
}

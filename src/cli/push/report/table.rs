//! The table at the end: a row a file, and their sum. Its columns are a terminal's: a letter of Chinese takes two of them,
//! an accent on the letter before it none.

use std::io::{self, Write};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::tally::Tally;

/// How much of a file's name is shown on a terminal: its end, so that a row fits into 80 columns.
const NAME_COLUMNS_MAX: usize = 44;

pub(super) struct ReportTable {
    name_columns_max: usize,
    /// What the column of stored entries is called.
    stored: &'static str,
}

impl ReportTable {
    pub(super) fn new(is_on_terminal: bool) -> Self {
        let name_columns_max = match is_on_terminal {
            true => NAME_COLUMNS_MAX,
            false => usize::MAX,
        };
        Self {
            name_columns_max,
            stored: "stored",
        }
    }

    pub(super) fn rehearse(&mut self) {
        self.stored = "to send";
    }

    pub(super) fn write(
        &self,
        output: &mut (dyn Write + Send),
        files: &[Tally],
        total: &Tally,
    ) -> io::Result<()> {
        let rows = files.iter().chain([total]);
        let rows = rows.map(|row| (end_of(&row.name, self.name_columns_max), row));
        let widths = rows.clone().map(|(name, _)| name.width());
        let width = widths.max().unwrap_or_default();
        writeln!(output)?;
        writeln!(
            output,
            "{:width$}  {:>9}  {:>9}  {:>9}",
            "file", "entries", self.stored, "refused"
        )?;
        for (name, row) in rows {
            let mark = row.state.mark();
            let blank = width.saturating_sub(name.width());
            writeln!(
                output,
                "{name}{:blank$}  {:>9}  {:>9}  {:>9}{mark}",
                "", row.entries, row.stored, row.refused
            )?;
        }
        Ok(())
    }
}

/// A name, or as much of its end as there is room for.
fn end_of(name: &str, columns_max: usize) -> String {
    if name.width() <= columns_max {
        return name.to_owned();
    }
    let mut room = columns_max.saturating_sub("…".width());
    let fits = |letter: &char| {
        let left = room.checked_sub(letter.width().unwrap_or_default());
        room = left.unwrap_or(room);
        left.is_some()
    };
    let end: Vec<char> = name.chars().rev().take_while(fits).collect();
    let end: String = end.into_iter().rev().collect();
    format!("…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_whole_in_a_pipe_and_its_end_on_a_terminal() {
        let name = format!("{}/ä.ics", "x".repeat(500));
        let written = |is_on_terminal| {
            let mut output = Vec::new();
            let total = Tally::of("total".to_owned());
            let files = [Tally::of(name.clone())];
            let table = ReportTable::new(is_on_terminal);
            table.write(&mut output, &files, &total).unwrap();
            String::from_utf8(output).unwrap()
        };
        assert!(written(false).contains(&name));
        let shown = written(true);
        assert!(
            shown.contains("x/ä.ics  ") && shown.contains("\n…x"),
            "{shown}"
        );
        assert!(
            shown.lines().all(|line| line.chars().count() <= 80),
            "{shown}"
        );
    }

    #[test]
    fn wide_letters_take_two_columns_and_accents_none() {
        assert_eq!(end_of("会議の予定", 10), "会議の予定");
        assert_eq!(end_of("会議の予定", 8), "…の予定");
        assert_eq!(end_of("会議の予定", 9), "…議の予定");
        assert_eq!(end_of("cafe\u{301}", 4), "cafe\u{301}");
        let files = ["会議.ics", "🎂 birthday.ics", "cafe\u{301}.ics"];
        let files = files.map(|name| Tally::of(name.to_owned()));
        let mut output = Vec::new();
        let table = ReportTable::new(false);
        table
            .write(&mut output, &files, &Tally::of("total".to_owned()))
            .unwrap();
        let written = String::from_utf8(output).unwrap();
        let widths: Vec<_> = written.lines().skip(1).map(|line| line.width()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{written}");
    }
}

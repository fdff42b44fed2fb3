//! The table at the end: a row a file, and their sum.

use std::io::{self, Write};

use super::tally::Tally;

/// How much of a file's name is shown on a terminal: its end, so that a row fits into 80 columns.
const NAME_CHARS_MAX: usize = 44;

pub struct Table {
    name_chars_max: usize,
    /// What the column of stored entries is called.
    stored: &'static str,
}

impl Table {
    pub fn new(is_on_terminal: bool) -> Self {
        let name_chars_max = match is_on_terminal {
            true => NAME_CHARS_MAX,
            false => usize::MAX,
        };
        Self {
            name_chars_max,
            stored: "stored",
        }
    }

    pub fn rehearse(&mut self) {
        self.stored = "to send";
    }

    pub fn write(
        &self,
        output: &mut (dyn Write + Send),
        files: &[Tally],
        total: &Tally,
    ) -> io::Result<()> {
        let rows = files.iter().chain([total]);
        let rows = rows.map(|row| (end_of(&row.name, self.name_chars_max), row));
        let widths = rows.clone().map(|(name, _)| name.chars().count());
        let width = widths.max().unwrap_or_default();
        writeln!(output)?;
        writeln!(
            output,
            "{:width$}  {:>9}  {:>9}  {:>9}",
            "file", "entries", self.stored, "refused"
        )?;
        for (name, row) in rows {
            let mark = if row.is_broken {
                "  not read to its end"
            } else {
                ""
            };
            writeln!(
                output,
                "{name:width$}  {:>9}  {:>9}  {:>9}{mark}",
                row.entries, row.stored, row.refused
            )?;
        }
        Ok(())
    }
}

/// A name, or as much of its end as there is room for.
fn end_of(name: &str, chars_max: usize) -> String {
    match name.chars().count().checked_sub(chars_max) {
        None | Some(0) => name.to_owned(),
        Some(left_out) => format!("…{}", name.chars().skip(left_out + 1).collect::<String>()),
    }
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
            let table = Table::new(is_on_terminal);
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
}

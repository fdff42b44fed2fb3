//! What a push tells: each refusal at once, a sentence a file, a table at the end.
//!
//! Plain text into the writers it is given. Texts out of files are stripped of control characters, so that no
//! file can write on the terminal.

use std::io::{self, Write};
use std::path::Path;

use super::verdict::Stored;
use crate::import::Place;

/// What became of the entries of one file, or of all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Tally {
    name: String,
    entries: u64,
    stored: u64,
    inserted: u64,
    updated: u64,
    unchanged: u64,
    deleted: u64,
    refused: u64,
    /// Whether the file could not be read, or not to its end.
    is_broken: bool,
}

pub struct Report<'a> {
    output: &'a mut (dyn Write + Send + 'a),
    /// A terminal, for a line that is written over and over.
    progress: Option<&'a mut (dyn Write + Send + 'a)>,
    files: Vec<Tally>,
    current: Tally,
}

impl<'a> Report<'a> {
    pub fn new(
        output: &'a mut (dyn Write + Send + 'a),
        progress: Option<&'a mut (dyn Write + Send + 'a)>,
    ) -> Self {
        Self {
            output,
            progress,
            files: Vec::new(),
            current: Tally::default(),
        }
    }

    pub(super) fn begin(&mut self, path: &Path) -> io::Result<()> {
        self.current = Tally {
            name: shown(&path.display().to_string()),
            ..Tally::default()
        };
        writeln!(self.output, "{}", self.current.name)
    }

    pub(super) fn refuse(&mut self, place: &Place, reason: &str) -> io::Result<()> {
        self.current.entries += 1;
        self.current.refused += 1;
        self.clear_progress()?;
        writeln!(
            self.output,
            "  refused: {}: {}",
            shown(&place.to_string()),
            shown(reason)
        )
    }

    /// The file as a whole, or the rest of it, cannot be read.
    pub(super) fn fail(&mut self, reason: &str) -> io::Result<()> {
        self.current.is_broken = true;
        self.clear_progress()?;
        writeln!(self.output, "  not read: {}", shown(reason))
    }

    /// A batch was answered; its rejected rows have been refused one by one already.
    pub(super) fn store(&mut self, stored: &Stored, rows: usize) -> io::Result<()> {
        let taken = (rows - stored.rejected.len().min(rows)) as u64;
        self.current.entries += taken;
        self.current.stored += taken;
        self.current.inserted += stored.inserted;
        self.current.updated += stored.updated;
        self.current.unchanged += stored.unchanged;
        self.current.deleted += stored.deleted;
        match &mut self.progress {
            Some(terminal) => {
                write!(
                    terminal,
                    "\r\x1b[K{}: {} stored",
                    self.current.name, self.current.stored
                )?;
                terminal.flush()
            }
            None => Ok(()),
        }
    }

    pub(super) fn end(&mut self) -> io::Result<()> {
        self.clear_progress()?;
        let tally = std::mem::take(&mut self.current);
        writeln!(self.output, "  {}", tally.sentence())?;
        self.files.push(tally);
        Ok(())
    }

    /// Writes the table; whether all there was is stored.
    pub(super) fn finish(&mut self) -> io::Result<bool> {
        let total = self.files.iter().fold(
            Tally {
                name: "total".to_owned(),
                ..Tally::default()
            },
            Tally::plus,
        );
        writeln!(self.output)?;
        let rows = self.files.iter().chain([&total]);
        let width = rows
            .clone()
            .map(|tally| tally.name.chars().count())
            .max()
            .unwrap_or_default();
        writeln!(
            self.output,
            "{:width$}  {:>9}  {:>9}  {:>9}",
            "file", "entries", "stored", "refused"
        )?;
        for row in rows {
            let mark = if row.is_broken {
                "  not read to its end"
            } else {
                ""
            };
            writeln!(
                self.output,
                "{:width$}  {:>9}  {:>9}  {:>9}{mark}",
                row.name, row.entries, row.stored, row.refused
            )?;
        }
        let is_all_stored = total.refused == 0 && !total.is_broken;
        if !is_all_stored {
            writeln!(
                self.output,
                "Not everything was stored: see the lines that begin with `refused` or `not read`."
            )?;
        }
        self.output.flush()?;
        Ok(is_all_stored)
    }

    fn clear_progress(&mut self) -> io::Result<()> {
        match &mut self.progress {
            Some(terminal) => {
                write!(terminal, "\r\x1b[K")?;
                terminal.flush()
            }
            None => Ok(()),
        }
    }
}

impl Tally {
    fn sentence(&self) -> String {
        let Self {
            entries,
            stored,
            inserted,
            updated,
            unchanged,
            deleted,
            refused,
            ..
        } = self;
        let removed = if *deleted > 0 {
            format!(", {deleted} removed")
        } else {
            String::new()
        };
        let noun = if *entries == 1 { "entry" } else { "entries" };
        format!(
            "{entries} {noun}: {stored} stored ({inserted} new, {updated} changed, {unchanged} unchanged{removed}), {refused} refused"
        )
    }

    fn plus(mut self, other: &Self) -> Self {
        self.entries += other.entries;
        self.stored += other.stored;
        self.refused += other.refused;
        self.is_broken |= other.is_broken;
        self
    }
}

fn shown(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn told(tell: impl FnOnce(&mut Report<'_>) -> io::Result<bool>) -> (String, bool) {
        let mut output = Vec::new();
        let is_all_stored = tell(&mut Report::new(&mut output, None)).unwrap();
        (String::from_utf8(output).unwrap(), is_all_stored)
    }

    #[test]
    fn a_report_counts_every_entry_once() {
        let (text, is_all_stored) = told(|report| {
            report.begin(Path::new("a.ics"))?;
            report.refuse(&Place::new(7, "VTODO", "x\x1b[2J"), "to-dos are not stored")?;
            report.refuse(&Place::new(9, "VEVENT", "y"), "title: is too long")?;
            let rejected = BTreeMap::from([(1, "title: is too long".to_owned())]);
            report.store(
                &Stored {
                    inserted: 2,
                    unchanged: 1,
                    rejected,
                    ..Stored::default()
                },
                4,
            )?;
            report.end()?;
            report.finish()
        });
        assert!(!is_all_stored);
        let expected = "a.ics
  refused: line 7, VTODO x\u{fffd}[2J: to-dos are not stored
  refused: line 9, VEVENT y: title: is too long
  5 entries: 3 stored (2 new, 0 changed, 1 unchanged), 2 refused

file     entries     stored    refused
a.ics          5          3          2
total          5          3          2
Not everything was stored: see the lines that begin with `refused` or `not read`.
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_no_success() {
        let (text, is_all_stored) = told(|report| {
            report.begin(Path::new("a.xls"))?;
            report.fail("files ending in `xls` are not read")?;
            report.end()?;
            report.finish()
        });
        assert!(
            !is_all_stored && text.contains("  not read: files ending in `xls`"),
            "{text}"
        );
    }
}

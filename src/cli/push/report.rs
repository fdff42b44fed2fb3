//! What a push prints: each refusal in the order of its file, a sentence for each file, a table at the end.
//!
//! What the server refuses is known later than what the importer does, so lines are held until all that stands before them
//! in the file has been answered.
//! Plain text into the writer it is given, and a bar beside it where somebody looks. Texts out of files, and names
//! of files, are stripped of control characters, so that no file can write on the terminal.

mod progress;
mod table;
mod tally;

use std::collections::BTreeSet;
use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressDrawTarget};

use self::progress::Progress;
use self::table::ReportTable;
use self::tally::{ReadState, Tally};
use super::verdict::PushCounts;
use sextant_formats::{EntryPlace, KindCounts, PassedOver};

/// Lines that are held; when there are more, what waits to be sent is sent.
const HELD_LINES_MAX: usize = 1000;

/// How many of the server's notes are printed, each once; the server sends at most as many for one push.
const REMARKS_MAX: usize = 20;

pub struct Report<'a> {
    output: &'a mut (dyn Write + Send + 'a),
    progress: Progress,
    files: Vec<Tally>,
    current: Tally,
    remarks: BTreeSet<String>,
    /// What is to be told of entries of the file, by their lines.
    held: Vec<(u64, String)>,
    left_behind: KindCounts,
    is_rehearsal: bool,
    table: ReportTable,
}

impl<'a> Report<'a> {
    pub fn new(
        output: &'a mut (dyn Write + Send + 'a),
        progress: Option<ProgressDrawTarget>,
    ) -> Self {
        Self {
            table: ReportTable::new(progress.is_some()),
            output,
            progress: Progress::new(progress),
            files: Vec::new(),
            current: Tally::default(),
            remarks: BTreeSet::new(),
            held: Vec::new(),
            left_behind: KindCounts::default(),
            is_rehearsal: false,
        }
    }

    /// Nothing will be sent; what would be is told.
    pub(super) fn rehearse(&mut self) {
        self.is_rehearsal = true;
        self.table.rehearse();
    }

    /// The next file; the bar that shows how far it has been read.
    pub(super) fn begin(&mut self, name: &str, size_bytes: Option<u64>) -> io::Result<ProgressBar> {
        self.current = Tally::of(shown(name));
        let name = self.current.name.clone();
        self.line(&name)?;
        Ok(self.progress.begin(size_bytes))
    }

    pub(super) fn refuse(&mut self, place: &EntryPlace, reason: &str) {
        self.current.refuse();
        self.hold("refused", place, reason);
    }

    /// The entry is taken without a part of it.
    pub(super) fn leave_out(&mut self, place: &EntryPlace, what: &str) {
        self.current.is_partial = true;
        self.hold("left out", place, what);
    }

    fn hold(&mut self, what: &str, place: &EntryPlace, reason: &str) {
        let text = format!("  {what}: {}: {}", shown(&place.to_string()), shown(reason));
        self.held.push((place.line, text));
    }

    /// Whether it is time to send what waits, and to tell what is held.
    pub(super) fn holds_much(&self) -> bool {
        self.held.len() >= HELD_LINES_MAX
    }

    /// Tells what is held, once all that was read so far has been answered.
    pub(super) fn tell_held(&mut self) -> io::Result<()> {
        let mut held = std::mem::take(&mut self.held);
        held.sort_by_key(|(line, _)| *line);
        held.iter().try_for_each(|(_, text)| self.line(text))
    }

    /// The file as a whole cannot be read.
    pub(super) fn leave_unread(&mut self, reason: &str) -> io::Result<()> {
        self.current.state = ReadState::Unread;
        self.line(&format!("  not read: {}", shown(reason)))
    }

    /// The rest of the file cannot be read.
    pub(super) fn fail(&mut self, reason: &str) -> io::Result<()> {
        self.tell_held()?;
        self.current.state = ReadState::CutOff;
        self.line(&format!("  not read: {}", shown(reason)))
    }

    /// There is nothing in the file, and that is no fault.
    pub(super) fn find_empty(&mut self) -> io::Result<()> {
        self.current.state = ReadState::Empty;
        self.line("  empty: there is nothing in it")
    }

    /// What of the entries no table holds.
    pub(super) fn leave_behind(&mut self, kinds: &KindCounts) -> io::Result<()> {
        if kinds.is_empty() {
            return Ok(());
        }
        self.tell_held()?;
        self.left_behind.merge(kinds);
        self.line(&format!("  left behind: {kinds}"))
    }

    /// The file is of another kind, and that is no fault.
    pub(super) fn pass_over(&mut self, reason: &str) -> io::Result<()> {
        self.line(&format!("  passed over: {}", shown(reason)))
    }

    /// What is to be known besides the files.
    pub(super) fn note(&mut self, text: &str) -> io::Result<()> {
        self.line(&shown(text))
    }

    /// A batch was answered; its rejected rows have been refused one by one already.
    pub(super) fn store(&mut self, stored: &PushCounts, rows: usize) {
        self.current.store(stored, rows);
        self.progress
            .tell(format!("{} stored", self.current.stored));
    }

    /// What the server remarks on the records of a batch, such as a name that was probably meant to be another: told behind what
    /// is told of the entries.
    pub(super) fn remark(&mut self, remarks: &[String]) {
        for remark in remarks {
            if self.remarks.len() < REMARKS_MAX && self.remarks.insert(remark.clone()) {
                self.held
                    .push((u64::MAX, format!("  note: {}", shown(remark))));
            }
        }
    }

    /// A record would go to a table.
    pub(super) fn plan(&mut self, table: &str, destination: &str) {
        self.current.plan(&shown(table), destination);
    }

    /// A record would go nowhere.
    pub(super) fn plan_none(&mut self, reason: &str) {
        self.current.plan_none(&shown(reason));
    }

    pub(super) fn end(&mut self) -> io::Result<()> {
        self.tell_held()?;
        let tally = std::mem::take(&mut self.current);
        self.progress.end();
        match self.is_rehearsal {
            true => tally
                .plans()
                .iter()
                .try_for_each(|plan| self.line(&format!("  {plan}")))?,
            false => self.line(&format!("  {}", tally.sentence()))?,
        }
        self.files.push(tally);
        Ok(())
    }

    /// Writes the table; whether all there was is stored, or would be sent.
    pub(super) fn finish(&mut self, passed_over: &PassedOver) -> io::Result<bool> {
        self.progress.end();
        if !passed_over.is_empty() {
            writeln!(self.output, "\npassed over: {passed_over}")?;
        }
        if !self.left_behind.is_empty() {
            let kinds = &self.left_behind;
            writeln!(
                self.output,
                "\nleft behind, since no table holds it: {kinds}"
            )?;
        }
        let total = Tally::of("total".to_owned());
        let total = self.files.iter().fold(total, Tally::plus);
        self.table.write(self.output, &self.files, &total)?;
        let is_whole = total.refused == 0 && !total.state.is_broken();
        let done = if self.is_rehearsal { "would be" } else { "was" };
        if !is_whole {
            writeln!(
                self.output,
                "Not everything {done} stored: see the lines that begin with `refused` or `not read`."
            )?;
        }
        if total.is_partial {
            writeln!(
                self.output,
                "Not all of each entry {done} stored: see the lines that begin with `left out`."
            )?;
        }
        if self.is_rehearsal {
            writeln!(
                self.output,
                "Nothing was sent. What the server itself would refuse is not known before it is."
            )?;
        }
        self.output.flush()?;
        Ok(is_whole && !total.is_partial)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        let output = &mut self.output;
        self.progress.beside(|| writeln!(output, "{text}"))
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
            report.begin("a\x07.ics", None)?;
            report.refuse(&EntryPlace::new(9, "VEVENT", "y"), "title: is too long");
            report.refuse(
                &EntryPlace::new(7, "VTODO", "x\x1b[2J"),
                "to-dos are not stored",
            );
            let rejected = BTreeMap::from([(1, Vec::new())]);
            let stored = PushCounts {
                inserted: 2,
                unchanged: 1,
                rejected,
                ..PushCounts::default()
            };
            report.store(&stored, 4);
            report.end()?;
            report.finish(&PassedOver::default())
        });
        assert!(!is_all_stored);
        let expected = "a\u{fffd}.ics
  refused: line 7, VTODO x\u{fffd}[2J: to-dos are not stored
  refused: line 9, VEVENT y: title: is too long
  5 entries: 3 stored (2 new, 0 changed, 1 unchanged), 2 refused

file      entries     stored    refused
a\u{fffd}.ics          5          3          2
total           5          3          2
Not everything was stored: see the lines that begin with `refused` or `not read`.
";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_is_left_out_of_an_entry_is_told_and_no_success() {
        let (text, is_all_stored) = told(|report| {
            report.begin("a.vcf", None)?;
            report.leave_out(
                &EntryPlace::new(1, "VCARD", "Ann"),
                "BDAY `30 Feb`\nis no date",
            );
            let stored = PushCounts {
                inserted: 1,
                ..PushCounts::default()
            };
            report.store(&stored, 1);
            report.end()?;
            report.finish(&PassedOver::default())
        });
        assert!(!is_all_stored);
        let line = "  left out: line 1, VCARD Ann: BDAY `30 Feb`\u{fffd}is no date\n";
        assert!(text.contains(line), "{text}");
        let end = "total          1          1          0\nNot all of each entry was stored: see the lines that begin with `left out`.\n";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn a_rehearsal_says_where_each_record_would_go() {
        let (text, is_all_stored) = told(|report| {
            report.rehearse();
            report.begin("a.ics", None)?;
            report.plan("calendar.series", "by connection c1");
            report.plan("calendar.series", "by connection c1");
            report.plan_none("it is for mail.messages");
            report.end()?;
            report.finish(&PassedOver::default())
        });
        assert!(!is_all_stored);
        let expected = "a.ics
  refused: 1 entry: it is for mail.messages
  would send: 2 to calendar.series, by connection c1
  3 entries: 2 would be sent, 1 refused

file     entries    to send    refused
a.ics          3          2          1
total          3          2          1
Not everything would be stored: see the lines that begin with `refused` or `not read`.
Nothing was sent. What the server itself would refuse is not known before it is.
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_no_success_but_one_passed_over_is() {
        let (text, is_all_stored) = told(|report| {
            report.begin("a.xls", None)?;
            report.leave_unread("files ending in `xls` are not read")?;
            report.end()?;
            report.begin("b.csv", None)?;
            report.fail("it was cut off")?;
            report.end()?;
            report.begin("c.mbox", None)?;
            report.find_empty()?;
            report.end()?;
            report.finish(&PassedOver::default())
        });
        let table = "
a.xls           0          0          0  not read
b.csv           0          0          0  not read to its end
c.mbox          0          0          0  empty
total           0          0          0  not all was read
";
        assert!(
            !is_all_stored && text.contains("  not read: files ending in `xls`"),
            "{text}"
        );
        assert!(text.contains(table), "{text}");
        let (text, is_all_stored) = told(|report| {
            report.begin("a.xml", None)?;
            report.pass_over("it is something else")?;
            report.end()?;
            report.begin("b.mbox", None)?;
            report.find_empty()?;
            report.end()?;
            report.finish(&PassedOver::default())
        });
        assert!(
            is_all_stored && text.contains("  passed over: it is something"),
            "{text}"
        );
        assert!(text.contains("  empty: there is nothing in it"), "{text}");
    }
}

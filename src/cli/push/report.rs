//! What a push prints: each refusal in the order of its file, a sentence for each file, a table at the end.
//!
//! What the server refuses is known later than what the importer does, so lines are held until all that stands before them
//! in the file has been answered.
//! Plain text into the writer it is given, and a bar beside it where somebody looks. Texts out of files, and names
//! of files, are stripped of control characters, so that no file can write on the terminal.

mod held_lines;
mod progress;
mod table;
mod tally;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use indicatif::ProgressDrawTarget;

use self::held_lines::{HeldLines, shown};
use self::progress::Progress;
use self::table::ReportTable;
use self::tally::{ReadState, Tally};
use crate::intake::{FileCounts, IntakeEvent, Listener, OnProgress};
use sextant_formats::{EntryPlace, KindCounts, PassedOver};

/// Prints what becomes of each entry and file, and the table at the end.
pub struct Report<'a> {
    output: &'a mut (dyn Write + Send + 'a),
    progress: Progress,
    files: Vec<Tally>,
    current: Tally,
    held: HeldLines,
    left_behind: KindCounts,
    is_rehearsal: bool,
    table: ReportTable,
}

impl<'a> Report<'a> {
    /// A report that is written to `output`; `progress` is where a bar is drawn, if one is.
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
            held: HeldLines::default(),
            left_behind: KindCounts::default(),
            is_rehearsal: false,
        }
    }

    /// Nothing will be sent; what would be is printed.
    pub(super) fn rehearse(&mut self) {
        self.is_rehearsal = true;
        self.table.rehearse();
    }

    fn refuse(&mut self, place: &EntryPlace, reason: &str) {
        self.current.refuse();
        self.hold("refused", place, reason);
    }

    fn leave_out(&mut self, place: &EntryPlace, what: &str) {
        self.current.is_partial = true;
        self.hold("left out", place, what);
    }

    fn hold(&mut self, what: &str, place: &EntryPlace, reason: &str) {
        let text = format!("  {what}: {}: {}", shown(&place.to_string()), shown(reason));
        self.held.hold(place.line, text);
    }

    /// Prints what is held, once all that was read so far has been answered.
    fn print_held(&mut self) -> io::Result<()> {
        let held = self.held.take();
        held.iter().try_for_each(|text| self.line(text))
    }

    /// The file as a whole cannot be read.
    fn leave_unread(&mut self, reason: &str) -> io::Result<()> {
        self.current.state = ReadState::Unread;
        self.line(&format!("  not read: {}", shown(reason)))
    }

    /// The rest of the file cannot be read.
    fn fail(&mut self, reason: &str) -> io::Result<()> {
        self.print_held()?;
        self.current.state = ReadState::CutOff;
        self.line(&format!("  not read: {}", shown(reason)))
    }

    /// There is nothing in the file, and that is no fault.
    fn find_empty(&mut self) -> io::Result<()> {
        self.current.state = ReadState::Empty;
        self.line("  empty: there is nothing in it")
    }

    /// What of the entries no table holds.
    fn leave_behind(&mut self, kinds: &KindCounts) -> io::Result<()> {
        if kinds.is_empty() {
            return Ok(());
        }
        self.print_held()?;
        self.left_behind.merge(kinds);
        self.line(&format!("  left behind: {kinds}"))
    }

    /// The file is of another kind, and that is no fault.
    fn pass_over(&mut self, reason: &str) -> io::Result<()> {
        self.line(&format!("  passed over: {}", shown(reason)))
    }

    /// What is to be known besides the files.
    pub(super) fn note(&mut self, text: &str) -> io::Result<()> {
        self.line(&shown(text))
    }

    /// Records were answered; those that were rejected have been refused one by one already.
    fn store(&mut self, stored: FileCounts) {
        self.current.store(stored);
        self.progress
            .tell(format!("{} stored", self.current.stored));
    }

    /// What the server remarks on the records of a batch, such as a name that was probably meant to be another; printed after the lines of
    /// the entries.
    fn remark(&mut self, remarks: &[String]) {
        for remark in remarks {
            self.held.remark(remark);
        }
    }

    /// A record would go to a table.
    fn plan(&mut self, table: &str, destination: &str) {
        self.current.plan(&shown(table), destination);
    }

    /// A record would go nowhere.
    fn plan_none(&mut self, reason: &str) {
        self.current.plan_none(&shown(reason));
    }

    fn end(&mut self) -> io::Result<()> {
        self.print_held()?;
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

impl Listener for Report<'_> {
    fn begin_file(&mut self, name: &str, size_bytes: Option<u64>) -> io::Result<OnProgress> {
        self.current = Tally::of(shown(name));
        let name = self.current.name.clone();
        self.line(&name)?;
        let bar = self.progress.begin(size_bytes);
        Ok(OnProgress::new(move |bytes| bar.set_position(bytes)))
    }

    fn hear(&mut self, event: IntakeEvent) -> io::Result<()> {
        match event {
            IntakeEvent::Refused { place, reason } => self.refuse(&place, &reason),
            IntakeEvent::LeftOut { place, part } => self.leave_out(&place, &part),
            IntakeEvent::Planned { table, destination } => self.plan(&table, &destination),
            IntakeEvent::Unplanned { reason } => self.plan_none(&reason),
            IntakeEvent::Stored { counts, notes, .. } => {
                self.store(counts);
                self.remark(&notes);
            }
            IntakeEvent::ConnectionMade { note } => self.note(&note)?,
            IntakeEvent::AllAnswered => self.print_held()?,
            IntakeEvent::Unread { reason, .. } => self.leave_unread(&reason)?,
            IntakeEvent::PassedOver { reason } => self.pass_over(reason)?,
            IntakeEvent::Empty => self.find_empty()?,
            IntakeEvent::CutOff { reason } => self.fail(&reason)?,
            IntakeEvent::LeftBehind(kinds) => self.leave_behind(&kinds)?,
            IntakeEvent::FileEnded => self.end()?,
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.held.is_full()
    }
}

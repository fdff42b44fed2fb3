//! Appending to a segment: by the caller whose turn it is, with a single write, and as far as the disk takes it by the journal's thread.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::shared::Journal;
use crate::audit_queue::frame;
use crate::audit_queue::{JournalAck, WriteTurn};
use crate::limits::{JOURNAL_CALLER_TURNS_MAX, JOURNAL_WRITE_FAST_MAX};
use crate::ports::JournalFile;

/// A write that broke off.
pub(super) struct Broken {
    /// How much of it the file has, cut back to whole entries.
    pub(super) whole: usize,
    pub(super) error: io::Error,
}

impl Journal {
    /// Appends the caller's entries, then what others recorded meanwhile, with one write for each group. What does not succeed at once is
    /// left to the journal's thread; the acknowledgement is settled unless that is the caller's own.
    pub(crate) fn append_as_caller(&self, mut turn: WriteTurn) -> JournalAck {
        let mut turns_left = JOURNAL_CALLER_TURNS_MAX;
        loop {
            let is_own = turns_left == JOURNAL_CALLER_TURNS_MAX;
            turns_left -= 1;
            let begun = Instant::now();
            let attempt = append_once(&*turn.segment.file, &turn.group.frames);
            if !matches!(attempt, Ok(bytes) if bytes == turn.group.frames.len()) {
                let ack = self.queue.hand_over(turn, attempt);
                return if is_own { ack } else { JournalAck::settled() };
            }
            self.grow(&mut turn);
            match self.queue.end_turn(turn, is_fast(begun), turns_left > 0) {
                Some(next) => turn = next,
                None => return JournalAck::settled(),
            }
        }
    }

    /// Notes that the segment of this turn has its group.
    pub(super) fn grow(&self, turn: &mut WriteTurn) {
        turn.segment.bytes += turn.group.frames.len() as u64;
        self.note_grown(turn.group.last, turn.segment.bytes);
    }
}

/// Whether a write that began then was fast.
pub(super) fn is_fast(begun: Instant) -> bool {
    begun.elapsed() <= JOURNAL_WRITE_FAST_MAX
}

/// One write. A panic of the port becomes an error: the caller may be a witness that is dropped while its thread panics.
pub(super) fn append_once(file: &dyn JournalFile, bytes: &[u8]) -> io::Result<usize> {
    // Nothing that the port may have left half done is used again: the segment ends with this error.
    catch_unwind(AssertUnwindSafe(|| file.append(bytes)))
        .unwrap_or_else(|_| Err(io::Error::other("the disk's port panicked")))
}

/// Writes all of it, or cuts the file back to whole entries; `before` is how long the file was.
pub(super) fn append_all(file: &dyn JournalFile, before: u64, bytes: &[u8]) -> Result<(), Broken> {
    append_rest(file, before, bytes, append_once(file, bytes))
}

/// The same after a first attempt with this result.
pub(super) fn append_rest(
    file: &dyn JournalFile,
    before: u64,
    bytes: &[u8],
    mut attempt: io::Result<usize>,
) -> Result<(), Broken> {
    let mut rest = bytes;
    loop {
        match attempt {
            Ok(0) => {
                let error = io::ErrorKind::WriteZero.into();
                return Err(cut(file, before, bytes, rest, error));
            }
            // A file never takes more than it is given.
            Ok(taken) => rest = rest.split_at_checked(taken).unwrap_or_default().1,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(cut(file, before, bytes, rest, error)),
        }
        if rest.is_empty() {
            return Ok(());
        }
        attempt = append_once(file, rest);
    }
}

fn cut(file: &dyn JournalFile, before: u64, bytes: &[u8], rest: &[u8], error: io::Error) -> Broken {
    let written = bytes.len() - rest.len();
    let whole = frame::whole(bytes, written);
    // One that cannot be cut is read as far as it is whole.
    let _as_good_as_it_goes = file.cut(before + whole as u64);
    Broken { whole, error }
}

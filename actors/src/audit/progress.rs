//! How far the writing of the audit log has come, and so which step is next: from the database's position, the journal, and the rows
//! taken out of the queue. The [`FlushBatch`] decides which rows one statement has, and in which order.

use std::io;
use std::sync::Arc;

use super::batch::{FlushBatch, FlushPart, RefusedPart};
use super::step::{BatcherStep, StepAnswer};
use crate::audit_queue::{AuditQueue, JournalSpan, NextRows};
use crate::journal::{Journal, ReadBack};
use crate::limits::{FLUSH_ROWS_MAX, JOURNAL_READS_MAX};
use crate::ports::{Flush, Flushed, PortError};

/// The flush under way, and where the database stands.
pub(super) struct FlushProgress {
    queue: Arc<AuditQueue>,
    journal: Arc<Journal>,
    batch: Option<FlushBatch>,
    /// Where the database's position stands; unknown after every error, and then read before anything is sent again.
    position: Option<u64>,
    reads_failed: u32,
}

impl FlushProgress {
    pub(super) fn new(queue: Arc<AuditQueue>, journal: Arc<Journal>) -> Self {
        Self {
            queue,
            journal,
            batch: None,
            position: None,
            reads_failed: 0,
        }
    }

    /// Has the position read before anything is sent again.
    pub(super) fn forget_position(&mut self) {
        self.position = None;
    }

    /// What is to be done next; `None` when nothing can be written now.
    pub(super) fn next(&mut self) -> Option<BatcherStep> {
        let Some(position) = self.position else {
            return Some(BatcherStep::Locate);
        };
        if !self.journal.has_begun() {
            return Some(BatcherStep::Begin(position));
        }
        self.journal.announce();
        if self.batch.is_none() {
            match self.queue.take(FLUSH_ROWS_MAX) {
                NextRows::Rows(taken) => self.batch = Some(FlushBatch::of(taken)),
                NextRows::Stored(span) => return Some(BatcherStep::Load(span)),
                NextRows::Undecided => return None,
            }
        }
        let batch = self.batch.as_mut()?;
        // A statement of a killed process, still on its way at the start, may have brought in more than was read back by then.
        self.queue.count_written(batch.advance_to(position));
        let FlushPart { rows, through } = batch.next()?;
        Some(BatcherStep::Append(Flush {
            journal: self.journal.id(),
            expected: position,
            through: *through,
            rows: Arc::clone(rows),
        }))
    }

    /// Takes note of what a step did.
    ///
    /// # Errors
    /// The step's error, after which there is a wait before the next.
    pub(super) fn apply(&mut self, answer: Result<StepAnswer, PortError>) -> Result<(), PortError> {
        match answer {
            Ok(StepAnswer::Stands(position)) => self.stand_at(position),
            Ok(StepAnswer::Begun) => {}
            Ok(StepAnswer::Loaded(span, read)) => return self.take_in(span, read),
            Ok(StepAnswer::Flushed(Flushed::Done)) => self.advance(),
            // An earlier statement of this service, whose answer was lost, has moved it.
            Ok(StepAnswer::Flushed(Flushed::Elsewhere)) => self.position = None,
            Err(PortError::Rejected(_)) if self.batch.is_some() && self.position.is_some() => {
                self.handle_rejection();
            }
            Err(error) => {
                self.position = None;
                return Err(error);
            }
        }
        Ok(())
    }

    fn stand_at(&mut self, position: u64) {
        self.position = Some(position);
        if self.journal.has_begun() {
            self.queue.set_committed_through(position);
        }
        if let Some(batch) = &mut self.batch {
            self.queue.count_written(batch.advance_to(position));
        }
    }

    fn advance(&mut self) {
        let Some(batch) = &mut self.batch else { return };
        let through = batch.next().map(|part| part.through);
        self.queue.count_written(batch.complete_first());
        if let Some(through) = through {
            self.position = Some(through);
            self.queue.set_committed_through(through);
        }
    }

    /// The database refused the data. Nothing was written, so the position is where it was.
    fn handle_rejection(&mut self) {
        if let Some(batch) = &mut self.batch
            && batch.split_refused() == RefusedPart::GivenUp
        {
            self.queue.count_given_up();
        }
    }

    /// Makes what was read from the journal the next batch. A part that cannot be read after `JOURNAL_READS_MAX` attempts is given up,
    /// so that it does not hold up the rest for ever.
    fn take_in(&mut self, span: JournalSpan, read: io::Result<ReadBack>) -> Result<(), PortError> {
        let read = match read {
            Ok(read) => read,
            Err(error) => {
                self.reads_failed += 1;
                if self.reads_failed < JOURNAL_READS_MAX {
                    return Err(PortError::Unavailable(format!("the journal: {error}")));
                }
                log::error!("a part of the journal cannot be read and is given up: {error}");
                self.journal.give_up(span)
            }
        };
        self.reads_failed = 0;
        let taken = self.queue.take_loaded(read.rows, read.through);
        self.batch = Some(FlushBatch::of(taken).with_more());
        Ok(())
    }

    /// Ends the batch, all of which is settled; whether it left rows behind.
    pub(super) fn end_batch(&mut self) -> bool {
        self.batch.take().is_some_and(|batch| {
            self.queue.release(batch.bytes());
            batch.was_full()
        })
    }
}

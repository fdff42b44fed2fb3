//! The queue as the journal uses it: where the numbers begin, turns of writing, what was refused, when it opens and closes.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use uuid::Uuid;

use super::intake::SegmentState;
use super::{
    AuditQueue, JournalAck, JournalSpan, JournalTask, Numbered, OpenSegment, QueueState,
    WriteGroup, WriteTurn,
};
use crate::entry::AuditEntry;
use crate::limits::JOURNAL_NUMBER_MAX;

impl AuditQueue {
    /// Numbers go on above `last`; `found` is what the journal has that the database has not.
    pub(crate) fn begin(&self, position: u64, last: u64, found: Option<JournalSpan>) {
        self.committed.store(position, Ordering::Release);
        self.decided.store(last, Ordering::Release);
        let mut inner = self.lock();
        inner.last = last.min(JOURNAL_NUMBER_MAX);
        if let Some(span) = found {
            inner.backlog.push_span(span);
            self.stored_rows.fetch_add(span.rows, Ordering::AcqRel);
        }
    }

    /// The last number given.
    pub(crate) fn last(&self) -> u64 {
        self.lock().last
    }

    /// The number up to which the database has everything.
    pub(crate) fn committed_through(&self) -> u64 {
        self.committed.load(Ordering::Acquire)
    }

    /// Whether every row is committed or dropped.
    pub(crate) fn is_settled(&self) -> bool {
        self.stats().waiting_rows == 0
    }

    /// The number up to which the journal has written or refused every entry.
    pub(crate) fn decided_through(&self) -> u64 {
        self.decided.load(Ordering::Acquire)
    }

    /// The journal takes entries from now on, for this segment.
    pub(crate) fn open(&self, journal: Uuid, segment: OpenSegment) {
        self.lock().intake.open(journal, segment);
    }

    /// Whether a new segment is to be begun for so many bytes more: this one is full, or (said once) its last sync failed.
    pub(crate) fn needs_segment(&self, segment: &OpenSegment, bytes: usize) -> bool {
        let mut inner = self.lock();
        std::mem::take(&mut inner.intake.is_distrusted) || !inner.intake.has_room(segment, bytes)
    }

    /// Waits for work. Only the journal's thread calls this.
    pub(crate) fn wait_for_task(&self) -> JournalTask {
        let mut inner = self.lock();
        loop {
            if let Some(task) = inner.intake.next_task() {
                inner.intake.is_asleep = false;
                return task;
            }
            inner.intake.is_asleep = true;
            inner = self
                .filled
                .wait(inner)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The kernel has the group of this turn: acknowledges it and gives the segment back. `is_fast` says how the write went; a caller
    /// that `may_go_on` is given the next turn, if a group waits.
    pub(crate) fn end_turn(
        &self,
        turn: WriteTurn,
        is_fast: bool,
        may_go_on: bool,
    ) -> Option<WriteTurn> {
        self.journaled.fetch_add(turn.group.rows, Ordering::AcqRel);
        self.decided.store(turn.group.last, Ordering::Release);
        turn.group.acknowledge(turn.group.last);
        let mut inner = self.lock();
        inner.intake.end_turn(turn, is_fast);
        self.hand_out(inner, may_go_on)
    }

    /// Leaves a caller's write, whose attempt had this result, to the journal's thread.
    pub(crate) fn hand_over(&self, mut turn: WriteTurn, attempt: io::Result<usize>) -> JournalAck {
        let ack = self.waiting(turn.group.join(), turn.group.last);
        let mut inner = self.lock();
        inner.intake.segment = SegmentState::HandedOver(turn, attempt);
        self.hand_out(inner, false);
        ack
    }

    /// Gives a caller its turn, or else wakes the journal's thread if there is work for it.
    pub(super) fn hand_out(
        &self,
        mut inner: MutexGuard<'_, QueueState>,
        may_write: bool,
    ) -> Option<WriteTurn> {
        let turn = if may_write {
            inner.intake.claim()
        } else {
            None
        };
        let wakes = turn.is_none() && inner.intake.take_wakeup();
        drop(inner);
        if wakes {
            self.filled.notify_one();
        }
        turn
    }

    /// A sync begins: until it ends, only the journal's thread writes, since a write might have to wait for the disk.
    pub(crate) fn begin_sync(&self) {
        self.lock().intake.is_syncing = true;
    }

    /// The sync ended. After one that failed nothing more is appended to the newest segment: the kernel may drop what could not be
    /// written and report success next time.
    pub(crate) fn end_sync(&self, is_ok: bool) {
        let mut inner = self.lock();
        inner.intake.is_syncing = false;
        inner.intake.is_distrusted |= !is_ok;
    }

    /// Waits for `wait`; false when the queue closes meanwhile.
    pub(crate) fn wait_unless_closing(&self, wait: Duration) -> bool {
        let rested = self
            .filled
            .wait_timeout_while(self.lock(), wait, |inner| !inner.intake.is_closing);
        let (inner, _) = rested.unwrap_or_else(PoisonError::into_inner);
        !inner.intake.is_closing
    }

    /// Takes no more entries; what waits is still written.
    pub(crate) fn close(&self) {
        self.lock().intake.is_closing = true;
        self.filled.notify_all();
    }

    /// The kernel has the group only up to number `through`, `rows` rows of it; `rest` are the bytes it has not. Nothing more is taken
    /// until the journal opens again.
    pub(crate) fn fail_group(
        &self,
        group: &WriteGroup,
        through: u64,
        rows: u64,
        rest: &[u8],
        read: impl Fn(&[u8]) -> Vec<Numbered>,
    ) {
        self.journaled.fetch_add(rows, Ordering::AcqRel);
        let from = through + 1;
        let mut inner = self.lock();
        let behind = inner.intake.stop();
        if inner.backlog.relies_on(from) {
            let mut failed = read(rest);
            failed.extend(read(&behind.frames));
            let fits = |entry: &AuditEntry| self.reserve(entry.weight());
            let withdrawn = inner.backlog.withdraw(from, failed, fits);
            self.stored_rows
                .fetch_sub(withdrawn.kept + withdrawn.dropped, Ordering::AcqRel);
            self.drop_rows(withdrawn.dropped);
        }
        drop(inner);
        self.decided
            .fetch_max(group.last.max(behind.last), Ordering::AcqRel);
        group.acknowledge(through);
        behind.acknowledge(through);
    }
}

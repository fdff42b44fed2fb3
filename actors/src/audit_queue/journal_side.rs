//! The queue as the journal uses it: the journal's writer (`journal/writer.rs`), which is the next step of an entry, takes encoded
//! entries from here, writes them to the disk and reports what was written.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use uuid::Uuid;

use super::{AuditQueue, JournalSpan, Numbered, WriteGroup};
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

    /// The journal takes entries from now on.
    pub(crate) fn open(&self, journal: Uuid) {
        self.is_journaled.store(true, Ordering::Release);
        self.lock().intake.open(journal);
    }

    /// Waits for entries to write; none when no more will come.
    pub(crate) fn wait_for_group(&self, spent: Vec<u8>) -> Option<WriteGroup> {
        let mut inner = self.lock();
        while inner.intake.is_empty() {
            if inner.intake.is_closing {
                return None;
            }
            inner.intake.is_asleep = true;
            inner = self
                .filled
                .wait(inner)
                .unwrap_or_else(PoisonError::into_inner);
        }
        inner.intake.is_asleep = false;
        Some(inner.intake.take(spent))
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
        self.lock().intake.close();
        self.filled.notify_all();
    }

    /// The kernel has the group, which holds `rows` rows.
    pub(crate) fn acknowledge(&self, group: &WriteGroup, rows: u64) {
        self.journaled.fetch_add(rows, Ordering::AcqRel);
        self.decided.store(group.last, Ordering::Release);
        let _set_once = group.ack.set(group.last);
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
        self.is_journaled.store(false, Ordering::Release);
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
        for ack in [&group.ack, &behind.ack] {
            let _set_once = ack.set(through);
        }
    }
}

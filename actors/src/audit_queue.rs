//! The audit log's queue: entries that wait to be written, bounded in rows and in bytes. Whoever records puts entries in; whose turn it
//! is to write the journal takes their bytes ([`turn`]), the batcher their rows.
//!
//! An entry gets its number here, under the lock, so that journal and database have the entries in the same order.

mod acknowledgement;
mod backlog;
pub(crate) mod frame;
mod intake;
mod journal_side;
mod stats;
mod turn;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use self::acknowledgement::GroupAck;
use self::backlog::{Backlog, BacklogHead};
use self::intake::Intake;
use crate::entry::AuditEntry;
use crate::limits::TreeLimits;

pub use acknowledgement::JournalAck;
pub use stats::{AuditStats, JournalState, JournalStats};

pub(crate) use backlog::{JournalSpan, Numbered};
pub(crate) use turn::{JournalTask, OpenSegment, WriteGroup, WriteTurn};

/// Rows taken out to be written; they are counted as waiting until they are released.
#[derive(Debug)]
pub(crate) struct TakenRows {
    pub(crate) rows: Vec<Numbered>,
    /// What is to be released when all of them are settled.
    pub(crate) bytes: usize,
}

/// What is to be written next.
#[derive(Debug)]
pub(crate) enum NextRows {
    Rows(TakenRows),
    /// These are to be read from the journal first.
    Stored(JournalSpan),
    /// The journal has not yet said whether it has what comes next.
    Undecided,
}

/// The entries that wait, and the counters of all that came.
pub(crate) struct AuditQueue {
    rows_max: usize,
    bytes_max: usize,
    patience: Duration,
    inner: Mutex<QueueState>,
    /// Wakes the journal's thread.
    filled: Condvar,
    waiting_rows: AtomicUsize,
    waiting_bytes: AtomicUsize,
    stored_rows: AtomicUsize,
    dropped: AtomicU64,
    written: AtomicU64,
    journaled: AtomicU64,
    unjournaled: Arc<AtomicU64>,
    /// Up to this number the journal has either written or refused each entry.
    decided: AtomicU64,
    committed: AtomicU64,
}

struct QueueState {
    /// The last number given.
    last: u64,
    backlog: Backlog,
    intake: Intake,
}

/// What is left to do for entries that were put in.
pub(crate) enum Pushed {
    /// An answer waits for this.
    Done(JournalAck),
    /// It is the caller's turn to write them.
    Turn(WriteTurn),
}

impl AuditQueue {
    pub(crate) fn new(limits: &TreeLimits) -> Self {
        Self {
            rows_max: limits.audit_waiting_rows_max,
            bytes_max: limits.audit_waiting_bytes_max,
            patience: limits.journal_patience,
            inner: Mutex::new(QueueState {
                last: 0,
                backlog: Backlog::default(),
                intake: Intake::new(limits.journal_segment_bytes_max),
            }),
            filled: Condvar::new(),
            waiting_rows: AtomicUsize::new(0),
            waiting_bytes: AtomicUsize::new(0),
            stored_rows: AtomicUsize::new(0),
            dropped: AtomicU64::new(0),
            written: AtomicU64::new(0),
            journaled: AtomicU64::new(0),
            unjournaled: Arc::default(),
            decided: AtomicU64::new(0),
            committed: AtomicU64::new(0),
        }
    }

    /// Puts entries in, next to one another and in this order; an entry that neither memory nor the journal takes is counted as dropped.
    pub(crate) fn push<const N: usize>(&self, entries: [AuditEntry; N]) -> Pushed {
        let mut inner = self.lock();
        let is_journaled = entries.map(|entry| self.put(&mut inner, entry));
        let number = inner.last;
        // A group that is the caller's turn needs no acknowledgement.
        let ack = match inner.intake.claim() {
            Some(turn) => return Pushed::Turn(turn),
            None => is_journaled.ends_with(&[true]).then(|| inner.intake.join()),
        };
        self.hand_out(inner, false);
        Pushed::Done(ack.map_or_else(JournalAck::settled, |ack| self.waiting(ack, number)))
    }

    /// Whether the journal takes the entry.
    fn put(&self, inner: &mut QueueState, entry: AuditEntry) -> bool {
        inner.last += 1;
        let number = inner.last;
        let is_journaled = inner.intake.offer(number, &entry);
        if self.reserve(entry.weight()) {
            inner.backlog.push_row((number, entry));
        } else if is_journaled {
            inner.backlog.push_stored(number);
            self.stored_rows.fetch_add(1, Ordering::AcqRel);
        } else {
            self.drop_rows(1);
        }
        if !is_journaled {
            self.unjournaled.fetch_add(1, Ordering::AcqRel);
        }
        is_journaled
    }

    /// Waits for entry `number`, which is in the group of this acknowledgement.
    fn waiting(&self, ack: GroupAck, number: u64) -> JournalAck {
        JournalAck::waiting(ack, number, self.patience, Arc::clone(&self.unjournaled))
    }

    /// Takes out the oldest rows, at most `count`.
    pub(crate) fn take(&self, count: usize) -> NextRows {
        let head = self.lock().backlog.head(count);
        match head {
            // Weighed outside the lock, so that those who record do not wait for it.
            BacklogHead::Rows(rows) => NextRows::Rows(TakenRows {
                bytes: weight(&rows),
                rows,
            }),
            BacklogHead::Stored(span) if span.first > self.decided.load(Ordering::Acquire) => {
                NextRows::Undecided
            }
            BacklogHead::Stored(span) => NextRows::Stored(span),
        }
    }

    /// Takes rows that were read back from the journal, which is read as far as `through`.
    pub(crate) fn take_loaded(&self, rows: Vec<Numbered>, through: u64) -> TakenRows {
        let missing = self.lock().backlog.settle(through, rows.len());
        let bytes = weight(&rows);
        // This may exceed the bound by the rows of one flush; nothing more is read back before they are written.
        self.waiting_rows.fetch_add(rows.len(), Ordering::AcqRel);
        self.waiting_bytes.fetch_add(bytes, Ordering::AcqRel);
        self.stored_rows
            .fetch_sub(rows.len() + missing, Ordering::AcqRel);
        self.drop_rows(missing);
        TakenRows { rows, bytes }
    }

    /// Whether nothing waits that nobody has taken out.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().backlog.is_empty()
    }

    /// Counts rows that were committed.
    pub(crate) fn count_written(&self, rows: usize) {
        self.waiting_rows.fetch_sub(rows, Ordering::AcqRel);
        self.written.fetch_add(rows as u64, Ordering::AcqRel);
    }

    /// Up to this number the database has every row that it will ever have.
    pub(crate) fn set_committed_through(&self, through: u64) {
        self.committed.store(through, Ordering::Release);
    }

    /// Counts a row that the database will never take.
    pub(crate) fn count_given_up(&self) {
        self.waiting_rows.fetch_sub(1, Ordering::AcqRel);
        self.drop_rows(1);
    }

    /// Gives back the bytes of rows that were taken out and are settled.
    pub(crate) fn release(&self, bytes: usize) {
        self.waiting_bytes.fetch_sub(bytes, Ordering::AcqRel);
    }

    pub(crate) fn stats(&self) -> AuditStats {
        let stored_rows = self.stored_rows.load(Ordering::Acquire);
        AuditStats {
            waiting_rows: self.waiting_rows.load(Ordering::Acquire) + stored_rows,
            waiting_bytes: self.waiting_bytes.load(Ordering::Acquire),
            dropped_rows: self.dropped.load(Ordering::Acquire),
            written_rows: self.written.load(Ordering::Acquire),
            journal: JournalStats {
                journaled_rows: self.journaled.load(Ordering::Acquire),
                unjournaled_rows: self.unjournaled.load(Ordering::Acquire),
                stored_rows,
                ..JournalStats::default()
            },
        }
    }

    fn drop_rows(&self, rows: usize) {
        self.dropped.fetch_add(rows as u64, Ordering::AcqRel);
    }

    fn reserve(&self, bytes: usize) -> bool {
        if !add_within(&self.waiting_rows, 1, self.rows_max) {
            return false;
        }
        let fits = add_within(&self.waiting_bytes, bytes, self.bytes_max);
        if !fits {
            self.waiting_rows.fetch_sub(1, Ordering::AcqRel);
        }
        fits
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn weight(rows: &[Numbered]) -> usize {
    rows.iter().map(|(_, entry)| entry.weight()).sum()
}

fn add_within(account: &AtomicUsize, amount: usize, most: usize) -> bool {
    let added = |sum: usize| sum.checked_add(amount).filter(|sum| *sum <= most);
    account
        .fetch_update(Ordering::AcqRel, Ordering::Acquire, added)
        .is_ok()
}

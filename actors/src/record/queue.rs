//! What waits to be written: a queue bounded in rows and in bytes, shared by everyone who records and by the one who writes.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{AuditStats, Entry};
use crate::limits::Limits;

/// Rows taken out to be written; they stay in the account until they are released.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) rows: Vec<Entry>,
    /// What is to be released when all of them are settled.
    pub(super) bytes: usize,
}

/// The queue and its account.
pub(super) struct Queue {
    rows_max: usize,
    bytes_max: usize,
    rows: Mutex<VecDeque<Entry>>,
    waiting_rows: AtomicUsize,
    waiting_bytes: AtomicUsize,
    dropped: AtomicU64,
    written: AtomicU64,
}

impl Queue {
    pub(super) fn bounded(limits: &Limits) -> Self {
        Self {
            rows_max: limits.audit_waiting_rows_max,
            bytes_max: limits.audit_waiting_bytes_max,
            rows: Mutex::default(),
            waiting_rows: AtomicUsize::new(0),
            waiting_bytes: AtomicUsize::new(0),
            dropped: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }
    }

    /// Puts entries in, side by side and in this order; one that does not fit is counted.
    pub(super) fn push(&self, entries: impl IntoIterator<Item = Entry>) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        for entry in entries {
            if self.reserve(entry.weight()) {
                rows.push_back(entry);
            } else {
                self.drop_one();
            }
        }
    }

    /// Takes out the oldest rows, at most `count`.
    pub(super) fn take(&self, count: usize) -> Taken {
        let rows = self.take_rows(count);
        // Weighed outside the lock: nobody who records waits for it.
        let bytes = rows.iter().map(Entry::weight).sum();
        Taken { rows, bytes }
    }

    fn take_rows(&self, count: usize) -> Vec<Entry> {
        let mut waiting = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let count = count.min(waiting.len());
        waiting.drain(..count).collect()
    }

    /// Whether rows wait that nobody has taken out.
    pub(super) fn is_empty(&self) -> bool {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.is_empty()
    }

    /// So many rows have been committed.
    pub(super) fn written(&self, rows: usize) {
        self.waiting_rows.fetch_sub(rows, Ordering::AcqRel);
        self.written.fetch_add(rows as u64, Ordering::AcqRel);
    }

    /// The database will never take this row that was taken out.
    pub(super) fn given_up(&self) {
        self.waiting_rows.fetch_sub(1, Ordering::AcqRel);
        self.drop_one();
    }

    /// What was taken out is settled.
    pub(super) fn release(&self, bytes: usize) {
        self.waiting_bytes.fetch_sub(bytes, Ordering::AcqRel);
    }

    pub(super) fn stats(&self) -> AuditStats {
        AuditStats {
            waiting_rows: self.waiting_rows.load(Ordering::Acquire),
            waiting_bytes: self.waiting_bytes.load(Ordering::Acquire),
            dropped_rows: self.dropped.load(Ordering::Acquire),
            written_rows: self.written.load(Ordering::Acquire),
        }
    }

    fn drop_one(&self) {
        self.dropped.fetch_add(1, Ordering::AcqRel);
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
}

fn add_within(account: &AtomicUsize, amount: usize, most: usize) -> bool {
    let added = |sum: usize| sum.checked_add(amount).filter(|sum| *sum <= most);
    account
        .fetch_update(Ordering::AcqRel, Ordering::Acquire, added)
        .is_ok()
}

use std::time::Instant;

use super::{AuditDraft, AuditEntry, AuditHandle};
use crate::audit_queue::JournalAck;
use crate::domain::{Decision, Outcome, Sector};

/// Guarantees one row for one call: finished, it records what became of the call; dropped unfinished, it records `allow`/`error` without
/// a count (r043).
pub struct Witness {
    audit: AuditHandle,
    /// Present until the row is recorded; says `allow`/`error` until it is finished.
    entry: Option<AuditEntry>,
    begun: Instant,
}

impl AuditHandle {
    /// Opens the witness of a call: exactly one row comes of it, whatever happens.
    pub fn open_witness(&self, draft: AuditDraft) -> Witness {
        Witness::new(self.clone(), draft.into())
    }
}

impl Witness {
    fn new(audit: AuditHandle, entry: AuditEntry) -> Self {
        Self {
            audit,
            entry: Some(entry),
            begun: Instant::now(),
        }
    }

    /// Names the sector before the work runs, for a row that is never finished.
    pub fn set_sector(&mut self, sector: Option<Sector>) {
        if let Some(entry) = &mut self.entry {
            entry.sector = sector.or(entry.sector);
        }
    }

    /// Records what became of the call, for whoever answers it. A `sector` of `None` leaves the one named before.
    pub fn finish(
        mut self,
        decision: Decision,
        sector: Option<Sector>,
        outcome: Option<Outcome>,
        count: Option<i32>,
    ) -> JournalAck {
        self.set_sector(sector);
        if let Some(entry) = &mut self.entry {
            entry.decision = decision;
            entry.outcome = outcome;
            entry.result_count = count;
        }
        self.fail()
    }

    /// Records the call as it stands: `allow`/`error`, as if this were dropped, but for somebody who gets an answer.
    pub fn fail(mut self) -> JournalAck {
        self.entry
            .take()
            .map_or_else(JournalAck::settled, |entry| self.record(entry))
    }

    fn record(&self, entry: AuditEntry) -> JournalAck {
        self.audit
            .metrics()
            .call_durations
            .observe(self.begun.elapsed());
        self.audit.record(entry)
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        if let Some(entry) = self.entry.take() {
            // No answer follows that could wait.
            drop(self.record(entry));
        }
    }
}

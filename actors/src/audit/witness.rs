use std::time::Instant;

use super::{AuditEntry, AuditHandle};
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
    /// Opens the witness of a call: exactly one row comes of it, whatever happens. The entry is that of a call that is not finished
    /// ([`AuditEntry::unfinished`]).
    pub fn open_witness(&self, entry: AuditEntry) -> Witness {
        Witness::new(self.clone(), entry)
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
        self.audit.observe_call(self.begun.elapsed());
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

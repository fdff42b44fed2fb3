use super::{Entry, EntryDraft};
use crate::domain::{Decision, Outcome, Sector};

/// The door to the record. Recording never waits and never fails its caller (r024).
#[derive(Clone)]
pub struct AuditHandle;

/// What waits to be written.
#[derive(Clone, Debug, Default)]
pub struct AuditStats {
    pub waiting_rows: usize,
    pub waiting_bytes: usize,
    pub dropped_rows: u64,
    pub written_rows: u64,
}

impl AuditHandle {
    /// Records one finished entry.
    pub fn record(&self, _entry: Entry) {
        unimplemented!()
    }
    /// Records an act of the operator in the Console: `agent_id` `operator`, always `allow` (spec §6).
    pub fn operator(
        &self,
        _verb: &'static str,
        _sector: Option<Sector>,
        _args: Option<serde_json::Value>,
        _outcome: Outcome,
        _count: Option<i32>,
    ) {
        unimplemented!()
    }
    /// Records a refused handshake under `initialize`, within the cap of 30 a minute (r033, r034).
    pub fn refused_handshake(&self, _reason: crate::domain::Refusal, _method: Option<String>) {
        unimplemented!()
    }
    /// Opens the witness of a call: exactly one row comes of it, whatever happens.
    pub fn witness(&self, _draft: EntryDraft) -> Witness {
        unimplemented!()
    }
    /// What waits to be written.
    pub fn stats(&self) -> AuditStats {
        unimplemented!()
    }
}

/// Holds the right to one row; dropped unfinished it records `allow`/`error` without a count.
pub struct Witness;

impl Witness {
    /// Records what became of the call.
    pub fn finish(
        self,
        _decision: Decision,
        _sector: Option<Sector>,
        _outcome: Option<Outcome>,
        _count: Option<i32>,
    ) {
        unimplemented!()
    }
}

use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use tokio::time::timeout;

use super::batcher::Drain;
use super::metrics::AuditMetrics;
use super::throttle::Throttles;
use super::{AuditBatcher, AuditEntry, AuditStats, SafeArgs};
use crate::audit_queue::{AuditQueue, JournalAck, Pushed};
use crate::clock::Clock;
use crate::domain::{OPERATOR, Outcome, Sector};
use crate::journal::Journal;
use crate::limits::{DRAIN_DEADLINE, TreeLimits};
use crate::ports::{AuditStore, JournalDisk};
use crate::supervise::ask;

/// `agent_id` of an act of the operator (r031).
const OPERATOR_NAME: &str = "operator";

/// The handle of the audit log. Recording never fails its caller (r024); it appends to the journal if nobody else does, and returns a
/// future that resolves when the row is in the journal, for which an answer waits.
#[derive(Clone)]
pub struct AuditHandle {
    shared: Arc<Shared>,
}

struct Shared {
    journal: Arc<Journal>,
    batcher: Addr<AuditBatcher>,
    queue: Arc<AuditQueue>,
    metrics: Arc<AuditMetrics>,
    throttles: Throttles,
    clock: Arc<dyn Clock>,
}

impl AuditHandle {
    /// The handle and the queue that its batcher drains.
    pub(crate) fn new(
        batcher: Addr<AuditBatcher>,
        disk: Option<Arc<dyn JournalDisk>>,
        clock: Arc<dyn Clock>,
        limits: &TreeLimits,
    ) -> Self {
        let queue = Arc::new(AuditQueue::new(limits));
        let journal = Journal::open(disk, Arc::clone(&queue), Arc::clone(&clock), limits);
        let shared = Shared {
            journal: Arc::new(journal),
            batcher,
            queue,
            metrics: Arc::default(),
            throttles: Throttles::default(),
            clock,
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// The batcher that drains this handle's queue into `store`, once per `interval` at least.
    pub(crate) fn batcher(&self, store: Arc<dyn AuditStore>, interval: Duration) -> AuditBatcher {
        AuditBatcher::new(
            Arc::clone(&self.shared.queue),
            self.journal(),
            self.metrics(),
            store,
            interval,
        )
    }

    pub(crate) fn journal(&self) -> Arc<Journal> {
        Arc::clone(&self.shared.journal)
    }

    /// Records one finished entry.
    pub fn record(&self, entry: AuditEntry) -> JournalAck {
        self.shared.metrics.count_call(&entry);
        self.journal_pushed(self.shared.queue.push([entry]))
    }

    /// Writes to the journal what it is the caller's turn to write. No lock may be held: the write may wait for the disk.
    pub(super) fn journal_pushed(&self, pushed: Pushed) -> JournalAck {
        match pushed {
            Pushed::Done(ack) => ack,
            Pushed::Turn(turn) => self.shared.journal.append_as_caller(turn),
        }
    }

    /// Records an act of the operator in the Console: `agent_id` `operator`, always `allow` (r048).
    pub fn record_operator(
        &self,
        verb: &'static str,
        sector: Option<Sector>,
        args: Option<serde_json::Value>,
        outcome: Outcome,
        count: Option<i32>,
    ) -> JournalAck {
        self.record(AuditEntry {
            user_id: Some(OPERATOR),
            agent_id: Some(OPERATOR_NAME.into()),
            sector,
            args: args.as_ref().map(SafeArgs::of),
            result_count: count,
            outcome: Some(outcome),
            ..AuditEntry::unfinished(verb)
        })
    }

    pub(super) fn throttles(&self) -> &Throttles {
        &self.shared.throttles
    }

    pub(super) fn clock(&self) -> &dyn Clock {
        &*self.shared.clock
    }

    pub(super) fn push<const ROWS: usize>(&self, entries: [AuditEntry; ROWS]) -> Pushed {
        self.shared.queue.push(entries)
    }

    /// Counters and histograms since the start.
    pub fn metrics(&self) -> Arc<AuditMetrics> {
        Arc::clone(&self.shared.metrics)
    }

    /// Notes how long a call took.
    pub(super) fn observe_call(&self, took: Duration) {
        self.shared.metrics.call_durations.observe(took);
    }

    /// What waits to be written, and the state of the journal.
    pub fn stats(&self) -> AuditStats {
        let mut stats = self.shared.queue.stats();
        self.shared.journal.fill(&mut stats.journal);
        stats
    }

    /// Writes everything that waits now; returns how many rows were left when `DRAIN_DEADLINE` passed.
    pub(crate) async fn drain(&self) -> usize {
        if timeout(DRAIN_DEADLINE, self.drain_until_answered())
            .await
            .is_err()
        {
            log::error!("the record was not written to its end in time");
        }
        self.stats().waiting_rows
    }

    /// Asks until the batcher has answered or is gone for good: after a crash it goes on with its rows.
    async fn drain_until_answered(&self) {
        while ask(&self.shared.batcher, Drain, DRAIN_DEADLINE)
            .await
            .is_err()
            && self.shared.batcher.connected()
        {}
    }
}

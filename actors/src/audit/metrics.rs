//! Counters and histograms since the start: calls by verb and result, and how long calls and flushes took. Verbs are from a fixed list,
//! so that nothing an agent sends becomes a label.

use std::array;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::AuditEntry;
use crate::domain::{Decision, Outcome, Tool};

/// The verbs of the audit log besides the tools' names (r033, r037 to r039).
const VERBS: [&str; 18] = [
    "initialize",
    "tools/call",
    "oauth_token",
    "ingest",
    "pause",
    "resume",
    "sync_now",
    "disconnect",
    "revoke",
    "set_sync_interval",
    "set_aggregator_app",
    "delete_aggregator_app",
    "set_exposure",
    "clear_exposure",
    "finance.dedup.confirm",
    "finance.dedup.unconfirm",
    "export",
    "erase",
];
/// The name under which every other verb is counted.
const OTHER: &str = "other";
const NAMES_COUNT: usize = Tool::ALL.len() + VERBS.len() + 1;

/// The result of a call, in three classes (r029).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallResult {
    /// Let through, and it worked.
    Allowed,
    /// Let through, and it failed.
    Errored,
    /// Refused.
    Denied,
}

impl CallResult {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Allowed, Self::Errored, Self::Denied];

    fn of(entry: &AuditEntry) -> Self {
        match (&entry.decision, entry.outcome) {
            (Decision::Deny(_), _) => Self::Denied,
            (Decision::Allow, Some(Outcome::Error)) => Self::Errored,
            (Decision::Allow, _) => Self::Allowed,
        }
    }
}

/// Calls of one verb that ended in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallCount {
    /// The verb, or `other`.
    pub verb: &'static str,
    /// How they ended.
    pub result: CallResult,
    /// How many.
    pub calls: u64,
}

/// The counters.
#[derive(Debug)]
pub struct AuditMetrics {
    calls: [[AtomicU64; CallResult::ALL.len()]; NAMES_COUNT],
    /// How long calls took from their arrival to their row.
    pub call_durations: DurationHistogram,
    /// How long it took to write the rows of a flush.
    pub flush_durations: DurationHistogram,
}

impl Default for AuditMetrics {
    fn default() -> Self {
        Self {
            calls: array::from_fn(|_| array::from_fn(|_| AtomicU64::new(0))),
            call_durations: DurationHistogram::default(),
            flush_durations: DurationHistogram::default(),
        }
    }
}

impl AuditMetrics {
    pub(super) fn count_call(&self, entry: &AuditEntry) {
        let place = names().position(|name| entry.tool == name);
        let result = CallResult::of(entry) as usize;
        let row = self.calls.get(place.unwrap_or(NAMES_COUNT - 1));
        if let Some(counter) = row.and_then(|row| row.get(result)) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What was counted; verbs that never came are left out.
    pub fn calls(&self) -> Vec<CallCount> {
        let rows = names().chain([OTHER]).zip(&self.calls);
        let counts = rows.flat_map(|(verb, row)| {
            let results = CallResult::ALL.into_iter().zip(row);
            results.map(move |(result, counter)| CallCount {
                verb,
                result,
                calls: counter.load(Ordering::Relaxed),
            })
        });
        counts.filter(|count| count.calls > 0).collect()
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    Tool::ALL.into_iter().map(Tool::name).chain(VERBS)
}

/// A histogram of durations with fixed buckets.
#[derive(Debug, Default)]
pub struct DurationHistogram {
    buckets: [AtomicU64; BOUNDS_MS.len() + 1],
    sum_us: AtomicU64,
}

/// Upper bounds of the histogram's buckets, in ms; the last bucket has none.
const BOUNDS_MS: [u64; 14] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000,
];

/// A reading of a histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct DurationCounts {
    /// For each bucket its upper bound in seconds, and how many took no longer (cumulative, as Prometheus has it).
    pub up_to: Vec<(f64, u64)>,
    /// How many there were.
    pub count: u64,
    /// Their sum, in seconds.
    pub sum_s: f64,
}

impl DurationHistogram {
    pub(super) fn observe(&self, took: Duration) {
        let place = BOUNDS_MS.partition_point(|bound| Duration::from_millis(*bound) < took);
        if let Some(bucket) = self.buckets.get(place) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        let took_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.sum_us.fetch_add(took_us, Ordering::Relaxed);
    }

    /// What was counted.
    pub fn read(&self) -> DurationCounts {
        let sum_us = self.sum_us.load(Ordering::Relaxed);
        let mut count = 0;
        let mut so_far = self.buckets.iter().map(|bucket| {
            count += bucket.load(Ordering::Relaxed);
            count
        });
        let bounds = BOUNDS_MS.iter().map(|ms| Duration::from_millis(*ms));
        let up_to = bounds
            .map(|bound| bound.as_secs_f64())
            .zip(&mut so_far)
            .collect();
        let last = so_far.next();
        DurationCounts {
            up_to,
            // The last bucket has no bound, so it is always there.
            count: last.unwrap_or_default(),
            sum_s: Duration::from_micros(sum_us).as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(tool: &'static str, decision: Decision) -> AuditEntry {
        AuditEntry {
            decision,
            ..AuditEntry::unfinished(tool)
        }
    }

    #[test]
    fn calls_are_counted_under_known_verbs_alone() {
        let metrics = AuditMetrics::default();
        metrics.count_call(&entry("query", Decision::Allow));
        metrics.count_call(&entry("erase", Decision::Allow));
        for made_up in ["surprise", "query ", ""] {
            metrics.count_call(&entry(made_up, Decision::Deny("no".into())));
        }
        let counted = metrics.calls().into_iter();
        let counted: Vec<_> = counted
            .map(|count| (count.verb, count.result, count.calls))
            .collect();
        assert_eq!(
            counted,
            [
                ("query", CallResult::Errored, 1),
                ("erase", CallResult::Errored, 1),
                (OTHER, CallResult::Denied, 3),
            ]
        );
    }

    #[test]
    fn a_duration_counts_under_every_bound_that_it_keeps() {
        let durations = DurationHistogram::default();
        for ms in [1, 3, 40_000] {
            durations.observe(Duration::from_millis(ms));
        }
        let read = durations.read();
        assert_eq!(read.up_to[..3], [(0.001, 1), (0.002, 1), (0.005, 2)]);
        assert_eq!(read.up_to.last(), Some(&(30.0, 2)));
        assert_eq!((read.count, read.sum_s), (3, 40.004));
    }
}

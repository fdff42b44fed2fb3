//! The events of a load, counted while it goes on: a kill waits for a number of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

/// How long one event of a running load may take.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A piece of a push's body was handed to its connection.
    PieceSent,
    PushAcknowledged,
    EditAcknowledged,
    CallAnswered,
}

impl Fact {
    pub const ALL: [Self; 4] = [
        Self::PieceSent,
        Self::PushAcknowledged,
        Self::EditAcknowledged,
        Self::CallAnswered,
    ];

    /// About how often it occurs in half a second.
    pub const fn usual(self) -> u64 {
        match self {
            Self::PieceSent => 120,
            Self::PushAcknowledged => 30,
            Self::EditAcknowledged => 12,
            Self::CallAnswered => 30,
        }
    }
}

pub struct Tally {
    counts: watch::Sender<[u64; Fact::ALL.len()]>,
    is_over: AtomicBool,
    was_cut: AtomicBool,
}

impl Tally {
    pub fn new() -> Self {
        Self {
            counts: watch::Sender::new([0; Fact::ALL.len()]),
            is_over: AtomicBool::new(false),
            was_cut: AtomicBool::new(false),
        }
    }

    pub fn count(&self, fact: Fact) {
        self.counts.send_modify(|counts| counts[fact as usize] += 1);
    }

    pub fn counted(&self, fact: Fact) -> u64 {
        self.counts.borrow()[fact as usize]
    }

    pub async fn reaches(&self, fact: Fact, count: u64) {
        let mut counts = self.counts.subscribe();
        let reached = counts.wait_for(|counts| counts[fact as usize] >= count);
        let reached = timeout(PATIENCE, reached).await;
        assert!(reached.is_ok(), "never reached: {fact:?} {count}");
    }

    /// Tells all clients to finish their request and to begin no other.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Notes that a client lost the service itself, not only an answer.
    pub fn cut(&self) {
        self.was_cut.store(true, Ordering::Relaxed);
    }

    pub fn was_cut(&self) -> bool {
        self.was_cut.load(Ordering::Relaxed)
    }
}

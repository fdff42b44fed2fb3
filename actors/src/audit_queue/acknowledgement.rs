//! How an answer waits for the journal.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::SetOnce;
use tokio::time::timeout;

/// Set once for a group that is written together: the number of the last entry that the kernel has.
pub(crate) type GroupAck = Arc<SetOnce<u64>>;

/// Resolves when the entry is in the journal, or when `TreeLimits::journal_patience` (5 ms) has passed: then the entry is counted as
/// unjournaled. It never fails, so every answer can wait for it before it leaves (r024).
#[must_use = "an answer that does not wait for the journal may leave before its row is safe"]
pub struct JournalAck(AckState);

enum AckState {
    Settled,
    Waiting(Pin<Box<dyn Future<Output = ()> + Send>>),
}

impl JournalAck {
    /// Nothing to wait for: no row, or one that somebody else answers for.
    pub const fn settled() -> Self {
        Self(AckState::Settled)
    }

    /// Waits until entry `number` is written; counts into `unjournaled` when that is not known in time, or it was refused.
    pub(crate) fn waiting(
        ack: GroupAck,
        number: u64,
        patience: Duration,
        unjournaled: Arc<AtomicU64>,
    ) -> Self {
        if ack.get().is_some_and(|through| *through >= number) {
            return Self::settled();
        }
        Self(AckState::Waiting(Box::pin(async move {
            let said = timeout(patience, ack.wait()).await;
            if said.is_err() || ack.get().is_none_or(|through| *through < number) {
                unjournaled.fetch_add(1, Ordering::AcqRel);
            }
        })))
    }
}

impl Future for JournalAck {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        match &mut self.0 {
            AckState::Settled => Poll::Ready(()),
            AckState::Waiting(waiting) => {
                let polled = waiting.as_mut().poll(task);
                if polled.is_ready() {
                    self.0 = AckState::Settled;
                }
                polled
            }
        }
    }
}

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::SetOnce;
use tokio::time::timeout;

/// What became of the entries that were written together: the number of the last that the kernel has.
pub(crate) type GroupAck = Arc<SetOnce<u64>>;

/// The word that what was recorded stands in the journal. It comes at once, within the journal's patience, or not at all: then the
/// entry is counted as unjournaled. It never fails, so an answer waits for it, and leaves.
#[must_use = "an answer that does not wait for the journal's word may leave before its row is safe"]
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

    /// Waits for the word on entry `number`; counts into `unjournaled` when it does not come in time, or is a no.
    pub(crate) fn waiting(
        word: GroupAck,
        number: u64,
        patience: Duration,
        unjournaled: Arc<AtomicU64>,
    ) -> Self {
        if word.get().is_some_and(|through| *through >= number) {
            return Self::settled();
        }
        Self(AckState::Waiting(Box::pin(async move {
            let said = timeout(patience, word.wait()).await;
            if said.is_err() || word.get().is_none_or(|through| *through < number) {
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

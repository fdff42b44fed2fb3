//! The open streams: how many there may be, what reaches them, and their end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::console_event::ConsoleEvent;
use crate::capacity::{Slot, Slots};
use crate::http::problem::{Code, Problem};

/// Streams at once: a page has one for each visible tab.
const STREAMS_MAX: usize = 32;
/// Events that a reader may be behind; then it is told to read everything again.
const EVENTS_BEHIND_MAX: usize = 256;

/// All streams. Clones share them.
#[derive(Clone)]
pub struct EventStreams {
    free: Slots,
    sender: broadcast::Sender<ConsoleEvent>,
    is_watched: Arc<AtomicBool>,
    stop: CancellationToken,
}

/// What one stream hears, while it is open.
pub(super) struct OpenStream {
    pub(super) events: broadcast::Receiver<ConsoleEvent>,
    pub(super) stop: CancellationToken,
    _until_dropped: Slot,
}

/// Held by the task that watches.
pub(super) struct ChangeWatcher {
    streams: EventStreams,
}

impl EventStreams {
    /// None of them open.
    pub fn new() -> Self {
        Self {
            free: Slots::new(STREAMS_MAX),
            sender: broadcast::Sender::new(EVENTS_BEHIND_MAX),
            is_watched: Arc::default(),
            stop: CancellationToken::new(),
        }
    }

    /// Opens one.
    ///
    /// # Errors
    /// When too many are open, or the service stops.
    pub(super) fn open(&self) -> Result<OpenStream, Problem> {
        if self.stop.is_cancelled() {
            return Err(Problem::new(Code::Unavailable, "the service stops"));
        }
        let slot = self.free.try_take().ok_or_else(|| {
            Problem::new(
                Code::RateLimited,
                format!(
                    "{STREAMS_MAX} streams of events are open already; close a page of the Console"
                ),
            )
        })?;
        Ok(OpenStream {
            events: self.sender.subscribe(),
            stop: self.stop.clone(),
            _until_dropped: slot,
        })
    }

    /// Ends all of them.
    pub fn end(&self) {
        self.stop.cancel();
    }

    /// The right to watch, unless somebody has it.
    pub(super) fn try_watch(&self) -> Option<ChangeWatcher> {
        let is_free = !self.is_watched.swap(true, Ordering::AcqRel);
        is_free.then(|| ChangeWatcher {
            streams: self.clone(),
        })
    }
}

impl Default for EventStreams {
    fn default() -> Self {
        Self::new()
    }
}

impl ChangeWatcher {
    pub(super) fn tell(&self, event: ConsoleEvent) {
        // Without a reader there is nobody to be told.
        let _nobody_may_listen = self.streams.sender.send(event);
    }

    pub(super) fn has_readers(&self) -> bool {
        self.streams.sender.receiver_count() > 0 && !self.streams.stop.is_cancelled()
    }
}

impl Drop for ChangeWatcher {
    fn drop(&mut self) {
        self.streams.is_watched.store(false, Ordering::Release);
    }
}

//! The bytes that the journal is to write next. Kept under the queue's lock, where entries get their numbers, so that they are in order.

use std::sync::Arc;

use tokio::sync::SetOnce;
use uuid::Uuid;

use super::acknowledgement::GroupAck;
use super::frame;
use crate::limits::JOURNAL_GROUP_BYTES_MAX;

/// Entries that are written with one write, and the acknowledgement that all of them wait for.
#[derive(Debug, Default)]
pub(crate) struct WriteGroup {
    pub(crate) frames: Vec<u8>,
    /// The number of the first.
    pub(crate) first: u64,
    /// The number of the last.
    pub(crate) last: u64,
    pub(crate) ack: GroupAck,
}

impl WriteGroup {
    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}

/// Takes entries while the journal is open.
#[derive(Debug, Default)]
pub(crate) struct Intake {
    journal: Uuid,
    is_open: bool,
    waiting: WriteGroup,
    /// The writer waits to be woken.
    pub(crate) is_asleep: bool,
    /// No more will come.
    pub(crate) is_closing: bool,
}

impl Intake {
    /// From now on entries are taken.
    pub(crate) fn open(&mut self, journal: Uuid) {
        self.journal = journal;
        self.is_open = !self.is_closing;
    }

    /// From now on every entry is refused at once; what waits to be written comes back.
    pub(crate) fn stop(&mut self) -> WriteGroup {
        self.is_open = false;
        std::mem::take(&mut self.waiting)
    }

    /// Takes an entry; `None` when it is refused. It is acknowledged with its group.
    pub(crate) fn offer(&mut self, number: u64, line: Option<&[u8]>) -> Option<GroupAck> {
        if !self.is_open || self.waiting.frames.len() >= JOURNAL_GROUP_BYTES_MAX {
            return None;
        }
        frame::append(&mut self.waiting.frames, self.journal, number, line?)?;
        if self.waiting.first == 0 {
            self.waiting.first = number;
        }
        self.waiting.last = number;
        Some(Arc::clone(&self.waiting.ack))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// No more entries are taken.
    pub(crate) fn close(&mut self) {
        self.is_open = false;
        self.is_closing = true;
    }

    /// Whether the writer is to be woken now: once for each sleep.
    pub(crate) fn take_wakeup(&mut self) -> bool {
        !self.waiting.is_empty() && std::mem::take(&mut self.is_asleep)
    }

    /// What waits; `spent` is a buffer to be used again.
    pub(crate) fn take(&mut self, spent: Vec<u8>) -> WriteGroup {
        let fresh = WriteGroup {
            frames: spent,
            first: 0,
            last: 0,
            ack: Arc::new(SetOnce::new()),
        };
        std::mem::replace(&mut self.waiting, fresh)
    }
}

//! Turns of writing. Whoever records and finds nobody writing takes the turn: it appends what waits with one write, and after it what has
//! come meanwhile. Whoever finds somebody writing joins the next group and waits for its acknowledgement. The journal's thread takes the
//! turns that callers may not have or do not finish.
//!
//! No wake-up is lost: whoever ends a turn looks, under the lock that gives the segment back, whether a group waits, and takes it or wakes
//! the thread; whoever joins a group does so under the same lock.

use std::io;
use std::sync::Arc;

use super::acknowledgement::GroupAck;
use crate::ports::JournalFile;

/// Entries that are written with one write.
#[derive(Debug, Default)]
pub(crate) struct WriteGroup {
    pub(crate) frames: Vec<u8>,
    /// The number of the first.
    pub(crate) first: u64,
    /// The number of the last.
    pub(crate) last: u64,
    pub(crate) rows: u64,
    /// What those wait for who do not write it themselves; `None` while there are none.
    pub(super) ack: Option<GroupAck>,
}

impl WriteGroup {
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub(super) fn add(&mut self, number: u64) {
        if self.rows == 0 {
            self.first = number;
        }
        self.last = number;
        self.rows += 1;
    }

    pub(super) fn join(&mut self) -> GroupAck {
        Arc::clone(self.ack.get_or_insert_default())
    }

    /// Tells those who wait up to which number the kernel has the entries.
    pub(super) fn acknowledge(&self, through: u64) {
        if let Some(ack) = &self.ack {
            let _set_once = ack.set(through);
        }
    }
}

/// The newest segment. Whoever holds it may append to it, and nobody else.
pub(crate) struct OpenSegment {
    pub(crate) file: Arc<dyn JournalFile>,
    /// How long it is.
    pub(crate) bytes: u64,
}

/// The right to append one group to the newest segment, held by one thread at a time.
pub(crate) struct WriteTurn {
    pub(crate) segment: OpenSegment,
    pub(crate) group: WriteGroup,
}

/// What the journal's thread is to do.
pub(crate) enum JournalTask {
    Write(WriteTurn),
    /// Go on with a caller's write, whose first attempt had this result.
    Finish(WriteTurn, io::Result<usize>),
    /// Begin a segment: there is none.
    Open,
    /// Nothing more will come.
    Close,
}

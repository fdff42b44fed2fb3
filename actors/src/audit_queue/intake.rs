//! What the journal is to write next, and whose turn it is to write. Kept under the queue's lock, where entries get their numbers, so that
//! they are in order.

use std::io;

use uuid::Uuid;

use super::acknowledgement::GroupAck;
use super::frame::{self, HEADER_BYTES};
use super::turn::{JournalTask, OpenSegment, WriteGroup, WriteTurn};
use crate::entry::{self, AuditEntry};
use crate::limits::{JOURNAL_FAST_WRITES_MIN, JOURNAL_GROUP_BYTES_MAX};

/// The newest segment, as those see it who want to write.
#[derive(Default)]
pub(super) enum SegmentState {
    /// There is none, because the journal has not begun or the disk fails: entries are refused.
    #[default]
    Absent,
    /// Nobody writes.
    Free(OpenSegment),
    /// Somebody writes: what comes meanwhile is the next group.
    Taken,
    /// A caller's write was not complete, with this result; the journal's thread goes on with it.
    HandedOver(WriteTurn, io::Result<usize>),
}

/// Takes entries while the journal is open.
pub(crate) struct Intake {
    journal: Uuid,
    pub(super) segment: SegmentState,
    segment_bytes_max: u64,
    waiting: WriteGroup,
    /// A buffer to be used again.
    spare: Vec<u8>,
    /// Fast writes of the journal's thread that are still needed before callers write again.
    fast_writes_due: u32,
    /// The disk is being synced: a write might have to wait for it.
    pub(super) is_syncing: bool,
    /// A sync of the newest segment failed: nothing more may be appended to it.
    pub(super) is_distrusted: bool,
    /// The journal's thread waits to be woken.
    pub(super) is_asleep: bool,
    /// No more entries will come.
    pub(super) is_closing: bool,
}

impl Intake {
    pub(super) fn new(segment_bytes_max: u64) -> Self {
        Self {
            journal: Uuid::nil(),
            segment: SegmentState::Absent,
            segment_bytes_max,
            waiting: WriteGroup::default(),
            spare: Vec::new(),
            fast_writes_due: 0,
            is_syncing: false,
            is_distrusted: false,
            is_asleep: false,
            is_closing: false,
        }
    }

    /// From now on entries are taken, for this segment.
    pub(super) fn open(&mut self, journal: Uuid, segment: OpenSegment) {
        self.journal = journal;
        self.segment = SegmentState::Free(segment);
    }

    /// From now on every entry is refused at once; what waits to be written comes back.
    pub(super) fn stop(&mut self) -> WriteGroup {
        self.segment = SegmentState::Absent;
        self.take_group()
    }

    /// Takes an entry; false when it is refused. It is acknowledged with its group.
    pub(super) fn offer(&mut self, number: u64, entry: &AuditEntry) -> bool {
        let is_open = !self.is_closing && !matches!(self.segment, SegmentState::Absent);
        if !is_open || self.waiting.frames.len() >= JOURNAL_GROUP_BYTES_MAX {
            return false;
        }
        let line = |frames: &mut Vec<u8>| entry::encode(entry, frames);
        let taken = frame::append(&mut self.waiting.frames, self.journal, number, line).is_some();
        if taken {
            self.waiting.add(number);
        }
        taken
    }

    /// The acknowledgement of what waits.
    pub(super) fn join(&mut self) -> GroupAck {
        self.waiting.join()
    }

    /// The turn of a caller that finds nobody writing: none unless the segment has room, the latest writes were fast and no sync is under
    /// way, so that a caller waits for the disk as seldom as can be known.
    pub(super) fn claim(&mut self) -> Option<WriteTurn> {
        let SegmentState::Free(segment) = &self.segment else {
            return None;
        };
        let may_write = self.fast_writes_due == 0
            && !self.is_syncing
            && !self.is_distrusted
            && self.has_room(segment, self.waiting.frames.len());
        if may_write { self.take_turn() } else { None }
    }

    /// Whether a segment takes so many bytes more; one without entries takes any group.
    pub(super) fn has_room(&self, segment: &OpenSegment, bytes: usize) -> bool {
        segment.bytes <= HEADER_BYTES as u64
            || segment.bytes.saturating_add(bytes as u64) <= self.segment_bytes_max
    }

    /// What waits, for whoever writes it now; none when nothing waits or somebody else writes.
    fn take_turn(&mut self) -> Option<WriteTurn> {
        if self.waiting.is_empty() {
            return None;
        }
        match std::mem::replace(&mut self.segment, SegmentState::Taken) {
            SegmentState::Free(segment) => Some(WriteTurn {
                segment,
                group: self.take_group(),
            }),
            other => {
                self.segment = other;
                None
            }
        }
    }

    /// What the journal's thread is to do; `None` while there is nothing.
    pub(super) fn next_task(&mut self) -> Option<JournalTask> {
        match std::mem::replace(&mut self.segment, SegmentState::Taken) {
            SegmentState::HandedOver(turn, attempt) => {
                return Some(JournalTask::Finish(turn, attempt));
            }
            state => self.segment = state,
        }
        if let Some(turn) = self.take_turn() {
            return Some(JournalTask::Write(turn));
        }
        match self.segment {
            SegmentState::Taken => None,
            _ if self.is_closing => Some(JournalTask::Close),
            SegmentState::Absent => Some(JournalTask::Open),
            _ => None,
        }
    }

    /// Gives the segment back after a write.
    pub(super) fn end_turn(&mut self, turn: WriteTurn, is_fast: bool) {
        self.fast_writes_due = match is_fast {
            true => self.fast_writes_due.saturating_sub(1),
            false => JOURNAL_FAST_WRITES_MIN,
        };
        self.segment = SegmentState::Free(turn.segment);
        self.spare = turn.group.frames;
        self.spare.clear();
    }

    /// Whether the journal's thread is to be woken now: once for each sleep, and not while somebody writes, who looks again afterwards.
    pub(super) fn take_wakeup(&mut self) -> bool {
        let has_work = match &self.segment {
            SegmentState::Absent | SegmentState::Taken => false,
            SegmentState::Free(_) => self.is_closing || !self.waiting.is_empty(),
            SegmentState::HandedOver(..) => true,
        };
        has_work && std::mem::take(&mut self.is_asleep)
    }

    fn take_group(&mut self) -> WriteGroup {
        let fresh = WriteGroup {
            frames: std::mem::take(&mut self.spare),
            ..WriteGroup::default()
        };
        std::mem::replace(&mut self.waiting, fresh)
    }
}

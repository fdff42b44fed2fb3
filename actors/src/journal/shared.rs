//! The journal as callers, its two threads and the batcher share it: its parts, and what more than one of them does with these.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::SetOnce;
use uuid::Uuid;

use super::disk_status::DiskStatus;
use super::segments::Segments;
use crate::audit_queue::frame::EntryFrames;
use crate::audit_queue::{AuditQueue, Numbered};
use crate::clock::Clock;
use crate::entry;
use crate::ports::JournalDisk;

/// The journal, as those who write it, its threads and the batcher share it.
pub(crate) struct Journal {
    pub(super) id: Uuid,
    pub(super) disk: Option<Arc<dyn JournalDisk>>,
    pub(super) queue: Arc<AuditQueue>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) segment_bytes_max: u64,
    pub(super) bytes_max: u64,
    pub(super) segments: Mutex<Segments>,
    pub(super) status: DiskStatus,
    /// Something was written since the last sync began.
    pub(super) is_unsynced: AtomicBool,
    pub(super) has_begun: AtomicBool,
    pub(super) begun: SetOnce<()>,
    /// Whether threads run, which end the journal themselves.
    pub(super) is_running: AtomicBool,
    pub(super) ended: SetOnce<()>,
}

impl Journal {
    /// Releases the disk; the journal takes no more.
    pub(super) fn end(&self) {
        if let Some(disk) = &self.disk {
            disk.release();
        }
        let _once = self.ended.set(());
    }

    pub(super) fn segments(&self) -> MutexGuard<'_, Segments> {
        self.segments.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entries of frames that were on their way to the disk.
    pub(super) fn rows_of(&self, frames: &[u8]) -> Vec<Numbered> {
        let frames = EntryFrames::of(self.id, 0, frames);
        frames
            .filter_map(|frame| Some((frame.number, entry::decode(frame.line)?)))
            .collect()
    }

    /// Notes how far the newest segment has grown.
    pub(super) fn note_grown(&self, last: u64, bytes: u64) {
        self.segments().grow(last, bytes);
        self.count_bytes();
        self.is_unsynced.store(true, Ordering::Release);
    }

    /// Counts what the segments hold, for the stats.
    pub(super) fn count_bytes(&self) {
        let bytes = self.segments().bytes();
        self.status.disk_bytes.store(bytes, Ordering::Release);
    }
}

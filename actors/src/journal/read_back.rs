//! Reads entries back that stand in the journal alone, because memory was full or a former process left them.

use std::io;

use super::shared::Journal;
use crate::audit_queue::frame::EntryFrames;
use crate::audit_queue::{JournalSpan, Numbered};
use crate::entry;
use crate::limits::{FLUSH_ROWS_MAX, JOURNAL_READ_BYTES_MAX};

/// Rows that were read back from the journal.
#[derive(Debug, Default)]
pub(crate) struct ReadBack {
    pub(crate) rows: Vec<Numbered>,
    /// Nothing up to here is left to be read.
    pub(crate) through: u64,
}

impl Journal {
    /// Reads back what stands in the journal alone, as much as one flush takes. Blocks.
    ///
    /// # Errors
    /// The error of the disk.
    pub(crate) fn read(&self, span: JournalSpan) -> io::Result<ReadBack> {
        let last = span.last.min(self.queue.decided_through());
        let segment = self.segments().covering(span.first);
        let (Some(disk), Some(segment)) = (&self.disk, segment) else {
            return Ok(ReadBack {
                rows: Vec::new(),
                through: last,
            });
        };
        let bytes = disk.read(&segment.name(), JOURNAL_READ_BYTES_MAX)?;
        let frames = EntryFrames::of_segment(self.id, &bytes)
            .into_iter()
            .flatten();
        let rows: Vec<Numbered> = frames
            .skip_while(|frame| frame.number < span.first)
            .take_while(|frame| frame.number <= last)
            .filter_map(|frame| Some((frame.number, entry::decode(frame.line)?)))
            .take(FLUSH_ROWS_MAX)
            .collect();
        let through = match rows.last() {
            Some((number, _)) if rows.len() == FLUSH_ROWS_MAX => *number,
            _ => segment.last.min(last),
        };
        Ok(ReadBack { rows, through })
    }

    /// Renames the segment that holds the first of these entries, which cannot be read, and passes over its entries.
    pub(crate) fn give_up(&self, span: JournalSpan) -> ReadBack {
        let segment = self.segments().covering(span.first);
        let through = segment.map_or(span.last, |segment| segment.last.min(span.last));
        if let (Some(disk), Some(segment)) = (&self.disk, segment)
            && let Err(error) = disk.set_aside(&segment.name())
        {
            log::error!("it could not be set aside: {error}");
        }
        ReadBack {
            rows: Vec::new(),
            through,
        }
    }
}

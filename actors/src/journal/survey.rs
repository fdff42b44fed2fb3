//! Reads what an earlier run has left on the disk: the journal's id, its segments, and the entries that the database has not.

use std::io;

use uuid::Uuid;

use super::segments::{Segment, Segments, name_of, place_of};
use crate::audit_queue::JournalSpan;
use crate::audit_queue::frame::{EntryFrames, HEADER_BYTES, SegmentHeader};
use crate::limits::{JOURNAL_NUMBER_MAX, JOURNAL_READ_BYTES_MAX};
use crate::ports::JournalDisk;

/// The places of all segments, in order.
pub(crate) fn places(disk: &dyn JournalDisk) -> io::Result<Vec<u64>> {
    let mut places: Vec<u64> = disk
        .names()?
        .iter()
        .filter_map(|name| place_of(name))
        .collect();
    places.sort_unstable();
    Ok(places)
}

/// Whose journal it is: the newest segment that says so.
pub(crate) fn owner(disk: &dyn JournalDisk) -> io::Result<Option<Uuid>> {
    let places = places(disk)?;
    let owner = places.iter().rev().find_map(|place| {
        let head = disk.read(&name_of(*place), HEADER_BYTES as u64).ok()?;
        SegmentHeader::decode(&head).map(|(header, _)| header.journal)
    });
    Ok(owner)
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) segments: Segments,
    /// The last number that is known to have been given.
    pub(crate) last: u64,
    /// The entries above the position.
    pub(crate) waiting: Option<JournalSpan>,
    /// Files that hold nothing that can be read as this journal's.
    pub(crate) foreign: Vec<ForeignFile>,
}

/// A file with a segment's name and none of this journal's entries.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ForeignFile {
    pub(crate) place: u64,
    /// It is shorter than a header, as a start that broke off leaves it.
    pub(crate) is_unfinished: bool,
}

/// Reads all segments. Each gives what is whole before its first flaw; a number that was read before is not read again.
pub(crate) fn survey(disk: &dyn JournalDisk, journal: Uuid, position: u64) -> io::Result<Survey> {
    let mut survey = Survey::default();
    for place in places(disk)? {
        survey.segments.reserve(place);
        match disk.read(&name_of(place), JOURNAL_READ_BYTES_MAX) {
            Ok(bytes) => survey.take_in(journal, position, place, &bytes),
            Err(error) => {
                log::error!(
                    "the journal's file {} cannot be read: {error}",
                    name_of(place)
                );
                survey.foreign.push(ForeignFile {
                    place,
                    is_unfinished: false,
                });
            }
        }
    }
    Ok(survey)
}

impl Survey {
    fn take_in(&mut self, journal: Uuid, position: u64, place: u64, bytes: &[u8]) {
        let header = SegmentHeader::decode(bytes).filter(|(header, _)| header.journal == journal);
        let Some((header, rest)) = header.filter(|(header, _)| header.before < JOURNAL_NUMBER_MAX)
        else {
            let is_unfinished = bytes.len() < HEADER_BYTES;
            return self.foreign.push(ForeignFile {
                place,
                is_unfinished,
            });
        };
        self.last = self.last.max(header.before);
        let mut whole = HEADER_BYTES;
        for frame in EntryFrames::of(journal, header.before, rest) {
            whole += frame.bytes;
            if frame.number > self.last.max(position) {
                self.wait_for(frame.number);
            }
            self.last = self.last.max(frame.number);
        }
        if whole < bytes.len() {
            log::warn!(
                "the journal's file {} is torn after {whole} of its {} bytes",
                name_of(place),
                bytes.len()
            );
        }
        self.segments.add(Segment {
            place,
            last: self.last,
            bytes: bytes.len() as u64,
        });
    }

    fn wait_for(&mut self, number: u64) {
        let span = self.waiting.get_or_insert(JournalSpan {
            first: number,
            last: number,
            rows: 0,
        });
        span.last = number;
        span.rows += 1;
    }
}

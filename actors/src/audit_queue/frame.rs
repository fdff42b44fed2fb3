//! The bytes of a segment of the journal: a header with the journal's id, then entries, each with its length, checksum and number.
//!
//! ```text
//! segment: magic 8 | journal 16 | numbers up to here were given before 8 | sum 4 | entry …
//! entry:   length 4 | sum 4 | number 8 | line
//! ```
//! The sums are CRC-32 (IEEE), the numbers little-endian. An entry's sum covers the journal's id too, so that an entry of another journal
//! in a reused file is never read as one of this.

use uuid::Uuid;

use crate::limits::JOURNAL_ENTRY_BYTES_MAX;

const MAGIC: [u8; 8] = *b"SXTJRNL1";

/// Bytes of a segment's header.
pub(crate) const HEADER_BYTES: usize = 36;
/// Bytes before an entry's line.
const FRAME_BYTES: usize = 16;

/// The first bytes of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    /// Whose segment it is.
    pub(crate) journal: Uuid,
    /// The last number that was given before it was begun.
    pub(crate) before: u64,
}

impl SegmentHeader {
    pub(crate) fn encode(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(self.journal.as_bytes());
        bytes.extend(self.before.to_le_bytes());
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The header and what follows it; none when these bytes do not begin with one.
    pub(crate) fn decode(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (head, rest) = bytes.split_first_chunk::<HEADER_BYTES>()?;
        let (said, sum) = head.split_last_chunk::<4>()?;
        if crc32fast::hash(said) != u32::from_le_bytes(*sum) {
            return None;
        }
        let (magic, said) = said.split_first_chunk::<8>()?;
        let (journal, said) = said.split_first_chunk::<16>()?;
        let header = Self {
            journal: Uuid::from_bytes(*journal),
            before: u64::from_le_bytes(*said.first_chunk()?),
        };
        (*magic == MAGIC).then_some((header, rest))
    }
}

/// Appends one entry, whose line `write_line` writes; returns the bytes it took. `None`, and nothing appended, when the line cannot be
/// written or is longer than an entry may be.
pub(crate) fn append(
    frames: &mut Vec<u8>,
    journal: Uuid,
    number: u64,
    write_line: impl FnOnce(&mut Vec<u8>) -> Option<()>,
) -> Option<usize> {
    let begin = frames.len();
    // The length and the sum are known only behind the line.
    frames.extend([0; FRAME_BYTES]);
    let appended = write_line(frames).and_then(|()| fill_head(frames, begin, journal, number));
    if appended.is_none() {
        frames.truncate(begin);
    }
    appended
}

/// Fills in the head of the entry that begins at `begin` and ends with these bytes.
fn fill_head(frames: &mut [u8], begin: usize, journal: Uuid, number: u64) -> Option<usize> {
    let (_, frame) = frames.split_at_mut_checked(begin)?;
    let (head, line) = frame.split_first_chunk_mut::<FRAME_BYTES>()?;
    if line.len() > JOURNAL_ENTRY_BYTES_MAX {
        return None;
    }
    let length = u32::try_from(line.len()).ok()?;
    let lengths = length.to_le_bytes().into_iter();
    let sums = sum(journal, length, number, line).to_le_bytes();
    let bytes = lengths.chain(sums).chain(number.to_le_bytes());
    head.iter_mut()
        .zip(bytes)
        .for_each(|(place, byte)| *place = byte);
    Some(FRAME_BYTES + line.len())
}

/// One entry of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntryFrame<'a> {
    pub(crate) number: u64,
    pub(crate) line: &'a [u8],
    /// All its bytes.
    pub(crate) bytes: usize,
}

/// The whole entries of a segment, in order; whatever follows the first that is not whole is not read.
pub(crate) struct EntryFrames<'a> {
    journal: Uuid,
    rest: &'a [u8],
    last: u64,
}

impl<'a> EntryFrames<'a> {
    /// The entries of `journal` among these bytes, whose numbers ascend from above `before`.
    pub(crate) fn of(journal: Uuid, before: u64, bytes: &'a [u8]) -> Self {
        Self {
            journal,
            rest: bytes,
            last: before,
        }
    }

    /// The entries of a whole segment, if its header is that of `journal`.
    pub(crate) fn of_segment(journal: Uuid, segment: &'a [u8]) -> Option<Self> {
        let (header, rest) = SegmentHeader::decode(segment)?;
        (header.journal == journal).then(|| Self::of(journal, header.before, rest))
    }
}

impl<'a> Iterator for EntryFrames<'a> {
    type Item = EntryFrame<'a>;

    fn next(&mut self) -> Option<EntryFrame<'a>> {
        let (frame, rest) =
            split(self.journal, self.rest).filter(|(frame, _)| frame.number > self.last)?;
        self.rest = rest;
        self.last = frame.number;
        Some(frame)
    }
}

fn split(journal: Uuid, bytes: &[u8]) -> Option<(EntryFrame<'_>, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (said, rest) = rest.split_first_chunk::<4>()?;
    let (number, rest) = rest.split_first_chunk::<8>()?;
    let length = u32::from_le_bytes(*length);
    let number = u64::from_le_bytes(*number);
    let (line, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    let frame = EntryFrame {
        number,
        line,
        bytes: FRAME_BYTES + line.len(),
    };
    (sum(journal, length, number, line) == u32::from_le_bytes(*said)).then_some((frame, rest))
}

fn sum(journal: Uuid, length: u32, number: u64, line: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(journal.as_bytes());
    sum.update(&length.to_le_bytes());
    sum.update(&number.to_le_bytes());
    sum.update(line);
    sum.finalize()
}

/// How many of the first `written` bytes of these frames are whole entries.
pub(crate) fn whole(frames: &[u8], written: usize) -> usize {
    let mut whole = 0;
    loop {
        let rest = frames
            .split_at_checked(whole)
            .map_or(&[][..], |(_, rest)| rest);
        let Some(length) = rest.first_chunk::<4>() else {
            return whole;
        };
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let end = whole.saturating_add(FRAME_BYTES).saturating_add(length);
        if end > written {
            return whole;
        }
        whole = end;
    }
}

//! Every limit of a push. Those that a device may reach are documented in docs/pushing.md#limits.

use std::time::Duration;

use super::spool_folder::SpoolFolder;

/// The limits that an operator or a test sets.
#[derive(Clone, Debug)]
pub struct PushLimits {
    /// Bytes of a body, both as it is sent and decoded.
    pub body_bytes_max: u64,
    /// The longest pause within a body that is being sent, and the longest wait for a slot to receive it in.
    pub silence_max: Duration,
    /// Where bodies are spooled.
    pub spools: SpoolFolder,
    /// Bodies that are received at one time, each into a file; more wait for a slot.
    pub bodies_at_once_max: usize,
}

impl Default for PushLimits {
    fn default() -> Self {
        Self {
            body_bytes_max: 64 * 1024 * 1024,
            silence_max: Duration::from_secs(30),
            spools: SpoolFolder::default(),
            bodies_at_once_max: 64,
        }
    }
}

/// Records and deletions in one push.
pub(crate) const ITEMS_MAX: usize = 1_000_000;
/// Problems listed when a push is refused whole.
pub const PROBLEMS_MAX: usize = 20;
/// Records that may be rejected in a push with `?partial=true`.
pub(crate) const REJECTED_MAX: usize = 10_000;
/// Levels of objects and arrays in one record, the record itself included. A record is wrapped and parsed again later, by
/// parsers that stop at 128 levels.
pub const NESTING_MAX: usize = 64;
/// Values in one record, those in its objects and arrays included: one byte of JSON may take fifty bytes of memory.
pub(crate) const RECORD_VALUES_MAX: usize = 100_000;
/// Pushes of one connection that stay noted; the newest ones do.
pub(crate) const PUSHES_NOTED_MAX: usize = 100;
/// Rows that one statement stores.
pub(crate) const BATCH_ROWS_MAX: usize = 1_000;
/// Bytes of JSON that one statement stores.
pub(crate) const BATCH_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of one record, its parts included.
pub(crate) const RECORD_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Characters of all searchable texts of one row together: as many as PostgreSQL's full-text vector (1 MB) always holds.
pub const SEARCHABLE_CHARACTERS_MAX: usize = 200_000;
/// Bytes of a device's own id of a record.
pub(crate) const SOURCE_ID_BYTES_MAX: usize = 512;
/// Bytes of a text in an indexed column: PostgreSQL's B-trees take entries of 2,704 bytes.
pub(crate) const INDEXED_TEXT_BYTES_MAX: usize = 2_000;
/// Characters of a field's name that a problem repeats; devices choose the names.
pub const FIELD_SHOWN_CHARACTERS_MAX: usize = 64;
/// Notes on unknown fields in one answer.
pub(crate) const NOTES_MAX: usize = 20;
/// Unknown field names of one table that are compared with the known ones in one push.
pub(crate) const UNKNOWN_NAMES_COMPARED_MAX: usize = 1_000;
/// The longest name that is compared: the cost of a comparison is the product of both lengths.
pub(crate) const COMPARED_NAME_BYTES_MAX: usize = 64;
/// Different records that may share one name and are distinguished by an ordinal.
pub const NAMESAKES_MAX: usize = 16;
/// Parts nested in one record.
pub(crate) const PARTS_MAX: usize = 5_000;
/// Characters of a JSON number. PostgreSQL takes more; no real measurement needs it.
pub const NUMBER_CHARACTERS_MAX: usize = 64;
/// Pushes that are parsed and stored at one time; more wait. A body that is still being received does not count, so that
/// slow senders delay nobody.
pub(crate) const PUSHES_AT_ONCE_MAX: usize = 4;
/// A body of more bytes than this, as it was sent, counts as two pushes.
pub(crate) const LARGE_BODY_BYTES: u64 = 8 * 1024 * 1024;
/// Bytes of a refused body that are read and discarded. A connection closed with unread bytes would lose the answer.
pub(crate) const DISCARD_BYTES_MAX: usize = 256 * 1024;
/// The longest time spent on discarding.
pub(crate) const DISCARD_TIME_MAX: Duration = Duration::from_secs(1);

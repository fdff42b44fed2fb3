//! Every bound of a push, named. Those that a device may meet stand in docs/pushing.md#limits.

use std::time::Duration;

/// The bounds that an operator or a test sets.
#[derive(Clone, Debug)]
pub struct PushLimits {
    /// A body, sent and decoded.
    pub body_bytes_max: u64,
    /// The longest silence while a body is sent, and the longest wait for a place to send it to.
    pub silence_max: Duration,
    /// Bodies that arrive at one time, each into a file; more wait for a place.
    pub bodies_at_once_max: usize,
}

impl Default for PushLimits {
    fn default() -> Self {
        Self {
            body_bytes_max: 64 * 1024 * 1024,
            silence_max: Duration::from_secs(30),
            bodies_at_once_max: 64,
        }
    }
}

/// Records and deletions in one push.
pub const ITEMS_MAX: usize = 1_000_000;
/// Problems listed when a push is refused whole.
pub const PROBLEMS_MAX: usize = 20;
/// Records that a push with `?partial=true` may leave behind.
pub const REJECTED_MAX: usize = 10_000;
/// Levels of objects and arrays in one record, its own among them. What is read is wrapped and read again, by parsers that
/// stop at 128.
pub const NESTING_MAX: usize = 64;
/// Values in one record, those in its objects and arrays included: a byte of JSON may cost fifty in memory.
pub const RECORD_VALUES_MAX: usize = 100_000;
/// Rows that one statement stores.
pub const BATCH_ROWS_MAX: usize = 500;
/// Bytes that one statement stores.
pub const BATCH_BYTES_MAX: usize = 1024 * 1024;
/// One record's bytes, parts included.
pub const RECORD_BYTES_MAX: usize = 8 * 1024 * 1024;
/// The characters of all searchable texts of one row together: what one full-text vector takes.
pub const SEARCHABLE_CHARACTERS_MAX: usize = 200_000;
/// A device's own id of a record.
pub const SOURCE_ID_BYTES_MAX: usize = 512;
/// A text that rows are found by: an index takes rows of 2,704 bytes.
pub const INDEXED_TEXT_BYTES_MAX: usize = 2_000;
/// How much of a field's name is said back; devices choose the names.
pub const FIELD_SHOWN_CHARACTERS_MAX: usize = 64;
/// Names of unknown fields that are told beside what was probably meant.
pub const NOTES_MAX: usize = 20;
/// Unknown names that are looked at for it, of a table in one push.
pub const NAMES_JUDGED_MAX: usize = 1_000;
/// The longest of them: a distance costs the product of both lengths.
pub const NAME_JUDGED_BYTES_MAX: usize = 64;
/// Records that one name may stand for, told apart by an ordinal.
pub const NAMESAKES_MAX: usize = 16;
/// Parts nested in one record.
pub const PARTS_MAX: usize = 5_000;
/// A JSON number's text; PostgreSQL takes more, honest devices send less.
pub const NUMBER_CHARACTERS_MAX: usize = 64;
/// Pushes that are read and stored at one time; more wait for their turn. A body that still arrives takes no turn, so that
/// slow senders hold up nobody.
pub const PUSHES_AT_ONCE_MAX: usize = 4;
/// A body beyond this, as it was sent, counts as two of those.
pub const LARGE_BODY_BYTES: u64 = 8 * 1024 * 1024;
/// What is read and thrown away of a refused body, so that the answer is not lost.
pub const DISCARD_BYTES_MAX: usize = 256 * 1024;
/// How long it is thrown away at the most.
pub const DISCARD_TIME_MAX: Duration = Duration::from_secs(1);

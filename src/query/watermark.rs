//! A watermark of the store, which `change_cursor` contains: the rows that changed since can be asked for.
//!
//! It is the oldest transaction that was still running when the rows were read: whatever commits later has that id or a
//! later one, so that a row may come twice and none is missed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use super::fault::CallFault;
use super::param::Param;
use crate::db::{Cells, StoreError};

/// How many columns [`Watermark::take`] takes.
pub(crate) const WATERMARK_COLUMNS: usize = 3;
const VERSION: u8 = 1;
/// The longest change cursor that is read.
const CURSOR_BYTES_MAX: usize = 400;

/// A watermark in one generation of the store. Rows that vanish without a trace (erase, import, restore) begin a new
/// generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watermark {
    generation: Uuid,
    oldest: u64,
    /// The last transaction whose tombstones may be gone, of a table that does not keep them for ever; no part of a cursor.
    purged: u64,
}

impl Watermark {
    /// Takes the columns `generation`, `oldest` and `purged`, the last two a transaction's id as text.
    ///
    /// # Errors
    /// [`StoreError::Fault`] when one is no transaction's id, or the statement was another.
    pub(crate) fn take(cells: &mut Cells<'_>) -> Result<Self, StoreError> {
        let generation: Option<Uuid> = cells.named("generation")?;
        let oldest: &str = cells.named("oldest")?;
        let purged: Option<&str> = cells.named("purged")?;
        Ok(Self {
            // A store from which nothing was ever erased has no generation yet.
            generation: generation.unwrap_or_default(),
            oldest: transaction_id(oldest)?,
            // Null where a table keeps its tombstones.
            purged: purged.map_or(Ok(0), transaction_id)?,
        })
    }

    /// The least `changed_xid` of rows that changed since, as text.
    pub fn oldest(&self) -> Param {
        Param::Text(self.oldest.to_string())
    }

    /// Whether the store still knows all that changed since an earlier watermark: both are of one generation, and no tombstone that
    /// the earlier one has not seen is gone.
    pub(crate) fn tells_all_since(&self, earlier: &Self) -> bool {
        let has_seen = self.purged == 0 || earlier.oldest > self.purged;
        self.generation == earlier.generation && has_seen
    }

    /// The watermark as a page's cursor contains it: the generation in hexadecimal, a dot, the transaction's id.
    pub(crate) fn to_text(self) -> String {
        format!("{}.{}", self.generation.simple(), self.oldest)
    }

    /// Reads what [`Self::to_text`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let (generation, oldest) = text.split_once('.')?;
        Some(Self {
            generation: generation.parse().ok()?,
            oldest: oldest.parse().ok()?,
            purged: 0,
        })
    }

    /// The change cursor of the query with this digest; binary and so short, since every answer has one.
    pub fn encode(&self, digest: &str) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(self.generation.as_bytes());
        bytes.extend(self.oldest.to_be_bytes());
        bytes.extend(digest.bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a change cursor of the query with this digest.
    ///
    /// # Errors
    /// When it is no change cursor, or one of another query.
    pub fn decode(cursor: &str, digest: &str) -> Result<Self, CallFault> {
        let (found_digest, watermark) = open(cursor).ok_or_else(|| {
            CallFault::new(
                "`changed_since` cannot be read: pass `change_cursor` of an earlier answer as it is, or leave it out to begin again",
            )
            .without("changed_since")
        })?;
        if found_digest != digest {
            return Err(CallFault::new(
                "this `changed_since` belongs to another query: repeat `target`, `where` and `search` of the call that gave it, or leave it out to begin again",
            )
            .without("changed_since"));
        }
        Ok(watermark)
    }
}

/// The fault of a change cursor of another generation: which rows are gone since cannot be known.
pub fn expired() -> CallFault {
    CallFault::new(
        "cursor_expired: rows were erased, imported, restored or too old to be kept since this `changed_since`: leave it out, read all again, and go on from the new `change_cursor`",
    )
    .without("changed_since")
}

fn transaction_id(text: &str) -> Result<u64, StoreError> {
    text.parse().map_err(|_| StoreError::Fault {
        cause: "a moment that is no number".to_owned(),
    })
}

fn open(cursor: &str) -> Option<(String, Watermark)> {
    if cursor.len() > CURSOR_BYTES_MAX {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (&[version], rest) = bytes.split_first_chunk()?;
    let (generation, rest) = rest.split_first_chunk()?;
    let (oldest, digest) = rest.split_first_chunk()?;
    let watermark = Watermark {
        generation: Uuid::from_bytes(*generation),
        oldest: u64::from_be_bytes(*oldest),
        purged: 0,
    };
    let digest = String::from_utf8(digest.to_vec()).ok()?;
    (version == VERSION).then_some((digest, watermark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_by_the_same_query_only() {
        let watermark = Watermark {
            generation: Uuid::from_u128(7),
            oldest: u64::MAX,
            purged: 0,
        };
        let cursor = watermark.encode("aaaa");
        assert_eq!(Watermark::decode(&cursor, "aaaa").unwrap(), watermark);
        let other = Watermark {
            generation: Uuid::from_u128(8),
            ..watermark
        };
        let earlier = Watermark {
            oldest: 7,
            ..watermark
        };
        assert!(watermark.tells_all_since(&earlier) && !watermark.tells_all_since(&other));
        for (purged, tells_all) in [(6, true), (7, false), (8, false)] {
            let present = Watermark {
                purged,
                ..watermark
            };
            assert_eq!(present.tells_all_since(&earlier), tells_all, "{purged}");
        }
        assert!(Watermark::decode(&cursor, "bbbb").is_err());
        for wrong in ["", "x", "WzFd", &"A".repeat(CURSOR_BYTES_MAX + 1)] {
            assert!(Watermark::decode(wrong, "aaaa").is_err(), "{wrong:?}");
        }
    }
}

//! A moment of the store, as `change_cursor` names it: what changed since can be asked for.
//!
//! It is the oldest transaction that was still running when the rows were read: whatever commits later bears that number
//! or a later one, so that a row may come twice and none is missed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tokio_postgres::Row;
use uuid::Uuid;

use super::fault::Fault;
use super::param::Param;
use crate::db::StoreError;

const VERSION: u8 = 1;
/// Longest change cursor that is read.
const CURSOR_BYTES_MAX: usize = 400;

/// A moment of one generation of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    generation: Uuid,
    oldest: u64,
}

impl Moment {
    /// Reads the present moment from a row of [`super::standing`].
    ///
    /// # Errors
    /// When the statement was another.
    pub fn read(row: &Row) -> Result<Self, StoreError> {
        let generation: Option<Uuid> = row.try_get("generation")?;
        let oldest: &str = row.try_get("oldest")?;
        Ok(Self {
            // A store from which nothing was ever erased has no generation yet.
            generation: generation.unwrap_or_default(),
            oldest: oldest.parse().map_err(|_| StoreError::Fault {
                cause: "a moment that is no number".to_owned(),
            })?,
        })
    }

    /// What rows that changed since bear, or more.
    pub fn oldest(&self) -> Param {
        Param::Text(self.oldest.to_string())
    }

    /// Whether both are of one generation of the store.
    pub fn is_comparable(&self, other: &Self) -> bool {
        self.generation == other.generation
    }

    /// As it stands in the cursor of a page.
    pub fn written(&self) -> String {
        format!("{}.{}", self.generation.simple(), self.oldest)
    }

    /// Reads what [`Self::written`] wrote.
    pub fn parse(written: &str) -> Option<Self> {
        let (generation, oldest) = written.split_once('.')?;
        Some(Self {
            generation: generation.parse().ok()?,
            oldest: oldest.parse().ok()?,
        })
    }

    /// The change cursor of a query with this digest: short, since it stands in every answer.
    pub fn encode(&self, digest: &str) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(self.generation.as_bytes());
        bytes.extend(self.oldest.to_be_bytes());
        bytes.extend(digest.bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a change cursor of the very query.
    ///
    /// # Errors
    /// When it is none, or one of another query.
    pub fn decode(cursor: &str, digest: &str) -> Result<Self, Fault> {
        let (found, moment) = open(cursor).ok_or_else(|| {
            Fault::new(
                "`changed_since` cannot be read: pass `change_cursor` of an earlier answer as it is, or leave it out to begin again",
            )
            .without("changed_since")
        })?;
        if found != digest {
            return Err(Fault::new(
                "this `changed_since` belongs to another query: repeat `target`, `where` and `search` of the call that gave it, or leave it out to begin again",
            )
            .without("changed_since"));
        }
        Ok(moment)
    }
}

/// Said where what went since cannot be told.
pub fn expired() -> Fault {
    Fault::new(
        "cursor_expired: rows were erased, imported or restored since this `changed_since`: leave it out, read all again, and go on from the new `change_cursor`",
    )
    .without("changed_since")
}

fn open(cursor: &str) -> Option<(String, Moment)> {
    if cursor.len() > CURSOR_BYTES_MAX {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (&[version], rest) = bytes.split_first_chunk()?;
    let (generation, rest) = rest.split_first_chunk()?;
    let (oldest, digest) = rest.split_first_chunk()?;
    let moment = Moment {
        generation: Uuid::from_bytes(*generation),
        oldest: u64::from_be_bytes(*oldest),
    };
    let digest = String::from_utf8(digest.to_vec()).ok()?;
    (version == VERSION).then_some((digest, moment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_by_the_same_query_only() {
        let moment = Moment {
            generation: Uuid::from_u128(7),
            oldest: u64::MAX,
        };
        let cursor = moment.encode("aaaa");
        assert_eq!(Moment::decode(&cursor, "aaaa").unwrap(), moment);
        let other = Moment {
            generation: Uuid::from_u128(8),
            ..moment
        };
        assert!(
            moment.is_comparable(&Moment {
                oldest: 1,
                ..moment
            }) && !moment.is_comparable(&other)
        );
        assert!(Moment::decode(&cursor, "bbbb").is_err());
        for wrong in ["", "x", "WzFd", &"A".repeat(CURSOR_BYTES_MAX + 1)] {
            assert!(Moment::decode(wrong, "aaaa").is_err(), "{wrong:?}");
        }
    }
}

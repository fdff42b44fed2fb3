//! Which part of a collection is read next: first each anew, then steps back, the newest first.

use std::collections::{BTreeMap, VecDeque};

use chrono::{DateTime, Utc};

use super::client::AskedSpan;
use super::collection::WhoopCollection;
use super::position::WhoopPosition;
use crate::limits::{WHOOP_STEP, WHOOP_STEPS_MAX};
use crate::round::{Pass, RoundRequest};

/// A part of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadStep {
    /// The last days, as a pass: from `start` is asked, from a later instant is judged.
    Anew { start: DateTime<Utc>, pass: Pass },
    /// What lies from `start` to `end`, which has not been read before.
    Back {
        start: DateTime<Utc>,
        end: DateTime<Utc>,
    },
}

impl ReadStep {
    pub(super) const fn span(self) -> AskedSpan {
        match self {
            Self::Anew { start, .. } => AskedSpan {
                start: Some(start),
                end: None,
            },
            Self::Back { start, end } => AskedSpan {
                start: Some(start),
                end: Some(end),
            },
        }
    }
}

/// What is left to be read in a round.
pub(super) struct ReadSteps {
    now: DateTime<Utc>,
    since: Option<DateTime<Utc>>,
    anew: VecDeque<WhoopCollection>,
    positions: BTreeMap<WhoopCollection, WhoopPosition>,
    taken: usize,
}

impl ReadSteps {
    pub(super) fn new(collections: &[WhoopCollection], request: &RoundRequest) -> Self {
        let position = |collection: &WhoopCollection| {
            let stored = request.positions.get(collection.scope());
            (*collection, WhoopPosition::parse(stored, request.now))
        };
        Self {
            now: request.now,
            since: request.since,
            anew: collections.iter().copied().collect(),
            positions: collections.iter().map(position).collect(),
            taken: 0,
        }
    }

    /// The next one; none when everything was read, or enough for one round.
    pub(super) fn next(&mut self) -> Option<(WhoopCollection, ReadStep)> {
        if let Some(collection) = self.anew.pop_front() {
            return Some((collection, self.anew(collection)));
        }
        self.taken += 1;
        let unread = self.positions.iter().filter_map(|(collection, position)| {
            Some((*collection, position.unread_before(self.since)?))
        });
        let newest = unread.max_by_key(|(_, end)| *end);
        let (collection, end) = newest.filter(|_| self.taken <= WHOOP_STEPS_MAX)?;
        let start = end - WHOOP_STEP;
        let start = self.since.map_or(start, |since| start.max(since));
        Some((collection, ReadStep::Back { start, end }))
    }

    fn anew(&self, collection: WhoopCollection) -> ReadStep {
        let judged = self.position(collection).judged_from(self.now);
        let judged = self.since.map_or(judged, |since| judged.max(since));
        ReadStep::Anew {
            start: judged - collection.lead(),
            pass: Pass {
                begun_at: self.now,
                since: Some(judged),
                is_complete: false,
            },
        }
    }

    /// Where a collection stands.
    pub(super) fn position(&self, collection: WhoopCollection) -> WhoopPosition {
        let position = self.positions.get(&collection);
        position.cloned().unwrap_or_default()
    }

    /// Has a collection stand there.
    pub(super) fn advance(&mut self, collection: WhoopCollection, position: WhoopPosition) {
        self.positions.insert(collection, position);
    }

    /// Leaves a collection alone for the rest of the round.
    pub(super) fn give_up(&mut self, collection: WhoopCollection) {
        self.anew.retain(|own| *own != collection);
        self.positions.remove(&collection);
    }
}

#[cfg(test)]
mod tests;

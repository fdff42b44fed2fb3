//! The journal's files: which are still needed, and which holds an entry.

use std::collections::VecDeque;

/// What every segment's name ends in.
const SUFFIX: &str = ".journal";

/// One file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Its place in the order in which they were begun.
    pub(crate) place: u64,
    /// The number of its last entry; of one without entries, the last number given before it.
    pub(crate) last: u64,
    pub(crate) bytes: u64,
}

impl Segment {
    pub(crate) fn name(&self) -> String {
        name_of(self.place)
    }
}

pub(crate) fn name_of(place: u64) -> String {
    format!("{place:020}{SUFFIX}")
}

/// The place that a file's name says, if it is a segment's.
pub(crate) fn place_of(name: &str) -> Option<u64> {
    let place = name.strip_suffix(SUFFIX)?.parse().ok()?;
    (name_of(place) == name).then_some(place)
}

/// All segments, oldest first. The last is the one that is written to, if any is.
#[derive(Debug, Default)]
pub(crate) struct Segments {
    all: VecDeque<Segment>,
    next_place: u64,
}

impl Segments {
    /// A segment after all others.
    pub(crate) fn add(&mut self, segment: Segment) {
        self.next_place = self.next_place.max(segment.place + 1);
        self.all.push_back(segment);
    }

    /// Leaves out a place whose name is taken by a file that is no segment.
    pub(crate) fn reserve(&mut self, place: u64) {
        self.next_place = self.next_place.max(place + 1);
    }

    pub(crate) const fn next_place(&self) -> u64 {
        self.next_place
    }

    /// Notes how far the newest has grown.
    pub(crate) fn grow(&mut self, last: u64, bytes: u64) {
        if let Some(segment) = self.all.back_mut() {
            segment.last = last;
            segment.bytes = bytes;
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.all.iter().map(|segment| segment.bytes).sum()
    }

    /// The one in which number `number` stands, or would.
    pub(crate) fn covering(&self, number: u64) -> Option<Segment> {
        self.all
            .iter()
            .find(|segment| segment.last >= number)
            .copied()
    }

    /// Those that are not needed any more when everything up to `committed` is in the database; the newest always is.
    pub(crate) fn spent(&self, committed: u64) -> Vec<Segment> {
        let older = self.all.iter().take(self.all.len().saturating_sub(1));
        older
            .take_while(|segment| segment.last <= committed)
            .copied()
            .collect()
    }

    /// Forgets a removed segment.
    pub(crate) fn remove(&mut self, place: u64) {
        self.all.retain(|segment| segment.place != place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(lasts: &[u64]) -> Segments {
        let mut segments = Segments::default();
        for (place, last) in lasts.iter().enumerate() {
            segments.add(Segment {
                place: place as u64,
                last: *last,
                bytes: 100,
            });
        }
        segments
    }

    #[test]
    fn a_segment_goes_only_when_its_last_entry_is_committed_and_the_newest_never() {
        let segments = segments(&[10, 20, 30]);
        let spent = |committed| -> Vec<u64> {
            let spent = segments.spent(committed);
            spent.iter().map(|segment| segment.place).collect()
        };
        assert_eq!(spent(9), [0; 0]);
        assert_eq!(spent(10), [0]);
        assert_eq!(spent(29), [0, 1]);
        assert_eq!(spent(99), [0, 1]);
    }

    #[test]
    fn an_entry_is_looked_for_in_the_first_segment_that_reaches_it() {
        let segments = segments(&[10, 10, 30]);
        let covering = |number| segments.covering(number).map(|segment| segment.place);
        assert_eq!(covering(1), Some(0));
        assert_eq!(covering(10), Some(0));
        assert_eq!(covering(11), Some(2));
        assert_eq!(covering(31), None);
    }

    #[test]
    fn only_a_segments_own_name_names_a_place() {
        assert_eq!(place_of(&name_of(7)), Some(7));
        for foreign in [
            "7.journal",
            "lock",
            "00000000000000000007.journal.damaged",
            "+0000000000000000007.journal",
        ] {
            assert_eq!(place_of(foreign), None, "{foreign}");
        }
    }
}

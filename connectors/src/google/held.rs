//! Series between the list that names their parts, in no order, and the pages that tell them whole.

use std::collections::BTreeMap;

use super::event::Event;
use crate::limits::GOOGLE_HELD_BYTES_MAX;

/// The series of one list.
#[derive(Default)]
pub(super) struct HeldSeries {
    series: BTreeMap<String, Parts>,
    bytes: usize,
}

/// What is held of a series.
pub(super) enum Parts {
    /// All of them: the list names everything.
    Whole(Vec<Event>),
    /// Only that something of it changed; its UID, if a part said it.
    ToAsk(Option<String>),
}

impl HeldSeries {
    /// A part, from a list that names everything. What is too much to be held is asked for later.
    pub(super) fn hold(&mut self, master: String, part: Event) {
        let bytes = part.sent.to_string().len();
        let parts = self.series.entry(master.clone());
        match parts.or_insert_with(|| Parts::Whole(Vec::new())) {
            Parts::Whole(parts) => {
                parts.push(part);
                self.bytes += bytes;
            }
            Parts::ToAsk(_) => self.ask(master, part.uid),
        }
        if self.bytes > GOOGLE_HELD_BYTES_MAX {
            self.let_go();
        }
    }

    /// A part, from a list of changes.
    pub(super) fn ask(&mut self, master: String, uid: Option<String>) {
        let parts = self.series.entry(master).or_insert(Parts::ToAsk(None));
        match parts {
            Parts::ToAsk(known) if known.is_none() => *known = uid,
            Parts::ToAsk(_) | Parts::Whole(_) => {}
        }
    }

    /// The next series.
    pub(super) fn take(&mut self) -> Option<(String, Parts)> {
        self.series.pop_first()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.series.is_empty()
    }

    fn let_go(&mut self) {
        for parts in self.series.values_mut() {
            if let Parts::Whole(whole) = parts {
                let uid = whole.iter_mut().find_map(|part| part.uid.take());
                *parts = Parts::ToAsk(uid);
            }
        }
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn part(id: &str, bytes: usize) -> Event {
        let text = "x".repeat(bytes);
        Event::read(json!({"id": id, "iCalUID": "u", "summary": text})).unwrap()
    }

    #[test]
    fn what_is_too_much_to_be_held_is_asked_for() {
        let mut held = HeldSeries::default();
        held.hold("a".to_owned(), part("a", 10));
        held.hold("a".to_owned(), part("a_1", 10));
        held.hold("b".to_owned(), part("b", GOOGLE_HELD_BYTES_MAX));
        held.hold("b".to_owned(), part("b_1", 10));
        held.hold("c".to_owned(), part("c", 10));
        for (series, is_whole) in [("a", false), ("b", false), ("c", true)] {
            let (master, parts) = held.take().unwrap();
            assert_eq!(master, series);
            match parts {
                Parts::Whole(parts) => assert!(is_whole && parts.len() == 1),
                Parts::ToAsk(uid) => assert!(!is_whole && uid.as_deref() == Some("u")),
            }
        }
        assert!(held.is_empty());
    }
}

//! Series between the list that names their parts, in no order, and the pages that tell them whole.

use std::collections::BTreeMap;

use super::event::GoogleEvent;
use crate::limits::GOOGLE_HELD_BYTES_MAX;

/// The series of one list.
#[derive(Default)]
pub(super) struct HeldSeries {
    series: BTreeMap<String, SeriesParts>,
    bytes: usize,
}

/// What is held of a series.
pub(super) enum SeriesParts {
    /// All of them: the list names everything.
    Whole(Vec<GoogleEvent>),
    /// Only that something of it changed; its UID, if a part said it.
    ToAsk(Option<String>),
}

impl HeldSeries {
    /// A part, from a list that names everything. What is too much to be held is asked for later.
    pub(super) fn hold(&mut self, master: String, part: GoogleEvent) {
        let bytes = part.sent.to_string().len();
        let parts = self.series.entry(master.clone());
        match parts.or_insert_with(|| SeriesParts::Whole(Vec::new())) {
            SeriesParts::Whole(parts) => {
                parts.push(part);
                self.bytes += bytes;
            }
            SeriesParts::ToAsk(_) => self.ask(master, part.uid),
        }
        if self.bytes > GOOGLE_HELD_BYTES_MAX {
            self.let_go();
        }
    }

    /// A part, from a list of changes.
    pub(super) fn ask(&mut self, master: String, uid: Option<String>) {
        let parts = self
            .series
            .entry(master)
            .or_insert(SeriesParts::ToAsk(None));
        match parts {
            SeriesParts::ToAsk(known) if known.is_none() => *known = uid,
            SeriesParts::ToAsk(_) | SeriesParts::Whole(_) => {}
        }
    }

    /// The next series.
    pub(super) fn take(&mut self) -> Option<(String, SeriesParts)> {
        self.series.pop_first()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.series.is_empty()
    }

    fn let_go(&mut self) {
        for parts in self.series.values_mut() {
            if let SeriesParts::Whole(whole) = parts {
                let uid = whole.iter_mut().find_map(|part| part.uid.take());
                *parts = SeriesParts::ToAsk(uid);
            }
        }
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn part(id: &str, bytes: usize) -> GoogleEvent {
        let text = "x".repeat(bytes);
        GoogleEvent::read(json!({"id": id, "iCalUID": "u", "summary": text})).unwrap()
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
                SeriesParts::Whole(parts) => assert!(is_whole && parts.len() == 1),
                SeriesParts::ToAsk(uid) => assert!(!is_whole && uid.as_deref() == Some("u")),
            }
        }
        assert!(held.is_empty());
    }
}

//! What one page of a calendar's view says, by what follows from it.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::delta::ListedObject;
use super::object::{GraphObject, text};
use super::telling::{keep, key_of};
use crate::round::{ItemChange, Page, SourceItem};

/// Before the version of an occurrence, which is the id of its series.
const OF_SERIES: &str = "of:";

/// A page.
#[derive(Default)]
pub(super) struct SortedPage {
    pub(super) removed: BTreeSet<String>,
    pub(super) singles: Vec<GraphObject>,
    /// Each occurrence's id, with that of its series.
    pub(super) occurrences: Vec<(String, String)>,
    /// Series that are to be told.
    pub(super) series: BTreeSet<String>,
}

impl SortedPage {
    /// Sorts what is listed; `versions` are those of what is stored of it, `told` the series that this round has told.
    pub(super) fn of(
        listed: Vec<ListedObject>,
        versions: &HashMap<String, String>,
        told: &HashSet<String>,
    ) -> Self {
        let mut sorted = Self::default();
        for one in listed {
            match one {
                ListedObject::Removed { id } => {
                    let version = versions.get(&key_of(&id));
                    let series = version.and_then(|version| version.strip_prefix(OF_SERIES));
                    sorted.series.extend(series.map(str::to_owned));
                    sorted.removed.insert(id);
                }
                ListedObject::There { id, object } => sorted.sort(id, object, told),
            }
        }
        for id in &sorted.removed {
            sorted.series.remove(id);
        }
        sorted
    }

    /// An exception may have changed whenever it is named; an occurrence by the rule has nothing to change.
    fn sort(&mut self, id: String, event: GraphObject, told: &HashSet<String>) {
        let kind = text(&event, "type").unwrap_or_default();
        match text(&event, "seriesMasterId").map(str::to_owned) {
            Some(series) => {
                if kind == "exception" || !told.contains(&series) {
                    self.series.insert(series.clone());
                }
                self.occurrences.push((id, series));
            }
            None if kind == "seriesMaster" => drop(self.series.insert(id)),
            None => self.singles.push(event),
        }
    }
}

/// An occurrence is an item without records.
pub(super) fn tell_occurrence(
    id: &str,
    series: &str,
    page: &mut Page,
    versions: &HashMap<String, String>,
) {
    let (key, version) = (key_of(id), format!("{OF_SERIES}{series}"));
    if versions.get(&key) == Some(&version) {
        return keep(page, key);
    }
    page.changes.push(ItemChange::Put(SourceItem {
        key,
        version,
        at: None,
        holds: None,
        records: Vec::new(),
    }));
}

//! What a service would have stored of the pages so far.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::round::{ItemChange, KnownItems, Page, SourceItem};

/// Rows by table and key, as pages made them.
#[derive(Default)]
pub struct PageStore(Mutex<Stored>);

#[derive(Default)]
struct Stored {
    items: HashMap<String, Scope>,
    positions: HashMap<String, Value>,
    written: usize,
}

impl PageStore {
    pub fn apply(&self, page: &Page) {
        let stored = &mut *self.0.lock().unwrap();
        assert_eq!(
            page.keys().len(),
            page.changes.len(),
            "a key stands in a page once"
        );
        assert!(page.skipped.is_empty(), "{:?}", page.skipped);
        let begun_at = page.pass.map(|pass| pass.begun_at);
        let scope = stored.items.entry(page.scope.clone()).or_default();
        for change in &page.changes {
            match change {
                ItemChange::Put(item) => {
                    stored.written += 1;
                    scope.insert(item.key.clone(), (item.clone(), begun_at));
                }
                ItemChange::Keep { key } => scope.get_mut(key).unwrap().1 = begun_at,
                ItemChange::Remove { key } => {
                    scope.remove(key);
                }
                ItemChange::Amend { .. } => panic!("nothing is amended"),
            }
        }
        if page.pass.is_some_and(|pass| pass.is_complete) {
            scope.retain(|_, (_, seen)| *seen == begun_at);
        }
        let position = page.position.clone();
        stored.positions.insert(page.scope.clone(), position);
    }

    /// The fields of the rows of a table, by their keys.
    pub fn rows(&self, target: &str) -> BTreeMap<String, Value> {
        let stored = self.0.lock().unwrap();
        let items = stored.items.values().flat_map(BTreeMap::values);
        let records = items.flat_map(|(item, _)| item.records.clone());
        let records = records.filter(|record| record.target == target);
        records
            .map(|record| (record.source_id, Value::Object(record.fields)))
            .collect()
    }

    pub fn positions(&self) -> HashMap<String, Value> {
        self.0.lock().unwrap().positions.clone()
    }

    /// How many items were written, from the beginning.
    pub fn written(&self) -> usize {
        self.0.lock().unwrap().written
    }
}

/// Its items by key, each with the pass that named it last.
type Scope = BTreeMap<String, (SourceItem, Option<DateTime<Utc>>)>;

#[async_trait]
impl KnownItems for PageStore {
    async fn versions(
        &self,
        scope: &str,
        keys: &[String],
    ) -> Result<HashMap<String, String>, SourceFailure> {
        let stored = self.0.lock().unwrap();
        let items = stored.items.get(scope);
        let version = |key: &String| {
            let (item, _) = items?.get(key)?;
            Some((key.clone(), item.version.clone()))
        };
        Ok(keys.iter().filter_map(version).collect())
    }
}

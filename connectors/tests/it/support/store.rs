//! What the service makes of pages, in memory: the rows of one connection.

use std::collections::{BTreeMap, HashMap, HashSet};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::limits::KEY_BYTES_MAX;
use sextant_connectors::round::{
    CONTAINERS, Feed, ItemChange, KnownItems, Page, Pass, RoundRequest, SkippedItem, SourceItem,
    SourceRecord,
};

/// The items of a connection, each under its scope and key.
#[derive(Default)]
pub struct Store {
    pub positions: HashMap<String, serde_json::Value>,
    pub items: BTreeMap<(String, String), SourceItem>,
    /// Items of which something changed, or that went.
    pub changed: Vec<String>,
    pub skipped: Vec<SkippedItem>,
    /// What the source said is wrong with a part of it.
    pub warnings: Vec<String>,
    /// How far back is asked for; none: everything.
    pub since: Option<DateTime<Utc>>,
    /// The pass of each scope, with what it named.
    passes: HashMap<String, (DateTime<Utc>, HashSet<String>)>,
}

#[async_trait]
impl KnownItems for Store {
    async fn versions(
        &self,
        scope: &str,
        keys: &[String],
    ) -> Result<HashMap<String, String>, SourceFailure> {
        let known = keys.iter().filter_map(|key| {
            let item = self.items.get(&(scope.to_owned(), key.clone()))?;
            Some((key.clone(), item.version.clone()))
        });
        Ok(known.collect())
    }
}

impl Store {
    /// One round to its end.
    pub async fn sync(&mut self, feed: &dyn Feed, now: DateTime<Utc>) -> Result<(), SourceFailure> {
        self.sync_pages(feed, now, usize::MAX).await
    }

    /// One round that is cut off after some pages. Forgets what changed in rounds before.
    pub async fn sync_pages(
        &mut self,
        feed: &dyn Feed,
        now: DateTime<Utc>,
        pages_max: usize,
    ) -> Result<(), SourceFailure> {
        self.changed.clear();
        self.skipped.clear();
        self.warnings.clear();
        let request = RoundRequest {
            positions: self.positions.clone(),
            since: self.since,
            now,
            zone: chrono_tz::Tz::UTC,
        };
        let mut round = feed.begin(request).await?;
        for _ in 0..pages_max {
            match round.next_page(self).await? {
                Some(page) => self.apply(page),
                None => break,
            }
        }
        round.end().await;
        Ok(())
    }

    /// All records of a table, by their source ids.
    pub fn records(&self, target: &str) -> BTreeMap<&str, &SourceRecord> {
        let all = self.items.values().flat_map(|item| &item.records);
        all.filter(|record| record.target == target)
            .map(|record| (record.source_id.as_str(), record))
            .collect()
    }

    /// The keys of a scope's items.
    pub fn keys(&self, scope: &str) -> Vec<&str> {
        let of_scope = self.items.keys().filter(|(own, _)| own == scope);
        of_scope.map(|(_, key)| key.as_str()).collect()
    }

    fn apply(&mut self, page: Page) {
        assert_eq!(page.keys().len(), page.changes.len(), "a key stands twice");
        assert!(page.position.is_object());
        for key in page.keys() {
            assert!(!key.is_empty() && key.len() <= KEY_BYTES_MAX, "{key}");
        }
        if let Some(pass) = page.pass {
            self.see(&page, pass);
        }
        for change in page.changes {
            self.change(&page.scope, change);
        }
        self.skipped.extend(page.skipped);
        self.warnings.extend(page.warnings);
        self.positions.insert(page.scope.clone(), page.position);
        if let Some(pass) = page.pass.filter(|pass| pass.is_complete) {
            self.end_pass(&page.scope, pass.since);
        }
    }

    fn see(&mut self, page: &Page, pass: Pass) {
        let begun = (pass.begun_at, HashSet::new());
        let seen = self.passes.entry(page.scope.clone()).or_insert(begun);
        if seen.0 != pass.begun_at {
            *seen = (pass.begun_at, HashSet::new());
        }
        for change in &page.changes {
            match change {
                ItemChange::Remove { key } => drop(seen.1.remove(key)),
                change => drop(seen.1.insert(change.key().to_owned())),
            }
        }
    }

    fn change(&mut self, scope: &str, change: ItemChange) {
        match change {
            ItemChange::Put(item) => {
                assert!(
                    item.records
                        .iter()
                        .all(|one| one.source_id.len() <= KEY_BYTES_MAX)
                );
                let at = (scope.to_owned(), item.key.clone());
                let key = item.key.clone();
                if self.items.insert(at, item.clone()) != Some(item) {
                    self.changed.push(key);
                }
            }
            ItemChange::Amend {
                key,
                version,
                records,
            } => {
                let at = (scope.to_owned(), key.clone());
                let item = self.items.get_mut(&at).unwrap();
                item.version = version;
                for amended in records {
                    let own = item.records.iter_mut();
                    let mut own = own.filter(|one| one.source_id == amended.source_id);
                    own.next().unwrap().fields.extend(amended.fields);
                }
                self.changed.push(key);
            }
            ItemChange::Keep { key } => {
                assert!(self.items.contains_key(&(scope.to_owned(), key)));
            }
            ItemChange::Remove { key } => self.remove(scope, &key),
        }
    }

    fn remove(&mut self, scope: &str, key: &str) {
        let at = (scope.to_owned(), key.to_owned());
        let Some(item) = self.items.remove(&at) else {
            return;
        };
        self.changed.push(key.to_owned());
        if let Some(held) = item.holds {
            assert_ne!(held, CONTAINERS);
            for key in self
                .keys(&held)
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
            {
                self.remove(&held, &key);
            }
            self.positions.remove(&held);
            self.passes.remove(&held);
        }
    }

    /// What lies before the window was not asked for, and is not judged.
    fn end_pass(&mut self, scope: &str, since: Option<DateTime<Utc>>) {
        let (_, seen) = self.passes.remove(scope).unwrap();
        let is_judged =
            |item: &SourceItem| since.is_none() || item.at.is_none() || item.at >= since;
        let of_scope = self.items.iter().filter(|((own, _), _)| own == scope);
        let judged = of_scope.filter(|(_, item)| is_judged(item));
        let stored = judged.map(|((_, key), _)| key.clone());
        let unseen: Vec<_> = stored.filter(|key| !seen.contains(key)).collect();
        for key in unseen {
            self.remove(scope, &key);
        }
    }
}

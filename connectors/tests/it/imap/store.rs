//! What a service would store of the pages: in memory, by their rules.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::round::{
    CONTAINERS, Feed, ItemChange, KnownItems, Page, RoundRequest, SkippedItem, SourceItem,
};

/// The items, by scope and key, and the positions.
#[derive(Default)]
pub(super) struct Store {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    items: BTreeMap<(String, String), SourceItem>,
    positions: HashMap<String, Value>,
    /// What a pass has named, by scope.
    named: HashMap<String, HashSet<String>>,
    skipped: Vec<SkippedItem>,
    written: usize,
}

#[async_trait]
impl KnownItems for Store {
    async fn versions(
        &self,
        scope: &str,
        keys: &[String],
    ) -> Result<HashMap<String, String>, SourceFailure> {
        let state = self.state.lock().unwrap();
        let version = |key: &String| {
            let item = state.items.get(&(scope.to_owned(), key.clone()))?;
            Some((key.clone(), item.version.clone()))
        };
        Ok(keys.iter().filter_map(version).collect())
    }
}

impl Store {
    /// Reads a round to its end.
    pub(super) async fn sync(&self, feed: &dyn Feed) -> usize {
        self.sync_since(feed, None).await
    }

    /// The same within a window; the count of rows written.
    pub(super) async fn sync_since(&self, feed: &dyn Feed, since: Option<DateTime<Utc>>) -> usize {
        self.sync_pages(feed, since, usize::MAX).await.unwrap()
    }

    /// At most so many pages of a round, which is then dropped.
    pub(super) async fn sync_pages(
        &self,
        feed: &dyn Feed,
        since: Option<DateTime<Utc>>,
        pages_max: usize,
    ) -> Result<usize, SourceFailure> {
        let before = self.state.lock().unwrap().written;
        let mut round = feed.begin(self.request(since)).await?;
        for _ in 0..pages_max {
            match round.next_page(self).await? {
                Some(page) => self.state.lock().unwrap().apply(page),
                None => {
                    round.end().await;
                    break;
                }
            }
        }
        Ok(self.state.lock().unwrap().written - before)
    }

    fn request(&self, since: Option<DateTime<Utc>>) -> RoundRequest {
        RoundRequest {
            positions: self.state.lock().unwrap().positions.clone(),
            since,
            now: now(),
            zone: chrono_tz::Tz::UTC,
        }
    }

    pub(super) fn skipped(&self) -> Vec<SkippedItem> {
        self.state.lock().unwrap().skipped.clone()
    }

    /// The items of a scope.
    pub(super) fn items(&self, scope: &str) -> Vec<SourceItem> {
        let state = self.state.lock().unwrap();
        let own = state.items.iter().filter(|((of, _), _)| of == scope);
        own.map(|(_, item)| item.clone()).collect()
    }

    pub(super) fn position(&self, scope: &str) -> Value {
        self.state.lock().unwrap().positions[scope].clone()
    }

    /// The mails of each mailbox, as lines that `imaplib` can tell as well: UID, flags, and the Message-ID.
    pub(super) fn mails(&self) -> BTreeMap<String, Vec<String>> {
        let mut mails = BTreeMap::new();
        for mailbox in self.items(CONTAINERS) {
            let scope = mailbox.holds.unwrap();
            let mut lines: Vec<_> = self.items(&scope).iter().map(line).collect();
            lines.sort();
            mails.insert(scope, lines);
        }
        mails
    }
}

fn line(item: &SourceItem) -> String {
    assert_eq!(item.records.len(), 1, "a mail is one record");
    let fields = &item.records[0].fields;
    let flags = ["is_read", "is_flagged", "is_answered", "is_draft"].map(|name| {
        let is_set = fields[name].as_bool().unwrap();
        if is_set { name } else { "-" }
    });
    let id = fields.get("message_id").and_then(Value::as_str);
    format!(
        "{} {} {}",
        item.key,
        flags.join(" "),
        id.unwrap_or_default()
    )
}

impl State {
    fn apply(&mut self, page: Page) {
        let scope = page.scope.clone();
        assert_eq!(page.keys().len(), page.changes.len(), "a key stands once");
        if let Some(pass) = page.pass {
            let named = self.named.entry(scope.clone()).or_default();
            named.extend(page.changes.iter().map(|change| change.key().to_owned()));
            if pass.is_complete {
                let named = self.named.remove(&scope).unwrap();
                for change in &page.changes {
                    self.change(&scope, change);
                }
                self.judge(&scope, pass.since, &named);
            }
        }
        if page.pass.is_none_or(|pass| !pass.is_complete) {
            for change in &page.changes {
                self.change(&scope, change);
            }
        }
        self.skipped.extend(page.skipped);
        self.positions.insert(scope, page.position);
    }

    fn change(&mut self, scope: &str, change: &ItemChange) {
        let place = (scope.to_owned(), change.key().to_owned());
        self.written += usize::from(!matches!(change, ItemChange::Keep { .. }));
        match change {
            ItemChange::Put(item) => {
                self.items.insert(place, item.clone());
            }
            ItemChange::Amend {
                version, records, ..
            } => {
                let item = self.items.get_mut(&place).unwrap();
                item.version.clone_from(version);
                for record in records {
                    let own = item.records.iter_mut();
                    let mut own = own.filter(|own| own.source_id == record.source_id);
                    own.next().unwrap().fields.extend(record.fields.clone());
                }
            }
            ItemChange::Keep { .. } => assert!(self.items.contains_key(&place), "{place:?}"),
            ItemChange::Remove { .. } => self.end(&place),
        }
    }

    /// What a pass has not named is gone.
    fn judge(&mut self, scope: &str, since: Option<DateTime<Utc>>, named: &HashSet<String>) {
        let is_judged =
            |item: &SourceItem| since.is_none_or(|since| item.at.is_none_or(|at| at >= since));
        let gone: Vec<_> = self
            .items
            .iter()
            .filter(|((of, key), item)| of == scope && !named.contains(key) && is_judged(item))
            .map(|(place, _)| place.clone())
            .collect();
        self.written += gone.len();
        gone.iter().for_each(|place| self.end(place));
    }

    fn end(&mut self, place: &(String, String)) {
        let Some(scope) = self.items.remove(place).and_then(|item| item.holds) else {
            return;
        };
        self.items.retain(|(of, _), _| *of != scope);
        self.positions.remove(&scope);
    }
}

/// The present: mails of a test arrive in it.
#[expect(
    clippy::disallowed_methods,
    reason = "Dovecot's clock is the computer's"
)]
pub(super) fn now() -> DateTime<Utc> {
    Utc::now()
}

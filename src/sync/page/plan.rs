//! What a page changes, decided from the page and what is stored of its items. Pure.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sextant_connectors::round::{ItemChange, SkippedItem, SourceItem, SourceRecord};

use super::stored_item::{RowName, StoredItem, StoredItems, written};
use super::target::PageTarget;
use crate::ingest::{SourceStep, read_amended, read_whole};

/// Steps by the target of their table.
pub(super) type StepsByTarget = BTreeMap<String, Vec<SourceStep>>;

/// What a page changes.
#[derive(Debug, Default)]
pub(super) struct PagePlan {
    /// Rows that go. They go before others come, which may have their names.
    pub removed: StepsByTarget,
    /// Rows that come or change.
    pub stored: StepsByTarget,
    pub put: Vec<ItemRow>,
    /// Keys and new versions.
    pub amended: Vec<(String, String)>,
    pub kept: Vec<String>,
    pub gone: Vec<String>,
    /// Scopes whose container is gone, or is another now.
    pub ended_scopes: Vec<String>,
    pub skipped: Vec<SkippedItem>,
}

/// An item as it is stored from now on.
#[derive(Debug, Serialize)]
pub(super) struct ItemRow {
    key: String,
    version: String,
    at: Option<DateTime<Utc>>,
    holds: Option<String>,
    records: Value,
}

impl PagePlan {
    /// Plans these changes; `stored` are those of their items that are stored.
    pub(super) fn of(changes: &[ItemChange], stored: &StoredItems, target: &PageTarget) -> Self {
        let mut plan = Self::default();
        for change in changes {
            let known = stored.get(change.key());
            match change {
                ItemChange::Put(item) => plan.put(item, known, target),
                ItemChange::Amend {
                    key,
                    version,
                    records,
                } if known.is_some() => plan.amend((key, version), records, target),
                ItemChange::Amend { key, .. } => plan.skip(key, "it changed before it was read"),
                ItemChange::Keep { key } => plan.kept.push(key.clone()),
                ItemChange::Remove { key } => {
                    plan.gone.push(key.clone());
                    if let Some(known) = known {
                        plan.end(known, target);
                    }
                }
            }
        }
        plan
    }

    /// All rows of an item that is gone, and the scope that it held.
    pub(super) fn end(&mut self, item: &StoredItem, target: &PageTarget) {
        self.ended_scopes.extend(item.holds.clone());
        for (table, source_id) in &item.records {
            self.remove(table, source_id, target);
        }
    }

    fn put(&mut self, item: &SourceItem, known: Option<&StoredItem>, target: &PageTarget) {
        let names: Vec<RowName> = item.records.iter().map(name_of).collect();
        if let Some(known) = known {
            let held = known.holds.clone();
            self.ended_scopes
                .extend(held.filter(|held| item.holds.as_ref() != Some(held)));
            for (table, source_id) in &known.records {
                let stays = names
                    .iter()
                    .any(|name| (&name.0, &name.1) == (table, source_id));
                if !stays {
                    self.remove(table, source_id, target);
                }
            }
        }
        for record in &item.records {
            if let Err(reason) = self.store(record, target) {
                self.skip(&item.key, &reason);
            }
        }
        self.put.push(ItemRow {
            key: item.key.clone(),
            version: item.version.clone(),
            at: item.at,
            holds: item.holds.clone(),
            records: written(&names),
        });
    }

    fn store(&mut self, record: &SourceRecord, target: &PageTarget) -> Result<(), String> {
        let to = target.destination(record.target)?;
        let bytes = bytes_of(record);
        let root = read_whole(&to, &record.source_id, record.fields.clone())?;
        let step = SourceStep::Put(Box::new(root), bytes);
        push(&mut self.stored, record.target, step);
        Ok(())
    }

    fn amend(
        &mut self,
        (key, version): (&str, &str),
        records: &[SourceRecord],
        target: &PageTarget,
    ) {
        for record in records {
            let read = target
                .destination(record.target)
                .and_then(|to| read_amended(&to, &record.source_id, &record.fields));
            match read {
                Ok(row) => {
                    let step = SourceStep::Amend(Box::new(row));
                    push(&mut self.stored, record.target, step);
                }
                Err(reason) => self.skip(key, &reason),
            }
        }
        self.amended.push((key.to_owned(), version.to_owned()));
    }

    fn remove(&mut self, table: &str, source_id: &str, target: &PageTarget) {
        // A table that this version does not know has no rows of this connection any more.
        if target.destination(table).is_ok() {
            let step = SourceStep::Remove(source_id.to_owned());
            push(&mut self.removed, table, step);
        }
    }

    fn skip(&mut self, key: &str, reason: &str) {
        self.skipped.push(SkippedItem {
            key: key.to_owned(),
            reason: reason.to_owned(),
        });
    }
}

fn push(steps: &mut StepsByTarget, target: &str, step: SourceStep) {
    steps.entry(target.to_owned()).or_default().push(step);
}

fn name_of(record: &SourceRecord) -> RowName {
    (record.target.to_owned(), record.source_id.clone())
}

/// About as many as the record takes in a statement.
fn bytes_of(record: &SourceRecord) -> usize {
    let values = record.fields.values();
    values.map(value_bytes).sum()
}

fn value_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(elements) => elements.iter().map(value_bytes).sum(),
        Value::Object(members) => members.values().map(value_bytes).sum(),
        _ => 8,
    }
}

//! Stores the parents nested in records, and links the records to them (docs/pushing.md#records).

use std::collections::{BTreeMap, HashMap};

use uuid::Uuid;

use crate::catalog::{self, Table};
use crate::db::StoreError;
use crate::ingest::identity::digest_of;
use crate::ingest::row::{PushedRecord, SectorRow};
use crate::statements::write::Sought;

use super::failure::StoreFailure;
use super::transaction::PushTransaction;

/// The parents that this push has already stored, so that the account nested in each of its transactions is stored once.
#[derive(Default)]
pub(super) struct StoredParents(HashMap<(&'static str, String), StoredParent>);

struct StoredParent {
    id: Uuid,
    content: [u8; 16],
}

impl StoredParents {
    fn contains(&self, table: &Table, row: &SectorRow) -> Result<bool, StoreFailure> {
        match self.0.get(&(table.name, row.source_id.clone())) {
            Some(stored) => Ok(stored.content == content_of(row)?),
            None => Ok(false),
        }
    }
}

fn content_of(row: &SectorRow) -> Result<[u8; 16], StoreFailure> {
    let content = serde_json::to_value(row).map_err(|cause| StoreError::Fault {
        cause: cause.to_string(),
    })?;
    Ok(digest_of(&content))
}

impl PushTransaction<'_> {
    /// Stores the parents nested in the records, and links each record to its own.
    pub(super) async fn link_parents(
        &self,
        roots: &mut [PushedRecord],
        known: &mut StoredParents,
    ) -> Result<(), StoreFailure> {
        let sector = self.to.table.sector;
        for table in catalog::sector(sector) {
            let nested = roots.iter().flat_map(|root| &root.ancestors);
            let nested = nested.filter(|(name, _)| name == table.name);
            self.store_new_parents(table, nested, known).await?;
        }
        for field in self.to.table.fields {
            let parent = field
                .reference
                .and_then(|reference| catalog::table(sector, reference.table));
            let Some(parent) = parent else { continue };
            let nested = roots.iter().flat_map(|root| &root.parents);
            let nested = nested.filter(|(name, _)| name == field.name);
            self.store_new_parents(parent, nested, known).await?;
            link(roots, field.name, parent, known);
        }
        Ok(())
    }

    /// Stores those of `nested` that this push has not stored yet.
    async fn store_new_parents<'n>(
        &self,
        parent: &'static Table,
        nested: impl Iterator<Item = &'n (String, SectorRow)>,
        known: &mut StoredParents,
    ) -> Result<(), StoreFailure> {
        let mut new: BTreeMap<String, SectorRow> = BTreeMap::new();
        let mut latest: HashMap<&str, &SectorRow> = HashMap::new();
        for (_, row) in nested {
            // Most records of a batch describe their parent alike, and comparing costs less than a digest.
            if latest.insert(&row.source_id, row) == Some(row) {
                continue;
            }
            if known.contains(parent, row)? {
                continue;
            }
            if new
                .get(&row.source_id)
                .is_some_and(|earlier| earlier.is_of_another_time(row))
            {
                let earlier = std::mem::take(&mut new);
                self.store_parents(parent, earlier, known).await?;
            }
            new.entry(row.source_id.clone())
                .and_modify(|earlier| merge(earlier, row))
                .or_insert_with(|| row.clone());
        }
        self.store_parents(parent, new, known).await
    }

    async fn store_parents(
        &self,
        parent: &'static Table,
        new: BTreeMap<String, SectorRow>,
        known: &mut StoredParents,
    ) -> Result<(), StoreFailure> {
        if new.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = new.keys().map(String::as_str).collect();
        let found = self.look_up(parent, Sought::Living, &names).await?;
        let is_own = |row: &SectorRow| found.get(&row.source_id).is_none_or(|id| *id == row.id);
        let mut own: Vec<SectorRow> = new.values().filter(|row| is_own(row)).cloned().collect();
        self.amend_linked(parent, &mut own).await?;
        for row in new.into_values() {
            let id = found.get(&row.source_id).copied().unwrap_or(row.id);
            known.0.insert(
                (parent.name, row.source_id.clone()),
                StoredParent {
                    id,
                    content: content_of(&row)?,
                },
            );
        }
        Ok(())
    }

    /// Stores parents with their own references: a mailbox refers to the one that contains it, which may be stored later.
    async fn amend_linked(
        &self,
        table: &'static Table,
        rows: &mut [SectorRow],
    ) -> Result<(), StoreFailure> {
        let mut naming: Vec<&mut SectorRow> = rows
            .iter_mut()
            .filter(|row| !row.references.is_empty())
            .collect();
        let waiting = self.link_references(table, &mut naming).await?;
        let rows: Vec<&SectorRow> = rows.iter().collect();
        let changed = self.amend(table, &rows).await?;
        let naming = rows.iter().filter(|row| !row.references.is_empty());
        let naming: Vec<&SectorRow> = naming.copied().collect();
        self.wait_for_parents(table, &naming, &waiting).await?;
        self.resolve_waiting(table, &changed.ids).await
    }
}

/// Merges what two children say of their parent; where they differ, the later wins.
fn merge(earlier: &mut SectorRow, later: &SectorRow) {
    earlier.columns.extend(later.columns.clone());
    let is_replaced = |name: &String| later.references.iter().any(|(known, _)| known == name);
    earlier.references.retain(|(name, _)| !is_replaced(name));
    earlier.references.extend(later.references.clone());
    if let Some(extra) = &later.extra {
        earlier.extra.get_or_insert_default().extend(extra.clone());
    }
}

fn link(roots: &mut [PushedRecord], field: &str, parent: &Table, known: &StoredParents) {
    for root in roots {
        let nested = root.parents.iter().find(|(name, _)| name == field);
        let id = nested
            .and_then(|(_, row)| known.0.get(&(parent.name, row.source_id.clone())))
            .map(|known| known.id);
        if let Some(id) = id {
            root.row
                .columns
                .insert(field.to_owned(), id.to_string().into());
        }
    }
}

//! Parents that records nest: linked where they are, made when new (docs/pushing.md#records).

use std::collections::{BTreeMap, HashMap};

use uuid::Uuid;

use crate::catalog::{self, Table};
use crate::ingest::identity::digest_of;

use super::{Root, Row, StoreFailure, Work};

/// Parents that this push has already stored, so that the same account is not stored again with each transaction.
#[derive(Default)]
pub struct Parents(HashMap<(&'static str, String), Known>);

struct Known {
    id: Uuid,
    content: [u8; 16],
}

impl Parents {
    fn id_of(&self, table: &Table, row: &Row) -> Option<Uuid> {
        let known = self.0.get(&(table.name, row.source_id.clone()))?;
        (known.content == content_of(row)).then_some(known.id)
    }
}

fn content_of(row: &Row) -> [u8; 16] {
    digest_of(&serde_json::to_value(row).unwrap_or_default())
}

impl Work<'_> {
    /// Stores the parents that the records nest, and lets each record refer to its own.
    pub(super) async fn link_parents(
        &self,
        roots: &mut [Root],
        known: &mut Parents,
    ) -> Result<(), StoreFailure> {
        let sector = self.to.table.sector;
        for table in catalog::sector(sector) {
            let nested = roots.iter().flat_map(|root| &root.ancestors);
            let nested = nested.filter(|(name, _)| name == table.name);
            self.learn_parents(table, nested, known).await?;
        }
        for field in self.to.table.fields {
            let parent = field
                .reference
                .and_then(|reference| catalog::table(sector, reference.table));
            let Some(parent) = parent else { continue };
            let nested = roots.iter().flat_map(|root| &root.parents);
            let nested = nested.filter(|(name, _)| name == field.name);
            self.learn_parents(parent, nested, known).await?;
            link(roots, field.name, parent, known);
        }
        Ok(())
    }

    /// Stores those of `nested` that are not known yet.
    async fn learn_parents(
        &self,
        parent: &'static Table,
        nested: impl Iterator<Item = &(String, Row)>,
        known: &mut Parents,
    ) -> Result<(), StoreFailure> {
        let mut new: BTreeMap<String, Row> = BTreeMap::new();
        for (_, row) in nested {
            if known.id_of(parent, row).is_some() {
                continue;
            }
            if new
                .get(&row.source_id)
                .is_some_and(|said| said.is_of_another_time(row))
            {
                let earlier = std::mem::take(&mut new);
                self.store_parents(parent, earlier, known).await?;
            }
            new.entry(row.source_id.clone())
                .and_modify(|said| add(said, row))
                .or_insert_with(|| row.clone());
        }
        self.store_parents(parent, new, known).await
    }

    async fn store_parents(
        &self,
        parent: &'static Table,
        new: BTreeMap<String, Row>,
        known: &mut Parents,
    ) -> Result<(), StoreFailure> {
        if new.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = new.keys().map(String::as_str).collect();
        let found = self.look_up(parent, &names).await?;
        let is_own = |row: &Row| found.get(&row.source_id).is_none_or(|id| *id == row.id);
        let mut own: Vec<Row> = new.values().filter(|row| is_own(row)).cloned().collect();
        self.amend_linked(parent, &mut own).await?;
        for row in new.into_values() {
            let id = found.get(&row.source_id).copied().unwrap_or(row.id);
            known.0.insert(
                (parent.name, row.source_id.clone()),
                Known {
                    id,
                    content: content_of(&row),
                },
            );
        }
        Ok(())
    }

    /// A parent may name its own parent: a mailbox the one that it lies in, which may come later or with it.
    async fn amend_linked(
        &self,
        table: &'static Table,
        rows: &mut [Row],
    ) -> Result<(), StoreFailure> {
        let mut naming: Vec<&mut Row> = rows
            .iter_mut()
            .filter(|row| !row.references.is_empty())
            .collect();
        let waiting = self.link_references(table, &mut naming).await?;
        let rows: Vec<&Row> = rows.iter().collect();
        let changed = self.amend(table, &rows).await?;
        let naming = rows.iter().filter(|row| !row.references.is_empty());
        let naming: Vec<&Row> = naming.copied().collect();
        self.wait_for_parents(table, &naming, &waiting).await?;
        self.resolve_waiting(table, &changed.ids).await
    }
}

/// Children may each say something else of their parent; where they differ, the later wins.
fn add(said: &mut Row, row: &Row) {
    said.columns.extend(row.columns.clone());
    let is_said_anew = |name: &String| row.references.iter().any(|(known, _)| known == name);
    said.references.retain(|(name, _)| !is_said_anew(name));
    said.references.extend(row.references.clone());
    if let Some(extra) = &row.extra {
        said.extra.get_or_insert_default().extend(extra.clone());
    }
}

fn link(roots: &mut [Root], field: &str, parent: &Table, known: &Parents) {
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

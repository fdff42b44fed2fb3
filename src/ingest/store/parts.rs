//! Stores the parts nested in records: a list that was sent replaces the stored one.

use std::collections::HashSet;

use uuid::Uuid;

use crate::catalog::{self, Field, Kind, Part, Table};
use crate::statements::write;

use crate::ingest::row::{PushedRecord, SectorRow};

use super::failure::StoreFailure;
use super::rows::{Deleted, deleted_from};
use super::transaction::PushTransaction;

impl PushTransaction<'_> {
    /// Stores the parts of the records, and makes tombstones of those that a list no longer holds. Those of `inserted` were not
    /// stored before, so no part refers to their row ids yet.
    pub(super) async fn store_parts(
        &self,
        roots: &[PushedRecord],
        inserted: &HashSet<Uuid>,
    ) -> Result<(), StoreFailure> {
        for (part, table) in parts_of(self.to.table) {
            let lists = || {
                roots
                    .iter()
                    .flat_map(|root| root.parts.iter().map(move |list| (root, list)))
                    .filter(|(_, (name, _))| name == part.name)
            };
            let Some(link) = table.field(part.link) else {
                continue;
            };
            let may_have_parts =
                |root: &PushedRecord| link.kind != Kind::Id || !inserted.contains(&root.row.id);
            let owners: Vec<Deleted> = lists()
                .filter(|(root, _)| may_have_parts(root))
                .map(|(root, _)| Deleted {
                    id: root.row.id,
                    source_id: root.row.source_id.clone(),
                })
                .collect();
            let rows: Vec<&SectorRow> = lists().flat_map(|(_, (_, rows))| rows).collect();
            let rows = last_of_each(rows);
            self.upsert(table, &rows).await?;
            let kept: Vec<&str> = rows.iter().map(|row| row.source_id.as_str()).collect();
            self.tombstone_linked(link, table, &owners, &kept).await?;
        }
        Ok(())
    }

    /// Deletes the parts of deleted records.
    pub(super) async fn delete_parts(&self, gone: &[Deleted]) -> Result<(), StoreFailure> {
        for (part, table) in parts_of(self.to.table) {
            if let Some(link) = table.field(part.link) {
                self.tombstone_linked(link, table, gone, &[]).await?;
            }
        }
        Ok(())
    }

    async fn tombstone_linked(
        &self,
        link: &Field,
        table: &'static Table,
        owners: &[Deleted],
        kept: &[&str],
    ) -> Result<Vec<Deleted>, StoreFailure> {
        if owners.is_empty() {
            return Ok(Vec::new());
        }
        let owners: Vec<String> = owners
            .iter()
            .map(|owner| {
                if link.kind == Kind::Id {
                    owner.id.to_string()
                } else {
                    owner.source_id.clone()
                }
            })
            .collect();
        let statement = self
            .transaction
            .prepare_cached(&write::tombstone_linked(table, link))
            .await?;
        let answered = self
            .transaction
            .query(
                &statement,
                &[&self.to.user, &self.to.connection, &owners, &kept],
            )
            .await?;
        answered.iter().map(deleted_from).collect()
    }
}

fn parts_of(table: &'static Table) -> impl Iterator<Item = (&'static Part, &'static Table)> {
    table
        .parts
        .iter()
        .filter_map(|part| Some((part, catalog::table(table.sector, part.table)?)))
}

/// One row for each source id, the last one sent: an upsert refuses the same key twice.
fn last_of_each(rows: Vec<&SectorRow>) -> Vec<&SectorRow> {
    let by_key: std::collections::BTreeMap<&str, &SectorRow> = rows
        .into_iter()
        .map(|row| (row.source_id.as_str(), row))
        .collect();
    by_key.into_values().collect()
}

//! Parts that records nest: a list that is present is the whole list.

use crate::catalog::{self, Kind, Part, Table};
use crate::statements::write;

use super::rows::{Gone, gone_from};
use super::{Root, Row, StoreFailure, Work};

impl Work<'_> {
    /// Stores the parts of the records, and makes tombstones of those that a list no longer holds.
    pub(super) async fn store_parts(&self, roots: &[Root]) -> Result<(), StoreFailure> {
        for (part, table) in parts_of(self.to.table) {
            let lists = || {
                roots
                    .iter()
                    .flat_map(|root| root.parts.iter().map(move |list| (root, list)))
                    .filter(|(_, (name, _))| name == part.name)
            };
            let owners: Vec<Gone> = lists()
                .map(|(root, _)| Gone {
                    id: root.row.id,
                    source_id: root.row.source_id.clone(),
                })
                .collect();
            if owners.is_empty() {
                continue;
            }
            let rows: Vec<&Row> = lists().flat_map(|(_, (_, rows))| rows).collect();
            let rows = last_of_each(rows);
            self.upsert(table, &rows).await?;
            let kept: Vec<&str> = rows.iter().map(|row| row.source_id.as_str()).collect();
            self.tombstone_linked(part, table, &owners, &kept).await?;
        }
        Ok(())
    }

    /// The parts of a deleted record go with it.
    pub(super) async fn delete_parts(&self, gone: &[Gone]) -> Result<(), StoreFailure> {
        for (part, table) in parts_of(self.to.table).filter(|_| !gone.is_empty()) {
            self.tombstone_linked(part, table, gone, &[]).await?;
        }
        Ok(())
    }

    async fn tombstone_linked(
        &self,
        part: &Part,
        table: &'static Table,
        owners: &[Gone],
        kept: &[&str],
    ) -> Result<Vec<Gone>, StoreFailure> {
        let Some(link) = table.field(part.link) else {
            return Ok(Vec::new());
        };
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
        answered.iter().map(gone_from).collect()
    }
}

fn parts_of(table: &'static Table) -> impl Iterator<Item = (&'static Part, &'static Table)> {
    table
        .parts
        .iter()
        .filter_map(|part| Some((part, catalog::table(table.sector, part.table)?)))
}

/// One row a key, the later winning: a statement takes no key twice.
fn last_of_each(rows: Vec<&Row>) -> Vec<&Row> {
    let by_key: std::collections::BTreeMap<&str, &Row> = rows
        .into_iter()
        .map(|row| (row.source_id.as_str(), row))
        .collect();
    by_key.into_values().collect()
}

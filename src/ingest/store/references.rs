//! References by the device's own id: looked up now, or kept until the parent is stored (docs/pushing.md#records).

use std::collections::HashMap;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::catalog::{self, Field, Table};
use crate::db::columns;
use crate::statements::write::{self, Sought};

use crate::ingest::row::SectorRow;

use super::failure::StoreFailure;
use super::transaction::PushTransaction;

/// Rows that refer to a parent which is not stored yet, as the statement reads them.
pub(super) type PendingReferences = Vec<Value>;

impl PushTransaction<'_> {
    /// Links rows of `table` to the parents they refer to. Returns those whose parent is not stored yet.
    pub(super) async fn link_references(
        &self,
        table: &Table,
        rows: &mut [&mut SectorRow],
    ) -> Result<PendingReferences, StoreFailure> {
        let mut waiting = PendingReferences::new();
        for (field, parent, sought) in references_of(table) {
            let named = |row: &SectorRow| {
                let mut references = row.references.iter();
                let named = references.find(|(name, _)| name == field.name);
                named.map(|(_, to)| to.clone())
            };
            let names: Vec<String> = rows.iter().filter_map(|row| named(row)).collect();
            if names.is_empty() {
                continue;
            }
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let found = self.look_up(parent, sought, &names).await?;
            for row in rows.iter_mut() {
                let Some(name) = named(row) else { continue };
                match found.get(&name) {
                    Some(id) => {
                        row.columns
                            .insert(field.name.to_owned(), id.to_string().into());
                    }
                    None => waiting.push(json!({
                        "parent_target": parent.target(),
                        "parent_source_id": name,
                        "child_id": row.id,
                        "field": field.name,
                    })),
                }
            }
        }
        Ok(waiting)
    }

    /// The row ids for the given names: each is a row id itself, a source id of this connection, or one of a sibling.
    pub(super) async fn look_up(
        &self,
        table: &Table,
        sought: Sought,
        names: &[&str],
    ) -> Result<HashMap<String, Uuid>, StoreFailure> {
        let mut names = names.to_vec();
        names.sort_unstable();
        names.dedup();
        let statement = self
            .transaction
            .prepare_cached(&write::look_up(table, sought))
            .await?;
        let found = self
            .transaction
            .query(
                &statement,
                &[&self.to.user, &self.to.connection, &names, &self.siblings],
            )
            .await?;
        let mut ids = HashMap::new();
        for row in &found {
            let (name, id) = columns("statements::write::look_up", row)?;
            ids.entry(name).or_insert(id);
        }
        Ok(ids)
    }

    /// Stores what the rows of `table` wait for, in place of what they waited for before.
    pub(super) async fn wait_for_parents(
        &self,
        table: &Table,
        rows: &[&SectorRow],
        waiting: &PendingReferences,
    ) -> Result<(), StoreFailure> {
        if rows.is_empty() || references_of(table).next().is_none() {
            return Ok(());
        }
        let children: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let forget = include_str!("../../../sql/statements/pending_references/forget.sql");
        let statement = self.transaction.prepare_cached(forget).await?;
        self.transaction
            .execute(&statement, &[&self.to.user, &children])
            .await?;
        if waiting.is_empty() {
            return Ok(());
        }
        let insert = include_str!("../../../sql/statements/pending_references/insert.sql");
        let statement = self.transaction.prepare_cached(insert).await?;
        let waiting = Value::Array(waiting.clone());
        let child = table.target();
        self.transaction
            .execute(
                &statement,
                &[&self.to.user, &self.to.connection, &child, &waiting],
            )
            .await?;
        Ok(())
    }

    /// Links the rows of any table that waited for one of the `arrived` rows of `parent`.
    pub(super) async fn resolve_waiting(
        &self,
        parent: &Table,
        arrived: &[Uuid],
    ) -> Result<(), StoreFailure> {
        if arrived.is_empty() {
            return Ok(());
        }
        for child in catalog::sector(parent.sector) {
            let fields = references_of(child);
            for (field, ..) in fields.filter(|(_, referred, _)| referred.name == parent.name) {
                let statement = self
                    .transaction
                    .prepare_cached(&write::resolve(child, field, parent))
                    .await?;
                self.transaction
                    .execute(
                        &statement,
                        &[&self.to.user, &self.to.connection, &arrived, &self.siblings],
                    )
                    .await?;
            }
        }
        Ok(())
    }
}

/// The fields of `table` that refer to others, each with the table it refers to, and the rows of it that may be meant.
fn references_of(table: &Table) -> impl Iterator<Item = (&'static Field, &'static Table, Sought)> {
    let sector = table.sector;
    table.fields.iter().filter_map(move |field| {
        let reference = field.reference?;
        let sought = match reference.may_be_gone {
            true => Sought::Any,
            false => Sought::Living,
        };
        Some((field, catalog::table(sector, reference.table)?, sought))
    })
}

//! Writes and deletes rows of one table.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio_postgres::types::{Json, ToSql};
use uuid::Uuid;

use crate::catalog::{Field, Table};
use crate::db::columns;
use crate::statements::write::{self, AbsentFields};

use crate::ingest::row::{Deletion, SectorRow};

use super::failure::StoreFailure;
use super::transaction::PushTransaction;

/// The rows that an upsert changed; those that were equal already are not among them.
#[derive(Debug, Default)]
pub(super) struct Upserted {
    pub ids: Vec<Uuid>,
    /// Those of `ids` that were not stored before, not even as tombstones.
    pub inserted: HashSet<Uuid>,
}

/// A row that was deleted, and so is a tombstone now.
#[derive(Debug)]
pub(super) struct Deleted {
    pub id: Uuid,
    pub source_id: String,
}

impl PushTransaction<'_> {
    /// Stores the rows; no source id may occur twice among them.
    pub(super) async fn upsert(
        &self,
        table: &Table,
        rows: &[&SectorRow],
    ) -> Result<Upserted, StoreFailure> {
        self.write(table, AbsentFields::Clears, rows).await
    }

    /// Stores parents as their children describe them: fields that were left out stay as they are stored.
    pub(super) async fn amend(
        &self,
        table: &Table,
        rows: &[&SectorRow],
    ) -> Result<Upserted, StoreFailure> {
        self.write(table, AbsentFields::Stays, rows).await
    }

    async fn write(
        &self,
        table: &Table,
        absent: AbsentFields,
        rows: &[&SectorRow],
    ) -> Result<Upserted, StoreFailure> {
        if rows.is_empty() {
            return Ok(Upserted::default());
        }
        let pushed = Json(
            rows.iter()
                .map(|row| Recordset::from(*row))
                .collect::<Vec<_>>(),
        );
        let statement = write::upsert(table, absent, self.precedence);
        let statement = self.transaction.prepare_cached(&statement).await?;
        let answered = self
            .transaction
            .query(&statement, &[&self.to.user, &self.to.connection, &pushed])
            .await?;
        let mut changed = Upserted::default();
        for row in &answered {
            let (id, is_inserted) = columns("statements::write::upsert", row)?;
            changed.ids.push(id);
            if is_inserted {
                changed.inserted.insert(id);
            }
        }
        if !changed.inserted.is_empty() {
            self.keep_statistics(table).await?;
        }
        Ok(changed)
    }

    /// Sets in stored rows the fields that these have, and returns how many changed. All of them have the same fields.
    pub(super) async fn amend_fields(
        &self,
        table: &'static Table,
        fields: &[&'static Field],
        rows: &[&SectorRow],
    ) -> Result<u64, StoreFailure> {
        let told = Json(
            rows.iter()
                .map(|row| Recordset::from(*row))
                .collect::<Vec<_>>(),
        );
        let statement = write::amend(table, fields);
        let statement = self.transaction.prepare_cached(&statement).await?;
        let values: [&(dyn ToSql + Sync); 3] = [&self.to.user, &self.to.connection, &told];
        Ok(self.transaction.execute(&statement, &values).await?)
    }

    /// Makes the rows with these source ids tombstones.
    pub(super) async fn tombstone(
        &self,
        table: &Table,
        deletions: &[Deletion],
    ) -> Result<Vec<Deleted>, StoreFailure> {
        let deletions = deletions.iter().map(|deletion| json!({ "source_id": deletion.source_id, "updated_at": deletion.updated_at }));
        let statement = self
            .transaction
            .prepare_cached(&write::tombstone(table))
            .await?;
        let deletions = Value::Array(deletions.collect());
        let answered = self
            .transaction
            .query(
                &statement,
                &[&self.to.user, &self.to.connection, &deletions],
            )
            .await?;
        answered.iter().map(deleted_from).collect()
    }
}

/// Reads a row of `id` and `source_id`.
pub(super) fn deleted_from(row: &tokio_postgres::Row) -> Result<Deleted, StoreFailure> {
    let (id, source_id) = columns("statements::write::tombstone", row)?;
    Ok(Deleted { id, source_id })
}

/// A row as `jsonb_to_recordset` reads it. It borrows, because a record may be large.
#[derive(Debug, Serialize)]
struct Recordset<'a> {
    #[serde(flatten)]
    columns: &'a Map<String, Value>,
    id: Uuid,
    source_id: &'a str,
    raw: &'a Option<Value>,
    extra: &'a Option<Map<String, Value>>,
    updated_at: Option<DateTime<Utc>>,
}

impl<'a> From<&'a SectorRow> for Recordset<'a> {
    fn from(row: &'a SectorRow) -> Self {
        Self {
            columns: &row.columns,
            id: row.id,
            source_id: &row.source_id,
            raw: &row.raw,
            extra: &row.extra,
            updated_at: row.updated_at,
        }
    }
}

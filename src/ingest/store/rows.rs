//! Rows in and out of one table.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio_postgres::types::Json;
use uuid::Uuid;

use crate::catalog::Table;
use crate::statements::write::{self, Absent};

use super::{Deletion, Row, StoreFailure, Work};

/// What an upsert changed.
#[derive(Debug, Default)]
pub struct Changed {
    pub ids: Vec<Uuid>,
    pub inserted: u64,
    pub updated: u64,
}

/// A row that became a tombstone.
#[derive(Debug)]
pub struct Gone {
    pub id: Uuid,
    pub source_id: String,
}

impl Work<'_> {
    /// Stores the rows; no key may stand twice among them.
    pub(super) async fn upsert(
        &self,
        table: &Table,
        rows: &[&Row],
    ) -> Result<Changed, StoreFailure> {
        self.write(&write::upsert(table, Absent::Clears), rows)
            .await
    }

    /// Stores what children say of their parents: fields they leave out stay as they are.
    pub(super) async fn amend(
        &self,
        table: &Table,
        rows: &[&Row],
    ) -> Result<Changed, StoreFailure> {
        self.write(&write::upsert(table, Absent::Stays), rows).await
    }

    async fn write(&self, statement: &str, rows: &[&Row]) -> Result<Changed, StoreFailure> {
        if rows.is_empty() {
            return Ok(Changed::default());
        }
        let pushed = Json(
            rows.iter()
                .map(|row| Recordset::from(*row))
                .collect::<Vec<_>>(),
        );
        let statement = self.transaction.prepare_cached(statement).await?;
        let answered = self
            .transaction
            .query(&statement, &[&self.to.user, &self.to.connection, &pushed])
            .await?;
        let mut changed = Changed::default();
        for row in &answered {
            changed.ids.push(row.try_get("id")?);
            if row.try_get("inserted")? {
                changed.inserted += 1
            } else {
                changed.updated += 1
            }
        }
        Ok(changed)
    }

    /// Makes tombstones of the named rows.
    pub(super) async fn tombstone(
        &self,
        table: &Table,
        deletions: &[Deletion],
    ) -> Result<Vec<Gone>, StoreFailure> {
        let gone = deletions.iter().map(|deletion| json!({ "source_id": deletion.source_id, "updated_at": deletion.updated_at }));
        let statement = self
            .transaction
            .prepare_cached(&write::tombstone(table))
            .await?;
        let gone = Value::Array(gone.collect());
        let answered = self
            .transaction
            .query(&statement, &[&self.to.user, &self.to.connection, &gone])
            .await?;
        answered.iter().map(gone_from).collect()
    }
}

/// Reads a row of `id` and `source_id`.
pub fn gone_from(row: &tokio_postgres::Row) -> Result<Gone, StoreFailure> {
    Ok(Gone {
        id: row.try_get("id")?,
        source_id: row.try_get("source_id")?,
    })
}

/// A row as `jsonb_to_recordset` reads it, borrowed: a record may be large, and is written as it stands.
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

impl<'a> From<&'a Row> for Recordset<'a> {
    fn from(row: &'a Row) -> Self {
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

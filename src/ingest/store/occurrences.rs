//! The occurrences of the series that a push touched, made anew in its transaction.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde_json::Value;
use tokio::task::spawn_blocking;
use tokio_postgres::Row as Found;
use uuid::Uuid;

use crate::catalog::{self, Table};
use crate::db::StoreError;
use crate::ingest::limits::BATCH_ROWS_MAX;
use crate::ingest::series::{Component, EventRows};
use crate::occurrences::Covers;
use crate::query::compile::write;
use sextant_actors::domain::Sector;

use super::{Deletion, Row, StoreFailure, Work};

/// Series that are loaded and expanded together.
const SERIES_AT_ONCE_MAX: usize = 100;

/// The series that the rows belong to, when the table is the one of series.
pub fn series_of(table: &Table, rows: &[&Row]) -> BTreeSet<String> {
    if !is_series(table) {
        return BTreeSet::new();
    }
    let series = |row: &&Row| {
        row.columns
            .get("series_source_id")
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    rows.iter()
        .map(|row| series(row).unwrap_or_else(|| row.source_id.clone()))
        .collect()
}

fn is_series(table: &Table) -> bool {
    table.sector == Sector::Calendar && table.name == "series"
}

impl Work<'_> {
    /// The series that rows about to be deleted belong to.
    pub(super) async fn series_of_deleted(
        &self,
        deletions: &[Deletion],
    ) -> Result<BTreeSet<String>, StoreFailure> {
        if !is_series(self.to.table) {
            return Ok(BTreeSet::new());
        }
        let ids: Vec<&str> = deletions
            .iter()
            .map(|deletion| deletion.source_id.as_str())
            .collect();
        let statement = self
            .transaction
            .prepare_cached(include_str!("../../../sql/statements/series/names.sql"))
            .await?;
        let names = self
            .transaction
            .query(&statement, &[&self.to.user, &self.to.connection, &ids])
            .await?;
        names.iter().map(|row| Ok(row.try_get("name")?)).collect()
    }

    /// Makes the occurrences of these series what their rows now say.
    pub(super) async fn expand(
        &self,
        series: &BTreeSet<String>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreFailure> {
        let names: Vec<&String> = series.iter().collect();
        for names in names.chunks(SERIES_AT_ONCE_MAX) {
            let mut components = self.components(names).await?;
            for name in names {
                let components = components.remove(*name).unwrap_or_default();
                self.expand_one(name, components, now).await?;
            }
        }
        Ok(())
    }

    async fn components(
        &self,
        names: &[&String],
    ) -> Result<BTreeMap<String, Vec<Component>>, StoreFailure> {
        let statement = self
            .transaction
            .prepare_cached(include_str!("../../../sql/statements/series/load.sql"))
            .await?;
        let found = self
            .transaction
            .query(&statement, &[&self.to.user, &self.to.connection, &names])
            .await?;
        let mut by_series: BTreeMap<String, Vec<Component>> = BTreeMap::new();
        for row in &found {
            let component = component(row)?;
            by_series
                .entry(component.series().to_owned())
                .or_default()
                .push(component);
        }
        Ok(by_series)
    }

    async fn expand_one(
        &self,
        series: &str,
        components: Vec<Component>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreFailure> {
        let Some(events) = catalog::table(Sector::Calendar, "events") else {
            return Ok(());
        };
        let maker = EventRows {
            connection: self.to.connection,
            operator_zone: self.to.zone,
            series: series.to_owned(),
            components,
        };
        let series_id = maker.series_id();
        let (rows, covers) = spawn_blocking(move || maker.expand(now))
            .await
            .map_err(|_| expansion_failed())?;
        for rows in rows.chunks(BATCH_ROWS_MAX) {
            self.upsert(events, &rows.iter().collect::<Vec<_>>())
                .await?;
        }
        self.forget_others(events, series_id, &rows).await?;
        self.cover(series, covers, now).await
    }

    async fn forget_others(
        &self,
        events: &'static Table,
        series_id: Uuid,
        rows: &[Row],
    ) -> Result<(), StoreFailure> {
        let Some(link) = events.field("series_id") else {
            return Ok(());
        };
        let kept: Vec<&str> = rows.iter().map(|row| row.source_id.as_str()).collect();
        let owners = vec![series_id.to_string()];
        let statement = self
            .transaction
            .prepare_cached(&write::tombstone_linked(events, link))
            .await?;
        self.transaction
            .execute(
                &statement,
                &[&self.to.user, &self.to.connection, &owners, &kept],
            )
            .await?;
        Ok(())
    }

    /// Notes how far the occurrences of a series reach, so that a question past the edge is told so.
    async fn cover(
        &self,
        series: &str,
        covers: Option<Covers>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreFailure> {
        let scope = format!("series:{series}");
        let Some(Covers { from, to }) = covers else {
            let uncover = include_str!("../../../sql/statements/sync_cursors/uncover.sql");
            let statement = self.transaction.prepare_cached(uncover).await?;
            self.transaction
                .execute(&statement, &[&self.to.user, &self.to.connection, &scope])
                .await?;
            return Ok(());
        };
        let statement = self
            .transaction
            .prepare_cached(include_str!(
                "../../../sql/statements/sync_cursors/cover.sql"
            ))
            .await?;
        self.transaction
            .execute(
                &statement,
                &[&self.to.user, &self.to.connection, &scope, &from, &to, &now],
            )
            .await?;
        Ok(())
    }
}

fn expansion_failed() -> StoreFailure {
    StoreFailure::Store(StoreError::Fault {
        cause: "a series could not be expanded".to_owned(),
    })
}

fn component(row: &Found) -> Result<Component, StoreFailure> {
    let zone: Option<String> = row.try_get("time_zone")?;
    let details: Value = row.try_get("details")?;
    Ok(Component {
        id: row.try_get("id")?,
        source_id: row.try_get("source_id")?,
        series_source_id: row.try_get("series_source_id")?,
        recurrence_id: row.try_get("recurrence_id")?,
        calendar_id: row.try_get("calendar_id")?,
        start_at: row.try_get("start_at")?,
        end_at: row.try_get("end_at")?,
        start_date: row.try_get("start_date")?,
        end_date: row.try_get("end_date")?,
        zone: zone.and_then(|zone| zone.parse().ok()),
        status: row.try_get("status")?,
        lines: row
            .try_get::<_, Option<Vec<String>>>("rrule")?
            .unwrap_or_default(),
        details: details.as_object().cloned().unwrap_or_default(),
    })
}

//! The occurrences of the series that a push touched, made anew in its transaction.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use chrono::{DateTime, Utc};
use serde_json::Value;
use tokio::task::spawn_blocking;
use tokio_postgres::Row as Found;

use crate::catalog::{self, Table};
use crate::db::StoreError;
use crate::ingest::limits::BATCH_ROWS_MAX;
use crate::ingest::series::{Component, EventRows};
use crate::statements::write;
use sextant_actors::domain::Sector;
use sextant_formats::recurrence::Covers;

use super::{Deletion, Row, StoreFailure, Work};

/// Series that are loaded together.
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
    pub(super) async fn expand(&self, series: &BTreeSet<String>) -> Result<(), StoreFailure> {
        let Some(events) = catalog::table(Sector::Calendar, "events") else {
            return Ok(());
        };
        let now = self.to.now;
        let names: Vec<&String> = series.iter().collect();
        for names in names.chunks(SERIES_AT_ONCE_MAX) {
            let mut waiting = self.makers(names).await?;
            while !waiting.is_empty() {
                let (made, rest) = spawn_blocking(move || made(waiting, now))
                    .await
                    .map_err(|_| expansion_failed())?;
                waiting = rest;
                self.keep(events, &made).await?;
                self.cover(&made).await?;
            }
        }
        Ok(())
    }

    /// The series of these names, as their rows now stand.
    async fn makers(&self, names: &[&String]) -> Result<VecDeque<EventRows>, StoreFailure> {
        let mut components = self.components(names).await?;
        let maker = |name: &&String| EventRows {
            connection: self.to.connection,
            operator_zone: self.to.zone,
            series: (*name).clone(),
            components: components.remove(*name).unwrap_or_default(),
        };
        Ok(names.iter().map(maker).collect())
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

    /// Stores these occurrences, and forgets what else their series had.
    async fn keep(&self, events: &'static Table, made: &[Made]) -> Result<(), StoreFailure> {
        let rows: Vec<&Row> = made.iter().flat_map(|made| &made.rows).collect();
        for rows in rows.chunks(BATCH_ROWS_MAX) {
            self.upsert(events, rows).await?;
        }
        let Some(link) = events.field("series_id") else {
            return Ok(());
        };
        let kept: Vec<&str> = rows.iter().map(|row| row.source_id.as_str()).collect();
        let owners: Vec<&str> = made.iter().map(|made| made.series_id.as_str()).collect();
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

    /// Notes how far the occurrences of series reach, so that a question past the edge is told so.
    async fn cover(&self, made: &[Made]) -> Result<(), StoreFailure> {
        let (mut scopes, mut from, mut to, mut uncovered) = (vec![], vec![], vec![], vec![]);
        for made in made {
            let scope = format!("series:{}", made.series);
            match made.covers {
                None => uncovered.push(scope),
                Some(covers) => {
                    scopes.push(scope);
                    from.push(covers.from);
                    to.push(covers.to);
                }
            }
        }
        let (user, connection, now) = (self.to.user, self.to.connection, self.to.now);
        if !uncovered.is_empty() {
            let uncover = include_str!("../../../sql/statements/sync_cursors/uncover.sql");
            let statement = self.transaction.prepare_cached(uncover).await?;
            self.transaction
                .execute(&statement, &[&user, &connection, &uncovered])
                .await?;
        }
        if !scopes.is_empty() {
            let cover = include_str!("../../../sql/statements/sync_cursors/cover.sql");
            let statement = self.transaction.prepare_cached(cover).await?;
            self.transaction
                .execute(&statement, &[&user, &connection, &scopes, &from, &to, &now])
                .await?;
        }
        Ok(())
    }
}

/// A series with all its occurrences.
struct Made {
    series: String,
    series_id: String,
    rows: Vec<Row>,
    covers: Option<Covers>,
}

/// Expands series until there are rows enough to store; the rest waits, so that few are in memory.
fn made(mut waiting: VecDeque<EventRows>, now: DateTime<Utc>) -> (Vec<Made>, VecDeque<EventRows>) {
    let (mut made, mut count) = (Vec::new(), 0);
    while count < BATCH_ROWS_MAX
        && let Some(maker) = waiting.pop_front()
    {
        let (rows, covers) = maker.expand(now);
        count += rows.len();
        made.push(Made {
            series_id: maker.series_id().to_string(),
            series: maker.series,
            rows,
            covers,
        });
    }
    (made, waiting)
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
        updated_at: row.try_get("updated_at")?,
        details: details.as_object().cloned().unwrap_or_default(),
    })
}

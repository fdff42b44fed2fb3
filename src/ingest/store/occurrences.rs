//! Makes the occurrences of the series that a push touched anew, in its transaction.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use chrono::{DateTime, Utc};
use serde_json::Value;
use tokio::task::spawn_blocking;
use tokio_postgres::types::Json;

use crate::catalog::{self, Table};
use crate::db::{Cells, StoreError, column};
use crate::ingest::limits::BATCH_ROWS_MAX;
use crate::ingest::series::{EventRows, SeriesComponent};
use crate::statements::write;
use sextant_actors::domain::Sector;
use sextant_formats::recurrence::Covers;

use crate::ingest::row::{Deletion, SectorRow};

use super::failure::StoreFailure;
use super::transaction::PushTransaction;

/// Series that are loaded together.
const SERIES_AT_ONCE_MAX: usize = 100;

/// The source ids of the series that the rows belong to; empty unless `table` holds series.
pub(super) fn series_of(table: &Table, rows: &[&SectorRow]) -> BTreeSet<String> {
    if !is_series(table) {
        return BTreeSet::new();
    }
    let series = |row: &&SectorRow| {
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

impl PushTransaction<'_> {
    /// The source ids of the series that rows about to be deleted belong to.
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
        let name = |row| Ok(column("series/names", row)?);
        names.iter().map(name).collect()
    }

    /// Makes the stored occurrences of these series those of their present rows.
    pub(super) async fn expand(&self, series: &BTreeSet<String>) -> Result<(), StoreFailure> {
        let events = catalog::table(Sector::Calendar, "events")
            .ok_or_else(|| fault("the catalogue has no table of events"))?;
        let now = self.to.now;
        let names: Vec<&String> = series.iter().collect();
        for names in names.chunks(SERIES_AT_ONCE_MAX) {
            let mut waiting = self.load_series(names).await?;
            while !waiting.is_empty() {
                let (expanded, rest) = spawn_blocking(move || expand_next(waiting, now))
                    .await
                    .map_err(|_| fault("a series could not be expanded"))?;
                waiting = rest;
                self.replace_occurrences(events, &expanded).await?;
                self.store_coverage(&expanded).await?;
            }
        }
        Ok(())
    }

    /// The series with these source ids, as they are stored.
    async fn load_series(&self, names: &[&String]) -> Result<VecDeque<EventRows>, StoreFailure> {
        let mut components = self.load_components(names).await?;
        let event_rows = |name: &&String| EventRows {
            connection: self.to.connection,
            operator_zone: self.to.zone,
            series: (*name).clone(),
            // A series whose rows are all deleted has no component, and so no occurrence.
            components: components.remove(*name).unwrap_or_default(),
        };
        Ok(names.iter().map(event_rows).collect())
    }

    /// The components of these series, by the series' source id.
    async fn load_components(
        &self,
        names: &[&String],
    ) -> Result<BTreeMap<String, Vec<SeriesComponent>>, StoreFailure> {
        let statement = self
            .transaction
            .prepare_cached(include_str!("../../../sql/statements/series/load.sql"))
            .await?;
        let found = self
            .transaction
            .query(&statement, &[&self.to.user, &self.to.connection, &names])
            .await?;
        let mut by_series: BTreeMap<String, Vec<SeriesComponent>> = BTreeMap::new();
        for row in &found {
            let component = component(row)?;
            by_series
                .entry(component.series().to_owned())
                .or_default()
                .push(component);
        }
        Ok(by_series)
    }

    /// Stores these occurrences, and deletes all others of their series.
    async fn replace_occurrences(
        &self,
        events: &'static Table,
        expanded: &[ExpandedSeries],
    ) -> Result<(), StoreFailure> {
        let rows: Vec<&SectorRow> = expanded.iter().flat_map(|series| &series.rows).collect();
        for rows in rows.chunks(BATCH_ROWS_MAX) {
            self.upsert(events, rows).await?;
        }
        let link = events
            .field("series_id")
            .ok_or_else(|| fault("the table of events has no field `series_id`"))?;
        let kept: Vec<&str> = rows.iter().map(|row| row.source_id.as_str()).collect();
        let owners: Vec<&str> = expanded
            .iter()
            .map(|series| series.series_id.as_str())
            .collect();
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

    /// Stores the period that the occurrences of each series cover, so that an answer beyond it can say so.
    async fn store_coverage(&self, expanded: &[ExpandedSeries]) -> Result<(), StoreFailure> {
        let (mut scopes, mut from, mut to, mut uncovered) = (vec![], vec![], vec![], vec![]);
        for series in expanded {
            let scope = format!("series:{}", series.name);
            match series.covers {
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
struct ExpandedSeries {
    /// The series' source id.
    name: String,
    series_id: String,
    rows: Vec<SectorRow>,
    covers: Option<Covers>,
}

/// Expands series until there are rows enough for a batch, and returns them with the remaining ones. So only the occurrences of
/// one batch are in memory.
fn expand_next(
    mut waiting: VecDeque<EventRows>,
    now: DateTime<Utc>,
) -> (Vec<ExpandedSeries>, VecDeque<EventRows>) {
    let (mut expanded, mut count) = (Vec::new(), 0);
    while count < BATCH_ROWS_MAX
        && let Some(event_rows) = waiting.pop_front()
    {
        let (rows, covers) = event_rows.expand(now);
        count += rows.len();
        expanded.push(ExpandedSeries {
            series_id: event_rows.series_id().to_string(),
            name: event_rows.series,
            rows,
            covers,
        });
    }
    (expanded, waiting)
}

fn fault(cause: &str) -> StoreFailure {
    StoreFailure::Store(StoreError::Fault {
        cause: cause.to_owned(),
    })
}

fn component(row: &tokio_postgres::Row) -> Result<SeriesComponent, StoreFailure> {
    let mut cells = Cells::of("series/load", row);
    let component = SeriesComponent {
        id: cells.named("id")?,
        source_id: cells.named("source_id")?,
        series_source_id: cells.named("series_source_id")?,
        recurrence_id: cells.named("recurrence_id")?,
        calendar_id: cells.named("calendar_id")?,
        start_at: cells.named("start_at")?,
        end_at: cells.named("end_at")?,
        start_date: cells.named("start_date")?,
        end_date: cells.named("end_date")?,
        // A push refuses zones that are unknown here; one that an older version stored counts as none.
        zone: cells
            .named::<Option<&str>>("time_zone")?
            .and_then(|zone| zone.parse().ok()),
        status: cells.named("status")?,
        // A component without a rule stores none: it occurs once.
        lines: cells
            .named::<Option<Vec<String>>>("rrule")?
            .unwrap_or_default(),
        updated_at: cells.named("updated_at")?,
        details: cells.named::<Json<_>>("details")?.0,
    };
    cells.end()?;
    Ok(component)
}

//! Rolls the window of occurrences of endless calendar series forward by a day, once a day.

use chrono::{DateTime, Duration, Utc};
use chrono_tz::Tz;
use sextant_actors::domain::Sector;
use uuid::Uuid;

use crate::catalog;
use crate::db::{ServicePool, StoreError, columns, tx};

use super::destination::PushDestination;
use super::store::{StoreFailure, expand_series};

/// The age at which an expansion is made anew.
const AGE_HOURS_MAX: i64 = 24;
const LOCK_CONNECTION: &str = include_str!("../../sql/statements/connections/hold_kept.sql");
/// Series that one transaction expands.
const SERIES_AT_ONCE_MAX: i64 = 200;

/// Expands every endless series of the person whose last expansion is more than a day old at `now`. Returns how many.
///
/// # Errors
/// When the database fails; the series that were expanded before stay so.
pub async fn roll(
    pool: &ServicePool,
    user: Uuid,
    zone: Tz,
    now: DateTime<Utc>,
) -> Result<usize, StoreFailure> {
    let mut rolled = 0;
    loop {
        let stale = load_stale(pool, user, now).await?;
        if stale.is_empty() {
            return Ok(rolled);
        }
        for (connection, series) in stale {
            rolled += series.len();
            roll_connection(pool, (user, connection), zone, (series, now)).await?;
        }
    }
}

/// Connections, each with the source ids of its series that are due.
async fn load_stale(
    pool: &ServicePool,
    user: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<(Uuid, Vec<String>)>, StoreError> {
    let before = now - Duration::hours(AGE_HOURS_MAX);
    let statement = include_str!("../../sql/statements/sync_cursors/stale_series.sql");
    let rows = pool
        .get()
        .await?
        .query(statement, &[&user, &before, &SERIES_AT_ONCE_MAX])
        .await?;
    rows.iter()
        .map(|row| columns("sync_cursors/stale_series", row))
        .collect()
}

async fn roll_connection(
    pool: &ServicePool,
    (user, connection): (Uuid, Uuid),
    zone: Tz,
    (series, now): (Vec<String>, DateTime<Utc>),
) -> Result<(), StoreFailure> {
    let table = catalog::table(Sector::Calendar, "series").ok_or_else(|| StoreError::Fault {
        cause: "the catalogue has no table of series".to_owned(),
    })?;
    let to = PushDestination {
        user,
        connection,
        table,
        zone,
        now,
    };
    let series = series.into_iter().collect();
    let (to, series) = (&to, &series);
    tx(pool, "roll", move |transaction| {
        Box::pin(async move {
            // Otherwise an erase could delete the series after they are read and before their occurrences are written.
            transaction
                .query_opt(LOCK_CONNECTION, &[&to.user, &to.connection])
                .await?;
            expand_series(&transaction, to, series).await
        })
    })
    .await
}

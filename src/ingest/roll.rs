//! The daily roll: endless series get the occurrences of another day, and lose none that a question may still ask for.

use chrono::{DateTime, Duration, Utc};
use chrono_tz::Tz;
use sextant_actors::domain::Sector;
use uuid::Uuid;

use crate::catalog;
use crate::db::{ServicePool, StoreError, tx};

use super::destination::Destination;
use super::store::{StoreFailure, expand_series};

/// How old an expansion may be.
const AGE_HOURS_MAX: i64 = 24;
const HOLD: &str = include_str!("../../sql/statements/connections/hold_kept.sql");
/// Series that one transaction expands.
const SERIES_AT_ONCE_MAX: i64 = 200;

/// Expands every endless series whose last expansion is older than a day as of `now`. Answers how many there were.
///
/// # Errors
/// When the store fails; what was rolled before stays.
pub async fn roll(
    pool: &ServicePool,
    user: Uuid,
    zone: Tz,
    now: DateTime<Utc>,
) -> Result<usize, StoreFailure> {
    let mut rolled = 0;
    loop {
        let stale = stale(pool, user, now).await?;
        if stale.is_empty() {
            return Ok(rolled);
        }
        for (connection, series) in stale {
            rolled += series.len();
            roll_one(pool, (user, connection), zone, (series, now)).await?;
        }
    }
}

async fn stale(
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
        .map(|row| Ok((row.try_get("connection_id")?, row.try_get("series")?)))
        .collect()
}

async fn roll_one(
    pool: &ServicePool,
    (user, connection): (Uuid, Uuid),
    zone: Tz,
    (series, now): (Vec<String>, DateTime<Utc>),
) -> Result<(), StoreFailure> {
    let Some(table) = catalog::table(Sector::Calendar, "series") else {
        return Ok(());
    };
    let to = Destination {
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
            // An erase would else go between the series that were read and their occurrences that are written.
            transaction
                .query_opt(HOLD, &[&to.user, &to.connection])
                .await?;
            expand_series(&transaction, to, series).await
        })
    })
    .await
}

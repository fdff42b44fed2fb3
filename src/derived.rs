//! Rows that the service makes of other rows: `health.days` and `finance.balances`.
//!
//! # How they stay true
//!
//! Triggers mark what a statement touched, in its own transaction, whoever wrote it: a push, a late reference, a
//! disconnect, a source (`sql/migrations/0002_derived.sql`). At the end of that same transaction [`settle`] takes the marks
//! and makes those days and balances anew, and no others: a push that has been answered can be asked about, and nothing is
//! ever half made. One transaction at a time settles a sector (the row in `evidence.built`), because two that touched the
//! same day would each miss the other's rows. A row that comes out as it was is left alone, so that its stamp and
//! `changed_xid` tell of changes only.
//!
//! What is stored is a function of the evidence and the person's zone. [`rebuild`] makes all of it anew, in one
//! transaction, when the zone is another than the one it was made in; interrupted, it has not happened.
//!
//! # Which day
//!
//! An instant is of the local day by its row's own offset, else in the person's zone. A sample or a workout counts whole
//! for the day it began on, a sleep for the day of waking, a recovery for the day of its sleep's waking, else of its
//! measuring, a cycle for the day twelve hours after it began (that of waking). Instants outside 1900 to 2199 count for no day.
//!
//! The rules of what a day says stand in [`days`], those of a balance in [`balances`].

pub mod balances;
pub mod days;

use chrono_tz::Tz;
use deadpool_postgres::Transaction;
use sextant_actors::domain::Sector;
use uuid::Uuid;

use crate::db::{ServicePool, StoreError, tx};
use crate::local_days::LocalDays;

/// The sectors in which rows are made.
const SECTORS: [Sector; 2] = [Sector::Health, Sector::Finance];

/// Makes anew what the transaction has touched in `sector`. Its last act but for what no other transaction waits for:
/// until it ends, no other one settles.
///
/// # Errors
/// When the store fails.
pub async fn settle(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
) -> Result<(), StoreError> {
    if !SECTORS.contains(&sector) {
        return Ok(());
    }
    let held = hold(transaction, user, sector).await?;
    // Without a row nothing has been made yet: the marks stay for the rebuild.
    match held {
        Some(zone) => make(transaction, user, sector, zone).await,
        None => Ok(()),
    }
}

/// Waits until nobody else makes derived rows of `sector`, and keeps others from it until the transaction ends. Answers the
/// zone that they are made in, if any have been.
///
/// # Errors
/// When the store fails, or the wait is too long.
pub async fn hold(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
) -> Result<Option<Tz>, StoreError> {
    let begin = include_str!("../sql/statements/derived/begin.sql");
    let held = transaction
        .query_opt(begin, &[&user, &sector.name()])
        .await?;
    let Some(row) = held else { return Ok(None) };
    zone_of(row.try_get("zone")?).map(Some)
}

/// Makes all of it anew if it was made in another zone than `zone`. Answers the sectors in which it did.
///
/// # Errors
/// When the store fails; what was made stays as it was.
pub async fn rebuild(pool: &ServicePool, user: Uuid, zone: Tz) -> Result<Vec<Sector>, StoreError> {
    let mut rebuilt = Vec::new();
    for sector in SECTORS {
        let done = tx(pool, "rebuild", move |transaction| {
            Box::pin(async move { rebuild_one(&transaction, user, sector, zone).await })
        });
        if done.await? {
            rebuilt.push(sector);
        }
    }
    Ok(rebuilt)
}

async fn rebuild_one(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
    zone: Tz,
) -> Result<bool, StoreError> {
    let build = include_str!("../sql/statements/derived/build.sql");
    let taken = transaction
        .query_opt(build, &[&user, &sector.name(), &zone.name()])
        .await?;
    if taken.is_none() {
        return Ok(false);
    }
    mark_all(transaction, user, sector).await?;
    make(transaction, user, sector, zone).await?;
    Ok(true)
}

/// Makes all of a sector anew in the zone that its rows are made in, as rows that were brought from another store need it:
/// what they say of a day or an account may be of another zone.
///
/// # Errors
/// When the store fails.
pub async fn settle_all(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
) -> Result<(), StoreError> {
    if SECTORS.contains(&sector) {
        mark_all(transaction, user, sector).await?;
    }
    settle(transaction, user, sector).await
}

async fn mark_all(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
) -> Result<(), StoreError> {
    let mark_all = match sector {
        Sector::Health => include_str!("../sql/statements/derived/mark_all_days.sql"),
        _ => include_str!("../sql/statements/derived/mark_all_balances.sql"),
    };
    transaction.execute(mark_all, &[&user]).await?;
    Ok(())
}

async fn make(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
    zone: Tz,
) -> Result<(), StoreError> {
    let days = LocalDays::of(zone);
    match sector {
        Sector::Health => days::make(transaction, user, days).await,
        _ => balances::make(transaction, user, days).await,
    }
}

fn zone_of(name: &str) -> Result<Tz, StoreError> {
    name.parse().map_err(|_| StoreError::Fault {
        cause: "derived rows were made in a zone that this program does not know".to_owned(),
    })
}

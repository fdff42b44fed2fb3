//! Rows that the service derives from other rows, `health.days` and `finance.balances`; and which rows are served of an account that
//! several connections have ([`duplicates`]).
//!
//! # How they are kept up to date
//!
//! Triggers mark the days and balances that a statement affects, in its own transaction, whatever it comes from: a push, a late
//! reference, a disconnect, a source (`sql/migrations/0002_derived.sql`). At the end of that transaction [`settle`] takes the
//! marks and derives those days and balances anew, and no others. So a query after an answered push sees them, and they are
//! never half made. Only one transaction at a time settles a sector (it locks the row in `evidence.built`), because two that
//! affect the same day would each miss the other's rows. A row that is derived with the same values is not written, so that its
//! `updated_at` and `changed_xid` change only with its values.
//!
//! The rows are a function of the evidence and the person's time zone. [`rebuild`] derives all of them anew, in one transaction a
//! sector, when the zone has changed.
//!
//! # Which day
//!
//! An instant belongs to the local day by its row's own offset, else in the person's zone. A sample or a workout counts as a whole
//! for the day on which it began, a sleep for the day of waking, a recovery for the day of its sleep's waking or else of its
//! measurement, a cycle for the day twelve hours after its beginning (the day of waking). Instants outside the years 1900 to
//! 2199 count for no day.
//!
//! The rules for the values of a day are in [`days`], those for a balance in [`balances`].

mod balances;
mod days;
mod duplicates;

use chrono_tz::Tz;
use deadpool_postgres::Transaction;
use sextant_actors::domain::Sector;
use uuid::Uuid;

use crate::db::{ServicePool, StoreError, column, tx};
use crate::local_days::LocalDays;

use self::duplicates::SettleReach;

pub(crate) use self::duplicates::{AccountAnswer, AnswerObstacle, AnswerRefusal, last_four};

/// The sectors with derived rows.
const SECTORS: [Sector; 2] = [Sector::Health, Sector::Finance];

/// Derives anew what the transaction has affected in `sector`. Call it near the end of the transaction: no other transaction can
/// settle the sector until this one ends.
///
/// # Errors
/// When the database fails.
pub(crate) async fn settle(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
) -> Result<(), StoreError> {
    if !SECTORS.contains(&sector) {
        return Ok(());
    }
    // Before the first build there is no zone: the marks stay for the build, which derives everything.
    match lock(transaction, user, sector).await? {
        Some(zone) => derive(transaction, user, sector, (zone, SettleReach::Changed)).await,
        None => Ok(()),
    }
}

/// Takes the turn of [`settle`] before rows of `sector` are written, where settling may write rows of another connection: two that
/// wrote first would wait for each other. Call it when the transaction holds its connection, and nothing else.
///
/// # Errors
/// When the database fails, or another transaction has the turn for too long.
pub(crate) async fn take_turn(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
) -> Result<(), StoreError> {
    if sector == Sector::Finance && duplicates::are_any_one(transaction, user).await? {
        lock(transaction, user, sector).await?;
    }
    Ok(())
}

/// Answers whether two accounts are one, and settles what follows. The caller holds all connections of finance.
///
/// # Errors
/// Why the answer is not taken; then the transaction must not be committed.
pub(crate) async fn answer(
    transaction: &Transaction<'_>,
    user: Uuid,
    pair: Uuid,
    answer: AccountAnswer,
) -> Result<(), AnswerRefusal> {
    let zone = lock(transaction, user, Sector::Finance).await?;
    duplicates::answer(transaction, user, (pair, answer)).await?;
    if let Some(zone) = zone {
        derive(
            transaction,
            user,
            Sector::Finance,
            (zone, SettleReach::Answered),
        )
        .await?;
    }
    Ok(())
}

/// Forgets what was answered of the erased rows of `connections`, and serves what stood behind them. [`settle`] does the rest.
///
/// # Errors
/// When the database fails.
pub(crate) async fn forget(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
    connections: &[Uuid],
) -> Result<(), StoreError> {
    match sector {
        Sector::Finance => duplicates::forget(transaction, user, connections).await,
        _ => Ok(()),
    }
}

/// Locks the derived rows of `sector` until the transaction ends. Returns the time zone in which they are derived, or `None`
/// before the first build.
///
/// # Errors
/// When the database fails, or another transaction holds the lock for too long.
pub(crate) async fn lock(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
) -> Result<Option<Tz>, StoreError> {
    let begin = include_str!("../sql/statements/derived/begin.sql");
    let built = transaction
        .query_opt(begin, &[&user, &sector.name()])
        .await?;
    let Some(row) = built else { return Ok(None) };
    zone_of(column("derived/begin", &row)?).map(Some)
}

/// Derives everything anew in each sector that was derived in another zone than `zone`, or not at all. Returns those sectors.
///
/// # Errors
/// When the database fails; the sector's rows stay as they were.
pub(crate) async fn rebuild(
    pool: &ServicePool,
    user: Uuid,
    zone: Tz,
) -> Result<Vec<Sector>, StoreError> {
    let mut rebuilt = Vec::new();
    for sector in SECTORS {
        let done = tx(pool, "rebuild", move |transaction| {
            Box::pin(async move { rebuild_sector(&transaction, user, sector, zone).await })
        });
        if done.await? {
            rebuilt.push(sector);
        }
    }
    Ok(rebuilt)
}

async fn rebuild_sector(
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
    derive(transaction, user, sector, (zone, SettleReach::Everything)).await?;
    Ok(true)
}

/// Derives all rows of a sector anew in its present zone. Restored rows need it, which may have been derived in another one.
///
/// # Errors
/// When the database fails.
pub(crate) async fn settle_all(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
) -> Result<(), StoreError> {
    if !SECTORS.contains(&sector) {
        return Ok(());
    }
    mark_all(transaction, user, sector).await?;
    match lock(transaction, user, sector).await? {
        Some(zone) => derive(transaction, user, sector, (zone, SettleReach::Everything)).await,
        None => Ok(()),
    }
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

async fn derive(
    transaction: &Transaction<'_>,
    user: Uuid,
    sector: Sector,
    (zone, reach): (Tz, SettleReach),
) -> Result<(), StoreError> {
    let days = LocalDays::of(zone);
    match sector {
        Sector::Health => days::derive(transaction, user, days).await,
        _ => {
            // Before the balances: those of an account that becomes hidden go over to the one that is served.
            duplicates::settle(transaction, user, days, reach).await?;
            balances::derive(transaction, user, days).await
        }
    }
}

fn zone_of(name: &str) -> Result<Tz, StoreError> {
    name.parse().map_err(|_| StoreError::Fault {
        cause: "derived rows were made in a zone that this program does not know".to_owned(),
    })
}

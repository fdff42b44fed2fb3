//! `health.days`: one row a local day over all connections.
//!
//! # Its values
//!
//! Each field is decided by itself: it is taken from the first of these sources that has it.
//!
//! | field | pushed as a day, then |
//! |---|---|
//! | `steps`, `distance_m`, `energy_kcal`, `flights_climbed` | the sum of the samples |
//! | `exercise_minutes` | the sum of the samples, then the time in workouts |
//! | `resting_heart_rate`, `hrv_rmssd_ms` | the recovery, then the mean of the samples |
//! | `recovery_score` | the recovery |
//! | `strain` | the cycle |
//! | `sleep_minutes` | the time asleep, nights and naps |
//! | `weight_kg` | the latest sample |
//!
//! - Of several days pushed for one date, the newest that has the field wins (by `updated_at`, else by the time of the push).
//! - Samples of two devices are never added: a watch and a phone count the same steps. A device that sends totals of a day takes
//!   precedence (with the greatest total, since they grow during the day), else the one with the greatest sum; for a mean,
//!   the one with the most samples.
//! - The time asleep is that of light, deep and REM sleep and of unknown stages (`asleep_ms`, kept in `extra`), else the time in
//!   bed (or from start to end) without the time awake and without data. Sleeps that overlap within one connection are one
//!   sleep recorded twice: the longer counts. Of several connections, the one with the most sleep counts. The same holds for
//!   workouts, by their length.
//! - Of several recoveries or cycles, the latest that has the field wins.
//!
//! # Its id and connection
//!
//! A day's id is made of the person and the date, so that it is the same however often the day is derived. Its connection is
//! the one that most of its fields come from (of equals, that with the lowest id), and its `extra` is that of the newest
//! pushed day with any. A day without any source becomes a tombstone.

mod batch;
mod decide;
mod load;
mod spans;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use deadpool_postgres::Transaction;
use futures_util::{TryStreamExt as _, pin_mut};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::catalog::row_id;
use crate::db::{StoreError, columns};
use crate::local_days::LocalDays;

use batch::DayBatch;

use decide::{MergedDay, decide};

/// Days that are derived together, which bounds the memory used.
const DAYS_AT_ONCE_MAX: usize = 200;
/// The qualified table, from which the ids of its rows are made.
const TARGET: &str = "health.days";

/// Derives the marked days anew.
pub(super) async fn derive(
    transaction: &Transaction<'_>,
    user: Uuid,
    local: LocalDays,
) -> Result<(), StoreError> {
    let stale = take_marks(transaction, user, local).await?;
    let stale: Vec<NaiveDate> = stale.into_iter().collect();
    for days in stale.chunks(DAYS_AT_ONCE_MAX) {
        let batch = DayBatch::of(days, local);
        let merged = decide(load::offers(transaction, user, &batch).await?);
        store(transaction, user, &merged).await?;
        let deleted: Vec<Uuid> = days
            .iter()
            .filter(|day| !merged.contains_key(day))
            .map(|day| id_of(user, *day))
            .collect();
        if deleted.is_empty() {
            continue;
        }
        let delete = include_str!("../../sql/statements/derived/forget_days.sql");
        let statement = transaction.prepare_cached(delete).await?;
        transaction.execute(&statement, &[&user, &deleted]).await?;
    }
    Ok(())
}

/// Takes the marks of the transaction: they are deleted as they are read.
async fn take_marks(
    transaction: &Transaction<'_>,
    user: Uuid,
    local: LocalDays,
) -> Result<BTreeSet<NaiveDate>, StoreError> {
    let statement = include_str!("../../sql/statements/derived/stale_days.sql");
    let marks = transaction.query_raw(statement, [&user]).await?;
    pin_mut!(marks);
    let mut days = BTreeSet::new();
    while let Some(mark) = marks.try_next().await? {
        let (day, moment): (Option<NaiveDate>, _) = columns("derived/stale_days", &mark)?;
        days.extend(day);
        if let Some(moment) = moment {
            days.extend(local.of_mark(moment));
        }
    }
    Ok(days)
}

async fn store(
    transaction: &Transaction<'_>,
    user: Uuid,
    merged: &BTreeMap<NaiveDate, MergedDay>,
) -> Result<(), StoreError> {
    let rows = merged.iter().map(|(date, day)| row_of(user, *date, day));
    let rows = Value::Array(rows.collect());
    let put = include_str!("../../sql/statements/derived/put_days.sql");
    let statement = transaction.prepare_cached(put).await?;
    transaction.execute(&statement, &[&user, &rows]).await?;
    Ok(())
}

/// The row as the statement reads it.
fn row_of(user: Uuid, date: NaiveDate, day: &MergedDay) -> Value {
    let mut row = json!({
        "id": id_of(user, date), "connection_id": day.connection, "day": date, "extra": day.extra,
    });
    if let Some(members) = row.as_object_mut() {
        let fields = day.fields.iter();
        members
            .extend(fields.map(|(field, value)| (field.name().to_owned(), field.to_json(*value))));
    }
    row
}

fn id_of(user: Uuid, day: NaiveDate) -> Uuid {
    row_id(user, TARGET, &day.to_string())
}

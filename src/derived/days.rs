//! `health.days`: one row a local day over all connections.
//!
//! # What a day says
//!
//! Each field is decided by itself, by the first of these that knows it:
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
//! - Of several days pushed for one date, the newest that knows the field wins (`updated_at`, else when it came).
//! - Samples of two devices are never added up or mixed: a watch and a telephone count the same steps. A device that sends
//!   day's totals goes first (the greatest of them: they grow in the course of the day), else the one with the greatest sum; for
//!   a mean the one that measured most often.
//! - A sleep's time is its light, deep and REM sleep and that of no known stage (`asleep_ms`, kept in `extra`), else the
//!   time in bed (or from start to end) less that awake and without data. Pieces that overlap within one connection are one sleep told twice: the longer counts. Of several
//!   connections the one that saw most sleep counts. Workouts likewise, by their length.
//! - Of several recoveries or cycles the latest that knows the field wins.
//!
//! # Whose it is
//!
//! A day's id is made of the person and the date, so that it stays the same however often the day is made. It bears the
//! connection that tells most of its fields (of equals, the lowest id), and `extra` of the newest pushed day that has any.
//! A day of which nothing is known any more becomes a tombstone.

mod batch;
mod decide;
mod load;
mod spans;

use std::collections::BTreeSet;

use chrono::NaiveDate;
use deadpool_postgres::Transaction;
use futures_util::{TryStreamExt as _, pin_mut};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::catalog::row_id;
use crate::db::StoreError;
use crate::local_days::LocalDays;

use batch::Wanted;

pub use decide::{Day, Field, Offer, Rank, decide};

/// Days that are made together: bounds what is held at a time.
const DAYS_AT_ONCE_MAX: usize = 200;
/// The qualified table, as it stands in the ids of its rows.
const TARGET: &str = "health.days";

/// Makes the marked days anew.
pub(super) async fn make(
    transaction: &Transaction<'_>,
    user: Uuid,
    local: LocalDays,
) -> Result<(), StoreError> {
    let stale: Vec<NaiveDate> = stale(transaction, user, local).await?.into_iter().collect();
    for days in stale.chunks(DAYS_AT_ONCE_MAX) {
        let wanted = Wanted::of(days, local);
        let made = decide(load::offers(transaction, user, &wanted).await?);
        put(transaction, user, &made).await?;
        let gone: Vec<Uuid> = days
            .iter()
            .filter(|day| !made.contains_key(day))
            .map(|day| id_of(user, *day))
            .collect();
        let forget = include_str!("../../sql/statements/derived/forget_days.sql");
        let statement = transaction.prepare_cached(forget).await?;
        transaction.execute(&statement, &[&user, &gone]).await?;
    }
    Ok(())
}

async fn stale(
    transaction: &Transaction<'_>,
    user: Uuid,
    local: LocalDays,
) -> Result<BTreeSet<NaiveDate>, StoreError> {
    let statement = include_str!("../../sql/statements/derived/stale_days.sql");
    let marks = transaction.query_raw(statement, [&user]).await?;
    pin_mut!(marks);
    let mut days = BTreeSet::new();
    while let Some(mark) = marks.try_next().await? {
        days.extend(mark.try_get::<_, Option<NaiveDate>>("day")?);
        if let Some(moment) = mark.try_get("moment")? {
            days.extend(local.of_mark(moment));
        }
    }
    Ok(days)
}

async fn put(
    transaction: &Transaction<'_>,
    user: Uuid,
    made: &std::collections::BTreeMap<NaiveDate, Day>,
) -> Result<(), StoreError> {
    let rows = made.iter().map(|(day, said)| as_json(user, *day, said));
    let rows = Value::Array(rows.collect());
    let put = include_str!("../../sql/statements/derived/put_days.sql");
    let statement = transaction.prepare_cached(put).await?;
    transaction.execute(&statement, &[&user, &rows]).await?;
    Ok(())
}

fn as_json(user: Uuid, day: NaiveDate, said: &Day) -> Value {
    let mut row = json!({
        "id": id_of(user, day), "connection_id": said.connection, "day": day, "extra": said.extra,
    });
    if let Some(members) = row.as_object_mut() {
        let fields = said.fields.iter();
        members.extend(fields.map(|(field, value)| (field.name().to_owned(), field.shown(*value))));
    }
    row
}

fn id_of(user: Uuid, day: NaiveDate) -> Uuid {
    row_id(user, TARGET, &day.to_string())
}

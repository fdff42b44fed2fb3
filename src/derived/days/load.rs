//! Reads what the tables of the sector offer for some days.

use chrono::{DateTime, NaiveDate, Utc};
use deadpool_postgres::Transaction;
use serde_json::{Map, Value};
use tokio_postgres::Row;
use uuid::Uuid;

use super::batch::Wanted;
use super::decide::{Field, Offer, Offers, Rank};
use super::spans::{Piece, told_once};
use crate::db::StoreError;

const MINUTE_MS: f64 = 60_000.0;
/// What a device that sends a day's totals is worth beside one that sends single samples: more than any sum.
const TOTAL_WEIGHT: f64 = 1e18;

/// How the samples of a metric become a day's value.
#[derive(Clone, Copy)]
enum Gathering {
    Sum,
    Mean,
    Latest,
}

/// The metrics that days are made of, each in the unit that ingest keeps it in.
const METRICS: [(&str, Field, Gathering); 8] = [
    ("steps", Field::Steps, Gathering::Sum),
    ("distance_walking_running", Field::DistanceM, Gathering::Sum),
    ("energy", Field::EnergyKcal, Gathering::Sum),
    ("flights_climbed", Field::FlightsClimbed, Gathering::Sum),
    ("exercise_time", Field::ExerciseMinutes, Gathering::Sum),
    (
        "resting_heart_rate",
        Field::RestingHeartRate,
        Gathering::Mean,
    ),
    (
        "heart_rate_variability_rmssd",
        Field::HrvRmssdMs,
        Gathering::Mean,
    ),
    ("weight", Field::WeightKg, Gathering::Latest),
];

/// All that is offered for the wanted days.
pub(super) async fn offers(
    transaction: &Transaction<'_>,
    user: Uuid,
    wanted: &Wanted,
) -> Result<Offers, StoreError> {
    let reading = Reading {
        transaction,
        user,
        wanted,
    };
    let mut offers = reading.pushed().await?;
    offers.values.extend(reading.samples().await?);
    offers.values.extend(reading.sleeps().await?);
    offers.values.extend(reading.workouts().await?);
    offers.values.extend(reading.recoveries().await?);
    offers.values.extend(reading.cycles().await?);
    Ok(offers)
}

struct Reading<'a> {
    transaction: &'a Transaction<'a>,
    user: Uuid,
    wanted: &'a Wanted,
}

impl Reading<'_> {
    async fn rows(&self, statement: &str) -> Result<Vec<Row>, StoreError> {
        let Wanted { days, begins, ends } = self.wanted;
        let statement = self.transaction.prepare_cached(statement).await?;
        let rows = self.transaction;
        Ok(rows
            .query(&statement, &[&self.user, days, begins, ends])
            .await?)
    }

    async fn pushed(&self) -> Result<Offers, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_pushed.sql");
        let statement = self.transaction.prepare_cached(statement).await?;
        let values = &[
            &self.user as &(dyn tokio_postgres::types::ToSql + Sync),
            &self.wanted.days,
        ];
        let mut offers = Offers::default();
        for (place, row) in self
            .transaction
            .query(&statement, values)
            .await?
            .iter()
            .enumerate()
        {
            let (day, connection) = whose(row)?;
            offers.pushed.push((day, connection));
            for field in Field::ALL {
                let value = pushed_value(row, field)?;
                offers.values.extend(value.map(|value| Offer {
                    day,
                    field,
                    rank: Rank::Said,
                    weight: place as f64,
                    connection,
                    value,
                }));
            }
            if let Some(Value::Object(extra)) = row.try_get::<_, Option<Value>>("extra")? {
                offers.extra.insert(day, extra as Map<String, Value>);
            }
        }
        Ok(offers)
    }

    async fn samples(&self) -> Result<Vec<Offer>, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_samples.sql");
        let statement = self.transaction.prepare_cached(statement).await?;
        let Wanted { days, begins, ends } = self.wanted;
        let metrics = METRICS.map(|(metric, ..)| metric);
        let rows = self
            .transaction
            .query(
                &statement,
                &[&self.user, days, begins, ends, &metrics.as_slice()],
            )
            .await?;
        let offers: Result<Vec<Option<Offer>>, StoreError> = rows.iter().map(of_samples).collect();
        Ok(offers?.into_iter().flatten().collect())
    }

    async fn sleeps(&self) -> Result<Vec<Offer>, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_sleeps.sql");
        let rows = self.rows(statement).await?;
        let pieces: Result<Vec<Piece>, StoreError> = rows.iter().map(of_sleep).collect();
        Ok(measured(pieces?, Field::SleepMinutes))
    }

    async fn workouts(&self) -> Result<Vec<Offer>, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_workouts.sql");
        let rows = self.rows(statement).await?;
        let pieces: Result<Vec<Piece>, StoreError> = rows
            .iter()
            .map(|row| {
                let (day, connection) = whose(row)?;
                let (start, end) = span(row)?;
                let minutes = minutes_between(start, end);
                Ok(Piece {
                    day,
                    connection,
                    start,
                    end,
                    minutes,
                    is_measured: false,
                })
            })
            .collect();
        Ok(measured(pieces?, Field::ExerciseMinutes))
    }

    async fn recoveries(&self) -> Result<Vec<Offer>, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_recoveries.sql");
        let fields = [
            Field::RecoveryScore,
            Field::RestingHeartRate,
            Field::HrvRmssdMs,
        ];
        latest(&self.rows(statement).await?, &fields)
    }

    async fn cycles(&self) -> Result<Vec<Offer>, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_cycles.sql");
        latest(&self.rows(statement).await?, &[Field::Strain])
    }
}

fn whose(row: &Row) -> Result<(NaiveDate, Uuid), StoreError> {
    Ok((row.try_get("day")?, row.try_get("connection_id")?))
}

fn span(row: &Row) -> Result<(DateTime<Utc>, DateTime<Utc>), StoreError> {
    Ok((row.try_get("start_at")?, row.try_get("end_at")?))
}

fn minutes_between(start: DateTime<Utc>, end: DateTime<Utc>) -> f64 {
    (end - start).num_milliseconds() as f64 / MINUTE_MS
}

fn pushed_value(row: &Row, field: Field) -> Result<Option<f64>, StoreError> {
    if field.is_whole() {
        let whole: Option<i32> = row.try_get(field.name())?;
        return Ok(whole.map(f64::from));
    }
    Ok(row.try_get(field.name())?)
}

/// What one device measured on one day.
fn of_samples(row: &Row) -> Result<Option<Offer>, StoreError> {
    let metric: String = row.try_get("metric")?;
    let Some((_, field, gathering)) = METRICS.iter().find(|(known, ..)| *known == metric) else {
        return Ok(None);
    };
    let (day, connection) = whose(row)?;
    let is_total: bool = row.try_get("is_total")?;
    let (value, weight): (f64, f64) = match gathering {
        Gathering::Sum if is_total => {
            let greatest: f64 = row.try_get("greatest")?;
            (greatest, greatest + TOTAL_WEIGHT)
        }
        Gathering::Sum => {
            let total: f64 = row.try_get("total")?;
            (total, total)
        }
        Gathering::Mean => (row.try_get("mean")?, row.try_get::<_, i64>("n")? as f64),
        Gathering::Latest => {
            let at: DateTime<Utc> = row.try_get("latest_at")?;
            (row.try_get("latest")?, at.timestamp_micros() as f64)
        }
    };
    Ok(Some(Offer {
        day,
        field: *field,
        rank: Rank::Measured,
        weight,
        connection,
        value,
    }))
}

fn of_sleep(row: &Row) -> Result<Piece, StoreError> {
    let (day, connection) = whose(row)?;
    let (start, end) = span(row)?;
    let is_staged: bool = row.try_get("is_staged")?;
    let asleep_ms: f64 = if is_staged {
        row.try_get("staged_ms")?
    } else {
        let in_bed: Option<f64> = row.try_get("in_bed_ms")?;
        let awake: f64 = row.try_get("awake_ms")?;
        in_bed.unwrap_or_else(|| (end - start).num_milliseconds() as f64) - awake
    };
    let minutes = (asleep_ms / MINUTE_MS).max(0.0);
    Ok(Piece {
        day,
        connection,
        start,
        end,
        minutes,
        is_measured: is_staged,
    })
}

fn measured(pieces: Vec<Piece>, field: Field) -> Vec<Offer> {
    told_once(pieces)
        .into_iter()
        .map(|((day, connection), told)| Offer {
            day,
            field,
            rank: match told.is_mostly_measured() {
                true => Rank::Measured,
                false => Rank::Estimated,
            },
            weight: told.minutes,
            connection,
            value: told.minutes,
        })
        .collect()
}

/// Offers of rows of which the latest comes last.
fn latest(rows: &[Row], fields: &[Field]) -> Result<Vec<Offer>, StoreError> {
    let mut offers = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let (day, connection) = whose(row)?;
        for field in fields {
            let value: Option<f64> = row.try_get(field.name())?;
            offers.extend(value.map(|value| Offer {
                day,
                field: *field,
                rank: Rank::Scored,
                weight: place as f64,
                connection,
                value,
            }));
        }
    }
    Ok(offers)
}

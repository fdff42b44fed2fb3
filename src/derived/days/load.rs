//! Loads the values that the tables of the sector offer for some days.

use chrono::{DateTime, NaiveDate, Utc};
use deadpool_postgres::Transaction;
use serde_json::{Map, Value};
use tokio_postgres::Row;
use uuid::Uuid;

use super::batch::DayBatch;
use super::decide::{DayField, Offer, Offers, Rank};
use super::spans::{RecordedSpan, total_by_connection};
use crate::db::StoreError;

const MINUTE_MS: f64 = 60_000.0;
/// Added to the weight of a device that sends totals of a day, so that it exceeds that of any sum of samples.
const TOTAL_WEIGHT: f64 = 1e18;

/// How the value of a day is computed from the samples of a metric.
#[derive(Clone, Copy)]
enum Aggregation {
    Sum,
    Mean,
    Latest,
}

/// The metrics that days are derived from, each in the unit in which ingest stores it.
const METRICS: [(&str, DayField, Aggregation); 8] = [
    ("steps", DayField::Steps, Aggregation::Sum),
    (
        "distance_walking_running",
        DayField::DistanceM,
        Aggregation::Sum,
    ),
    ("energy", DayField::EnergyKcal, Aggregation::Sum),
    (
        "flights_climbed",
        DayField::FlightsClimbed,
        Aggregation::Sum,
    ),
    ("exercise_time", DayField::ExerciseMinutes, Aggregation::Sum),
    (
        "resting_heart_rate",
        DayField::RestingHeartRate,
        Aggregation::Mean,
    ),
    (
        "heart_rate_variability_rmssd",
        DayField::HrvRmssdMs,
        Aggregation::Mean,
    ),
    ("weight", DayField::WeightKg, Aggregation::Latest),
];

/// All offers for the days of the batch.
pub(super) async fn offers(
    transaction: &Transaction<'_>,
    user: Uuid,
    batch: &DayBatch,
) -> Result<Offers, StoreError> {
    let loader = OfferLoader {
        transaction,
        user,
        batch,
    };
    let mut offers = loader.pushed().await?;
    offers.values.extend(loader.samples().await?);
    offers.values.extend(loader.sleeps().await?);
    offers.values.extend(loader.workouts().await?);
    offers.values.extend(loader.recoveries().await?);
    offers.values.extend(loader.cycles().await?);
    Ok(offers)
}

struct OfferLoader<'a> {
    transaction: &'a Transaction<'a>,
    user: Uuid,
    batch: &'a DayBatch,
}

impl OfferLoader<'_> {
    async fn rows(&self, statement: &str) -> Result<Vec<Row>, StoreError> {
        let DayBatch { days, begins, ends } = self.batch;
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
            &self.batch.days,
        ];
        let mut offers = Offers::default();
        for (place, row) in self
            .transaction
            .query(&statement, values)
            .await?
            .iter()
            .enumerate()
        {
            let (day, connection) = key_of(row)?;
            offers.pushed.push((day, connection));
            for field in DayField::ALL {
                let value = pushed_value(row, field)?;
                offers.values.extend(value.map(|value| Offer {
                    day,
                    field,
                    rank: Rank::Pushed,
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
        let DayBatch { days, begins, ends } = self.batch;
        let metrics = METRICS.map(|(metric, ..)| metric);
        let rows = self
            .transaction
            .query(
                &statement,
                &[&self.user, days, begins, ends, &metrics.as_slice()],
            )
            .await?;
        let offers: Result<Vec<Option<Offer>>, StoreError> =
            rows.iter().map(offer_of_samples).collect();
        Ok(offers?.into_iter().flatten().collect())
    }

    async fn sleeps(&self) -> Result<Vec<Offer>, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_sleeps.sql");
        let rows = self.rows(statement).await?;
        let spans: Result<Vec<RecordedSpan>, StoreError> = rows.iter().map(span_of_sleep).collect();
        Ok(offers_of_spans(spans?, DayField::SleepMinutes))
    }

    async fn workouts(&self) -> Result<Vec<Offer>, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_workouts.sql");
        let rows = self.rows(statement).await?;
        let spans: Result<Vec<RecordedSpan>, StoreError> = rows
            .iter()
            .map(|row| {
                let (day, connection) = key_of(row)?;
                let (start, end) = times_of(row)?;
                let minutes = minutes_between(start, end);
                Ok(RecordedSpan {
                    day,
                    connection,
                    start,
                    end,
                    minutes,
                    is_measured: false,
                })
            })
            .collect();
        Ok(offers_of_spans(spans?, DayField::ExerciseMinutes))
    }

    async fn recoveries(&self) -> Result<Vec<Offer>, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_recoveries.sql");
        let fields = [
            DayField::RecoveryScore,
            DayField::RestingHeartRate,
            DayField::HrvRmssdMs,
        ];
        offers_by_time(&self.rows(statement).await?, &fields)
    }

    async fn cycles(&self) -> Result<Vec<Offer>, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_cycles.sql");
        offers_by_time(&self.rows(statement).await?, &[DayField::Strain])
    }
}

fn key_of(row: &Row) -> Result<(NaiveDate, Uuid), StoreError> {
    Ok((row.try_get("day")?, row.try_get("connection_id")?))
}

fn times_of(row: &Row) -> Result<(DateTime<Utc>, DateTime<Utc>), StoreError> {
    Ok((row.try_get("start_at")?, row.try_get("end_at")?))
}

fn minutes_between(start: DateTime<Utc>, end: DateTime<Utc>) -> f64 {
    (end - start).num_milliseconds() as f64 / MINUTE_MS
}

fn pushed_value(row: &Row, field: DayField) -> Result<Option<f64>, StoreError> {
    if field.is_whole() {
        let whole: Option<i32> = row.try_get(field.name())?;
        return Ok(whole.map(f64::from));
    }
    Ok(row.try_get(field.name())?)
}

/// The offer of one connection's samples of one metric on one day.
fn offer_of_samples(row: &Row) -> Result<Option<Offer>, StoreError> {
    let metric: String = row.try_get("metric")?;
    let Some((_, field, aggregation)) = METRICS.iter().find(|(known, ..)| *known == metric) else {
        return Ok(None);
    };
    let (day, connection) = key_of(row)?;
    let is_total: bool = row.try_get("is_total")?;
    let (value, weight): (f64, f64) = match aggregation {
        Aggregation::Sum if is_total => {
            let greatest: f64 = row.try_get("greatest")?;
            (greatest, greatest + TOTAL_WEIGHT)
        }
        Aggregation::Sum => {
            let total: f64 = row.try_get("total")?;
            (total, total)
        }
        Aggregation::Mean => (row.try_get("mean")?, row.try_get::<_, i64>("n")? as f64),
        Aggregation::Latest => {
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

fn span_of_sleep(row: &Row) -> Result<RecordedSpan, StoreError> {
    let (day, connection) = key_of(row)?;
    let (start, end) = times_of(row)?;
    let is_staged: bool = row.try_get("is_staged")?;
    let asleep_ms: f64 = if is_staged {
        row.try_get("staged_ms")?
    } else {
        let in_bed: Option<f64> = row.try_get("in_bed_ms")?;
        let awake: f64 = row.try_get("awake_ms")?;
        in_bed.unwrap_or_else(|| (end - start).num_milliseconds() as f64) - awake
    };
    let minutes = (asleep_ms / MINUTE_MS).max(0.0);
    Ok(RecordedSpan {
        day,
        connection,
        start,
        end,
        minutes,
        is_measured: is_staged,
    })
}

fn offers_of_spans(spans: Vec<RecordedSpan>, field: DayField) -> Vec<Offer> {
    total_by_connection(spans)
        .into_iter()
        .map(|((day, connection), total)| Offer {
            day,
            field,
            rank: match total.is_mostly_measured() {
                true => Rank::Measured,
                false => Rank::Estimated,
            },
            weight: total.minutes,
            connection,
            value: total.minutes,
        })
        .collect()
}

/// The offers of rows that are sorted by time, so that later ones have a greater weight.
fn offers_by_time(rows: &[Row], fields: &[DayField]) -> Result<Vec<Offer>, StoreError> {
    let mut offers = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let (day, connection) = key_of(row)?;
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

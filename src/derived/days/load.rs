//! Loads the values that the tables of the sector offer for some days.

use chrono::{DateTime, Utc};
use deadpool_postgres::Transaction;
use serde_json::Value;
use tokio_postgres::Row;
use uuid::Uuid;

use super::batch::DayBatch;
use super::decide::{DayField, Offer, Offers, Rank};
use super::spans::{RecordedSpan, total_by_connection};
use crate::db::{Cells, StoreError, columns};

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
            let mut cells = Cells::of("derived/day_pushed", row);
            let (day, connection) = (cells.take()?, cells.take()?);
            offers.pushed.push((day, connection));
            for field in DayField::ALL {
                let value = pushed_value(&mut cells, field)?;
                offers.values.extend(value.map(|value| Offer {
                    day,
                    field,
                    rank: Rank::Pushed,
                    weight: place as f64,
                    connection,
                    value,
                }));
            }
            let extra: Option<Value> = cells.named("extra")?;
            cells.end()?;
            // A push stores an object or nothing; a JSON null is nothing too.
            if let Some(Value::Object(extra)) = extra {
                offers.extra.insert(day, extra);
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
                let (day, connection, start, end) = columns("derived/day_workouts", row)?;
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
        let rows = self.rows(statement).await?;
        offers_by_time("derived/day_recoveries", &rows, &fields)
    }

    async fn cycles(&self) -> Result<Vec<Offer>, StoreError> {
        let statement = include_str!("../../../sql/statements/derived/day_cycles.sql");
        let rows = self.rows(statement).await?;
        offers_by_time("derived/day_cycles", &rows, &[DayField::Strain])
    }
}

fn minutes_between(start: DateTime<Utc>, end: DateTime<Utc>) -> f64 {
    (end - start).num_milliseconds() as f64 / MINUTE_MS
}

fn pushed_value(cells: &mut Cells<'_>, field: DayField) -> Result<Option<f64>, StoreError> {
    if field.is_whole() {
        let whole: Option<i32> = cells.named(field.name())?;
        return Ok(whole.map(f64::from));
    }
    cells.named(field.name())
}

/// The offer of one connection's samples of one metric on one day; `None` for a metric that no day has.
fn offer_of_samples(row: &Row) -> Result<Option<Offer>, StoreError> {
    let mut cells = Cells::of("derived/day_samples", row);
    let (day, connection) = (cells.named("day")?, cells.named("connection_id")?);
    let metric: &str = cells.named("metric")?;
    let is_total: bool = cells.named("is_total")?;
    let number: i64 = cells.named("n")?;
    let (total, greatest): (f64, f64) = (cells.named("total")?, cells.named("greatest")?);
    let (mean, latest): (f64, f64) = (cells.named("mean")?, cells.named("latest")?);
    let latest_at: DateTime<Utc> = cells.named("latest_at")?;
    cells.end()?;
    let Some((_, field, aggregation)) = METRICS.iter().find(|(known, ..)| *known == metric) else {
        return Ok(None);
    };
    let (value, weight) = match aggregation {
        Aggregation::Sum if is_total => (greatest, greatest + TOTAL_WEIGHT),
        Aggregation::Sum => (total, total),
        Aggregation::Mean => (mean, number as f64),
        Aggregation::Latest => (latest, latest_at.timestamp_micros() as f64),
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
    let mut cells = Cells::of("derived/day_sleeps", row);
    let (day, connection) = (cells.named("day")?, cells.named("connection_id")?);
    let start: DateTime<Utc> = cells.named("start_at")?;
    let end: DateTime<Utc> = cells.named("end_at")?;
    let is_staged: bool = cells.named("is_staged")?;
    let staged_ms: f64 = cells.named("staged_ms")?;
    let in_bed_ms: Option<f64> = cells.named("in_bed_ms")?;
    let awake_ms: f64 = cells.named("awake_ms")?;
    cells.end()?;
    let asleep_ms = if is_staged {
        staged_ms
    } else {
        in_bed_ms.unwrap_or_else(|| (end - start).num_milliseconds() as f64) - awake_ms
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
fn offers_by_time(
    statement: &'static str,
    rows: &[Row],
    fields: &[DayField],
) -> Result<Vec<Offer>, StoreError> {
    let mut offers = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let mut cells = Cells::of(statement, row);
        let (day, connection) = (cells.take()?, cells.take()?);
        for field in fields {
            let value: Option<f64> = cells.named(field.name())?;
            offers.extend(value.map(|value| Offer {
                day,
                field: *field,
                rank: Rank::Scored,
                weight: place as f64,
                connection,
                value,
            }));
        }
        cells.end()?;
    }
    Ok(offers)
}

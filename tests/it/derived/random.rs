//! Random pushes, corrections, deletions and disconnects: the days always equal those that a naive computation over
//! all rows gives.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, FixedOffset, NaiveDate, Utc};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Device, agent, days};
use crate::support::TestApp;

const FIELDS: [&str; 5] = [
    "steps",
    "exercise_minutes",
    "resting_heart_rate",
    "weight_kg",
    "sleep_minutes",
];
const ROUNDS: usize = 60;
const SEEDS: [u64; 2] = [1, 20_260_329];

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len() as u64) as usize]
    }

    /// An instant in one of the nights around a clock change.
    fn instant(&mut self) -> DateTime<Utc> {
        let from: DateTime<Utc> = "2026-03-27T00:00:00Z".parse().unwrap();
        from + Duration::minutes(self.roll(4 * 24 * 60) as i64)
    }

    fn offset(&mut self) -> Value {
        match self.roll(4) {
            0 => json!("-08:00"),
            1 => json!("+05:45"),
            _ => Value::Null,
        }
    }
}

/// One connection as the test knows it: its rows with the number of the push that last changed them.
struct Source {
    device: Device,
    table: &'static str,
    rows: BTreeMap<String, (Value, usize)>,
}

impl Source {
    async fn of(app: &TestApp, table: &'static str) -> Self {
        Self {
            device: Device::of(app, table).await,
            table,
            rows: BTreeMap::new(),
        }
    }

    fn connection(&self) -> Uuid {
        self.device.id.parse().unwrap()
    }

    fn row_id(&self, id: &str) -> Uuid {
        sextant::catalog::row_id(self.connection(), self.table, id)
    }
}

fn record(table: &str, dice: &mut Dice) -> Value {
    let start = dice.instant();
    let id = dice.roll(12).to_string();
    match table {
        "health.samples" => {
            let metric = dice.of(&[
                "steps",
                "exercise_time",
                "resting_heart_rate",
                "weight",
                "heart_rate",
            ]);
            let mut made = json!({ "id": id, "metric": metric, "value": dice.roll(90) + 10, "start_at": start, "zone_offset": dice.offset() });
            if ["steps", "exercise_time"].contains(&metric) {
                made["device"] = json!({ "id": dice.of(&["watch", "phone"]) });
                made["is_daily_total"] = json!(dice.roll(5) == 0);
            }
            made
        }
        "health.sleeps" => {
            let end = start + Duration::minutes(dice.roll(300) as i64 + 1);
            json!({ "id": id, "start_at": start, "end_at": end, "zone_offset": dice.offset() })
        }
        "health.workouts" => {
            let end = start + Duration::minutes(dice.roll(90) as i64 + 1);
            json!({ "id": id, "start_at": start, "end_at": end, "zone_offset": dice.offset() })
        }
        _ => {
            let mut made = json!({ "id": id, "day": format!("2026-03-{}", 27 + dice.roll(4)) });
            made[dice.of(&["steps", "weight_kg", "sleep_minutes"])] = json!(dice.roll(100));
            made
        }
    }
}

fn instant(row: &Value, name: &str) -> DateTime<Utc> {
    row[name].as_str().unwrap().parse().unwrap()
}

fn day_of(row: &Value, name: &str) -> NaiveDate {
    let at = instant(row, name);
    match row["zone_offset"].as_str() {
        Some(offset) => {
            let offset: FixedOffset = offset.parse().unwrap();
            at.with_timezone(&offset).date_naive()
        }
        None => at.with_timezone(&chrono_tz::Europe::Berlin).date_naive(),
    }
}

/// Every row of a table with its connection.
fn all<'a>(
    sources: &'a [Source],
    table: &'a str,
) -> impl Iterator<Item = (&'a Source, &'a str, &'a Value, usize)> {
    let of_table = sources.iter().filter(move |source| source.table == table);
    of_table.flat_map(|source| {
        source
            .rows
            .iter()
            .map(move |(id, (row, push))| (source, id.as_str(), row, *push))
    })
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The value of the best group: the one with the greatest weight, then that of the lower connection.
fn best(groups: BTreeMap<(Uuid, String), (f64, f64)>) -> Option<f64> {
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by(|((one, _), (of_one, _)), ((other, _), (of_other, _))| {
        of_other.total_cmp(of_one).then(one.cmp(other))
    });
    groups.first().map(|(_, (_, value))| *value)
}

fn summed(sources: &[Source], day: NaiveDate, metric: &str) -> Option<f64> {
    let mut groups: BTreeMap<(Uuid, String), (f64, f64)> = BTreeMap::new();
    for (source, _, row, _) in all(sources, "health.samples") {
        if row["metric"] != metric || day_of(row, "start_at") != day {
            continue;
        }
        let is_total = row["is_daily_total"] == json!(true);
        let device = format!("{}{is_total}", row["device"]["id"]);
        let (weight, value) = groups.entry((source.connection(), device)).or_default();
        *value = if is_total {
            value.max(number(&row["value"]))
        } else {
            *value + number(&row["value"])
        };
        *weight = *value + if is_total { 1e9 } else { 0.0 };
    }
    best(groups)
}

fn mean(sources: &[Source], day: NaiveDate, metric: &str) -> Option<f64> {
    let mut values: BTreeMap<(Uuid, String), Vec<f64>> = BTreeMap::new();
    for (source, _, row, _) in all(sources, "health.samples") {
        if row["metric"] == metric && day_of(row, "start_at") == day {
            values
                .entry((source.connection(), String::new()))
                .or_default()
                .push(number(&row["value"]));
        }
    }
    let groups = values.into_iter().map(|(whose, values)| {
        let count = values.len() as f64;
        (whose, (count, values.iter().sum::<f64>() / count))
    });
    best(groups.collect())
}

fn latest(sources: &[Source], day: NaiveDate, metric: &str) -> Option<f64> {
    let of_day = all(sources, "health.samples")
        .filter(|(_, _, row, _)| row["metric"] == metric && day_of(row, "start_at") == day);
    of_day
        .max_by_key(|(source, id, row, _)| {
            (
                instant(row, "start_at"),
                std::cmp::Reverse(source.connection()),
                source.row_id(id),
            )
        })
        .map(|(_, _, row, _)| number(&row["value"]))
}

/// Minutes, start and end.
type Piece = (i64, DateTime<Utc>, DateTime<Utc>);

fn minutes(sources: &[Source], day: NaiveDate, (table, by): (&str, &str)) -> Option<f64> {
    let mut pieces: BTreeMap<Uuid, Vec<Piece>> = BTreeMap::new();
    for (source, _, row, _) in all(sources, table).filter(|(_, _, row, _)| day_of(row, by) == day) {
        let (start, end) = (instant(row, "start_at"), instant(row, "end_at"));
        pieces.entry(source.connection()).or_default().push((
            (end - start).num_minutes(),
            start,
            end,
        ));
    }
    let told = pieces.into_values().map(|mut pieces| {
        pieces.sort_by_key(|(length, start, end)| (std::cmp::Reverse(*length), *start, *end));
        let mut kept: Vec<Piece> = Vec::new();
        for piece in pieces {
            if kept
                .iter()
                .all(|other| piece.1 >= other.2 || other.1 >= piece.2)
            {
                kept.push(piece);
            }
        }
        kept.iter().map(|(length, ..)| *length).sum::<i64>() as f64
    });
    told.max_by(f64::total_cmp)
}

fn said(sources: &[Source], day: NaiveDate, field: &str) -> Option<f64> {
    let of_day = all(sources, "health.days")
        .filter(|(_, _, row, _)| row["day"] == json!(day) && row[field].is_number());
    of_day
        .max_by_key(|(source, id, _, push)| (*push, source.row_id(id)))
        .map(|(_, _, row, _)| number(&row[field]))
}

fn naive(sources: &[Source]) -> Vec<Value> {
    let mut known: BTreeSet<NaiveDate> = BTreeSet::new();
    known.extend(
        all(sources, "health.days")
            .map(|(_, _, row, _)| row["day"].as_str().unwrap().parse::<NaiveDate>().unwrap()),
    );
    for table in ["health.samples", "health.workouts"] {
        known.extend(
            all(sources, table)
                .filter(|(_, _, row, _)| row["metric"] != "heart_rate")
                .map(|(_, _, row, _)| day_of(row, "start_at")),
        );
    }
    known.extend(all(sources, "health.sleeps").map(|(_, _, row, _)| day_of(row, "end_at")));
    known
        .into_iter()
        .map(|day| {
            let values = [
                said(sources, day, "steps").or_else(|| summed(sources, day, "steps")),
                summed(sources, day, "exercise_time")
                    .or_else(|| minutes(sources, day, ("health.workouts", "start_at"))),
                mean(sources, day, "resting_heart_rate"),
                said(sources, day, "weight_kg").or_else(|| latest(sources, day, "weight")),
                said(sources, day, "sleep_minutes")
                    .or_else(|| minutes(sources, day, ("health.sleeps", "end_at"))),
            ];
            day_row(day.to_string(), values)
        })
        .collect()
}

/// A day in the form that is compared: numbers rounded so that the order of a sum makes no difference.
fn day_row(day: String, values: [Option<f64>; 5]) -> Value {
    let mut shown = Map::from_iter([("day".to_owned(), json!(day))]);
    let values = values.map(|value| value.map(|value| format!("{value:.6}")));
    shown.extend(
        FIELDS
            .iter()
            .zip(values)
            .map(|(field, value)| ((*field).to_owned(), json!(value))),
    );
    shown.into()
}

async fn act(app: &TestApp, sources: &mut Vec<Source>, dice: &mut Dice, push: usize) {
    let place = dice.roll(sources.len() as u64) as usize;
    if dice.roll(15) == 0 {
        let gone = sources.swap_remove(place);
        gone.device.disconnect(app).await;
        sources.push(Source::of(app, gone.table).await);
        return;
    }
    let source = &mut sources[place];
    let mut records = BTreeMap::new();
    for _ in 0..dice.roll(6) {
        let record = record(source.table, dice);
        records.insert(record["id"].as_str().unwrap().to_owned(), record);
    }
    let deleted: Vec<String> = (0..dice.roll(3))
        .map(|_| dice.roll(12).to_string())
        .collect();
    let sent: Vec<&Value> = records.values().collect();
    source
        .device
        .push(app, json!({ "records": sent, "deleted": deleted }))
        .await;
    for (id, record) in records {
        let is_equal = source
            .rows
            .get(&id)
            .is_some_and(|(stored, _)| *stored == record);
        if !is_equal {
            source.rows.insert(id, (record, push));
        }
    }
    for id in deleted {
        source.rows.remove(&id);
    }
}

#[actix_web::test]
async fn the_days_are_what_a_naive_reading_of_all_rows_gives() {
    for seed in SEEDS {
        println!("seed {seed}");
        let app = TestApp::start().await;
        let client = agent(&app).await;
        let mut dice = Dice(seed);
        let mut sources = Vec::new();
        for table in [
            "health.samples",
            "health.samples",
            "health.sleeps",
            "health.sleeps",
            "health.workouts",
            "health.days",
            "health.days",
        ] {
            sources.push(Source::of(&app, table).await);
        }
        for round in 0..ROUNDS {
            act(&app, &mut sources, &mut dice, round).await;
            let stored = days(&client, &FIELDS).await;
            let stored: Vec<Value> = stored
                .iter()
                .map(|row| {
                    day_row(
                        row["day"].as_str().unwrap().to_owned(),
                        FIELDS.map(|field| row[field].as_f64()),
                    )
                })
                .collect();
            assert_eq!(stored, naive(&sources), "seed {seed}, round {round}");
        }
    }
}

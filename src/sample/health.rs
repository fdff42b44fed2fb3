//! Health: ninety days of a watch and a scale. The rows of `health.days` are derived from it.
//!
//! A week of illness and ten days of holiday are visible in every series.

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveTime, Utc, Weekday};
use serde::Deserialize;
use serde_json::{Value, json};

use super::when::{Days, stamp};
use super::{SampleError, TableRecords, chance, parse_template};

const DAYS: i64 = 90;
/// The range of blood oxygen, in percent.
const SPO2: (f64, f64) = (95.0, 98.5);
/// The usual temperature of the skin at night.
const SKIN_CELSIUS: f64 = 33.6;
const MS_PER_MINUTE: f64 = 60_000.0;
/// The fractions of a night's sleep.
const DEEP: f64 = 0.19;
const REM: f64 = 0.23;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Template {
    watch: SampleDevice,
    scale: SampleDevice,
    spell: Vec<UnusualPeriod>,
    sport: Vec<Sport>,
    metric: Vec<Metric>,
    weight: WeightPattern,
    night: NightPattern,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleDevice {
    id: String,
    model: String,
}

/// A period in which everything differs: an illness or a holiday.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnusualPeriod {
    from: String,
    until: String,
    /// The factors for movement and sleep, compared with usual days.
    moving: f64,
    sleeping: f64,
    /// Additional heart beats a minute.
    beats: f64,
    #[serde(default)]
    is_ill: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sport {
    name: String,
    on: Vec<Weekday>,
    at: String,
    minutes: f64,
    percent: f64,
    heart_rate: f64,
    /// Kilometres an hour; `None` for a sport without distance.
    speed: Option<f64>,
}

/// A metric with one sample a day, at a fixed time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metric {
    name: String,
    unit: String,
    at: String,
    low: f64,
    high: f64,
    /// Whether the sample is the total of the day up to that time.
    #[serde(default)]
    total: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightPattern {
    on: Vec<Weekday>,
    at: String,
    kilograms: f64,
    change_a_day: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NightPattern {
    to_bed: String,
    hours: f64,
    hours_weekend: f64,
}

/// A day, and the unusual period it lies in.
struct SampleDay<'a> {
    date: NaiveDate,
    spell: Option<&'a UnusualPeriod>,
}

pub(super) fn shares(days: &Days) -> Result<Vec<TableRecords>, SampleError> {
    let template: Template = parse_template("health", include_str!("health.toml"))?;
    let mut spells = Vec::new();
    for spell in &template.spell {
        spells.push((days.day(&spell.from)?..=days.day(&spell.until)?, spell));
    }
    let (mut samples, mut sleeps, mut workouts, mut recoveries) = (vec![], vec![], vec![], vec![]);
    for ago in (0..=DAYS).rev() {
        let date = days.ago(ago);
        let spell = spells.iter().find(|(range, _)| range.contains(&date));
        let day = SampleDay {
            date,
            spell: spell.map(|(_, spell)| *spell),
        };
        for metric in &template.metric {
            samples.extend(metric.record(&day, &template.watch, days)?);
        }
        samples.extend(template.weight.record(&day, &template.scale, days, ago)?);
        for sport in &template.sport {
            workouts.extend(sport.record(&day, days)?);
        }
        if let Some((sleep, recovery)) = template.night.records(&day, days)? {
            sleeps.push(sleep);
            recoveries.push(recovery);
        }
    }
    Ok(vec![
        TableRecords {
            target: "health.samples",
            records: samples,
        },
        TableRecords {
            target: "health.sleeps",
            records: sleeps,
        },
        TableRecords {
            target: "health.recoveries",
            records: recoveries,
        },
        TableRecords {
            target: "health.workouts",
            records: workouts,
        },
    ])
}

impl SampleDay<'_> {
    fn is_weekend(&self) -> bool {
        matches!(self.date.weekday(), Weekday::Sat | Weekday::Sun)
    }

    fn between(&self, name: &str, range: (f64, f64)) -> f64 {
        chance::between(name, self.date, range)
    }

    fn moving(&self) -> f64 {
        self.spell.map_or(1.0, |spell| spell.moving)
    }

    fn beats(&self) -> f64 {
        self.spell.map_or(0.0, |spell| spell.beats)
    }

    fn is_ill(&self) -> bool {
        self.spell.is_some_and(|spell| spell.is_ill)
    }
}

impl SampleDevice {
    fn record(&self) -> Value {
        json!({ "id": format!("sample-device-{}", self.id), "provider": "sample", "device_model": self.model })
    }
}

impl Metric {
    fn record(
        &self,
        day: &SampleDay<'_>,
        watch: &SampleDevice,
        days: &Days,
    ) -> Result<Option<Value>, SampleError> {
        let end = days.clock(day.date, &self.at)?;
        if end > days.now {
            return Ok(None);
        }
        let start = if self.total {
            days.instant(day.date, NaiveTime::MIN)
        } else {
            end
        };
        let usual = day.between(&self.name, (self.low, self.high));
        let value = if self.total {
            usual * day.moving()
        } else {
            usual + day.beats()
        };
        let record = json!({
            "id": format!("sample-{}-{}", self.name, day.date), "device": watch.record(), "metric": self.name,
            "unit": self.unit, "value": chance::rounded(value, 0), "start_at": stamp(start), "end_at": stamp(end),
            "zone_offset": days.offset(start), "is_daily_total": self.total,
        });
        Ok(Some(record))
    }
}

impl WeightPattern {
    fn record(
        &self,
        day: &SampleDay<'_>,
        scale: &SampleDevice,
        days: &Days,
        ago: i64,
    ) -> Result<Option<Value>, SampleError> {
        let at = days.clock(day.date, &self.at)?;
        if at > days.now || !self.on.contains(&day.date.weekday()) {
            return Ok(None);
        }
        let value =
            self.kilograms - self.change_a_day * ago as f64 + day.between("weight", (-0.4, 0.4));
        Ok(Some(json!({
            "id": format!("sample-weight-{}", day.date), "device": scale.record(), "metric": "weight", "unit": "kg",
            "value": chance::rounded(value, 1), "start_at": stamp(at), "zone_offset": days.offset(at),
            "is_daily_total": false,
        })))
    }
}

impl Sport {
    fn record(&self, day: &SampleDay<'_>, days: &Days) -> Result<Option<Value>, SampleError> {
        let takes_place = self.on.contains(&day.date.weekday())
            && chance::happens(&self.name, day.date, self.percent)
            && !day.is_ill();
        let start = days.clock(day.date, &self.at)?;
        let minutes = (self.minutes * day.between(&self.at, (0.8, 1.2))).round();
        let end = start + minutes_of(minutes);
        if !takes_place || end > days.now {
            return Ok(None);
        }
        let heart_rate = self.heart_rate + day.between("heart_rate", (-6.0, 6.0));
        let distance = self
            .speed
            .map(|speed| (speed * 1000.0 / 60.0 * minutes).round());
        Ok(Some(json!({
            "id": format!("sample-{}-{}", self.name.to_lowercase(), day.date), "sport_name": self.name,
            "start_at": stamp(start), "end_at": stamp(end), "zone_offset": days.offset(start), "score_state": "SCORED",
            "strain": chance::rounded(minutes * heart_rate / 1000.0, 1), "avg_heart_rate": heart_rate.round(),
            "max_heart_rate": (heart_rate * 1.22).round(),
            "kilojoules": (minutes * heart_rate * 0.21).round(), "distance_m": distance, "percent_recorded": 100.0,
        })))
    }
}

impl NightPattern {
    /// The sleep of the night before `day`, and the recovery of its morning.
    fn records(
        &self,
        day: &SampleDay<'_>,
        days: &Days,
    ) -> Result<Option<(Value, Value)>, SampleError> {
        let to_bed = days.clock(day.date - Duration::days(1), &self.to_bed)?;
        let start = to_bed + minutes_of(day.between("to_bed", (-25.0, 50.0)).round());
        let usual = if day.is_weekend() {
            self.hours_weekend
        } else {
            self.hours
        };
        let share = day.spell.map_or(1.0, |spell| spell.sleeping);
        let asleep = usual * 60.0 * share * day.between("asleep", (0.86, 1.1));
        let awake = day.between("awake", (14.0, 48.0)) + day.beats();
        let end = start + minutes_of((asleep + awake).round());
        if end > days.now {
            return Ok(None);
        }
        let id = format!("sample-night-{}", day.date);
        let sleep = sleep(&id, day, (start, end), (asleep, awake), days);
        Ok(Some((sleep, recovery(&id, day, (end, asleep)))))
    }
}

fn sleep(
    id: &str,
    day: &SampleDay<'_>,
    (start, end): (DateTime<Utc>, DateTime<Utc>),
    (asleep, awake): (f64, f64),
    days: &Days,
) -> Value {
    let ms = |minutes: f64| (minutes * MS_PER_MINUTE).round() as i64;
    json!({
        "id": id, "start_at": stamp(start), "end_at": stamp(end), "zone_offset": days.offset(start), "is_nap": false,
        "score_state": "SCORED", "in_bed_ms": ms(asleep) + ms(awake), "awake_ms": ms(awake),
        "deep_ms": ms(asleep * DEEP), "rem_ms": ms(asleep * REM),
        "light_ms": ms(asleep) - ms(asleep * DEEP) - ms(asleep * REM), "no_data_ms": 0,
        "cycle_count": (asleep / 95.0).round() as i64, "disturbance_count": (awake / 5.0).round() as i64,
        "respiratory_rate": chance::rounded(day.between("breath", (13.6, 14.8)) + day.beats() / 8.0, 1),
        "performance_percent": (asleep / 4.8).round().min(100.0),
        "efficiency_percent": chance::rounded(asleep / (asleep + awake) * 100.0, 1),
    })
}

fn recovery(
    sleep: &str,
    day: &SampleDay<'_>,
    (measured_at, asleep): (DateTime<Utc>, f64),
) -> Value {
    let resting = day.between("resting_heart_rate", (52.0, 57.0)) + day.beats();
    let score = asleep / 4.8 - day.beats() * 3.0 - day.between("score", (2.0, 34.0));
    json!({
        "id": format!("{sleep}-recovery"), "cycle_source_id": sleep, "sleep_source_id": sleep, "score_state": "SCORED",
        "recovery_score": score.clamp(4.0, 98.0).round(), "resting_heart_rate": resting.round(),
        "hrv_rmssd_ms": chance::rounded(day.between("hrv", (46.0, 71.0)) - day.beats() * 2.0, 1),
        "spo2_percent": chance::rounded(day.between("spo2", SPO2), 1),
        "skin_temp_celsius": chance::rounded(SKIN_CELSIUS + day.beats() / 10.0 + day.between("skin", (-0.3, 0.3)), 1),
        "is_calibrating": false, "measured_at": stamp(measured_at),
    })
}

fn minutes_of(minutes: f64) -> Duration {
    Duration::seconds((minutes * 60.0).round() as i64)
}

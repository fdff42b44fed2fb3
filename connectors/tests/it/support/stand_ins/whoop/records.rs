//! The records of a person: nights with what belongs to them, and workouts.

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::{USER, Whoop};

/// A collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Cycle,
    Recovery,
    Sleep,
    Workout,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Cycle, Self::Recovery, Self::Sleep, Self::Workout];

    pub const fn path(self) -> &'static str {
        match self {
            Self::Cycle => "/v2/cycle",
            Self::Recovery => "/v2/recovery",
            Self::Sleep => "/v2/activity/sleep",
            Self::Workout => "/v2/activity/workout",
        }
    }

    pub const fn scope(self) -> &'static str {
        match self {
            Self::Cycle => "read:cycles",
            Self::Recovery => "read:recovery",
            Self::Sleep => "read:sleep",
            Self::Workout => "read:workout",
        }
    }
}

/// The scope of pages, as the service has it.
pub const fn stored_as(kind: Kind) -> &'static str {
    match kind {
        Kind::Cycle => "cycles",
        Kind::Recovery => "recoveries",
        Kind::Sleep => "sleeps",
        Kind::Workout => "workouts",
    }
}

pub fn stamp(at: DateTime<Utc>) -> Value {
    at.to_rfc3339_opts(SecondsFormat::Millis, true).into()
}

/// The id of a night's sleep, or of a workout.
pub fn uuid(kind: Kind, number: i64) -> String {
    format!("00000000-0000-4000-8{:03}-{number:012}", kind as u8)
}

impl Whoop {
    /// A night that began at `start`: a sleep of eight hours and a cycle that begins with it and ends with the next, both scored;
    /// and the recovery that was made of it after the waking.
    pub fn add_night(&mut self, number: i64, start: DateTime<Utc>) {
        let woken = start + Duration::hours(8);
        self.add_sleep(number, start, woken);
        self.add_cycle(number, start, Some(start + Duration::days(1)));
        self.add_recovery(number, woken + Duration::minutes(20));
    }

    pub fn add_sleep(&mut self, number: i64, start: DateTime<Utc>, end: DateTime<Utc>) {
        let stages = json!({
            "total_in_bed_time_milli": 28_800_000, "total_awake_time_milli": 1_403_507,
            "total_no_data_time_milli": 0, "total_light_sleep_time_milli": 14_905_851,
            "total_slow_wave_sleep_time_milli": 6_630_370, "total_rem_sleep_time_milli": 5_860_272,
            "sleep_cycle_count": 3, "disturbance_count": 12
        });
        let needed = json!({
            "baseline_milli": 27_395_716, "need_from_sleep_debt_milli": 352_230,
            "need_from_recent_strain_milli": 208_595, "need_from_recent_nap_milli": -12_312
        });
        let score = json!({
            "stage_summary": stages, "sleep_needed": needed, "respiratory_rate": 16.25,
            "sleep_performance_percentage": 98, "sleep_consistency_percentage": 90,
            "sleep_efficiency_percentage": 91.5
        });
        let id = uuid(Kind::Sleep, number);
        let mut sent = spanned(json!(id), (start, Some(end)), &score);
        sent["cycle_id"] = number.into();
        sent["nap"] = false.into();
        self.records.insert((Kind::Sleep, id), sent);
    }

    pub fn add_cycle(&mut self, number: i64, start: DateTime<Utc>, end: Option<DateTime<Utc>>) {
        let score = json!({
            "strain": 5.25, "kilojoule": 8288.297, "average_heart_rate": 68, "max_heart_rate": 141
        });
        let sent = spanned(json!(number), (start, end), &score);
        self.records.insert((Kind::Cycle, number.to_string()), sent);
    }

    pub fn add_recovery(&mut self, number: i64, made_at: DateTime<Utc>) {
        let sent = json!({
            "cycle_id": number, "sleep_id": uuid(Kind::Sleep, number), "user_id": USER,
            "created_at": stamp(made_at), "updated_at": stamp(made_at), "score_state": "SCORED",
            "score": {
                "user_calibrating": false, "recovery_score": 44, "resting_heart_rate": 64,
                "hrv_rmssd_milli": 31.813562, "spo2_percentage": 95.6875, "skin_temp_celsius": 33.7
            }
        });
        self.records
            .insert((Kind::Recovery, number.to_string()), sent);
    }

    pub fn add_workout(&mut self, number: i64, start: DateTime<Utc>) {
        let score = json!({
            "strain": 8.25, "average_heart_rate": 123, "max_heart_rate": 146, "kilojoule": 1569.34,
            "percent_recorded": 100, "distance_meter": 1772.77, "altitude_gain_meter": 46.64,
            "altitude_change_meter": -0.78,
            "zone_durations": {
                "zone_zero_milli": 300_000, "zone_one_milli": 600_000, "zone_two_milli": 900_000,
                "zone_three_milli": 900_000, "zone_four_milli": 600_000, "zone_five_milli": 300_000
            }
        });
        let id = uuid(Kind::Workout, number);
        let span = (start, Some(start + Duration::hours(1)));
        let mut sent = spanned(json!(id), span, &score);
        sent["sport_name"] = "running".into();
        sent["sport_id"] = 0.into();
        self.records.insert((Kind::Workout, id), sent);
    }

    /// A record, to be changed; it is dated to now.
    pub fn change(&mut self, kind: Kind, id: &str, change: impl FnOnce(&mut Value)) {
        let now = stamp(self.now);
        let record = self.records.get_mut(&(kind, id.to_owned())).unwrap();
        record["updated_at"] = now;
        change(record);
    }

    /// Takes the scores off a record, as before it was scored.
    pub fn unscore(&mut self, kind: Kind, id: &str) {
        self.change(kind, id, |record| {
            record["score_state"] = "PENDING_SCORE".into();
            record.as_object_mut().unwrap().remove("score");
        });
    }

    pub fn remove(&mut self, kind: Kind, id: &str) {
        self.records.remove(&(kind, id.to_owned())).unwrap();
    }

    /// From when to when a record is, as lists go by it: a recovery by its sleep.
    pub fn span_of(&self, kind: Kind, record: &Value) -> (DateTime<Utc>, DateTime<Utc>) {
        let at = |name: &str| {
            record
                .get(name)
                .map(|at| at.as_str().unwrap().parse().unwrap())
        };
        if kind == Kind::Recovery {
            let sleep = record["sleep_id"].as_str().unwrap().to_owned();
            return match self.records.get(&(Kind::Sleep, sleep)) {
                Some(sleep) => self.span_of(Kind::Sleep, sleep),
                None => (at("created_at").unwrap(), at("created_at").unwrap()),
            };
        }
        (at("start").unwrap(), at("end").unwrap_or(self.now))
    }
}

fn spanned(
    id: Value,
    (start, end): (DateTime<Utc>, Option<DateTime<Utc>>),
    score: &Value,
) -> Value {
    let made_at = end.unwrap_or(start);
    let mut sent = json!({
        "id": id, "user_id": USER, "created_at": stamp(made_at), "updated_at": stamp(made_at),
        "start": stamp(start), "timezone_offset": "-05:00", "score_state": "SCORED", "score": score
    });
    if let Some(end) = end {
        sent["end"] = stamp(end);
    }
    sent
}

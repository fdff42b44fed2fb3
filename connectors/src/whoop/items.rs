//! Records as rows: the columns that a push of the same thing has. What was sent stands beside them as `raw`.

use chrono::{DateTime, FixedOffset, SecondsFormat, Utc};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sextant_formats::RecordFields;

use super::collection::WhoopCollection;
use super::wire::{
    CycleScore, RecoveryScore, SentCycle, SentRecovery, SentSleep, SentWorkout, SleepScore,
    WorkoutScore,
};
use crate::digest_key::{digest, within_limit};
use crate::record_fields::put;
use crate::round::{SourceItem, SourceRecord};

/// Of a record, not kept: it is the same for all of a sign-in, and says who the person is.
const USER_FIELD: &str = "user_id";

/// What a record became.
pub(super) enum ReadRecord {
    Item(SourceItem),
    /// It cannot be read. Without a key not even which one it is.
    Unread {
        key: Option<String>,
        reason: &'static str,
    },
}

/// Reads a record of a collection.
pub(super) fn read(collection: WhoopCollection, sent: Value) -> ReadRecord {
    let Some(key) = key_of(collection, &sent) else {
        let reason = "it has no id";
        return ReadRecord::Unread { key: None, reason };
    };
    let read = match collection {
        WhoopCollection::Sleeps => parsed(&sent).and_then(sleep),
        WhoopCollection::Recoveries => parsed(&sent).map(|sent| recovery(&key, sent)),
        WhoopCollection::Cycles => parsed(&sent).and_then(cycle),
        WhoopCollection::Workouts => parsed(&sent).and_then(workout),
    };
    match read {
        Ok((at, fields)) => ReadRecord::Item(item(collection, key, at, fields, sent)),
        Err(reason) => ReadRecord::Unread {
            key: Some(key),
            reason,
        },
    }
}

/// The instant of a row, and its fields; or why there are none, without what was sent.
type RowOf = Result<(DateTime<Utc>, RecordFields), &'static str>;

fn key_of(collection: WhoopCollection, sent: &Value) -> Option<String> {
    match sent.get(collection.key_field())? {
        Value::String(id) if !id.is_empty() => Some(within_limit(id.as_str())),
        Value::Number(id) => Some(within_limit(id.to_string())),
        _ => None,
    }
}

fn parsed<T: DeserializeOwned>(sent: &Value) -> Result<T, &'static str> {
    T::deserialize(sent).map_err(|_| "it cannot be read")
}

fn item(
    collection: WhoopCollection,
    key: String,
    at: DateTime<Utc>,
    mut fields: RecordFields,
    mut sent: Value,
) -> SourceItem {
    if let Some(sent) = sent.as_object_mut() {
        sent.remove(USER_FIELD);
    }
    fields.insert("raw".to_owned(), sent);
    let version = digest(Value::Object(fields.clone()).to_string());
    SourceItem {
        version,
        at: Some(at),
        holds: None,
        records: vec![SourceRecord {
            target: collection.target(),
            source_id: key.clone(),
            fields,
        }],
        key,
    }
}

fn sleep(sent: SentSleep) -> RowOf {
    let mut fields = times(sent.start, sent.end, &sent.timezone_offset)?;
    let cycle = sent.cycle_id.map(|cycle| cycle.to_string());
    put(&mut fields, "cycle_source_id", cycle);
    put(&mut fields, "is_nap", sent.nap);
    put(&mut fields, "score_state", Some(sent.score_state.name()));
    if let Some(score) = sent.score {
        put_sleep_score(&mut fields, &score);
    }
    Ok((sent.start, fields))
}

fn put_sleep_score(fields: &mut RecordFields, score: &SleepScore) {
    let (stages, needed) = (&score.stage_summary, &score.sleep_needed);
    for (name, value) in [
        ("in_bed_ms", stages.total_in_bed_time_milli),
        ("awake_ms", stages.total_awake_time_milli),
        ("light_ms", stages.total_light_sleep_time_milli),
        ("deep_ms", stages.total_slow_wave_sleep_time_milli),
        ("rem_ms", stages.total_rem_sleep_time_milli),
        ("no_data_ms", stages.total_no_data_time_milli),
        ("need_baseline_ms", needed.baseline_milli),
        ("need_debt_ms", needed.need_from_sleep_debt_milli),
        ("need_strain_ms", needed.need_from_recent_strain_milli),
        ("need_nap_ms", needed.need_from_recent_nap_milli),
    ] {
        put(fields, name, value);
    }
    put(fields, "cycle_count", stages.sleep_cycle_count);
    put(fields, "disturbance_count", stages.disturbance_count);
    for (name, value) in [
        ("respiratory_rate", score.respiratory_rate),
        ("performance_percent", score.sleep_performance_percentage),
        ("consistency_percent", score.sleep_consistency_percentage),
        ("efficiency_percent", score.sleep_efficiency_percentage),
    ] {
        put(fields, name, value);
    }
}

/// A recovery has no time but that of its making, which is soon after the waking.
fn recovery(cycle: &str, sent: SentRecovery) -> (DateTime<Utc>, RecordFields) {
    let mut fields = RecordFields::new();
    put(&mut fields, "cycle_source_id", Some(cycle));
    let sleep = sent.sleep_id.map(within_limit);
    put(&mut fields, "sleep_source_id", sleep);
    put(&mut fields, "score_state", Some(sent.score_state.name()));
    let measured_at = written(sent.created_at);
    put(&mut fields, "measured_at", Some(measured_at));
    if let Some(score) = sent.score {
        put_recovery_score(&mut fields, &score);
    }
    (sent.created_at, fields)
}

fn put_recovery_score(fields: &mut RecordFields, score: &RecoveryScore) {
    put(fields, "is_calibrating", score.user_calibrating);
    for (name, value) in [
        ("recovery_score", score.recovery_score),
        ("resting_heart_rate", score.resting_heart_rate),
        ("hrv_rmssd_ms", score.hrv_rmssd_milli),
        ("spo2_percent", score.spo2_percentage),
        ("skin_temp_celsius", score.skin_temp_celsius),
    ] {
        put(fields, name, value);
    }
}

fn cycle(sent: SentCycle) -> RowOf {
    let mut fields = times(sent.start, sent.end, &sent.timezone_offset)?;
    put(&mut fields, "score_state", Some(sent.score_state.name()));
    if let Some(CycleScore {
        strain,
        kilojoule,
        average_heart_rate,
        max_heart_rate,
    }) = sent.score
    {
        put(&mut fields, "strain", strain);
        put(&mut fields, "kilojoules", kilojoule);
        put(&mut fields, "avg_heart_rate", average_heart_rate);
        put(&mut fields, "max_heart_rate", max_heart_rate);
    }
    Ok((sent.start, fields))
}

fn workout(sent: SentWorkout) -> RowOf {
    let mut fields = times(sent.start, sent.end, &sent.timezone_offset)?;
    let sport = sent.sport_name.as_deref().map(sport);
    put(&mut fields, "sport_name", sport);
    put(&mut fields, "sport_id", sent.sport_id);
    put(&mut fields, "score_state", Some(sent.score_state.name()));
    if let Some(score) = sent.score {
        put_workout_score(&mut fields, &score);
    }
    Ok((sent.start, fields))
}

fn put_workout_score(fields: &mut RecordFields, score: &WorkoutScore) {
    for (name, value) in [
        ("strain", score.strain),
        ("avg_heart_rate", score.average_heart_rate),
        ("max_heart_rate", score.max_heart_rate),
        ("kilojoules", score.kilojoule),
        ("percent_recorded", score.percent_recorded),
        ("distance_m", score.distance_meter),
        ("altitude_gain_m", score.altitude_gain_meter),
        ("altitude_change_m", score.altitude_change_meter),
    ] {
        put(fields, name, value);
    }
    let zones = score.zone_durations.as_ref();
    let zones = zones.map(|zones| zones.in_order().to_vec());
    put(fields, "zone_ms", zones);
}

/// As files of health have it: lower case, and spaces between words.
fn sport(name: &str) -> String {
    name.to_lowercase().replace(['_', '-'], " ")
}

fn times(
    start: DateTime<Utc>,
    end: Option<DateTime<Utc>>,
    offset: &str,
) -> Result<RecordFields, &'static str> {
    let mut fields = RecordFields::new();
    put(&mut fields, "start_at", Some(written(start)));
    put(&mut fields, "end_at", end.map(written));
    let offset = offset_of(offset).ok_or("its offset from UTC cannot be read")?;
    put(&mut fields, "zone_offset", Some(offset));
    Ok(fields)
}

/// `-05:00`, or `Z`, as the columns take it.
fn offset_of(sent: &str) -> Option<String> {
    let sent = if sent == "Z" { "+00:00" } else { sent };
    let offset: FixedOffset = sent.parse().ok()?;
    Some(offset.to_string())
}

fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

#[cfg(test)]
mod tests;

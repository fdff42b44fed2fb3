use serde_json::json;

use super::*;
use WhoopCollection::{Cycles, Recoveries, Sleeps, Workouts};

fn item_of(collection: WhoopCollection, sent: Value) -> SourceItem {
    match read(collection, sent) {
        ReadRecord::Item(item) => item,
        ReadRecord::Unread { key, reason } => panic!("{key:?} {reason}"),
    }
}

/// What stands in the columns.
fn columns(item: &SourceItem) -> Value {
    let mut fields = item.records[0].fields.clone();
    fields.remove("raw");
    fields.into()
}

/// The examples of the provider's interface description.
fn scored_sleep() -> Value {
    json!({
        "id": "ecfc6a15-4661-442f-a9a4-f160dd7afae8", "cycle_id": 93845, "v1_id": 93845, "user_id": 10129,
        "created_at": "2022-04-24T11:25:44.774Z", "updated_at": "2022-04-24T14:25:44.774Z",
        "start": "2022-04-24T02:25:44.774Z", "end": "2022-04-24T10:25:44.774Z", "timezone_offset": "-05:00",
        "nap": false, "score_state": "SCORED",
        "score": {
            "stage_summary": {
                "total_in_bed_time_milli": 30_272_735, "total_awake_time_milli": 1_403_507,
                "total_no_data_time_milli": 0, "total_light_sleep_time_milli": 14_905_851,
                "total_slow_wave_sleep_time_milli": 6_630_370, "total_rem_sleep_time_milli": 5_879_573,
                "sleep_cycle_count": 3, "disturbance_count": 12
            },
            "sleep_needed": {
                "baseline_milli": 27_395_716, "need_from_sleep_debt_milli": 352_230,
                "need_from_recent_strain_milli": 208_595, "need_from_recent_nap_milli": -12_312
            },
            "respiratory_rate": 16.25, "sleep_performance_percentage": 98,
            "sleep_consistency_percentage": 90, "sleep_efficiency_percentage": 91.5
        }
    })
}

#[test]
fn a_sleep_has_the_columns_of_a_pushed_one() {
    let item = item_of(Sleeps, scored_sleep());
    assert_eq!(item.key, "ecfc6a15-4661-442f-a9a4-f160dd7afae8");
    assert_eq!(item.records[0].source_id, item.key);
    assert_eq!(item.records[0].target, "health.sleeps");
    assert_eq!(
        item.at.map(written).as_deref(),
        Some("2022-04-24T02:25:44.774Z")
    );
    let expected = json!({
        "start_at": "2022-04-24T02:25:44.774Z", "end_at": "2022-04-24T10:25:44.774Z", "zone_offset": "-05:00",
        "cycle_source_id": "93845", "is_nap": false, "score_state": "SCORED",
        "in_bed_ms": 30_272_735, "awake_ms": 1_403_507, "light_ms": 14_905_851, "deep_ms": 6_630_370,
        "rem_ms": 5_879_573, "no_data_ms": 0, "cycle_count": 3, "disturbance_count": 12,
        "respiratory_rate": 16.25, "performance_percent": 98.0, "consistency_percent": 90.0,
        "efficiency_percent": 91.5, "need_baseline_ms": 27_395_716, "need_debt_ms": 352_230,
        "need_strain_ms": 208_595, "need_nap_ms": -12_312
    });
    assert_eq!(columns(&item), expected);
    let raw = &item.records[0].fields["raw"];
    assert_eq!(raw["v1_id"], 93845);
    assert_eq!(raw.get("user_id"), None);
}

#[test]
fn a_recovery_is_named_by_its_cycle_and_names_its_sleep() {
    let sent = json!({
        "cycle_id": 93845, "sleep_id": "123e4567-e89b-12d3-a456-426614174000", "user_id": 10129,
        "created_at": "2022-04-24T11:25:44.774Z", "updated_at": "2022-04-24T14:25:44.774Z", "score_state": "SCORED",
        "score": {
            "user_calibrating": false, "recovery_score": 44, "resting_heart_rate": 64,
            "hrv_rmssd_milli": 31.5, "spo2_percentage": 95.75, "skin_temp_celsius": 33.5
        }
    });
    let item = item_of(Recoveries, sent);
    assert_eq!(
        (&*item.key, item.records[0].target),
        ("93845", "health.recoveries")
    );
    let expected = json!({
        "cycle_source_id": "93845", "sleep_source_id": "123e4567-e89b-12d3-a456-426614174000",
        "score_state": "SCORED", "recovery_score": 44.0, "resting_heart_rate": 64.0, "hrv_rmssd_ms": 31.5,
        "spo2_percent": 95.75, "skin_temp_celsius": 33.5, "is_calibrating": false,
        "measured_at": "2022-04-24T11:25:44.774Z"
    });
    assert_eq!(columns(&item), expected);
}

#[test]
fn a_running_cycle_has_no_end_and_no_score() {
    let sent = json!({
        "id": 93845, "user_id": 10129, "created_at": "2022-04-24T11:25:44.774Z",
        "updated_at": "2022-04-24T14:25:44.774Z", "start": "2022-04-24T02:25:44.774Z",
        "timezone_offset": "Z", "score_state": "PENDING_SCORE"
    });
    let running = item_of(Cycles, sent.clone());
    assert_eq!(running.records[0].target, "health.cycles");
    let expected = json!({
        "start_at": "2022-04-24T02:25:44.774Z", "zone_offset": "+00:00", "score_state": "PENDING_SCORE"
    });
    assert_eq!(columns(&running), expected);

    let mut ended = sent;
    ended["end"] = json!("2022-04-25T02:25:44Z");
    ended["score_state"] = json!("SCORED");
    ended["score"] = json!({
        "strain": 5.5, "kilojoule": 8288.25, "average_heart_rate": 68, "max_heart_rate": 141
    });
    let ended = item_of(Cycles, ended);
    assert_ne!(ended.version, running.version);
    let expected = json!({
        "start_at": "2022-04-24T02:25:44.774Z", "end_at": "2022-04-25T02:25:44Z", "zone_offset": "+00:00",
        "score_state": "SCORED", "strain": 5.5, "kilojoules": 8288.25, "avg_heart_rate": 68.0,
        "max_heart_rate": 141.0
    });
    assert_eq!(columns(&ended), expected);
}

#[test]
fn a_workout_has_its_zones_in_order_and_its_sport_as_files_name_it() {
    let sent = json!({
        "id": "ecfc6a15-4661-442f-a9a4-f160dd7afae8", "v1_id": 1043, "user_id": 9012,
        "created_at": "2022-04-24T11:25:44.774Z", "updated_at": "2022-04-24T14:25:44.774Z",
        "start": "2022-04-24T02:25:44.774Z", "end": "2022-04-24T10:25:44.774Z", "timezone_offset": "-05:00",
        "sport_name": "Traditional_strength-training", "sport_id": 1, "score_state": "SCORED",
        "score": {
            "strain": 8.25, "average_heart_rate": 123, "max_heart_rate": 146, "kilojoule": 1569.5,
            "percent_recorded": 100, "distance_meter": 1772.75, "altitude_gain_meter": 46.5,
            "altitude_change_meter": -0.75,
            "zone_durations": {
                "zone_zero_milli": 1, "zone_one_milli": 2, "zone_two_milli": 3, "zone_three_milli": 4,
                "zone_four_milli": 5, "zone_five_milli": 6
            }
        }
    });
    let expected = json!({
        "start_at": "2022-04-24T02:25:44.774Z", "end_at": "2022-04-24T10:25:44.774Z", "zone_offset": "-05:00",
        "sport_name": "traditional strength training", "sport_id": 1, "score_state": "SCORED", "strain": 8.25,
        "avg_heart_rate": 123.0, "max_heart_rate": 146.0, "kilojoules": 1569.5, "percent_recorded": 100.0,
        "distance_m": 1772.75, "altitude_gain_m": 46.5, "altitude_change_m": -0.75,
        "zone_ms": [1, 2, 3, 4, 5, 6]
    });
    assert_eq!(columns(&item_of(Workouts, sent)), expected);
}

#[test]
fn a_version_is_the_same_for_the_same_record_whatever_the_order_of_its_fields() {
    let sent = scored_sleep();
    let reversed: Vec<_> = sent.as_object().unwrap().iter().rev().collect();
    let reversed = reversed
        .iter()
        .map(|(name, value)| format!("\"{name}\":{value}"));
    let reversed = format!("{{{}}}", reversed.collect::<Vec<_>>().join(","));
    let reversed = serde_json::from_str(&reversed).unwrap();
    let version = item_of(Sleeps, sent.clone()).version;
    assert_eq!(item_of(Sleeps, reversed).version, version);
    let mut edited = sent;
    edited["updated_at"] = json!("2022-04-25T14:25:44.774Z");
    assert_ne!(item_of(Sleeps, edited).version, version);
}

#[test]
fn what_cannot_be_read_is_named_without_its_content() {
    let broken = |field: &str, value: Value| {
        let mut sent = scored_sleep();
        sent[field] = value;
        match read(Sleeps, sent) {
            ReadRecord::Item(item) => panic!("{item:?}"),
            ReadRecord::Unread { key, reason } => (key, reason),
        }
    };
    for (field, value, reason) in [
        ("start", json!("seeded"), "it cannot be read"),
        ("score_state", json!("SEEDED"), "it cannot be read"),
        (
            "score",
            json!({"respiratory_rate": "seeded"}),
            "it cannot be read",
        ),
        (
            "timezone_offset",
            json!("seeded"),
            "its offset from UTC cannot be read",
        ),
    ] {
        let id = "ecfc6a15-4661-442f-a9a4-f160dd7afae8".to_owned();
        assert_eq!(broken(field, value), (Some(id), reason), "{field}");
    }
    for id in [json!(null), json!(""), json!([])] {
        assert_eq!(broken("id", id), (None, "it has no id"));
    }
}

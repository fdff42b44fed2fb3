//! Sleep, recovery, strain and exercise of a day.

use serde_json::{Value, json};

use super::{Device, agent, days};
use crate::support::TestApp;

#[actix_web::test]
async fn sleep_counts_on_the_day_of_waking_naps_too_and_no_night_twice() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let watch = Device::of(&app, "health.sleeps").await;
    let ring = Device::of(&app, "health.sleeps").await;
    watch
        .push(&app, json!([
            // With stages: 300 + 60 + 60 minutes.
            { "id": "night", "start_at": "2026-03-01T22:00:00Z", "end_at": "2026-03-02T06:00:00Z",
              "light_ms": 18_000_000, "deep_ms": 3_600_000, "rem_ms": 3_600_000, "awake_ms": 3_600_000 },
            // The same night from another app: shorter, and counted already.
            { "id": "again", "start_at": "2026-03-01T22:30:00Z", "end_at": "2026-03-02T05:00:00Z" },
            // In bed 60 minutes, of which 15 awake.
            { "id": "nap", "start_at": "2026-03-02T13:00:00Z", "end_at": "2026-03-02T14:00:00Z", "is_nap": true,
              "in_bed_ms": 3_600_000, "awake_ms": 900_000 },
            { "id": "running", "start_at": "2026-03-02T22:00:00Z" },
        ]))
        .await;
    ring.push(&app, json!([{ "id": "night", "start_at": "2026-03-01T22:00:00Z", "end_at": "2026-03-02T05:00:00Z" }])).await;
    let told = days(&client, &["sleep_minutes"]).await;
    assert_eq!(
        told,
        [json!({ "day": "2026-03-02", "sleep_minutes": 465.0 })]
    );
    watch.disconnect(&app).await;
    assert_eq!(
        days(&client, &["sleep_minutes"]).await[0]["sleep_minutes"],
        420.0
    );
}

#[actix_web::test]
async fn sleep_of_no_known_stage_counts_as_sleep_and_the_rest_of_the_time_in_bed_does_not() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let phone = Device::of(&app, "health.sleeps").await;
    let night = |id: &str, day: u8, asleep: Value| {
        json!({ "id": id, "start_at": format!("2026-03-0{day}T22:00:00Z"), "end_at": format!("2026-03-0{}T06:00:00Z", day + 1),
            "in_bed_ms": 28_800_000, "asleep_ms": asleep })
    };
    let nights = [
        night("plain", 1, json!(21_600_000)),
        night("too much", 3, json!(1e300)),
        night("no number", 5, json!("long")),
    ];
    phone.push(&app, json!(nights)).await;
    let told = days(&client, &["sleep_minutes"]).await;
    let minutes: Vec<_> = told.iter().map(|day| &day["sleep_minutes"]).collect();
    assert_eq!(
        minutes,
        [&json!(360.0), &json!(480.0), &json!(480.0)],
        "{told:?}"
    );
}

#[actix_web::test]
async fn time_in_bed_never_hides_the_sleep_that_another_device_measured() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let phone = Device::of(&app, "health.sleeps").await;
    let in_bed = json!({ "id": "in bed", "start_at": "2026-03-28T22:00:00Z", "end_at": "2026-03-29T05:00:00Z", "in_bed_ms": 25_200_000 });
    let staged = json!({ "id": "staged", "start_at": "2026-03-28T22:10:00Z", "end_at": "2026-03-29T04:50:00Z",
        "light_ms": 16_200_000, "deep_ms": 3_600_000, "rem_ms": 3_600_000, "awake_ms": 600_000 });
    let minutes = async || days(&client, &["sleep_minutes"]).await[0]["sleep_minutes"].clone();
    phone.push(&app, json!([in_bed])).await;
    assert_eq!(minutes().await, 420.0);
    phone.push(&app, json!([staged])).await;
    assert_eq!(minutes().await, 390.0, "of one source");
    phone
        .push(&app, json!({ "records": [], "deleted": ["staged"] }))
        .await;
    let watch = Device::of(&app, "health.sleeps").await;
    watch.push(&app, json!([staged])).await;
    assert_eq!(minutes().await, 390.0, "of two sources");
}

#[actix_web::test]
async fn a_recovery_is_of_the_day_of_waking_once_its_sleep_is_known() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let recoveries = Device::of(&app, "health.recoveries").await;
    let sleeps = Device::of(&app, "health.sleeps").await;
    recoveries
        .push(
            &app,
            json!([{ "id": "1", "sleep_source_id": "night", "measured_at": "2026-03-04T08:00:00Z",
            "recovery_score": 66.0, "resting_heart_rate": 48.0 }]),
        )
        .await;
    let fields = ["recovery_score", "resting_heart_rate"];
    assert_eq!(
        days(&client, &fields).await,
        [json!({ "day": "2026-03-04", "recovery_score": 66.0, "resting_heart_rate": 48.0 })]
    );
    let night = json!({ "id": "night", "start_at": "2026-03-02T22:00:00Z", "end_at": "2026-03-03T06:00:00Z" });
    sleeps.push(&app, json!([night])).await;
    assert_eq!(
        days(&client, &["recovery_score"]).await,
        [json!({ "day": "2026-03-03", "recovery_score": 66.0 })]
    );
    sleeps
        .push(&app, json!({ "records": [], "deleted": ["night"] }))
        .await;
    assert_eq!(
        days(&client, &["recovery_score"]).await,
        [json!({ "day": "2026-03-04", "recovery_score": 66.0 })]
    );
    sleeps.push(&app, json!([night])).await;
    assert_eq!(
        days(&client, &["recovery_score"]).await[0]["day"],
        "2026-03-03"
    );
}

#[actix_web::test]
async fn a_cycle_tells_strain_on_the_day_of_waking_and_workouts_exercise() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let workouts = Device::of(&app, "health.workouts").await;
    workouts
        .push(&app, json!([
            { "id": "run", "start_at": "2026-03-02T17:00:00Z", "end_at": "2026-03-02T17:40:00Z", "strain": 9.0 },
            { "id": "same run", "start_at": "2026-03-02T17:01:00Z", "end_at": "2026-03-02T17:39:00Z" },
            { "id": "walk", "start_at": "2026-03-02T19:00:00Z", "end_at": "2026-03-02T19:20:00Z" },
        ]))
        .await;
    // Devices cannot push a cycle: a pulled source brings it, and a row counts however it was written.
    let database = app.database.connect().await;
    let brought = format!("INSERT INTO health.cycles (id, user_id, connection_id, source_id, start_at, zone_offset, strain)
        SELECT gen_random_uuid(), user_id, id, '1', '2026-03-02T04:00:00Z', '-05:00', 12.5 FROM connections WHERE id = '{}'", workouts.id);
    database.batch_execute(&brought).await.unwrap();
    workouts.push(&app, json!([])).await;
    let told = days(&client, &["strain", "exercise_minutes"]).await;
    assert_eq!(
        told,
        [json!({ "day": "2026-03-02", "strain": 12.5, "exercise_minutes": 60.0 })]
    );
}

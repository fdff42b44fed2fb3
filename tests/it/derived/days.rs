//! How steps, weight and the other samples become a day's values.

use serde_json::json;

use super::{Device, agent, days, rows, sample, with};
use crate::support::TestApp;

#[actix_web::test]
async fn two_devices_that_count_the_same_steps_are_not_added() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let phone = Device::of(&app, "health.samples").await;
    let of = |device: &str, record| {
        with(
            record,
            json!({ "device": { "id": device, "device_model": device } }),
        )
    };
    phone
        .push(
            &app,
            json!([
                of(
                    "watch",
                    sample("1", "steps", 4000.0, "2026-03-02T08:00:00+01:00")
                ),
                of(
                    "watch",
                    sample("2", "steps", 3000.0, "2026-03-02T18:00:00+01:00")
                ),
                of(
                    "phone",
                    sample("3", "steps", 6500.0, "2026-03-02T08:00:00+01:00")
                ),
                sample("4", "weight", 80.0, "2026-03-02T07:00:00+01:00"),
                sample("5", "weight", 79.5, "2026-03-02T21:00:00+01:00"),
            ]),
        )
        .await;
    let told = days(&client, &["steps", "weight_kg"]).await;
    assert_eq!(
        told,
        [json!({ "day": "2026-03-02", "steps": 7000, "weight_kg": 79.5 })]
    );
    // A day's total, which may grow, takes precedence over any sum.
    let total = |id: &str, value| {
        with(
            sample(id, "steps", value, "2026-03-02T00:00:00+01:00"),
            json!({ "is_daily_total": true }),
        )
    };
    phone
        .push(&app, json!([total("t1", 5000.0), total("t2", 5400.0)]))
        .await;
    assert_eq!(days(&client, &["steps"]).await[0]["steps"], 5400);
    phone
        .push(&app, json!({ "records": [], "deleted": ["t1", "t2", "1"] }))
        .await;
    assert_eq!(
        days(&client, &["steps"]).await[0]["steps"],
        6500,
        "the telephone's, now that it has more"
    );
}

#[actix_web::test]
async fn a_pushed_value_wins_for_its_day_field_by_field_and_a_day_is_one_row() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let watch = Device::of(&app, "health.samples").await;
    let (diary, ring) = (
        Device::of(&app, "health.days").await,
        Device::of(&app, "health.days").await,
    );
    watch
        .push(
            &app,
            json!([
                sample("1", "steps", 4000.0, "2026-03-02T08:00:00Z"),
                sample("2", "energy", 300.0, "2026-03-02T08:00:00Z"),
            ]),
        )
        .await;
    let id = async || rows(&client, "health.days", &["id"], "day").await;
    let first = id().await;
    diary.push(&app, json!([{ "id": "a", "day": "2026-03-02", "steps": 10 }, { "id": "b", "day": "2026-03-02", "strain": 4.0 }])).await;
    ring.push(&app, json!([{ "id": "a", "day": "2026-03-02", "steps": 20, "updated_at": "2000-01-01T00:00:00Z", "mood": "fine" }])).await;
    let told = days(&client, &["steps", "energy_kcal", "strain"]).await;
    assert_eq!(
        told,
        [json!({ "day": "2026-03-02", "steps": 10, "energy_kcal": 300.0, "strain": 4.0 })],
        "one row, the newer wins"
    );
    assert_eq!(id().await, first, "the row stays the same row");
    diary
        .push(&app, json!({ "records": [], "deleted": ["a"] }))
        .await;
    assert_eq!(days(&client, &["steps"]).await[0]["steps"], 20);
    diary.disconnect(&app).await;
    ring.disconnect(&app).await;
    let told = days(&client, &["steps", "strain"]).await;
    assert_eq!(
        told,
        [json!({ "day": "2026-03-02", "steps": 4000, "strain": null })],
        "what others still tell"
    );
    watch.disconnect(&app).await;
    assert!(days(&client, &[]).await.is_empty());
    let left = "SELECT (SELECT count(*) FROM health.days) + (SELECT count(*) FROM evidence.days)
        + (SELECT count(*) FROM evidence.stale_days) AS rows";
    assert_eq!(app.database.rows(left).await, [json!({ "rows": 0 })]);
}

#[actix_web::test]
async fn a_sample_is_of_the_day_its_own_offset_says_else_of_the_persons() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let phone = Device::of(&app, "health.samples").await;
    let at = |id: &str, steps: f64, start: &str, offset: Option<&str>| {
        with(
            sample(id, "steps", steps, start),
            json!({ "zone_offset": offset }),
        )
    };
    phone
        .push(
            &app,
            json!([
                // In Berlin it is the first minute of the next day; in Honolulu still noon.
                at("1", 1.0, "2026-03-01T23:00:00Z", None),
                at("2", 20.0, "2026-03-01T22:59:59Z", None),
                at("3", 300.0, "2026-03-03T09:30:00Z", Some("-10:00")),
                at("4", 4000.0, "2026-03-03T10:00:00Z", Some("-1000")),
                // Not a valid offset: the person's zone is used.
                at("5", 50_000.0, "2026-03-04T22:00:00Z", Some("Mountain")),
                // The leap day, and both ends of the days on which the clocks change.
                at("6", 6.0, "2028-02-28T23:00:00Z", None),
                at("7", 7.0, "2026-03-28T23:00:00Z", None),
                at("8", 80.0, "2026-03-29T21:59:59Z", None),
                at("9", 9.0, "2026-10-24T22:00:00Z", None),
                at("10", 90.0, "2026-10-25T22:59:59Z", None),
                // It is stored, and belongs to no day.
                at("11", 1.0, "1700-01-01T00:00:00Z", None),
            ]),
        )
        .await;
    let told = days(&client, &["steps"]).await;
    let day = |day: &str, steps: u32| json!({ "day": day, "steps": steps });
    assert_eq!(
        told,
        [
            day("2026-03-01", 20),
            day("2026-03-02", 301),
            day("2026-03-03", 4000),
            day("2026-03-04", 50_000),
            day("2026-03-29", 87),
            day("2026-10-25", 99),
            day("2028-02-29", 6),
        ]
    );
}

#[actix_web::test]
async fn only_days_that_come_out_otherwise_are_written() {
    let app = TestApp::start().await;
    let phone = Device::of(&app, "health.samples").await;
    let steps = |id: &str, value, start: &str| sample(id, "steps", value, start);
    let both = json!([
        steps("1", 0.1, "2026-03-02T08:00:00Z"),
        steps("2", 5.0, "2026-03-03T08:00:00Z")
    ]);
    phone.push(&app, both.clone()).await;
    let database = app.database.connect().await;
    let stamps = async || {
        let sql = "SELECT day::text, changed_xid::text, synced_at::text, deleted_at IS NOT NULL FROM health.days ORDER BY source_id";
        let rows = database.query(sql, &[]).await.unwrap();
        let stamp = |row: &tokio_postgres::Row| {
            (
                row.get::<_, Option<String>>(0),
                row.get::<_, String>(1),
                row.get::<_, String>(2),
                row.get::<_, bool>(3),
            )
        };
        rows.iter().map(stamp).collect::<Vec<_>>()
    };
    let before = stamps().await;
    phone.push(&app, both).await;
    // A metric that no day contains touches the day and changes nothing.
    phone
        .push(
            &app,
            json!([sample("3", "heart_rate", 61.0, "2026-03-02T09:00:00Z")]),
        )
        .await;
    assert_eq!(stamps().await, before);
    phone
        .push(&app, json!([steps("1", 9.0, "2026-03-02T08:00:00Z")]))
        .await;
    let after = stamps().await;
    assert_ne!(after[0].1, before[0].1);
    assert_eq!(after[1], before[1]);
    phone
        .push(&app, json!({ "records": [], "deleted": ["1", "3"] }))
        .await;
    let gone = stamps().await;
    assert!(
        gone[0].0.is_none() && gone[0].3 && gone[0].1 != after[0].1,
        "a tombstone: {gone:?}"
    );
    phone
        .push(&app, json!([steps("1", 9.0, "2026-03-02T10:00:00Z")]))
        .await;
    assert_eq!(
        stamps().await[0].0.as_deref(),
        Some("2026-03-02"),
        "the day is back under its old id"
    );
}

#[actix_web::test]
async fn values_that_no_body_has_fail_no_push() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let phone = Device::of(&app, "health.samples").await;
    let steps = |id: &str, value| sample(id, "steps", value, "2026-03-02T08:00:00Z");
    phone
        .push(
            &app,
            json!([
                steps("1", 1e308),
                steps("2", 9e8),
                steps("3", 9e8),
                steps("4", 9e8),
                steps("5", -7.0)
            ]),
        )
        .await;
    assert!(
        days(&client, &[]).await.is_empty(),
        "more steps than the column holds"
    );
    phone
        .push(&app, json!({ "records": [], "deleted": ["3", "4"] }))
        .await;
    assert_eq!(days(&client, &["steps"]).await[0]["steps"], 900_000_000);
}

#[actix_web::test]
async fn a_push_of_a_minute_ago_and_one_of_now_that_meet_lose_nothing() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let phone = Device::of(&app, "health.samples").await;
    let push = |id: usize| {
        let steps = sample(&id.to_string(), "steps", 1.0, "2026-03-02T08:00:00Z");
        phone.push(&app, json!([steps]))
    };
    futures_util::future::join_all((0..40).map(push)).await;
    assert_eq!(days(&client, &["steps"]).await[0]["steps"], 40);
}

//! Series become occurrences in the transaction that stores them.

use serde_json::{Value, json};

use super::{Device, rows};
use crate::support::TestApp;

const LIVE: &str = "SELECT title, start_at AT TIME ZONE 'Europe/Vienna' AS local, status, is_all_day, start_date, calendar_id IS NOT NULL AS filed
    FROM calendar.events WHERE deleted_at IS NULL ORDER BY start_at, title";

fn locals(events: &[Value]) -> Vec<&str> {
    events
        .iter()
        .map(|event| event["local"].as_str().unwrap())
        .collect()
}

fn standup(rule: &str) -> Value {
    json!({ "id": "standup", "uid": "standup", "title": "Stand-up", "start_at": "2026-03-27T09:00:00", "end_at": "2026-03-27T09:15:00",
        "time_zone": "Europe/Vienna", "rrule": [rule], "calendar": { "id": "work", "name": "Work" } })
}

#[actix_web::test]
async fn occurrences_keep_their_local_time_over_the_dst_day() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "calendar.series").await;
    device
        .store(json!([standup("RRULE:FREQ=DAILY;COUNT=4")]))
        .await;
    let events = rows(&app, LIVE).await;
    assert_eq!(
        locals(&events),
        [
            "2026-03-27T09:00:00",
            "2026-03-28T09:00:00",
            "2026-03-29T09:00:00",
            "2026-03-30T09:00:00"
        ]
    );
    assert!(
        events
            .iter()
            .all(|event| event["filed"] == true && event["title"] == "Stand-up")
    );
}

#[actix_web::test]
async fn an_exception_moves_one_occurrence_whether_nested_or_sent_alone() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "calendar.series").await;
    let mut nested = standup("RRULE:FREQ=DAILY;COUNT=3");
    nested["overrides"] = json!([{ "recurrence_id": "2026-03-28T08:00:00Z", "start_at": "2026-03-28T11:00:00", "end_at": "2026-03-28T11:15:00" }]);
    device.store(json!([nested])).await;
    assert_eq!(
        locals(&rows(&app, LIVE).await),
        [
            "2026-03-27T09:00:00",
            "2026-03-28T11:00:00",
            "2026-03-29T09:00:00"
        ]
    );
    let alone = json!({ "id": "standup/2", "series_source_id": "standup", "recurrence_id": "2026-03-29T07:00:00Z", "title": "Stand-up",
        "start_at": "2026-03-29T10:00:00", "time_zone": "Europe/Vienna", "status": "cancelled" });
    device.store(json!([alone])).await;
    assert_eq!(rows(&app, LIVE).await[2]["status"], "cancelled");
    device
        .push(json!({ "deleted": ["standup/2"] }))
        .await
        .expect(200);
    assert_eq!(locals(&rows(&app, LIVE).await)[2], "2026-03-29T09:00:00");
}

#[actix_web::test]
async fn a_changed_rule_forgets_occurrences_and_a_deleted_series_all() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "calendar.series").await;
    device
        .store(json!([standup("RRULE:FREQ=DAILY;COUNT=30")]))
        .await;
    device
        .store(json!([standup("RRULE:FREQ=WEEKLY;COUNT=2")]))
        .await;
    assert_eq!(
        locals(&rows(&app, LIVE).await),
        ["2026-03-27T09:00:00", "2026-04-03T09:00:00"]
    );
    device
        .push(json!({ "deleted": ["standup"] }))
        .await
        .expect(200);
    assert!(rows(&app, LIVE).await.is_empty());
}

#[actix_web::test]
async fn an_all_day_event_has_days_and_local_midnights() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "calendar.series").await;
    device.store(json!([{ "id": "trip", "title": "Trip", "start_date": "2026-03-29", "end_date": "2026-03-31", "is_all_day": true }])).await;
    let events = rows(
        &app,
        "SELECT start_date, end_date, is_all_day, is_recurring FROM calendar.events",
    )
    .await;
    assert_eq!(
        events,
        [
            json!({ "start_date": "2026-03-29", "end_date": "2026-03-31", "is_all_day": true, "is_recurring": false })
        ]
    );
}

#[actix_web::test]
async fn an_endless_series_reaches_two_years_ahead_and_says_so() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "calendar.series").await;
    device.store(json!([standup("RRULE:FREQ=WEEKLY")])).await;
    let windows = rows(
        &app,
        "SELECT window_end > now() + interval '23 months' AS far FROM sync_cursors",
    )
    .await;
    assert_eq!(windows, [json!({ "far": true })]);
    assert!(rows(&app, LIVE).await.len() > 52);
}

#[actix_web::test]
async fn a_rule_that_cannot_be_read_is_refused_by_its_field() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "calendar.series").await;
    let refused = device
        .push(json!([standup("RRULE:FREQ=DAILY;RSCALE=CHINESE")]))
        .await
        .expect(400);
    assert_eq!(refused["problems"][0]["field"], "rrule");
}

/// The stamps of the occurrences.
async fn stamps(app: &TestApp) -> Vec<Value> {
    let asked = json!({ "target": "events", "select": ["updated_at"], "order_by": ["start_at"] });
    let answer = app.post("/api/data/calendar", asked).await.expect(200);
    let rows = answer["rows"].as_array().unwrap().iter();
    rows.map(|row| row[0].clone()).collect()
}

/// An occurrence that takes over another row's stamp may get an older one than before, and may return after it was
/// deleted.
#[actix_web::test]
async fn an_occurrence_bears_the_stamp_of_its_exception_or_of_its_series() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "calendar.series").await;
    let (old, new) = ("2020-01-01T00:00:00Z", "2026-03-01T00:00:00Z");
    let mut series = standup("RRULE:FREQ=DAILY;COUNT=3");
    series["updated_at"] = json!(old);
    device.store(json!([series])).await;
    assert_eq!(stamps(&app).await, [old, old, old]);
    let moved = json!({ "id": "standup/2", "series_source_id": "standup", "recurrence_id": "2026-03-28T08:00:00Z", "title": "Moved",
        "start_at": "2026-03-28T10:00:00", "time_zone": "Europe/Vienna", "updated_at": new });
    device.store(json!([moved])).await;
    assert_eq!(stamps(&app).await, [old, new, old]);
    device
        .push(json!({ "deleted": ["standup/2"] }))
        .await
        .expect(200);
    assert_eq!(stamps(&app).await, [old, old, old]);
    let titles = rows(&app, "SELECT DISTINCT title FROM calendar.events").await;
    assert_eq!(titles, [json!({ "title": "Stand-up" })]);
    // Shorter, and as long as before.
    for (count, stamp) in [(1, "2020-01-02T00:00:00Z"), (3, "2020-01-03T00:00:00Z")] {
        let mut series = standup(&format!("RRULE:FREQ=DAILY;COUNT={count}"));
        series["updated_at"] = json!(stamp);
        device.store(json!([series])).await;
        assert_eq!(stamps(&app).await, vec![stamp; count]);
    }
}

//! Pending transactions for which the bank has given no booking day.

use std::sync::Arc;

use chrono::Duration;
use serde_json::{Value, json};
use sextant_actors::clock::FrozenClock;

use super::{Device, counts, rows};
use crate::import::{export, import};
use crate::query::months::assert_exact;
use crate::support::app::settings;
use crate::support::{TestApp, TestDatabase};

/// At this instant it is already the sixth in Berlin, where the person is.
const NOW: &str = "2026-03-05T23:30:00Z";
const DAYS: &str =
    "SELECT source_id, booked_on, booked_on_from FROM finance.transactions ORDER BY source_id";

async fn started() -> (TestApp, FrozenClock) {
    let clock = FrozenClock::at(NOW.parse().unwrap());
    let database = TestDatabase::create().await;
    let app = TestApp::start_on(database, settings(), Arc::new(clock.clone())).await;
    (app, clock)
}

/// A pending transaction with the other fields that a device sends.
fn pending(id: &str, told: Value) -> Value {
    let mut record = json!({ "id": id, "amount": -4, "currency": "EUR", "status": "pending" });
    let told = told.as_object().unwrap().clone();
    record.as_object_mut().unwrap().extend(told);
    record
}

fn day(id: &str, day: &str, of: impl Into<Value>) -> Value {
    json!({ "source_id": id, "booked_on": day, "booked_on_from": of.into() })
}

#[actix_web::test]
async fn a_pending_row_has_a_day_of_the_best_that_is_told_and_a_repeat_changes_nothing() {
    let (app, clock) = started().await;
    let device = Device::of(&app, "finance.transactions").await;
    let at = "2026-03-01T23:30:00Z";
    let push = json!([
        pending(
            "all",
            json!({ "booked_on": "2026-03-03", "transacted_at": at })
        ),
        pending(
            "at",
            json!({ "transacted_at": at, "value_on": "2026-03-04", "booked_on": null })
        ),
        pending("nothing", json!({})),
        pending("value", json!({ "value_on": "2026-03-04" })),
    ]);
    assert_eq!(counts(&device.store(push.clone()).await), [4, 0, 0, 0]);
    let expected = [
        day("all", "2026-03-03", Value::Null),
        day("at", "2026-03-02", "transacted_at"),
        day("nothing", "2026-03-06", "first_seen"),
        day("value", "2026-03-04", "value_on"),
    ];
    assert_eq!(rows(&app, DAYS).await, expected);
    clock.advance(Duration::days(3));
    assert_eq!(counts(&device.store(push.clone()).await), [0, 0, 4, 0]);
    assert_eq!(rows(&app, DAYS).await, expected);
    assert_exact(&app, "kept").await;
    // In another time zone the instants are on other days.
    let mut moved = settings();
    moved.zone = chrono_tz::America::New_York;
    let (id, secret) = (device.id.clone(), device.secret.clone());
    let app = app.restart_with(moved).await;
    let device = Device {
        app: &app,
        id,
        secret,
    };
    assert_eq!(counts(&device.store(push).await), [0, 0, 4, 0]);
    assert_eq!(rows(&app, DAYS).await, expected);
}

#[actix_web::test]
async fn what_is_booked_needs_its_day_and_so_does_what_says_nothing_of_it() {
    let (app, _) = started().await;
    let device = Device::of(&app, "finance.transactions").await;
    for status in [json!("posted"), Value::Null] {
        let told = json!({ "status": status, "transacted_at": NOW, "value_on": "2026-03-04" });
        let refused = device.push(json!([pending("a", told)])).await.expect(400);
        let problem = &refused["problems"][0];
        assert_eq!(problem["field"], "booked_on", "{refused}");
    }
}

#[actix_web::test]
async fn a_made_day_yields_to_a_better_source_alone() {
    let (app, clock) = started().await;
    let device = Device::of(&app, "finance.transactions").await;
    let value = json!({ "value_on": "2026-04-04" });
    let at = json!({ "transacted_at": "2026-02-20T12:00:00Z" });
    let booked = json!({ "booked_on": "2026-05-05" });
    let posted = json!({ "booked_on": "2026-05-06", "status": "posted" });
    for (told, changed, expected) in [
        (
            json!({}),
            [1, 0, 0, 0],
            day("a", "2026-03-07", "first_seen"),
        ),
        (
            value.clone(),
            [0, 1, 0, 0],
            day("a", "2026-04-04", "value_on"),
        ),
        (json!({}), [0, 1, 0, 0], day("a", "2026-04-04", "value_on")),
        (at, [0, 1, 0, 0], day("a", "2026-02-20", "transacted_at")),
        (value, [0, 1, 0, 0], day("a", "2026-02-20", "transacted_at")),
        (booked, [0, 1, 0, 0], day("a", "2026-05-05", Value::Null)),
        (json!({}), [0, 0, 1, 0], day("a", "2026-05-05", Value::Null)),
        (posted, [0, 1, 0, 0], day("a", "2026-05-06", Value::Null)),
    ] {
        clock.advance(Duration::days(1));
        let answer = device.store(json!([pending("a", told.clone())])).await;
        assert_eq!(counts(&answer), changed, "{told}");
        assert_eq!(rows(&app, DAYS).await, [expected], "{told}");
        assert_exact(&app, &told.to_string()).await;
    }
    // A record that returns after its deletion counts as new.
    device.push(json!({ "deleted": ["a"] })).await.expect(200);
    device.store(json!([pending("a", json!({}))])).await;
    let expected = day("a", "2026-03-14", "first_seen");
    assert_eq!(rows(&app, DAYS).await, [expected]);
}

#[actix_web::test]
async fn within_a_push_a_day_is_kept_as_between_pushes() {
    let (app, _) = started().await;
    let device = Device::of(&app, "finance.transactions").await;
    let push = json!([
        pending("a", json!({ "value_on": "2026-04-04" })),
        pending("a", json!({ "description": "coffee" })),
    ]);
    assert_eq!(counts(&device.store(push).await), [1, 1, 0, 0]);
    let kept = "SELECT booked_on, booked_on_from, value_on, description FROM finance.transactions";
    let expected = json!({ "booked_on": "2026-04-04", "booked_on_from": "value_on", "value_on": null,
        "description": "coffee" });
    assert_eq!(rows(&app, kept).await, [expected]);
}

#[actix_web::test]
async fn a_record_without_an_id_is_the_same_on_another_day() {
    let (app, clock) = started().await;
    let device = Device::of(&app, "finance.transactions").await;
    let mut record = pending("", json!({}));
    record.as_object_mut().unwrap().remove("id");
    device.store(json!([record])).await;
    clock.advance(Duration::days(2));
    let again = device.store(json!([record])).await;
    assert_eq!(counts(&again), [0, 0, 1, 0]);
}

#[actix_web::test]
async fn an_agent_reads_the_mark_and_an_export_keeps_it() {
    let (app, _) = started().await;
    let device = Device::of(&app, "finance.transactions").await;
    let push = json!([
        pending("a", json!({})),
        pending("b", json!({ "booked_on": "2026-03-01" }))
    ]);
    device.store(push).await;
    let asked = json!({ "target": "transactions", "select": ["booked_on", "booked_on_from"],
        "where": { "booked_on_from": { "is_null": false } } });
    let told = async |app: &TestApp| {
        let answer = app.post("/api/data/finance", asked.clone()).await;
        answer.expect(200)["rows"].clone()
    };
    let expected = json!([["2026-03-06", "first_seen"]]);
    assert_eq!(told(&app).await, expected);
    let schema = app.get("/api/operator/schema").await.expect(200);
    let tables = schema["tables"].as_array().unwrap();
    let table = tables
        .iter()
        .find(|table| table["target"] == "finance.transactions");
    let about = table.unwrap()["about"].as_str().unwrap();
    assert!(about.contains("booked_on_from"), "{about}");
    let bundle = export(&app).await;
    let other = TestApp::start().await;
    import(&other, bundle).await.expect(200);
    assert_eq!(told(&other).await, expected);
}

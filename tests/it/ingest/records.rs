//! What becomes of records: new, changed, equal, deleted, refused.

use serde_json::json;
use sextant_actors::domain::OPERATOR;

use super::{Device, coffee, counts, rows};
use crate::support::TestApp;

#[actix_web::test]
async fn r038_a_push_is_counted_and_recorded_without_an_agent() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    assert_eq!(
        counts(
            &device
                .store(json!([coffee("a", -3.5), coffee("b", -4.0)]))
                .await
        ),
        [2, 0, 0, 0]
    );
    let second = device.push(json!({ "records": [coffee("a", -3.5), coffee("b", -4.1)], "deleted": ["a", "unknown"] })).await.expect(200);
    assert_eq!(counts(&second), [0, 1, 1, 1]);
    assert_eq!(second["upserted"], 2);
    let rows = app.audit_rows(2).await;
    let ingest: Vec<_> = rows.iter().filter(|row| row["tool"] == "ingest").collect();
    assert_eq!(
        ingest
            .iter()
            .map(|row| row["result_count"].as_u64().unwrap())
            .collect::<Vec<_>>(),
        [2, 3]
    );
    for row in ingest {
        assert!(
            row["agent_id"].is_null() && row["deny_reason"].is_null(),
            "{row}"
        );
        assert_eq!(
            (&row["decision"], &row["outcome"], &row["sector"]),
            (&json!("allow"), &json!("ok"), &json!("finance"))
        );
    }
}

#[actix_web::test]
async fn a_replay_without_ids_is_harmless_and_two_equal_coffees_stay_two() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let mut coffee = coffee("", -3.5);
    coffee.as_object_mut().unwrap().remove("id");
    let push = json!([coffee, coffee]);
    assert_eq!(counts(&device.store(push.clone()).await), [2, 0, 0, 0]);
    assert_eq!(counts(&device.store(push).await), [0, 0, 2, 0]);
}

#[actix_web::test]
async fn one_bad_record_refuses_the_push_and_partial_stores_the_others() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let push =
        json!([coffee("good", -1.0), { "id": "bad", "amount": "$120", "booked_on": "2026-03-01" }]);
    let refused = device.push(push.clone()).await.expect(400);
    assert_eq!(refused["error"], "invalid");
    assert_eq!(
        (
            &refused["problems"][0]["index"],
            &refused["problems"][0]["field"]
        ),
        (&json!(1), &json!("amount"))
    );
    assert!(
        rows(&app, "SELECT id FROM finance.transactions")
            .await
            .is_empty()
    );
    let stored = device.push_partial(push).await.expect(200);
    assert_eq!(counts(&stored), [1, 0, 0, 0]);
    assert_eq!(stored["rejected"][0]["index"], 1);
}

#[actix_web::test]
async fn at_most_twenty_problems_are_listed() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let push: Vec<_> = (0..50).map(|_| json!({ "amount": 1 })).collect();
    let refused = device.push(json!(push)).await.expect(400);
    assert_eq!(refused["problems"].as_array().unwrap().len(), 20);
}

#[actix_web::test]
async fn the_same_id_twice_in_a_push_is_counted_and_the_later_wins() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let push = json!([coffee("a", -1.0), coffee("a", -1.0), coffee("a", -2.0)]);
    assert_eq!(counts(&device.store(push).await), [1, 1, 1, 0]);
    assert_eq!(
        rows(&app, "SELECT amount::text FROM finance.transactions").await,
        [json!({ "amount": "-2.0000" })]
    );
}

#[actix_web::test]
async fn the_newer_stamp_wins_also_against_a_deletion() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "home.entities").await;
    let entity = |state: &str, updated_at: &str| json!({ "entity_id": "light.hall", "state": state, "updated_at": updated_at });
    device
        .store(json!([entity("on", "2026-03-01T10:00:00Z")]))
        .await;
    assert_eq!(
        counts(
            &device
                .store(json!([entity("stale", "2026-03-01T09:00:00Z")]))
                .await
        ),
        [0, 0, 1, 0]
    );
    let late = format!(
        "{}\n",
        json!({ "id": "light.hall", "_deleted": true, "updated_at": "2026-03-01T09:30:00Z" })
    );
    assert_eq!(
        counts(&device.push_lines(&late).await.expect(200)),
        [0, 0, 0, 0]
    );
    device
        .push(json!({ "deleted": ["light.hall"] }))
        .await
        .expect(200);
    assert_eq!(
        counts(
            &device
                .store(json!([entity("ghost", "2026-03-01T11:00:00Z")]))
                .await
        ),
        [0, 0, 1, 0]
    );
    device
        .store(json!([{ "entity_id": "light.hall", "state": "back" }]))
        .await;
    let states = rows(&app, "SELECT state, deleted_at FROM home.entities").await;
    assert_eq!(states, [json!({ "state": "back", "deleted_at": null })]);
}

#[actix_web::test]
async fn r084_user_sector_and_table_come_from_the_connection_only() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "contacts.people").await;
    let person = json!({ "id": "p", "full_name": "Ada", "user_id": "11111111-1111-4111-8111-111111111111",
        "connection_id": "11111111-1111-4111-8111-111111111111", "sector": "mail", "table": "messages", "deleted_at": "2020-01-01T00:00:00Z" });
    device.store(json!([person])).await;
    let stored = rows(&app, "SELECT user_id, connection_id, deleted_at, extra->>'sector' AS sector FROM contacts.people").await;
    assert_eq!(
        stored,
        [
            json!({ "user_id": OPERATOR, "connection_id": device.id, "deleted_at": null, "sector": "mail" })
        ]
    );
}

#[actix_web::test]
async fn nul_and_odd_text_are_stored_and_a_tombstone_keeps_nothing_of_them() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    device.store(json!([{ "id": "m", "subject": "a\u{0}b \u{202e}evil", "body_text": "'; DROP TABLE users; --", "odd": "\u{0}" }])).await;
    let stored = rows(&app, "SELECT subject, body_text FROM mail.messages").await;
    assert_eq!(
        stored,
        [json!({ "subject": "a\u{fffd}b \u{202e}evil", "body_text": "'; DROP TABLE users; --" })]
    );
    device.push(json!({ "deleted": ["m"] })).await.expect(200);
    let left = rows(
        &app,
        "SELECT source_id, subject, body_text, extra, raw FROM mail.messages",
    )
    .await;
    assert_eq!(
        left,
        [
            json!({ "source_id": "m", "subject": null, "body_text": null, "extra": null, "raw": null })
        ]
    );
}

#[actix_web::test]
async fn every_pushable_table_takes_a_record_of_each_of_its_fields() {
    let app = TestApp::start().await;
    for table in sextant::catalog::tables().filter(|table| table.is_pushable()) {
        let device = Device::of(&app, &table.target()).await;
        let record = full_record(table);
        assert_eq!(
            counts(&device.store(json!([record])).await),
            [1, 0, 0, 0],
            "{}",
            table.target()
        );
        assert_eq!(
            counts(&device.store(json!([record])).await),
            [0, 0, 1, 0],
            "{}",
            table.target()
        );
    }
}

pub fn full_record(table: &sextant::catalog::Table) -> serde_json::Value {
    use sextant::catalog::Kind;
    let value = |field: &sextant::catalog::Field| match field.kind {
        _ if !field.values.is_empty() => json!(field.values.last()),
        _ if field.name == "time_zone" => json!("Europe/Vienna"),
        _ if field.name == "rrule" => json!(["RRULE:FREQ=DAILY;COUNT=3"]),
        _ if field.name == "recurrence_id" || field.name == "series_source_id" => json!(null),
        _ if matches!(field.name, "start_date" | "end_date") => json!(null),
        Kind::Text => json!("some text"),
        Kind::Integer | Kind::BigInteger => json!(7),
        Kind::Float => json!(7.25),
        Kind::Decimal { .. } => json!(7.25),
        Kind::Boolean => json!(true),
        Kind::Date => json!("2026-03-29"),
        Kind::Timestamp => json!("2026-03-29T09:00:00Z"),
        Kind::Id => json!("a-parent-that-has-not-come"),
        Kind::Json => json!([{ "name": "a" }]),
        Kind::TextList => json!(["a", "b"]),
        Kind::IntegerList => json!([1, 2]),
    };
    let mut record: serde_json::Map<_, _> = table
        .fields
        .iter()
        .map(|field| (field.name.to_owned(), value(field)))
        .collect();
    record.insert("id".to_owned(), json!("one"));
    record.into()
}

#[actix_web::test]
async fn the_first_push_ends_the_wait_for_it() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "health.days").await;
    let health = async || app.connection(&device.id).await.expect(200)["health"].clone();
    assert_eq!(health().await, "waiting");
    device
        .store(json!([{ "day": "2026-03-01", "steps": 8000 }]))
        .await;
    assert_eq!(health().await, "ok");
}

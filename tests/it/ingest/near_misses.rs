//! Names of fields that are probably misspelt.

use serde_json::{Value, json};

use super::{Device, coffee, counts, rows};
use crate::support::TestApp;

fn with(mut record: Value, name: &str, value: impl Into<Value>) -> Value {
    record[name] = value.into();
    record
}

#[actix_web::test]
async fn an_unknown_field_that_is_close_to_a_known_one_is_told_once_and_kept() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let account = json!({ "id": "giro", "name": "Giro", "institution_nme": "Bank" });
    let record = |id: &str| with(coffee(id, -1.0), "desciption", "tea");
    let nesting = with(with(record("b"), "account", account), "mood", "fine");
    let answer = device.store(json!([record("a"), nesting])).await;
    assert_eq!(counts(&answer), [2, 0, 0, 0]);
    let expected = json!([
        "`desciption` is no field of finance.transactions and was kept in `extra`; was `description` meant?",
        "`institution_nme` is no field of finance.accounts and was kept in `extra`; was `institution_name` meant?",
    ]);
    assert_eq!(answer["notes"], expected);
    let kept = "SELECT extra->>'desciption' AS kept FROM finance.transactions";
    assert_eq!(
        rows(&app, kept).await,
        [json!({ "kept": "tea" }), json!({ "kept": "tea" })]
    );
    let plain = device.store(json!([coffee("c", -1.0)])).await;
    assert_eq!(plain["notes"], json!([]));
}

#[actix_web::test]
async fn at_most_twenty_names_are_told() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let mut record = coffee("a", -1.0);
    for letter in 'a'..='z' {
        record[format!("descriptio{letter}{letter}")] = json!("tea");
    }
    let answer = device.store(json!([record])).await;
    assert_eq!(answer["notes"].as_array().unwrap().len(), 20);
}

#[actix_web::test]
async fn a_missing_field_names_what_was_sent_in_its_place() {
    let app = TestApp::start().await;
    for (target, sent, field, message) in [
        (
            "finance.transactions",
            json!({ "id": "a", "amount": 1, "bookedOn": "2026-03-01" }),
            "booked_on",
            "is required in finance.transactions; `bookedOn` was sent, write `booked_on`",
        ),
        (
            "finance.transactions",
            json!({ "id": "a", "amount": 1, "date": "2026-03-01" }),
            "booked_on",
            "is required in finance.transactions",
        ),
        (
            "home.entities",
            json!({ "id": "a", "state": "on", "entty_id": "light.hall" }),
            "entity_id",
            "at least one of entity_id, name is required in home.entities; `entty_id` was sent, write `entity_id`",
        ),
    ] {
        let device = Device::of(&app, target).await;
        let refused = device.push(json!([sent])).await.expect(400);
        let problem = &refused["problems"][0];
        assert_eq!(
            (&problem["field"], &problem["message"]),
            (&json!(field), &json!(message))
        );
    }
}

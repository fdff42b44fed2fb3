//! Parents and parts: nested, referred to, sent before or after.

use serde_json::{Value, json};

use super::{Device, coffee, counts, rows};
use crate::support::TestApp;

const LINKS: &str = "SELECT t.source_id, a.name FROM finance.transactions t LEFT JOIN finance.accounts a ON a.id = t.account_id ORDER BY 1";

#[actix_web::test]
async fn a_nested_account_is_made_when_new_and_refreshed_afterwards() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let with_account = |id: &str, account: serde_json::Value| {
        let mut record = coffee(id, -1.0);
        record["account"] = account;
        record
    };
    let answer = device
        .store(json!([
            with_account(
                "a",
                json!({ "id": "acc", "name": "Current", "mask": "1234" })
            ),
            with_account("b", json!({ "id": "acc", "name": "Current" }))
        ]))
        .await;
    assert_eq!(counts(&answer), [2, 0, 0, 0], "parents are not counted");
    device
        .store(json!([with_account(
            "c",
            json!({ "id": "acc", "name": "Current", "balance_current": 10.5 })
        )]))
        .await;
    let accounts = rows(
        &app,
        "SELECT source_id, mask, balance_current::text FROM finance.accounts",
    )
    .await;
    assert_eq!(
        accounts,
        [json!({ "source_id": "acc", "mask": "1234", "balance_current": "10.5000" })]
    );
    assert!(
        rows(&app, LINKS)
            .await
            .iter()
            .all(|link| link["name"] == "Current")
    );
}

#[actix_web::test]
async fn a_reference_is_resolved_when_its_parent_arrives_in_another_push_connection() {
    let app = TestApp::start().await;
    let transactions = Device::of(&app, "finance.transactions").await;
    let accounts = Device::of(&app, "finance.accounts").await;
    let mut early = coffee("early", -1.0);
    early["account_id"] = json!("acc");
    transactions.store(json!([early])).await;
    assert_eq!(
        rows(&app, LINKS).await,
        [json!({ "source_id": "early", "name": null })]
    );
    accounts
        .store(json!([{ "id": "acc", "name": "Savings" }]))
        .await;
    assert_eq!(
        rows(&app, LINKS).await,
        [json!({ "source_id": "early", "name": "Savings" })]
    );
    assert_eq!(
        counts(&transactions.store(json!([early])).await),
        [0, 0, 1, 0]
    );
    let mut late = coffee("late", -1.0);
    late["account_id"] = json!("acc");
    transactions.store(json!([late])).await;
    assert_eq!(rows(&app, LINKS).await[1]["name"], "Savings");
    assert!(
        rows(&app, "SELECT * FROM pending_references")
            .await
            .is_empty()
    );
}

#[actix_web::test]
async fn a_reference_may_be_the_record_s_own_id() {
    let app = TestApp::start().await;
    let accounts = Device::of(&app, "finance.accounts").await;
    accounts
        .store(json!([{ "id": "acc", "name": "Savings" }]))
        .await;
    let id = rows(&app, "SELECT id FROM finance.accounts").await[0]["id"].clone();
    let transactions = Device::of(&app, "finance.transactions").await;
    let mut record = coffee("a", -1.0);
    record["account_id"] = id;
    transactions.store(json!([record])).await;
    assert_eq!(rows(&app, LINKS).await[0]["name"], "Savings");
}

#[actix_web::test]
async fn attachments_follow_their_message() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "mail.messages").await;
    let message = |names: &[&str]| {
        let attachments: Vec<_> = names
            .iter()
            .map(|name| json!({ "part_id": name, "filename": name }))
            .collect();
        json!([{ "id": "m", "subject": "report", "mailbox": { "id": "in", "name": "Inbox", "role": "inbox" }, "attachments": attachments }])
    };
    let live = "SELECT a.filename FROM mail.attachments a JOIN mail.messages m ON m.id = a.message_id WHERE a.deleted_at IS NULL ORDER BY 1";
    device.store(message(&["a.pdf", "b.pdf"])).await;
    assert_eq!(rows(&app, live).await.len(), 2);
    device.store(message(&["b.pdf"])).await;
    assert_eq!(rows(&app, live).await, [json!({ "filename": "b.pdf" })]);
    device.push(json!({ "deleted": ["m"] })).await.expect(200);
    assert!(rows(&app, live).await.is_empty());
}

#[actix_web::test]
async fn a_parent_that_is_null_is_none_and_one_that_is_no_object_is_refused_wherever_it_is_nested()
{
    let app = TestApp::start().await;
    let entities = Device::of(&app, "home.entities").await;
    let history = Device::of(&app, "home.history").await;
    let entity = |area: Value| json!({ "entity_id": "light.hall", "name": "Hall", "area": area });
    let change = |entity: Value| json!({ "id": "1", "state": "on", "changed_at": "2026-03-01T10:00:00Z", "entity": entity });
    for area in [json!("Kitchen"), json!(7), json!(["Kitchen"])] {
        let direct = entities.push(json!([entity(area.clone())])).await;
        let nested = history.push(json!([change(entity(area))])).await;
        for (answer, field) in [(direct, "area"), (nested, "entity.area")] {
            let refused = answer.expect(400);
            let problem = &refused["problems"][0];
            assert_eq!(problem["field"], field, "{refused}");
            assert_eq!(problem["message"], "must be an object with an `id`");
        }
    }
    assert!(rows(&app, "SELECT id FROM home.entities").await.is_empty());
    entities.store(json!([entity(Value::Null)])).await;
    history.store(json!([change(entity(Value::Null))])).await;
    history.store(json!([change(Value::Null)])).await;
    let states = "SELECT h.state, e.name, e.area_id FROM home.history h LEFT JOIN home.entities e ON e.id = h.entity_id";
    assert_eq!(
        rows(&app, states).await,
        [json!({ "state": "on", "name": null, "area_id": null })]
    );
}

#[actix_web::test]
async fn the_parent_of_a_parent_is_stored_with_it() {
    let app = TestApp::start().await;
    let history = Device::of(&app, "home.history").await;
    let change = |id: &str, area: &str| {
        json!({ "id": id, "state": "on", "changed_at": "2026-03-01T10:00:00Z",
            "entity": { "entity_id": "light.hall", "area": { "id": area, "name": area } } })
    };
    let room = "SELECT a.name FROM home.entities e JOIN home.areas a ON a.id = e.area_id";
    history.store(json!([change("1", "Hall")])).await;
    assert_eq!(rows(&app, room).await, [json!({ "name": "Hall" })]);
    history
        .store(json!([change("2", "Hall"), change("3", "Kitchen")]))
        .await;
    assert_eq!(rows(&app, room).await, [json!({ "name": "Kitchen" })]);
}

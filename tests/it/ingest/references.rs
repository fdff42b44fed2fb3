//! Parents and parts: nested, named, sent before or after.

use serde_json::json;

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

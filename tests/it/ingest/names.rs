//! Former names of fields, and the stamp that every record has.

use serde_json::{Value, json};

use super::{Device, rows};
use crate::support::TestApp;

async fn query(app: &TestApp, sector: &str, asked: Value) -> Value {
    let answer = app.post(&format!("/api/data/{sector}"), asked).await;
    answer.expect(200)["rows"].clone()
}

#[actix_web::test]
async fn a_former_name_is_refused_with_the_present_one() {
    let app = TestApp::start().await;
    for (target, record, field, present) in [
        (
            "finance.holdings",
            json!({ "symbol": "A", "as_of": "2026-03-01" }),
            "as_of",
            "day",
        ),
        (
            "mail.messages",
            json!({ "subject": "A", "to_": [] }),
            "to_",
            "to",
        ),
        (
            "mail.messages",
            json!({ "subject": "A", "cc_": [] }),
            "cc_",
            "cc",
        ),
        (
            "mail.messages",
            json!({ "subject": "A", "bcc_": [] }),
            "bcc_",
            "bcc",
        ),
        (
            "contacts.people",
            json!({ "full_name": "A", "source_updated_at": "2026-03-01T00:00:00Z" }),
            "source_updated_at",
            "updated_at",
        ),
    ] {
        let device = Device::of(&app, target).await;
        let refused = device.push(json!([record])).await.expect(400);
        let problem = &refused["problems"][0];
        assert_eq!(problem["field"], field);
        let said = problem["message"].as_str().unwrap();
        assert!(said.ends_with(&format!("send `{present}`")), "{said}");
        let (sector, table) = target.split_once('.').unwrap();
        let asked = json!({ "target": table, "where": { field: { "is_null": false } } });
        if (target, field) != ("finance.holdings", "as_of") {
            let refused = app
                .post(&format!("/api/data/{sector}"), asked)
                .await
                .expect(400);
            let said = refused["message"].as_str().unwrap();
            assert!(
                said.contains(&format!("is called `{present}` now")),
                "{said}"
            );
        }
    }
    // A nested record is read the same way; a name that no field ever had is kept as sent.
    let device = Device::of(&app, "finance.transactions").await;
    let nested = json!([{ "amount": 1, "booked_on": "2026-03-01", "account": { "id": "a", "name": "A", "source_updated_at": "x" } }]);
    let refused = device.push(nested).await.expect(400);
    assert_eq!(refused["problems"][0]["field"], "account.source_updated_at");
    device
        .store(json!([{ "amount": 1, "booked_on": "2026-03-01", "as_of": "spring" }]))
        .await;
    let extra = rows(&app, "SELECT extra FROM finance.transactions").await;
    assert_eq!(extra, [json!({ "extra": { "as_of": "spring" } })]);
}

/// The former name of a holding's day is now the name of every record's stamp: nothing else would report the mistake.
#[actix_web::test]
async fn a_former_name_that_means_something_else_now_is_told() {
    let app = TestApp::start().await;
    let notes = async |target: &str, rest: Value| {
        let mut asked = rest;
        asked["target"] = json!(target);
        let answer = app.post("/api/data/finance", asked).await.expect(200);
        answer["notes"].to_string()
    };
    for rest in [
        json!({ "select": ["as_of", "symbol"] }),
        json!({ "order_by": ["-as_of"] }),
        json!({ "where": { "not": { "as_of": { "gte": "2026-03-01" } } } }),
        json!({ "group_by": ["as_of:month"] }),
    ] {
        let said = notes("holdings", rest.clone()).await;
        assert!(said.contains("is `day` now"), "{rest}: {said}");
        let said = notes("transactions", json!({ "select": ["as_of"] })).await;
        assert!(!said.contains("now"), "{said}");
    }
    let both = json!({ "select": ["as_of", "day"] });
    assert!(!notes("holdings", both).await.contains("is `day` now"));
}

#[actix_web::test]
async fn which_records_their_source_has_changed_since_can_be_asked() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "contacts.people").await;
    device
        .store(json!([
            { "id": "old", "full_name": "Old", "updated_at": "2025-01-01T00:00:00Z" },
            { "id": "new", "full_name": "New", "updated_at": "2026-03-01T10:00:00+01:00" },
            { "id": "untold", "full_name": "Untold" },
        ]))
        .await;
    let since = json!({ "target": "people", "where": { "updated_at": { "gte": "2026-01-01" } }, "select": ["full_name", "updated_at"] });
    assert_eq!(
        query(&app, "contacts", since).await,
        json!([["New", "2026-03-01T09:00:00Z"]])
    );
    let latest =
        json!({ "target": "people", "order_by": ["-updated_at"], "select": ["full_name"] });
    assert_eq!(
        query(&app, "contacts", latest).await,
        json!([["New"], ["Old"], ["Untold"]])
    );
    let id = rows(
        &app,
        "SELECT id FROM contacts.people WHERE source_id = 'new'",
    )
    .await;
    let path = format!("/api/data/contacts/{}", id[0]["id"].as_str().unwrap());
    let record = app.get(&path).await.expect(200).to_string();
    assert!(record.contains("2026-03-01T09:00:00Z"), "{record}");
}

#[actix_web::test]
async fn the_order_of_changes_has_an_index_in_the_tables_that_are_asked_for_it() {
    let app = TestApp::start().await;
    let client = app.database.connect().await;
    client
        .batch_execute("SET enable_seqscan = off; SET enable_sort = off")
        .await
        .unwrap();
    for table in ["contacts.people", "calendar.series", "mail.messages"] {
        let plan = client
            .query(
                &format!(
                    "EXPLAIN SELECT id FROM {table} WHERE user_id = '00000000-0000-4000-8000-000000000001'
                    ORDER BY updated_at DESC NULLS LAST, id DESC LIMIT 10"
                ),
                &[],
            )
            .await
            .unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.get(0)).collect();
        let plan = plan.join("\n");
        assert!(
            plan.contains("updated_at") && !plan.contains("Sort"),
            "{table}: {plan}"
        );
    }
}

#[actix_web::test]
async fn what_the_service_makes_itself_has_no_stamp_of_a_source() {
    let app = TestApp::start().await;
    let days = Device::of(&app, "health.days").await;
    days.store(json!([{ "day": "2026-03-01", "steps": 7, "updated_at": "2026-03-02T00:00:00Z" }]))
        .await;
    let asked_for = json!({ "target": "days", "select": ["steps", "updated_at"] });
    assert_eq!(query(&app, "health", asked_for).await, json!([[7, null]]));
    let bank = Device::of(&app, "finance.accounts").await;
    bank.store(json!([{ "id": "giro", "name": "Giro", "balance_current": 5, "balance_as_of": "2026-03-01T12:00:00Z", "updated_at": "2026-03-01T12:00:00Z" }])).await;
    let asked_for = json!({ "target": "balances", "select": ["day", "updated_at"] });
    assert_eq!(
        query(&app, "finance", asked_for).await,
        json!([["2026-03-01", null]])
    );
    let asked_for = json!({ "target": "accounts", "select": ["updated_at"] });
    assert_eq!(
        query(&app, "finance", asked_for).await,
        json!([["2026-03-01T12:00:00Z"]])
    );
}

//! What docs/pushing.md says about pushing by one's own program.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::TestApp;

/// The text in the section from this line to the end of its block.
fn block(start: &str) -> &'static str {
    let paper = include_str!("../../../docs/pushing.md");
    let (_, section) = paper.split_once("\n## Connections\n").unwrap();
    let (_, block) = section.split_once(start).unwrap();
    block.split("```").next().unwrap()
}

/// The body that a command in it sends.
fn sent(command: &str) -> Value {
    let (_, body) = command.split_once("-d '").unwrap();
    serde_json::from_str(body.split('\'').next().unwrap()).unwrap()
}

#[actix_web::test]
async fn the_push_of_the_paper_is_taken_and_its_key_field_is_the_key() {
    let app = TestApp::start().await;
    let created = app.create_connection(sent(block("```sh\n"))).await;
    let created = created.expect(201);
    let id = created["connections"][0]["id"].as_str().unwrap();
    let secret = created["secret"].as_str().unwrap();
    let push = async |body: &Value| {
        let request = app.request(Method::POST, &format!("/api/ingest/{id}"));
        app.send(request.bearer_auth(secret).json(body))
            .await
            .expect(200)
    };
    let body: Value = serde_json::from_str(block("```json\n")).unwrap();
    let count = body["records"].as_array().unwrap().len();
    let first = push(&body).await;
    assert_eq!(first["inserted"], count);
    assert_eq!(push(&body).await["unchanged"], count);

    let mut changed = body.clone();
    changed["records"][0]["amount"] = json!(-4.2);
    assert_eq!(push(&changed).await["updated"], 1);
    let keys = body["records"].as_array().unwrap().iter();
    let keys: Vec<&Value> = keys.map(|record| &record["id"]).collect();
    let gone = push(&json!({ "records": [], "deleted": keys })).await;
    assert_eq!(gone["deleted"], count);
    // The account that was nested in the record is a record of its own.
    let rows = json!({ "target": "accounts", "select": ["name"] });
    let rows = app.post("/api/data/finance", rows).await.expect(200);
    assert_eq!(rows["rows"], json!([["Cash"]]));
}

#[test]
fn every_field_of_the_papers_push_is_one_of_its_table() {
    let body: Value = serde_json::from_str(block("```json\n")).unwrap();
    let transactions = sextant::catalog::by_target("finance.transactions").unwrap();
    let accounts = sextant::catalog::by_target("finance.accounts").unwrap();
    let is_known = |table: &sextant::catalog::Table, name: &str| {
        ["id", "source_id", "account"].contains(&name)
            || table.fields.iter().any(|field| field.name == name)
    };
    for record in body["records"].as_array().unwrap() {
        let fields = record.as_object().unwrap();
        assert!(fields.contains_key("id"), "{record}");
        assert!(
            fields.keys().all(|name| is_known(transactions, name)),
            "{record}"
        );
        if let Some(account) = record["account"].as_object() {
            assert!(
                account.keys().all(|name| is_known(accounts, name)),
                "{record}"
            );
        }
    }
}

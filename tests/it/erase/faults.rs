//! An erase over a database that fails in the middle: all or nothing is deleted, and the answer says what is known.

use serde_json::{Value, json};

use super::{acts, count, erase, preview};
use crate::faults::Faulty;
use crate::support::postgres_proxy::{Act, When};

const ERASING: &str = r#"DELETE FROM "finance"."transactions""#;
const ROWS: i64 = 300;

async fn fill(faulty: &Faulty) {
    let (id, secret) = faulty.app.push_connection("finance.transactions").await;
    let records: Vec<Value> = (0..ROWS)
        .map(|number| json!({ "id": format!("t{number}"), "amount": -3, "currency": "EUR", "booked_on": "2026-03-01", "account": { "id": "a", "name": "Giro" } }))
        .collect();
    let request = faulty
        .app
        .request(reqwest::Method::POST, &format!("/api/ingest/{id}"));
    faulty
        .app
        .send(request.bearer_auth(secret).json(&records))
        .await
        .expect(200);
}

async fn rows(faulty: &Faulty) -> i64 {
    count(&faulty.app, "SELECT count(*) FROM finance.transactions").await
}

async fn refused(faulty: &Faulty) -> String {
    let answer = faulty
        .app
        .post("/api/erase", json!({ "scope": "all" }))
        .await
        .expect(503);
    answer["message"].as_str().unwrap().to_owned()
}

async fn audit_rows(faulty: &Faulty, least: usize) -> Vec<Value> {
    let acts = acts(&faulty.app, least).await;
    acts.iter()
        .map(|row| json!([row["outcome"], row["result_count"]]))
        .collect()
}

#[actix_web::test]
async fn r040_an_erase_that_failed_has_changed_nothing_and_is_recorded_as_failed() {
    let faults = [
        (When::Statement(ERASING), Act::CutBefore),
        (When::Statement(ERASING), Act::Refuse("55P03")),
        (When::Statement(ERASING), Act::HangUp("57P01")),
        (When::Statement("UPDATE generations"), Act::Refuse("53100")),
        (When::CommitAfter(ERASING), Act::CutBefore),
        (When::CommitAfter(ERASING), Act::Refuse("53100")),
    ];
    let faulty = Faulty::start().await;
    fill(&faulty).await;
    for (when, act) in faults {
        let fault = faulty.way.inject(when, act, 1);
        refused(&faulty).await;
        assert_eq!(fault.count(), 1, "{when:?} {act:?}");
        assert_eq!(rows(&faulty).await, ROWS, "{when:?} {act:?}");
    }
    let failed = audit_rows(&faulty, faults.len()).await;
    assert_eq!(failed, vec![json!(["error", null]); faults.len()]);
    let expected = preview(&faulty.app, json!({ "scope": "all" })).await;
    assert_eq!(
        erase(&faulty.app, json!({ "scope": "all" })).await,
        expected
    );
    assert_eq!(rows(&faulty).await, 0);
}

#[actix_web::test]
async fn r040_an_erase_whose_commit_is_not_answered_says_that_it_may_have_been_done() {
    let faulty = Faulty::start().await;
    fill(&faulty).await;
    let lost = faulty
        .way
        .inject(When::CommitAfter(ERASING), Act::LoseAnswer, 1);
    let said = refused(&faulty).await;
    assert_eq!(lost.count(), 1);
    assert!(said.contains("all of it was erased, or nothing"), "{said}");
    assert_eq!(rows(&faulty).await, 0, "it was committed");
    assert_eq!(audit_rows(&faulty, 1).await, [json!(["error", null])]);
    let again = erase(&faulty.app, json!({ "scope": "all" })).await;
    assert_eq!(again["deleted"], 0, "{again}");
}

#[actix_web::test]
async fn an_erase_that_meets_another_transaction_is_made_again() {
    let faulty = Faulty::start().await;
    fill(&faulty).await;
    faulty
        .way
        .inject(When::Statement(ERASING), Act::Refuse("40001"), 1);
    faulty
        .way
        .inject(When::CommitAfter(ERASING), Act::Refuse("40P01"), 1);
    erase(&faulty.app, json!({ "scope": "all" })).await;
    assert_eq!(rows(&faulty).await, 0);
    assert_eq!(audit_rows(&faulty, 1).await.len(), 1, "one act, one row");
}

/// The sample's connections are removed together, or none of them.
#[actix_web::test]
async fn r039_a_sample_whose_removal_failed_is_there_whole_and_each_connection_tells_of_it() {
    let faulty = Faulty::start().await;
    let app = &faulty.app;
    let loaded = app.post("/api/sample", json!({})).await.expect(201);
    let loaded = loaded["connections"].as_array().unwrap().len();
    let everything = preview(app, json!({ "scope": "all" })).await;
    let remove = || app.send(app.request(reqwest::Method::DELETE, "/api/sample"));
    let fault = faulty
        .way
        .inject(When::Statement(ERASING), Act::Refuse("53100"), 1);
    remove().await.expect(503);
    assert_eq!(fault.count(), 1);
    assert_eq!(preview(app, json!({ "scope": "all" })).await, everything);
    let left = app.connections().await;
    assert_eq!(left.as_array().unwrap().len(), loaded);
    assert_eq!(remove().await.expect(200)["deleted"], everything["deleted"]);
    assert_eq!(app.connections().await, json!([]));
    let rows = app.audit_rows(3 * loaded).await;
    for outcome in ["error", "ok"] {
        let told = rows
            .iter()
            .filter(|row| row["tool"] == "disconnect" && row["outcome"] == outcome);
        let of: std::collections::BTreeSet<String> = told
            .map(|row| row["args"]["connectionId"].to_string())
            .collect();
        assert_eq!(of.len(), loaded, "{outcome}");
    }
}

//! `GET /api/push-tables`: every table that takes pushes, each with an example that can be pushed as it stands.

use reqwest::Method;
use serde_json::json;
use sextant::catalog;

use crate::support::TestApp;

#[actix_web::test]
async fn each_example_is_taken_as_it_stands_and_again_without_a_change() {
    let app = TestApp::start().await;
    let told = app.get("/api/push-tables").await.expect(200);
    let told = told["tables"].as_array().unwrap();
    let targets: Vec<_> = told
        .iter()
        .map(|table| table["target"].as_str().unwrap())
        .collect();
    let mut pushable: Vec<_> = catalog::tables()
        .filter(|table| table.is_pushable())
        .map(catalog::Table::target)
        .collect();
    let mut sorted = targets.clone();
    sorted.sort_unstable();
    pushable.sort_unstable();
    assert_eq!(sorted, pushable);
    assert_eq!(targets[0], "finance.transactions");
    for table in told {
        let target = table["target"].as_str().unwrap();
        let (id, secret) = app.push_connection(target).await;
        for (field, count) in [("inserted", 1), ("unchanged", 1)] {
            let push = app
                .request(Method::POST, &format!("/api/ingest/{id}"))
                .bearer_auth(&secret)
                .json(&json!({ "records": [table["example"]] }));
            let answer = app.send(push).await.expect(200);
            assert_eq!(answer[field], count, "{target}: {answer}");
            assert_eq!(answer["notes"], json!([]), "{target}");
        }
    }
}

use serde_json::{Value, json};
use sextant::catalog;

use super::{SECTORS, agent, answer, reply_of, with_sample};
use crate::mcp::support::Client;
use crate::support::TestApp;

/// A token is four bytes (docs/asking.md#limits), and a sector may take 1,500.
const SECTOR_BYTES_MAX: usize = 1500 * 4;

async fn run_every_example(client: &Client) -> usize {
    let schema = answer(client, "get_schema", &json!({})).await;
    let tables = schema["tables"].as_array().unwrap();
    assert_eq!(tables.len(), catalog::tables().count());
    let mut run = 0;
    for table in tables {
        let examples = table["examples"].as_array().unwrap();
        assert_eq!(examples.len(), 2, "{}", table["target"]);
        for example in examples {
            answer(client, "query", example).await;
            run += 1;
        }
    }
    run
}

#[actix_web::test]
async fn every_printed_example_of_every_table_runs_with_data_and_without() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let run = run_every_example(&client).await;
    app.post("/api/sample", json!({})).await.expect(201);
    assert_eq!(run_every_example(&client).await, run);
    assert_eq!(run, 2 * catalog::tables().count());
}

#[actix_web::test]
async fn a_sector_of_the_sample_is_short_true_and_the_same_twice() {
    let app = with_sample().await;
    let client = agent(&app).await;
    for sector in SECTORS {
        let arguments = json!({"target": sector});
        let text = reply_of(&client, "get_schema", &arguments).await.unwrap();
        assert!(text.len() < SECTOR_BYTES_MAX, "{sector}: {}", text.len());
        assert_eq!(
            reply_of(&client, "get_schema", &arguments).await.unwrap(),
            text
        );
        let schema: Value = serde_json::from_str(&text).unwrap();
        for table in schema["tables"].as_array().unwrap() {
            is_true(&client, table).await;
        }
    }
    let one = answer(
        &client,
        "get_schema",
        &json!({"target": "finance.transactions"}),
    )
    .await;
    let table = &one["tables"][0];
    assert_eq!(one["tables"].as_array().unwrap().len(), 1);
    assert_eq!(table["fields"]["amount"]["type"], "decimal");
    assert_eq!(table["joins"]["account_id"], "accounts.id");
    let values = |field: &str| table["fields"][field]["values"].clone();
    assert_eq!(values("currency"), json!(["EUR"]));
    assert!(!values("category").as_array().unwrap().is_empty());
    for private in [
        "description",
        "counterparty_name",
        "counterparty_account",
        "merchant_name",
    ] {
        assert_eq!(values(private), Value::Null, "{private}");
    }
    let mail = answer(&client, "get_schema", &json!({"target": "mail.messages"})).await;
    let joins = &mail["tables"][0]["joins"];
    assert_eq!(joins["thread_id"], "threads.thread_id");
    let health = answer(&client, "get_schema", &json!({"target": "health.days"})).await;
    assert_eq!(health["tables"][0]["fields"]["weight_kg"]["unit"], "kg");
}

/// Asserts that row counts, ranges and values are those that `query` finds.
async fn is_true(client: &Client, table: &Value) {
    let target = &table["target"];
    let counted = json!({"target": target, "aggregate": {"n": "count"}});
    let counted = answer(client, "query", &counted).await;
    assert_eq!(counted["rows"][0][0], table["rows"], "{target}");
    for (field, described) in table["fields"].as_object().unwrap() {
        let values = described["values"].as_array();
        if table["rows"] == 0 || values.is_none() {
            continue;
        }
        let groups = json!({"target": target, "group_by": [field], "order_by": ["-count", field]});
        let found = answer(client, "query", &groups).await;
        let found: Vec<&Value> = found["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| &row[0])
            .collect();
        let found: Vec<&Value> = found.into_iter().filter(|value| !value.is_null()).collect();
        let told = values.unwrap();
        let left = described["more_values"].as_u64().unwrap_or(0);
        if !found.is_empty() {
            assert!(
                told.iter().all(|value| found.contains(&value)),
                "{target} {field}"
            );
            assert_eq!(
                told.len() as u64 + left,
                found.len() as u64,
                "{target} {field}"
            );
        }
    }
}

#[actix_web::test]
async fn only_a_bounded_number_of_short_values_is_told_the_most_frequent_first() {
    let app = TestApp::start().await;
    let (id, secret) = app.push_connection("health.samples").await;
    let sample = |number: usize, metric: String| {
        json!({"id": format!("{metric} {number}"), "metric": metric, "value": 1,
            "start_at": "2026-01-01T00:00:00Z", "unit": "count"})
    };
    let mut records: Vec<Value> = (0..20)
        .map(|number| sample(0, format!("metric_{number:02}")))
        .collect();
    records.extend((1..4).map(|number| sample(number, "metric_07".to_owned())));
    records.push(sample(0, "x".repeat(41)));
    let pushed = app
        .request(reqwest::Method::POST, &format!("/api/ingest/{id}"))
        .bearer_auth(secret)
        .header("content-type", "application/json")
        .body(json!({"records": records}).to_string());
    app.send(pushed).await.expect(200);
    let client = agent(&app).await;
    let schema = answer(&client, "get_schema", &json!({"target": "health.samples"})).await;
    let metric = &schema["tables"][0]["fields"]["metric"];
    let expected = [
        "metric_07",
        "metric_00",
        "metric_01",
        "metric_02",
        "metric_03",
        "metric_04",
        "metric_05",
        "metric_06",
    ];
    assert_eq!(metric["values"], json!(expected));
    assert_eq!(metric["more_values"], 12);
}

//! `order_by: ["-rank"]`: the best of the newest hits first.

use serde_json::{Value, json};

use super::house::{House, rows};

const TARGET: &str = "mail.messages";

/// This many hits in the text alone, one a minute; older than all of them one with the word twice in its subject; and
/// among the newer ones another with the word in its subject.
const INSERT: &str = "
    INSERT INTO mail.messages (id, user_id, connection_id, source_id, subject, body_text, received_at, is_read)
    SELECT md5(i::text)::uuid, c.user_id, c.id, i::text,
        CASE i WHEN 0 THEN 'Walnut, walnut' WHEN 500 THEN 'The walnut' ELSE 'Letter ' || i END,
        CASE i WHEN 0 THEN 'x' WHEN 500 THEN 'x' ELSE 'There is a walnut' END,
        timestamptz '2026-01-01T00:00:00Z' + i * interval '1 minute', i % 2 = 0
    FROM connections c, generate_series(0, 2100) AS i";

async fn house_with_rows() -> House {
    let house = House::build().await;
    house.connect(TARGET, "Post").await;
    house.owner.batch_execute(INSERT).await.unwrap();
    house
}

fn ranked(more: Value) -> Value {
    let mut arguments =
        json!({"target": TARGET, "select": ["subject"], "search": "walnut", "order_by": ["-rank"]});
    arguments
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    arguments
}

fn noted(answer: &Value, words: &str) -> bool {
    let notes = answer["notes"].as_array().unwrap();
    notes
        .iter()
        .any(|note| note.as_str().unwrap().contains(words))
}

#[actix_rt::test]
async fn the_best_of_the_newest_2000_hits_come_first_and_equal_ones_newest_first() {
    let house = house_with_rows().await;
    let answer = house
        .query(ranked(json!({"limit": 3, "count": true})))
        .await;
    let expected = json!([["The walnut"], ["Letter 2100"], ["Letter 2099"]]);
    assert_eq!(answer["rows"], expected);
    assert_eq!(answer["matched"], 2101, "what is counted is all hits");
    assert_eq!(answer["next_cursor"], Value::Null);
    assert!(noted(&answer, "the newest 2000 hits"), "{answer}");
    assert!(noted(&answer, "more hits than `limit`"), "{answer}");
    let older = json!({"limit": 2, "where": {"received_at": {"lt": "2026-01-02T00:00:00Z"}}});
    let answer = house.query(ranked(older)).await;
    assert_eq!(answer["rows"], json!([["Walnut, walnut"], ["The walnut"]]));
}

#[actix_rt::test]
async fn a_ranking_takes_filters_labels_formats_and_a_budget() {
    let house = house_with_rows().await;
    let unread = json!({"limit": 1, "where": {"is_read": false, "connection": "Post"},
        "select": ["subject", "connection", "id"], "format": "records"});
    let answer = house.query(ranked(unread)).await;
    assert_eq!(answer["rows"][0]["subject"], "Letter 2099");
    assert_eq!(answer["rows"][0]["connection"], "Post");
    let answer = house
        .query(ranked(json!({"limit": 1000, "budget": 500})))
        .await;
    assert!(answer.to_string().len() <= 2000);
    assert_eq!(rows(&answer)[0], [json!("The walnut")]);
    assert_eq!(answer["next_cursor"], Value::Null);
    assert!(noted(&answer, "cut at the budget"), "{answer}");
    let none = house.query(ranked(json!({"search": "hazelnut"}))).await;
    assert_eq!(
        (&none["matched"], &none["empty"]["reason"]),
        (&json!(0), &json!("no_match"))
    );
}

#[actix_rt::test]
async fn a_ranking_of_nothing_or_of_a_further_page_says_what_to_do() {
    let house = house_with_rows().await;
    let fault = house
        .fault("query", json!({"target": TARGET, "order_by": ["-rank"]}))
        .await;
    assert!(fault.contains("there is none: add one"), "{fault}");
    assert!(
        fault.ends_with(r#"Try: {"target":"mail.messages"}"#),
        "{fault}"
    );
    let fault = house.fault("query", ranked(json!({"cursor": "x"}))).await;
    assert!(fault.contains("has no cursor"), "{fault}");
    assert!(
        fault.ends_with(&format!("Try: {}", ranked(json!({})))),
        "{fault}"
    );
}

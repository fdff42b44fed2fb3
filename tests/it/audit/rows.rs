use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;

use super::{args, entry, write};
use crate::support::TestApp;

#[actix_web::test]
async fn r102_a_row_has_all_columns_but_user_id_and_its_id_is_text() {
    let app = TestApp::start().await;
    let mut full = entry("laptop", "query");
    full.args = args(json!({ "target": "mail.messages", "cursor": null, "n": 1.10 }));
    full.result_count = Some(3);
    full.request_id = Some("9".into());
    let id = write(&app.pool, vec![full]).await[0].to_string();

    let row = app.audit_row(&id).await.expect(200);
    assert_eq!(row, app.audit("").await.expect(200)["rows"][0]);
    let created_at = row["created_at"].clone();
    assert!(created_at.as_str().unwrap().ends_with('Z'), "{created_at}");
    let expected = json!({
        "id": id, "agent_id": "laptop", "tool": "query", "sector": "mail", "decision": "allow", "deny_reason": null,
        "args": { "target": "mail.messages", "cursor": null, "n": 1.10 }, "result_count": 3, "outcome": "ok",
        "request_id": "9", "created_at": created_at
    });
    assert_eq!(row, expected);
}

#[actix_web::test]
async fn r044_no_user_id_is_served() {
    let app = TestApp::start().await;
    let id = write(&app.pool, vec![entry("laptop", "query")]).await[0];
    let text = app.audit("").await.text + &app.audit_row(&id.to_string()).await.text;
    assert!(
        !text.contains("user_id") && !text.contains(&OPERATOR.to_string()),
        "{text}"
    );
}

#[actix_web::test]
async fn r006_rows_of_another_user_are_not_seen() {
    let app = TestApp::start().await;
    let other = uuid::Uuid::from_u128(7);
    let client = app.database.connect().await;
    client
        .execute("INSERT INTO users (id) VALUES ($1)", &[&other])
        .await
        .unwrap();
    let mut foreign = entry("theirs", "query");
    foreign.user_id = Some(other);
    let id = write(&app.pool, vec![foreign]).await[0];
    assert_eq!(app.audit("").await.expect(200)["rows"], json!([]));
    app.audit_row(&id.to_string())
        .await
        .expect_problem(404, "not_found", None);
}

#[actix_web::test]
async fn r041_reading_the_record_leaves_no_row() {
    let app = TestApp::start().await;
    let page = app.audit("").await.expect(200);
    assert_eq!(
        (&page["rows"], &page["next"], &page["prev"]),
        (&json!([]), &Value::Null, &Value::Null)
    );
    app.audit_row("1")
        .await
        .expect_problem(404, "not_found", None);
    app.audit_row("x")
        .await
        .expect_problem(404, "not_found", None);
    let (connection, _) = app.push_connection("mail.messages").await;
    app.pause(&connection).await.expect(200);
    assert_eq!(app.audit_rows(1).await.len(), 1);
}

#[actix_web::test]
async fn an_agents_last_call_comes_from_the_counted_record() {
    let app = TestApp::start().await;
    app.key_of("laptop", &[]).await;
    write(&app.pool, vec![entry("laptop", "query")]).await;
    let stamp = app.audit("").await.expect(200)["rows"][0]["created_at"].clone();
    assert_eq!(app.agents().await[0]["lastCallAt"], stamp);
}

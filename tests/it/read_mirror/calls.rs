//! The calls themselves: answers, refusals and audit rows are those of the agent port.

use reqwest::Method;
use serde_json::{Value, json};

use super::call;
use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;
use crate::support::answers::{GRANTED, a_message, calls, household, without_times};

/// A row without its id, stamp and other parts that differ for each call.
fn shape(row: &Value) -> Value {
    let mut shape = row.clone();
    for own in ["id", "created_at", "request_id"] {
        shape.as_object_mut().unwrap().remove(own);
    }
    shape
}

#[actix_web::test]
async fn r070_r043_answers_refusals_and_rows_are_those_of_the_agent_port() {
    let (app, before) = household().await;
    let key = app.key_of("claude", &GRANTED).await;
    let port = Client::new(&format!("http://{}/mcp", app.agents), Some(key.clone()));
    let mut all = calls(&a_message(&app).await);
    all.push(("fetch_live", json!({ "target": "finance" })));
    all.push((
        "fetch_live",
        json!({ "target": "finance.accounts", "timeout_s": 5 }),
    ));
    all.push((
        "fetch_live",
        json!({ "target": "finance", "timeout_s": 61 }),
    ));
    all.push(("fetch_live", json!({ "target": "health" })));
    let mut served = 0;
    for (tool, arguments) in &all {
        let (status, told) = json_of(port.modern_call(tool, arguments.clone())).await;
        assert_eq!(status, 200, "{told}");
        let text = told["result"]["content"][0]["text"].as_str().unwrap();
        let mirrored = app
            .send(call(&app, tool, arguments).bearer_auth(&key))
            .await;
        let case = format!("{tool} {arguments}: {text}");
        if told["result"]["isError"] == true {
            let is_denied = text.starts_with("access denied: ");
            let (status, code) = if is_denied {
                (403, "forbidden")
            } else {
                (400, "invalid")
            };
            let problem = mirrored.expect(status);
            assert_eq!(problem, json!({ "error": code, "message": text }), "{case}");
        } else {
            served += 1;
            assert_eq!(mirrored.status, 200, "{case}");
            assert_eq!(mirrored.headers["content-type"], "application/json");
            assert_eq!(without_times(&mirrored.text), without_times(text), "{case}");
        }
    }
    assert!(served >= 10 && all.len() - served >= 10, "{served}");

    let rows = app.audit_rows(before + 2 * all.len()).await;
    let rows = &rows[before..];
    assert_eq!(rows.len(), 2 * all.len(), "exactly one row a call");
    for pair in rows.chunks(2) {
        assert_eq!(shape(&pair[0]), shape(&pair[1]));
        assert_eq!(pair[0]["request_id"], "7");
        assert_eq!(pair[1]["request_id"], Value::Null);
    }
}

#[actix_web::test]
async fn a_get_takes_its_arguments_from_the_parameters() {
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["home"]).await;
    let get = async |path: &str| {
        let request = app.request(Method::GET, path).bearer_auth(&key);
        app.send(request).await
    };
    let context = get("/api/read/describe_context").await.expect(200);
    assert_eq!(context["sectors"], json!(["home"]));
    let schema = get("/api/read/get_schema?target=home.entities").await;
    assert_eq!(schema.expect(200)["tables"].as_array().unwrap().len(), 1);
    let denied = get("/api/read/get_schema?target=mail").await.expect(403);
    assert_eq!(denied["message"], "access denied: mail");
    let unknown = get("/api/read/describe_context?verbose=1")
        .await
        .expect(400);
    assert!(unknown["message"].as_str().unwrap().contains("\"verbose\""));
    let twice = get("/api/read/get_schema?target=home&target=home").await;
    twice.expect_problem(400, "invalid", None);
    let rows = app.audit_rows(5).await;
    let outcomes: Vec<_> = rows.iter().map(|row| &row["outcome"]).collect();
    let ok = json!("ok");
    let error = json!("error");
    assert_eq!(outcomes, [&ok, &ok, &Value::Null, &error, &error]);
}

#[actix_web::test]
async fn r043_a_call_that_cannot_be_read_leaves_its_one_row() {
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["home"]).await;
    let post = async |body: String| {
        let request = app.request(Method::POST, "/api/read/query");
        app.send(request.bearer_auth(&key).body(body)).await
    };
    let long = format!("{{\"target\":\"{}\"}}", "x".repeat(300 * 1024));
    for (body, status, code) in [
        ("{".to_owned(), 400, "invalid"),
        ("[1]".to_owned(), 400, "invalid"),
        (long, 413, "too_large"),
    ] {
        post(body).await.expect_problem(status, code, None);
    }
    let context = app.request(Method::POST, "/api/read/describe_context");
    app.send(context.bearer_auth(&key)).await.expect(200);
    let rows = app.audit_rows(4).await;
    assert_eq!(rows.len(), 4, "{rows:?}");
    for row in &rows[..3] {
        assert_eq!(
            (&row["tool"], &row["outcome"]),
            (&json!("query"), &json!("error"))
        );
    }
}

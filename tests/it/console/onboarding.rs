//! `/api/onboarding`: the first steps, as they follow from what is there.

use reqwest::Method;
use serde_json::{Value, json};

use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;

async fn onboarding(app: &TestApp) -> Value {
    app.get("/api/onboarding").await.expect(200)
}

/// Whether each step is done: source, agent, call.
async fn steps(app: &TestApp) -> [bool; 3] {
    let onboarding = onboarding(app).await;
    let steps = onboarding["steps"].as_array().unwrap();
    let names: Vec<&Value> = steps.iter().map(|step| &step["id"]).collect();
    assert_eq!(names, ["source", "agent", "call"]);
    let done = [0, 1, 2].map(|at: usize| steps[at]["done"].as_bool().unwrap());
    assert_eq!(onboarding["done"], done == [true; 3]);
    done
}

/// One call at the agent port; its status.
async fn call(app: &TestApp, key: &str) -> u16 {
    let client = Client::new(&format!("http://{}/mcp", app.agents), Some(key.to_owned()));
    json_of(client.modern_call("list_actions", json!({})))
        .await
        .0
}

#[actix_web::test]
async fn the_steps_follow_from_what_is_there() {
    let app = TestApp::start().await;
    let fresh = onboarding(&app).await;
    let none = ["source", "agent", "call"].map(|id| json!({ "id": id, "done": false }));
    let expected =
        json!({ "done": false, "dismissed": false, "steps": none, "refusedKeySince": null });
    assert_eq!(fresh, expected);

    let (connection, secret) = app.push_connection("mail.messages").await;
    assert_eq!(steps(&app).await, [true, false, false]);
    let push = app.request(Method::POST, &format!("/api/ingest/{connection}"));
    app.send(push.bearer_auth(secret).json(&json!([])))
        .await
        .expect(200);
    app.pause(&connection).await.expect(200);
    let key = app.key_of("laptop", &[]).await;
    app.audit_rows(2).await;
    assert_eq!(
        steps(&app).await,
        [true, true, false],
        "neither a push nor an act of the operator is an agent's call"
    );
    assert_eq!(call(&app, &key).await, 200);
    app.audit_rows(3).await;
    let denied = steps(&app).await;
    let key = app.key_of("zebra", &["home"]).await;
    assert_eq!(call(&app, &key).await, 200);
    app.audit_rows(4).await;
    assert_eq!(steps(&app).await, [true; 3], "after {denied:?}");

    app.disconnect(&connection, json!({})).await.expect(200);
    app.remove_agent("laptop").await.expect(200);
    app.remove_agent("zebra").await.expect(200);
    assert_eq!(
        steps(&app).await,
        [false, false, true],
        "a call stays in the audit log"
    );
}

#[actix_web::test]
async fn a_refused_key_is_told_until_an_agent_calls() {
    let app = TestApp::start().await;
    let refused = async || onboarding(&app).await["refusedKeySince"].clone();
    assert_eq!(call(&app, "sxt_wrong").await, 401);
    app.audit_rows(1).await;
    assert_eq!(refused().await, Value::Null, "there is no key to paste");
    let key = app.key_of("laptop", &["home"]).await;
    assert_eq!(refused().await, Value::Null, "it was refused before");

    assert_eq!(call(&app, "sxt_wrong").await, 401);
    let rows = app.audit_rows(2).await;
    assert_eq!(refused().await, rows[1]["created_at"]);
    assert_eq!(steps(&app).await, [false, true, false]);

    assert_eq!(call(&app, &key).await, 200);
    app.audit_rows(3).await;
    assert_eq!(refused().await, Value::Null);

    assert_eq!(call(&app, "sxt_wrong").await, 401);
    let rows = app.audit_rows(4).await;
    assert_eq!(refused().await, rows[3]["created_at"]);
    assert_eq!(steps(&app).await, [false, true, true]);
}

#[actix_web::test]
async fn only_the_dismissal_is_stored_and_nothing_takes_it_back() {
    let app = TestApp::start().await;
    for _ in 0..2 {
        let answer = app.post("/api/onboarding/complete", json!({})).await;
        assert_eq!((answer.status.as_u16(), answer.text.as_str()), (204, ""));
    }
    let everything = json!({ "scope": "all" });
    app.post("/api/erase", everything).await.expect(200);
    let app = app.restart().await;
    let onboarding = onboarding(&app).await;
    assert_eq!(
        (&onboarding["dismissed"], &onboarding["done"]),
        (&json!(true), &json!(false))
    );
    let rows = app.audit_rows(1).await;
    assert_eq!((rows.len(), &rows[0]["tool"]), (1, &json!("erase")));
}

#[actix_web::test]
async fn without_the_database_both_say_so() {
    let app = TestApp::start().await;
    app.lose_database().await;
    for answer in [
        app.get("/api/onboarding").await,
        app.post("/api/onboarding/complete", json!({})).await,
    ] {
        answer.expect_problem(503, "unavailable", None);
    }
}

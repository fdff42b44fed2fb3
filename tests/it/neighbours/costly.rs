//! Queries that are not cheap: limited for one agent and for all agents together, and never at the operator's
//! expense.

use actix_web::rt::spawn;
use futures_util::future::join_all;
use serde_json::{Value, json};
use sextant::db::PoolLimits;

use super::slow::SlowRows;
use super::{call, outcomes};
use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;
use crate::support::eventually::eventually;

/// More than all readers together.
const QUESTIONS: usize = 64;

/// The number of costly queries that one agent may run at once.
fn share() -> usize {
    let cores = std::thread::available_parallelism().unwrap().get();
    (cores / 2).clamp(1, 6)
}

/// Asserts that the other agent's queries and the operator's are answered, cheap and costly ones.
async fn others_are_answered(app: &TestApp, key: &str) {
    for arguments in [
        json!({ "target": "finance.accounts" }),
        json!({ "target": "finance.accounts", "count": true }),
        json!({ "target": "finance.accounts", "group_by": ["currency"] }),
    ] {
        app.send(call(app, key, "query", &arguments))
            .await
            .expect(200);
    }
    the_operator_is_answered(app).await;
}

async fn the_operator_is_answered(app: &TestApp) {
    let counted = json!({ "target": "accounts", "count": true });
    app.post("/api/data/finance", counted).await.expect(200);
    let seen =
        json!({ "tool": "query", "arguments": { "target": "finance.accounts", "count": true } });
    app.post("/api/agents/hog/preview", seen).await.expect(200);
}

#[actix_web::test]
async fn one_agents_costly_questions_take_no_readers_from_the_others_nor_from_the_operator() {
    let app = TestApp::start().await;
    let slow = SlowRows::of(&app).await;
    let [hog, light] = ["hog", "light"].map(|name| app.key_of(name, &["finance"]));
    let (hog, light) = (hog.await, light.await);
    let asked = (0..QUESTIONS / 4).map(|_| call(&app, &hog, "query", &SlowRows::counted()).send());
    let asked = spawn(join_all(asked.collect::<Vec<_>>()));
    slow.until_at_work(share()).await;
    others_are_answered(&app, &light).await;
    // The agent's own cheap queries wait for none of its costly ones.
    let accounts = json!({ "target": "finance.accounts" });
    app.send(call(&app, &hog, "query", &accounts))
        .await
        .expect(200);
    assert_eq!(slow.at_work().await, i64::try_from(share()).unwrap());

    // On the agent port as on the mirror: a call that has waited for five seconds is refused.
    let port = Client::new(&format!("http://{}/mcp", app.agents), Some(hog));
    let (status, told) = json_of(port.modern_call("query", SlowRows::counted())).await;
    assert_eq!((status, &told["result"]["isError"]), (503, &json!(true)));
    let words = told["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        words.starts_with("too many queries are under way"),
        "{words}"
    );

    let refused = QUESTIONS / 4 - share() + 1;
    eventually("whoever waited is told so", async || {
        let rows = app.audit_rows(refused).await;
        outcomes(&rows, "hog", "error").len() == refused
    })
    .await;
    app.revoke_agent("hog").await.expect(200);
    let answers = asked.await.unwrap();
    let mut said = Vec::new();
    for answer in answers {
        let answer = answer.unwrap();
        assert_eq!(answer.status(), 503);
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["error"], "unavailable");
        said.push(body["message"].as_str().unwrap().to_owned());
    }
    let ended = said.iter().filter(|words| *words == "grant changed, retry");
    assert_eq!(ended.count(), share(), "{said:?}");
}

#[actix_web::test]
async fn all_agents_together_leave_the_operator_its_readers() {
    let app = TestApp::start().await;
    let slow = SlowRows::of(&app).await;
    app.key_of("hog", &["finance"]).await;
    let most = PoolLimits::default().other_connections_max;
    let agents = most / share() + 1;
    let mut asked = Vec::new();
    for number in 0..agents {
        let key = app.key_of(&format!("agent-{number}"), &["finance"]).await;
        for _ in 0..share() {
            let question = call(&app, &key, "query", &SlowRows::counted()).send();
            asked.push(spawn(question));
        }
    }
    slow.until_at_work(most).await;
    the_operator_is_answered(&app).await;
    let rows = app.audit_rows(share()).await;
    assert!(rows.iter().all(|row| row["outcome"] == "error"), "{rows:?}");
    assert_eq!(slow.at_work().await, i64::try_from(most).unwrap());
    for number in 0..agents {
        app.revoke_agent(&format!("agent-{number}"))
            .await
            .expect(200);
    }
    for question in asked {
        assert_eq!(question.await.unwrap().unwrap().status(), 503);
    }
}

#[actix_web::test]
async fn a_question_that_costs_too_much_is_refused_with_the_condition_to_drop() {
    let app = TestApp::start().await;
    let key = app.key_of("hog", &["mail"]).await;
    let words = (0..98).map(|word| json!({ "body_text": { "contains": format!("word {word}") } }));
    let bodies: Vec<Value> = words.collect();
    let asked = json!({ "target": "mail.messages", "where": { "is_read": false, "or": bodies }, "count": true });
    let refused = app
        .send(call(&app, &key, "query", &asked))
        .await
        .expect(400);
    let told = refused["message"].as_str().unwrap();
    assert!(
        told.contains("`body_text`") && told.contains("drop"),
        "{told}"
    );
    let (_, right) = told.split_once("Try: ").unwrap();
    let right: Value = serde_json::from_str(right).unwrap();
    assert_eq!(right["where"], json!({ "is_read": false }));
    app.send(call(&app, &key, "query", &right))
        .await
        .expect(200);
    let rows = app.audit_rows(2).await;
    assert_eq!(
        (
            &rows[0]["decision"],
            &rows[0]["outcome"],
            &rows[0]["sector"]
        ),
        (&json!("allow"), &json!("error"), &json!("mail"))
    );
}

//! Sessions after a restart of the service: resumed where they were, unless somebody ended them.

use reqwest::Method;
use serde_json::{Value, json};

use super::support::{Client, Events, body_of, json_of};
use crate::support::TestApp;

struct Agent {
    key: String,
    session: String,
}

fn client(app: &TestApp, agent: &Agent) -> Client {
    Client::new(
        &format!("http://{}/mcp", app.agents),
        Some(agent.key.clone()),
    )
}

/// An agent with a session of the earlier era.
async fn agent(app: &TestApp, name: &str) -> Agent {
    let key = app.key_of(name, &["finance"]).await;
    let mut agent = Agent {
        key,
        session: String::new(),
    };
    agent.session = client(app, &agent).session().await;
    agent
}

/// The status of a request in the agent's session.
async fn status(app: &TestApp, agent: &Agent) -> u16 {
    let request = client(app, agent).in_session(&agent.session, "ping", json!({}));
    body_of(request).await.0
}

async fn amend(app: &TestApp, name: &str, sectors: &[&str]) {
    app.amend_agent(name, json!({ "sectors": sectors }))
        .await
        .expect(200);
}

#[actix_web::test]
async fn a_session_is_taken_up_by_every_later_run_with_its_stream_and_its_name() {
    let mut app = TestApp::start().await;
    let amy = agent(&app, "amy").await;
    let listed = app.sessions("").await;
    app.key_of("bystander", &["finance"]).await;
    for _ in 0..2 {
        app = app.restart().await;
        assert_eq!(
            app.sessions("").await,
            json!([]),
            "nothing is kept before the client comes back"
        );
        let raw = client(&app, &amy);
        let mut stream = Events::open(raw.listen(&amy.session)).await;
        let call = raw.session_call(&amy.session, "describe_context", json!({}));
        assert_eq!(json_of(call).await.1["result"]["isError"], false);
        let taken_up = app.sessions("").await;
        for part in ["id", "agent", "client", "via"] {
            assert_eq!(taken_up[0][part], listed[0][part]);
        }
        assert_eq!(taken_up.as_array().unwrap().len(), 1);
        app.revoke_agent("bystander").await.expect(200);
        let waits = tokio::time::timeout(std::time::Duration::ZERO, stream.next()).await;
        assert!(waits.is_err(), "the stream is open");
    }
}

#[actix_web::test]
async fn r067_what_an_edit_ended_stays_ended_after_a_restart_even_if_the_edit_is_undone() {
    let mut app = TestApp::start().await;
    let mut ended = Vec::new();
    for name in [
        "undone",
        "same",
        "deadline",
        "rotated",
        "made-anew",
        "revoked",
        "removed",
    ] {
        ended.push(agent(&app, name).await);
    }
    let untouched = agent(&app, "untouched").await;
    amend(&app, "undone", &["home"]).await;
    amend(&app, "undone", &["finance"]).await;
    amend(&app, "same", &["finance"]).await;
    for days in [json!(30), Value::Null] {
        app.amend_agent("deadline", json!({ "expiresInDays": days }))
            .await
            .expect(200);
    }
    let rotated = app.rotate_agent("rotated").await.expect(200);
    ended[3].key = rotated["key"].as_str().unwrap().to_owned();
    ended[4].key = app.key_of("made-anew", &["finance"]).await;
    app.revoke_agent("revoked").await.expect(200);
    app.remove_agent("removed").await.expect(200);
    let renewed = client(&app, &ended[0]).session().await;
    for _ in 0..2 {
        app = app.restart().await;
        let mut statuses = Vec::new();
        for agent in &ended {
            statuses.push(status(&app, agent).await);
        }
        assert_eq!(statuses, [404, 404, 404, 404, 404, 401, 401]);
        assert_eq!(app.sessions("").await, json!([]));
        assert_eq!(status(&app, &untouched).await, 200);
        app.revoke_agent("revoked").await.expect(200);
    }
    ended[0].session = renewed;
    assert_eq!(status(&app, &ended[0]).await, 200);
}

#[actix_web::test]
async fn r067_a_session_that_was_taken_up_is_ended_like_any_other_and_for_good() {
    let mut app = TestApp::start().await;
    let (amy, bob) = (agent(&app, "amy").await, agent(&app, "bob").await);
    app = app.restart().await;
    assert_eq!(
        (status(&app, &amy).await, status(&app, &bob).await),
        (200, 200)
    );
    let goodbye = client(&app, &bob)
        .bare(Method::DELETE)
        .header("mcp-session-id", &bob.session);
    assert_eq!(body_of(goodbye).await.0, 204);
    let mut stream = Events::open(client(&app, &amy).listen(&amy.session)).await;
    amend(&app, "amy", &["home"]).await;
    assert_eq!(stream.next().await, None);
    amend(&app, "amy", &["finance"]).await;
    assert_eq!(
        (status(&app, &amy).await, status(&app, &bob).await),
        (404, 404)
    );
    app = app.restart().await;
    assert_eq!(status(&app, &amy).await, 404);
}

#[actix_web::test]
async fn another_agents_key_takes_nothing_up_and_neither_does_an_invented_id() {
    let mut app = TestApp::start().await;
    let (mut amy, bob) = (agent(&app, "amy").await, agent(&app, "bob").await);
    app = app.restart().await;
    let thief = Agent {
        key: bob.key.clone(),
        session: amy.session.clone(),
    };
    assert_eq!(status(&app, &thief).await, 404);
    assert_eq!(status(&app, &amy).await, 200);
    assert_eq!(status(&app, &thief).await, 404);
    let mut letters = amy.session.into_bytes();
    letters[0] = if letters[0] == b'A' { b'B' } else { b'A' };
    amy.session = String::from_utf8(letters).unwrap();
    assert_eq!(status(&app, &amy).await, 404);
    assert_eq!(app.sessions("").await.as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn many_requests_at_once_take_a_session_up_once() {
    let mut app = TestApp::start().await;
    let amy = agent(&app, "amy").await;
    app = app.restart().await;
    let raw = client(&app, &amy);
    let calls = (0..24).map(|number| {
        let params = json!({ "name": "list_actions", "arguments": {} });
        let call =
            json!({ "jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params });
        json_of(raw.post(call).header("mcp-session-id", &amy.session))
    });
    for (status, answer) in futures_util::future::join_all(calls).await {
        assert_eq!(
            (status, &answer["result"]["isError"]),
            (200, &json!(false)),
            "{answer}"
        );
    }
    assert_eq!(app.sessions("").await.as_array().unwrap().len(), 1);
}

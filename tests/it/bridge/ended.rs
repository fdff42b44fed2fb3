//! Whatever ends a key ends its tokens, at once and for good; an edit ends sessions, and the token goes on under the new grant.

use reqwest::Method;
use serde_json::{Value, json};

use super::client::refused;
use super::{HOST, RemoteClient, Tokens, key_of, world};
use crate::exposure::{PUBLIC, call, clear, publish, status_of};
use crate::support::TestApp;

async fn sectors(app: &TestApp, tokens: &Tokens) -> Value {
    let answer = call(app, HOST, &tokens.access).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let answer: Value = answer.json().await.unwrap();
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    serde_json::from_str::<Value>(text).unwrap()["sectors"].clone()
}

#[actix_web::test]
async fn r067_whatever_ends_a_key_ends_access_and_refresh_tokens_at_once() {
    for (what, method, path) in [
        ("rotate", Method::POST, "/api/agents/claude/rotate"),
        ("revoke", Method::POST, "/api/agents/claude/revoke"),
        ("remove", Method::DELETE, "/api/agents/claude"),
    ] {
        let (app, key) = world().await;
        let other = key_of(&app, "other", &["mail"]).await;
        let client = RemoteClient::register(&app).await;
        let (tokens, others) = (client.sign_in(&key).await, client.sign_in(&other).await);
        assert_eq!(status_of(call(&app, HOST, &tokens.access)).await, 200);
        assert_eq!(
            app.sessions("?agent=claude")
                .await
                .as_array()
                .unwrap()
                .len(),
            1
        );
        assert!(
            app.send(app.request(method, path))
                .await
                .status
                .is_success()
        );
        assert_eq!(
            status_of(call(&app, HOST, &tokens.access)).await,
            401,
            "{what}"
        );
        let refreshed = client.refresh(&tokens.refresh).await;
        assert_eq!(
            refreshed.unwrap_err(),
            refused(400, "invalid_grant"),
            "{what}"
        );
        assert_eq!(app.sessions("?agent=claude").await, json!([]), "{what}");
        assert_eq!(
            status_of(call(&app, HOST, &others.access)).await,
            200,
            "{what}"
        );
        // A restart brings nothing back.
        let app = app.restart().await;
        assert_eq!(
            status_of(call(&app, HOST, &tokens.access)).await,
            401,
            "{what}"
        );
        assert_eq!(
            status_of(call(&app, HOST, &others.access)).await,
            200,
            "{what}"
        );
    }
}

#[actix_web::test]
async fn r067_an_edit_ends_the_sessions_and_the_tokens_next_request_runs_under_the_new_grant() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let tokens = client.sign_in(&key).await;
    assert_eq!(sectors(&app, &tokens).await, json!(["mail"]));
    let edited = app
        .amend_agent("claude", json!({ "sectors": ["home", "finance"] }))
        .await;
    assert_eq!(edited.expect(200)["sessionsEnded"], 1);
    assert_eq!(sectors(&app, &tokens).await, json!(["finance", "home"]));
    let refreshed = client.refresh(&tokens.refresh).await.unwrap();
    let edited = app
        .amend_agent("claude", json!({ "expiresInDays": 1 }))
        .await;
    assert_eq!(edited.expect(200)["sessionsEnded"], 1);
    assert_eq!(sectors(&app, &refreshed).await, json!(["finance", "home"]));
}

#[actix_web::test]
async fn a_token_ends_with_its_keys_deadline_at_the_latest_and_with_the_public_address() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let tokens = client.sign_in(&key).await;
    assert!(tokens.expires_in <= 12 * 3600, "{tokens:?}");
    let code = client.code(&key).await;
    let cleared = clear(&app).await;
    assert_eq!(cleared["signInsEnded"], 1);
    publish(&app, PUBLIC).await;
    assert_eq!(status_of(call(&app, HOST, &tokens.access)).await, 401);
    assert_eq!(
        client.refresh(&tokens.refresh).await.unwrap_err(),
        refused(401, "invalid_client")
    );
    assert_eq!(
        client.exchange(&code).await.unwrap_err(),
        refused(401, "invalid_client")
    );
    let client = RemoteClient::register(&app).await;
    let tokens = client.sign_in(&key).await;
    let local = app.agents.to_string();
    assert_eq!(status_of(call(&app, &local, &tokens.access)).await, 200);
    clear(&app).await;
    assert_eq!(
        status_of(call(&app, &local, &tokens.access)).await,
        401,
        "also by a name that is left"
    );
}

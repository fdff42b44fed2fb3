//! Edits while many calls are made.

use std::cell::Cell;
use std::rc::Rc;

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use super::support::client::json_in;
use super::support::{Client, Port, json_of, soon};

/// Callers at one time.
const CALLERS: usize = 3;
const EDITS: usize = 20;

/// Status and answer; `None` where an edit has reset the connection, which it does to one that still holds bytes of the old grant.
async fn unless_reset(request: RequestBuilder) -> Option<(u16, Value)> {
    let answer = request.send().await.ok()?;
    let status = answer.status().as_u16();
    Some((status, json_in(&answer.text().await.ok()?)))
}

/// Calls in the two eras in turn until stopped; every answer is a result, or one of the refusals that an edit may
/// cause.
async fn press_on(agent: Rc<Client>, stop: Rc<Cell<bool>>) -> usize {
    let mut answered = 0;
    while !stop.get() {
        let called = unless_reset(agent.modern_call("describe_context", json!({})));
        let Some((status, answer)) = called.await else {
            continue;
        };
        assert_eq!(status, 200, "{answer}");
        assert!(
            answer["result"].is_object() || answer["error"]["code"] == -31001,
            "{answer}"
        );
        answered += 1;
        let Ok(opened) = agent.initialize("2025-11-25").send().await else {
            continue;
        };
        let Some(session) = opened.headers().get("mcp-session-id") else {
            continue;
        };
        let session = session.to_str().unwrap().to_owned();
        let called = unless_reset(agent.session_call(&session, "describe_context", json!({})));
        let Some((status, answer)) = called.await else {
            continue;
        };
        let cut = answer["error"]["code"] == -31001 || status == 404;
        assert!(answer["result"].is_object() || cut, "{status} {answer}");
    }
    answered
}

async fn sectors_seen(agent: &Client) -> Value {
    let (_, answer) = json_of(agent.modern_call("describe_context", json!({}))).await;
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    serde_json::from_str::<Value>(text).unwrap()["sectors"].clone()
}

#[actix_web::test]
async fn r504_r067_no_call_after_an_edit_is_served_under_the_old_grant() {
    let port = Port::start().await;
    let agent = Rc::new(port.agent("claude", &[]).await);
    let stop = Rc::new(Cell::new(false));
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| actix_web::rt::spawn(press_on(agent.clone(), stop.clone())))
        .collect();
    for edit in 0..EDITS {
        let sectors: &[&str] = if edit % 2 == 0 {
            &["finance"]
        } else {
            &["mail", "home"]
        };
        port.amend("claude", sectors).await;
        assert_eq!(sectors_seen(&agent).await, json!(sectors));
    }
    stop.set(true);
    for caller in callers {
        assert!(soon("a caller stops", caller).await.unwrap() > 0);
    }
    port.stop().await;
}

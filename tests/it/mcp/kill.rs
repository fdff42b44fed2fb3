//! An edit ends what is alive: the five live things of docs/asking.md#when-a-grant-changes, in both eras, and no
//! other agent's.

use chrono::TimeDelta;
use serde_json::json;
use sextant_actors::clock::Clock;
use sextant_actors::domain::{AgentKey, Digest};
use sextant_actors::grants::IssuedAccess;
use sextant_actors::ports::GrantChange;
use uuid::Uuid;

use super::support::{Client, Events, Port, TestToolService, body_of, json_of, soon};

async fn port_with_agents() -> (Port, Client, Client) {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance", "health"]).await;
    let bystander = port.agent("chatgpt", &["finance", "health"]).await;
    (port, agent, bystander)
}

#[actix_web::test]
async fn r067_an_edit_ends_the_session_stream_and_only_its_own() {
    let (port, agent, bystander) = port_with_agents().await;
    let session = agent.session().await;
    let untouched = bystander.session().await;
    let mut stream = Events::open(agent.listen(&session)).await;
    let mut other = Events::open(bystander.listen(&untouched)).await;
    assert_eq!(port.amend("claude", &["finance"]).await, 1);
    assert_eq!(stream.next().await, None);
    assert_eq!(
        body_of(agent.in_session(&session, "ping", json!({})))
            .await
            .0,
        404
    );
    assert_eq!(
        body_of(bystander.in_session(&untouched, "ping", json!({})))
            .await
            .0,
        200
    );
    let bystander_waits = tokio::time::timeout(std::time::Duration::ZERO, other.next()).await;
    assert!(bystander_waits.is_err(), "the other agent's stream is open");
    assert_eq!(body_of(agent.initialize("2025-11-25")).await.0, 200);
    port.stop().await;
}

#[actix_web::test]
async fn r067_an_edit_ends_a_call_in_a_session_with_an_error_event() {
    let (port, agent, _) = port_with_agents().await;
    let session = agent.session().await;
    let call = agent.session_call(&session, "query", TestToolService::endless());
    let mut stream = Events::open(call).await;
    port.tool_service.wait_for_call().await;
    assert_eq!(port.amend("claude", &["finance"]).await, 1);
    let last = stream.next().await.unwrap();
    assert_eq!(
        (&last["id"], &last["error"]["code"]),
        (&json!(7), &json!(-31001))
    );
    assert_eq!(last["error"]["message"], "grant changed, retry");
    assert_eq!(stream.next().await, None);
    port.tool_service.wait_for_abandonment().await;
    let rows = port.audit.wait_for(1).await;
    assert_eq!((rows.len(), rows[0].result_count), (1, None));
    port.stop().await;
}

#[actix_web::test]
async fn r067_an_edit_answers_a_stateless_call_under_way_with_200_and_an_error() {
    let (port, agent, _) = port_with_agents().await;
    let call = agent.modern_call("query", TestToolService::endless());
    let call = actix_web::rt::spawn(json_of(call));
    port.tool_service.wait_for_call().await;
    assert_eq!(port.amend("claude", &["finance"]).await, 1);
    let (status, answer) = call.await.unwrap();
    assert_eq!((status, &answer["error"]["code"]), (200, &json!(-31001)));
    assert_eq!(answer["id"], 7);
    port.tool_service.wait_for_abandonment().await;
    let (_, context) = json_of(agent.modern_call("describe_context", json!({}))).await;
    assert_eq!(
        context["result"]["content"][0]["text"],
        r#"{"sectors":["finance"]}"#
    );
    port.stop().await;
}

#[actix_web::test]
async fn r067_an_edit_ends_a_listen_stream_with_its_final_result() {
    let (port, agent, _) = port_with_agents().await;
    let listen = agent.modern(
        "subscriptions/listen",
        json!({ "notifications": { "toolsListChanged": true } }),
    );
    let mut stream = Events::open(listen).await;
    let acknowledged = stream.next().await.unwrap();
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    assert_eq!(acknowledged["params"]["notifications"], json!({}));
    assert_eq!(
        acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        7
    );
    assert_eq!(port.amend("claude", &["finance"]).await, 1);
    let last = stream.next().await.unwrap();
    assert_eq!(
        (&last["id"], &last["result"]["resultType"]),
        (&json!(7), &json!("complete"))
    );
    assert_eq!(
        last["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        7
    );
    assert_eq!(stream.next().await, None);
    port.stop().await;
}

#[actix_web::test]
async fn r504_an_edit_cuts_an_answer_that_is_half_sent() {
    let (port, agent, _) = port_with_agents().await;
    let session = agent.session().await;
    let mut answers = Vec::new();
    for call in [
        agent.modern_call("query", TestToolService::huge()),
        agent.session_call(&session, "query", TestToolService::huge()),
    ] {
        let mut answer = call.send().await.unwrap();
        soon("the answer begins", begin(&mut answer)).await;
        answers.push(answer);
    }
    assert_eq!(port.amend("claude", &["finance"]).await, 2);
    for answer in answers {
        assert!(soon("the cut", answer.bytes()).await.is_err());
    }
    port.stop().await;
}

/// Reads until some of the data has come, past any priming event.
async fn begin(answer: &mut reqwest::Response) {
    while !answer.chunk().await.unwrap().unwrap().ends_with(b"xxx") {}
}

#[actix_web::test]
async fn r067_after_a_revocation_the_next_request_is_a_401_in_both_eras() {
    let (port, agent, _) = port_with_agents().await;
    let session = agent.session().await;
    assert_eq!(body_of(agent.modern("tools/list", json!({}))).await.0, 200);
    assert_eq!(port.edit("claude", GrantChange::Revoke).await, 2);
    assert_eq!(
        body_of(agent.in_session(&session, "ping", json!({})))
            .await
            .0,
        401
    );
    assert_eq!(body_of(agent.modern("tools/list", json!({}))).await.0, 401);
    port.stop().await;
}

#[actix_web::test]
async fn r067_rotate_and_remove_end_sessions_too() {
    let (port, agent, _) = port_with_agents().await;
    let session = agent.session().await;
    let mut stream = Events::open(agent.listen(&session)).await;
    let key = AgentKey::mint().unwrap();
    assert_eq!(
        port.edit("claude", GrantChange::Rotate { key: key.digest() })
            .await,
        1
    );
    assert_eq!(stream.next().await, None);
    assert_eq!(
        body_of(agent.in_session(&session, "ping", json!({})))
            .await
            .0,
        401
    );
    let agent = Client::new(&port.url, Some(key.reveal()));
    assert_eq!(
        body_of(agent.in_session(&session, "ping", json!({})))
            .await
            .0,
        404
    );
    let mut stream = Events::open(agent.listen(&agent.session().await)).await;
    assert_eq!(port.edit("claude", GrantChange::Remove).await, 1);
    assert_eq!(stream.next().await, None);
    assert_eq!(body_of(agent.initialize("2025-11-25")).await.0, 401);
    port.stop().await;
}

#[actix_web::test]
async fn a_deadline_that_passes_ends_what_is_alive() {
    let (port, agent, _) = port_with_agents().await;
    let deadline = port.clock.now() + chrono::Duration::minutes(2);
    let change = GrantChange::Amend {
        sectors: None,
        expires_at: Some(Some(deadline)),
    };
    port.edit("claude", change).await;
    let mut stream = Events::open(agent.listen(&agent.session().await)).await;
    let call = actix_web::rt::spawn(json_of(
        agent.modern_call("query", TestToolService::endless()),
    ));
    port.tool_service.wait_for_call().await;
    port.clock.advance(chrono::Duration::minutes(3));
    assert_eq!(stream.next().await, None);
    assert_eq!(
        soon("the call's end", call).await.unwrap().1["error"]["code"],
        -31001
    );
    port.stop().await;
}

#[actix_web::test]
async fn a_stop_ends_every_stream() {
    let (port, agent, _) = port_with_agents().await;
    let session = agent.session().await;
    let mut stream = Events::open(agent.listen(&session)).await;
    port.tree.close_sessions().await;
    assert_eq!(stream.next().await, None);
    port.stop().await;
}

#[actix_web::test]
async fn r067_what_a_token_opened_ends_as_what_its_key_opened() {
    let (port, agent, _) = port_with_agents().await;
    let key = Digest::of(agent.key.as_deref().unwrap());
    port.tree.grants.publish_tokens(&[IssuedAccess {
        token: Digest::of("sxa_token"),
        key,
        sign_in: Uuid::from_u128(1),
        expires_at: port.clock.now() + TimeDelta::hours(1),
    }]);
    let remote = Client::new(&port.url, Some("sxa_token".to_owned()));
    let session = remote.session().await;
    let mut stream = Events::open(remote.listen(&session)).await;
    let call = remote.modern_call("query", TestToolService::endless());
    let call = actix_web::rt::spawn(json_of(call));
    port.tool_service.wait_for_call().await;
    assert_eq!(port.amend("claude", &["finance"]).await, 2);
    assert_eq!(stream.next().await, None);
    let (status, answer) = call.await.unwrap();
    assert_eq!((status, &answer["error"]["code"]), (200, &json!(-31001)));
    let ping = remote.in_session(&session, "ping", json!({}));
    assert_eq!(body_of(ping).await.0, 404);
    let (_, context) = json_of(remote.modern_call("describe_context", json!({}))).await;
    let seen = &context["result"]["content"][0]["text"];
    assert_eq!(seen, r#"{"sectors":["finance"]}"#, "the new grant");
    assert_eq!(port.edit("claude", GrantChange::Revoke).await, 1);
    assert_eq!(body_of(remote.modern("tools/list", json!({}))).await.0, 401);
    assert_eq!(body_of(remote.initialize("2025-11-25")).await.0, 401);
    port.stop().await;
}

//! Clients that never end their session, or never complete the handshake: what remains of them on our side and in
//! rmcp.

use chrono::Duration;
use reqwest::Method;
use serde_json::json;
use sextant_actors::limits::TreeLimits;

use super::support::{Events, Port, TestToolService, body_of, client::send};
use crate::support::eventually::eventually;

const HANDSHAKES: usize = 1_000;
const CAP: usize = 32;

/// Asserts that the tables of the registry, the leases and rmcp all hold this many sessions.
async fn expect_held(port: &Port, count: usize) {
    eventually(&format!("{count} sessions are held"), async || {
        port.transports.held().await == (count, count) && port.sessions("claude").await == count
    })
    .await;
}

#[actix_web::test]
async fn a_thousand_handshakes_without_a_goodbye_leave_nothing() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance"]).await;
    for turn in 0..HANDSHAKES {
        // Every other handshake stays incomplete: `notifications/initialized` is never sent.
        if turn % 2 == 0 {
            agent.session().await;
        } else {
            assert_eq!(body_of(agent.initialize("2025-06-18")).await.0, 200);
        }
    }
    expect_held(&port, CAP).await;
    port.clock.advance(Duration::minutes(5));
    expect_held(&port, 0).await;
    assert!(port.audit.rows().is_empty());
    port.stop().await;
}

#[actix_web::test]
async fn the_oldest_idle_session_makes_room_and_a_busy_one_never() {
    let limits = TreeLimits {
        sessions_per_agent_max: 3,
        ..TreeLimits::default()
    };
    let port = Port::start_with(limits).await;
    let agent = port.agent("claude", &["health"]).await;
    let busy = agent.session().await;
    let call = agent.session_call(&busy, "query", TestToolService::endless());
    let mut call = Events::open(call).await;
    port.tool_service.wait_for_call().await;
    port.clock.advance(Duration::seconds(1));
    let (older, newer) = (agent.session().await, agent.session().await);
    let mut stream = Events::open(agent.listen(&newer)).await;
    port.clock.advance(Duration::seconds(1));
    let ping = |session: &str| body_of(agent.in_session(session, "ping", json!({})));
    // The session that was opened first has been used last.
    assert_eq!(ping(&older).await.0, 200);
    let another = agent.session().await;
    assert_eq!(stream.next().await, None);
    for kept in [&busy, &older, &another] {
        assert_eq!(ping(kept).await.0, 200);
    }
    expect_held(&port, 3).await;
    // The first one is used again, so that another is the least recently used.
    port.clock.advance(Duration::seconds(1));
    for kept in [&older, &newer, &older] {
        assert_eq!(ping(kept).await.0, 200);
    }
    expect_held(&port, 3).await;
    let waits = tokio::time::timeout(std::time::Duration::ZERO, call.next()).await;
    assert!(waits.is_err(), "the busy session's call goes on");
    port.stop().await;
}

#[actix_web::test]
async fn one_agents_sessions_make_no_room_for_anothers() {
    let limits = TreeLimits {
        sessions_per_agent_max: 2,
        ..TreeLimits::default()
    };
    let port = Port::start_with(limits).await;
    let agent = port.agent("claude", &["health"]).await;
    let other = port.agent("chatgpt", &["health"]).await;
    let theirs = [other.session().await, other.session().await];
    for _ in 0..5 {
        agent.session().await;
    }
    for session in &theirs {
        let ping = other.in_session(session, "ping", json!({}));
        assert_eq!(body_of(ping).await.0, 200);
    }
    port.stop().await;
}

#[actix_web::test]
async fn a_session_that_was_never_finished_opening_ends_like_any_other() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance"]).await;
    let half = async || {
        let opened = send(agent.initialize("2025-11-25")).await;
        opened.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned()
    };
    // Ended by its client, by an edit, and by being idle.
    let goodbye = agent
        .bare(Method::DELETE)
        .header("mcp-session-id", half().await);
    assert_eq!(body_of(goodbye).await.0, 204);
    expect_held(&port, 0).await;
    let mut stream = Events::open(agent.listen(&half().await)).await;
    assert_eq!(port.amend("claude", &["mail"]).await, 1);
    assert_eq!(stream.next().await, None);
    expect_held(&port, 0).await;
    let mut stream = Events::open(agent.listen(&half().await)).await;
    port.clock.advance(Duration::minutes(5));
    assert_eq!(stream.next().await, None);
    expect_held(&port, 0).await;
    port.stop().await;
}

#[actix_web::test]
async fn a_client_that_leaves_in_its_handshake_leaves_nothing_for_long() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance"]).await;
    for _ in 0..CAP / 2 {
        // Disconnected as soon as the head of the answer has come, and as soon as the request was sent.
        drop(send(agent.initialize("2025-11-25")).await);
        let sent = actix_web::rt::spawn(agent.initialize("2025-11-25").send());
        tokio::task::yield_now().await;
        sent.abort();
    }
    // A session that is opened late becomes idle later.
    eventually("nothing is left", async || {
        port.clock.advance(Duration::minutes(5));
        port.transports.held().await == (0, 0) && port.sessions("claude").await == 0
    })
    .await;
    port.stop().await;
}

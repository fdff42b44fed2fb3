//! A conversation that pauses for longer than a session may be idle: it goes on in every client, since few would open
//! a new session.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sextant_actors::clock::FrozenClock;

use super::{connected, url};
use crate::mcp::support::{Client, Events};
use crate::support::app::settings;
use crate::support::clients::{Conversation, Peer, installed};
use crate::support::{TestApp, TestDatabase};

async fn each_is_answered(chats: &mut [Conversation]) {
    for chat in chats {
        let told = chat.call("list_actions", &json!({})).await;
        assert_eq!(told["error"], false, "{}: {told}", chat.peer);
    }
}

#[actix_web::test]
async fn a_chat_that_pauses_for_long_goes_on_in_every_client() {
    let now: DateTime<Utc> = "2026-03-17T12:00:00Z".parse().unwrap();
    let clock = FrozenClock::at(now);
    let database = TestDatabase::create().await;
    let app = TestApp::start_on(database, settings(), Arc::new(clock.clone())).await;
    let key = app.key_of("claude", &["finance"]).await;
    let mut peers = installed("a_chat_that_pauses_for_long");
    peers.retain(Peer::keeps_its_connection);
    let mut chats = connected(peers, &url(&app), &key).await;
    each_is_answered(&mut chats).await;
    for _ in 0..2 {
        // All idle sessions end at once, and this one shows when.
        let raw = Client::new(&url(&app), Some(key.clone()));
        let mut stream = Events::open(raw.listen(&raw.session().await)).await;
        clock.advance(TimeDelta::minutes(6));
        assert_eq!(stream.next().await, None);
        each_is_answered(&mut chats).await;
    }
}

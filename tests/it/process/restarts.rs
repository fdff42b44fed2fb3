//! The service restarted during every real client's conversation: no client notices.

use std::path::Path;

use futures_util::future::join_all;
use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Service, Setup};
use crate::support::clients::{Conversation, Peer, installed};
use crate::support::users::in_scratch;

fn port(url: &str) -> String {
    reqwest::Url::parse(url)
        .unwrap()
        .port()
        .unwrap()
        .to_string()
}

/// Starts the service again on the same ports.
async fn started_again(home: &Path, ports: &[String; 2]) -> Service {
    let setup = Setup::in_home(home);
    let setup = setup.env("REST_PORT", &ports[0]).env("MCP_PORT", &ports[1]);
    setup.start().await
}

async fn each_is_answered(chats: &mut [Conversation], when: &str) {
    for chat in chats {
        let told = chat.call("describe_context", &json!({})).await;
        assert_eq!(told["error"], false, "{} {when}: {told}", chat.peer);
        let text = told["text"][0].as_str().unwrap();
        let context: Value = serde_json::from_str(text).unwrap();
        assert_eq!(context["sectors"], json!(["home"]));
    }
}

/// The client names of the live sessions.
async fn clients(service: &Service) -> Vec<String> {
    let listed = service.call(Method::GET, "/api/sessions", None, 200).await;
    let listed = listed["sessions"].as_array().unwrap();
    let mut names: Vec<_> = listed
        .iter()
        .map(|session| session["client"].to_string())
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn a_restart_in_the_middle_of_a_chat_needs_no_step_in_any_client() {
    in_scratch(async |home| {
        let mut service = Setup::in_home(home).start().await;
        let ports = [port(&service.console), port(&service.agents)];
        let key = service.key("claude", &["home"]).await;
        let mut peers = installed("a_restart_in_the_middle_of_a_chat");
        peers.retain(Peer::keeps_its_connection);
        let connecting = peers
            .into_iter()
            .map(|peer| peer.connect(&service.agents, &key));
        let mut chats = join_all(connecting).await;
        each_is_answered(&mut chats, "at first").await;
        let known = clients(&service).await;
        service.stop(Signal::SIGTERM).await;
        service = started_again(home, &ports).await;
        each_is_answered(&mut chats, "after a stop").await;
        assert_eq!(clients(&service).await, known);
        service.signal(Signal::SIGKILL);
        service.wait_for_end().await;
        service = started_again(home, &ports).await;
        each_is_answered(&mut chats, "after a kill").await;
        each_is_answered(&mut chats, "once more").await;
        assert_eq!(clients(&service).await, known);
        service.stop(Signal::SIGTERM).await;
    });
}

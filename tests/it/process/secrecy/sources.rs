//! Credentials of sources: one that is taken, and such as are refused.

use reqwest::Method;
use serde_json::{Value, json};

use super::Run;
use super::markers::Kind;
use super::sweep::{self, Place};
use crate::support::dav_server::{DavServer, PASSWORD, Peer, USER};

/// Plants them. What is returned keeps the source alive; without one, only what is refused is planted.
pub async fn plant(run: &mut Run) -> Option<DavServer> {
    for (provider, fields) in [
        ("own_server", &["dav", "imap", "user", "password", "ca"][..]),
        ("icloud", &["account", "password"]),
        ("home_assistant", &["address", "token", "ca"]),
    ] {
        for field in fields {
            refused(run, provider, field).await;
        }
    }
    let name = "r028_nothing_planted_leaks_into_a_log_an_answer_a_file_a_process_or_the_record";
    let server = Peer::Radicale.start(name).await?;
    run.markers
        .know(Kind::Secret, "a source's password", PASSWORD);
    let id = taken(run, &server).await;
    let body = json!({ "credentials": entered(&server, PASSWORD) });
    let path = format!("/api/signins/{id}");
    post(run, &format!("{path}/credentials"), &body, 200).await;
    let word = run
        .markers
        .word(Kind::Stray, "a password that the source refuses");
    let body = json!({ "credentials": entered(&server, &word) });
    post(run, &format!("{path}/credentials"), &body, 400).await;
    post(run, "/api/key/rotate", &json!({}), 200).await;
    for path in [path.as_str(), "/api/providers", "/api/connections"] {
        let request = run.service.request(Method::GET, path);
        run.expect(Place::Reading, request, 200).await;
    }
    Some(server)
}

/// What the key's file holds is a secret too, and stands there alone.
pub fn know_key(run: &mut Run) {
    let path = run.service.home().join("data/credentials.key");
    if let Ok(key) = std::fs::read_to_string(path) {
        run.markers.know(Kind::Secret, sweep::KEY, key.trim());
    }
}

async fn refused(run: &mut Run, provider: &str, field: &str) {
    let word = run
        .markers
        .word(Kind::Stray, &format!("{field} of {provider}"));
    for text in [
        format!("{word} \u{0}"),
        format!("ftp://{word}@/"),
        word.repeat(200),
    ] {
        let body = json!({ "provider": provider, "credentials": { field: text } });
        post(run, "/api/connections", &body, 400).await;
    }
}

async fn taken(run: &mut Run, server: &DavServer) -> String {
    let body = json!({ "provider": "own_server", "credentials": entered(server, PASSWORD) });
    let made = post(run, "/api/connections", &body, 201).await;
    let made: Value = serde_json::from_str(&made).unwrap();
    made["signInId"].as_str().unwrap().to_owned()
}

fn entered(server: &DavServer, password: &str) -> Value {
    let authority = std::fs::read_to_string(&server.certificates.authority).unwrap();
    let address = server.typed();
    json!({ "dav": address.as_str(), "user": USER, "password": password, "ca": authority })
}

async fn post(run: &mut Run, path: &str, body: &Value, status: u16) -> String {
    let request = run.service.request(Method::POST, path).json(body);
    run.expect(Place::Console, request, status).await
}

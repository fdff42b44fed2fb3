//! Clients that are known by a document at an address of theirs: what is fetched, from where, and what never is.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use sextant::app::Settings;
use sextant::bridge::{BridgeOptions, DocumentWay};
use sextant_connectors::guard::{Diversions, Domain, Trust};
use tempfile::TempDir;

use super::client::CALLBACK;
use super::{RemoteClient, key_of, world};
use crate::exposure::{PUBLIC, publish};
use crate::support::TestApp;
use crate::support::app::{Answer, settings};
use crate::support::certificates;
use crate::support::sink::Sink;

const ID: &str = "https://client.example/me.json";

/// The service, and a server under the client's name that answers each request as a test wants.
struct World {
    app: TestApp,
    client: RemoteClient,
    sink: Sink,
    _certificates: TempDir,
}

impl World {
    /// `None` without OpenSSL.
    async fn start(
        test: &str,
        answers: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static,
    ) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = "subjectAltName=DNS:client.example,DNS:other.example";
        let made = certificates::make(folder.path(), names);
        let sink = Sink::start(Some((&made.server, &made.server_key)), answers).await;
        let authority = std::fs::read(&made.authority).unwrap();
        let documents = DocumentWay {
            names: Diversions::new([(Domain::parse("client.example").unwrap(), sink.address)]),
            trust: Some(Trust::with_authorities(&authority).unwrap()),
        };
        let app = TestApp::start_with(Settings {
            bridge: BridgeOptions {
                documents,
                ..BridgeOptions::default()
            },
            ..settings()
        })
        .await;
        publish(&app, PUBLIC).await;
        let mut client = RemoteClient::unregistered(&app);
        client.id = ID.to_owned();
        Some(Self {
            app,
            client,
            sink,
            _certificates: folder,
        })
    }

    async fn ask(&self, id: &str) -> Answer {
        self.client.ask(&[("client_id", id)]).await
    }
}

fn document(changes: &Value) -> Value {
    let mut told = json!({
        "client_id": ID, "client_name": "Known by its document", "redirect_uris": [CALLBACK],
    });
    for (name, value) in changes.as_object().unwrap() {
        told[name] = value.clone();
    }
    told
}

fn answer(status: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close");
    format!("{head}\r\n\r\n{body}").into_bytes()
}

#[actix_web::test]
async fn r103_a_client_with_a_document_signs_in_without_registering() {
    let told = document(&json!({})).to_string();
    let test = "r103_a_client_with_a_document_signs_in_without_registering";
    let Some(world) = World::start(test, move |_| answer("200 OK", &told)).await else {
        return;
    };
    let page = world.ask(ID).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Known by its document") && page.text.contains("client.example"));
    let key = key_of(&world.app, "claude", &["mail"]).await;
    let tokens = world.client.sign_in(&key).await;
    assert!(world.client.refresh(&tokens.refresh).await.is_ok());
    let rows = world.app.audit_rows(2).await;
    assert!(rows.iter().any(|row| row["args"]["clientId"] == ID));
}

#[actix_web::test]
async fn a_document_that_is_not_its_clients_or_cannot_be_had_lets_nobody_ask() {
    let large = document(&json!({ "padding": "x".repeat(20_000) })).to_string();
    let wrong: Vec<(&str, Vec<u8>)> = vec![
        (
            "another client's",
            answer(
                "200 OK",
                &document(&json!({ "client_id": "https://client.example/other.json" })).to_string(),
            ),
        ),
        (
            "without addresses",
            answer(
                "200 OK",
                &document(&json!({ "redirect_uris": [] })).to_string(),
            ),
        ),
        ("too large", answer("200 OK", &large)),
        ("no JSON", answer("200 OK", "<html>")),
        ("not there", answer("404 Not Found", "")),
        (
            "a redirect",
            answer(
                "302 Found\r\nlocation: https://client.example/elsewhere.json",
                "",
            ),
        ),
        ("nothing", Vec::new()),
    ];
    let count = wrong.len();
    let (asked, answers) = (AtomicUsize::new(0), wrong.clone());
    let test = "a_document_that_is_not_its_clients_or_cannot_be_had_lets_nobody_ask";
    let answer = move |_: &str| {
        let number = asked.fetch_add(1, Ordering::Relaxed);
        answers[number % answers.len()].1.clone()
    };
    let Some(world) = World::start(test, answer).await else {
        return;
    };
    for (what, _) in &wrong {
        let page = world.ask(ID).await;
        assert_eq!(page.status, 400, "{what}");
        assert!(
            page.text.contains("could not be fetched"),
            "{what}: {}",
            page.text
        );
    }
    assert_eq!(
        world.sink.received().len(),
        count,
        "no redirect was followed"
    );
    // The row of the address that was published stands there as well.
    let rows = world.app.audit_rows(count + 1).await;
    let reason = "authorize: client document unavailable";
    assert!(
        rows.iter()
            .filter(|row| row["deny_reason"] == reason)
            .count()
            == count
    );
    // A redirect address that is not in the document is none of the client's, whoever asks.
    for id in [
        "https://client.example/",
        "https://client.example/a/../me.json",
        "http://client.example/me.json",
    ] {
        assert!(world.ask(id).await.text.contains("not known here"), "{id}");
    }
    assert_eq!(
        world.sink.received().len(),
        count,
        "nothing was fetched for what is no id"
    );
}

#[actix_web::test]
async fn r103_as_it_is_shipped_no_document_is_fetched_from_this_computer_or_its_network() {
    let sink = Sink::start(None, |_| answer("200 OK", "{}")).await;
    let (app, _) = world().await;
    let client = RemoteClient::unregistered(&app);
    let port = sink.address.port();
    for host in [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "10.0.0.1",
        "169.254.169.254",
        "192.168.1.1",
        "100.100.100.100",
        "[fd00::1]",
    ] {
        for id in [
            format!("https://{host}/me.json"),
            format!("https://{host}:{port}/me.json"),
        ] {
            let page = client.ask(&[("client_id", id.as_str())]).await;
            assert_eq!(page.status, 400, "{id}");
        }
    }
    assert_eq!(sink.received().len(), 0);
}

//! Sign-ins through the service's routes, against servers that nobody here wrote (r129).
//!
//! ```text
//! made.rs    tried, stored and renewed       ended.rs   revoked, entered again, disconnected
//! key.rs     one key replaces another        moved.rs   in an export and back
//! ```

mod ended;
mod key;
mod made;
mod moved;

use std::net::SocketAddr;

use serde_json::{Value, json};
use sextant::app::Settings;
use sextant::providers::SourceProviders;
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::providers::WayOut;

use crate::support::TestApp;
use crate::support::app::{Answer, settings};
use crate::support::dav_server::{DavServer, PASSWORD, Peer, USER};
use crate::support::dovecot::{self, Dovecot, HOST};
use crate::support::eventually::eventually;

/// What is entered for a server of calendars and contacts.
fn entered(server: &DavServer, password: &str) -> Value {
    let authority = std::fs::read_to_string(&server.certificates.authority).unwrap();
    let address = server.typed();
    json!({ "dav": address.as_str(), "user": USER, "password": password, "ca": authority })
}

async fn connect(app: &TestApp, credentials: &Value, more: Value) -> Answer {
    let mut body = json!({ "provider": "own_server", "credentials": credentials });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    app.create_connection(body).await
}

/// The service with a sign-in to a Radicale; `None` where there is none.
async fn signed_in(test: &str) -> Option<(TestApp, DavServer, String)> {
    let server = Peer::Radicale.start(test).await?;
    let app = TestApp::start().await;
    let made = connect(&app, &entered(&server, PASSWORD), json!({})).await;
    let made = made.expect(201);
    let id = made["signInId"].as_str().unwrap().to_owned();
    Some((app, server, id))
}

/// Settings under which the name of the mail server leads to a server of the test.
fn settings_with_mail(server: &Dovecot) -> Settings {
    let to = SocketAddr::from(([127, 0, 0, 1], server.port));
    let diversions = Diversions::new([(Domain::parse(HOST).unwrap(), to)]);
    let authority = std::fs::read_to_string(server.folder.path().join("authority.pem")).unwrap();
    Settings {
        providers: SourceProviders::reached(|id| match id {
            "own_server" => WayOut {
                diversions: diversions.clone(),
                authorities: Some(authority.clone()),
                ..WayOut::default()
            },
            _ => WayOut::default(),
        })
        .unwrap(),
        ..settings()
    }
}

async fn sign_in(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/api/signins/{id}")).await.expect(200)
}

async fn act(app: &TestApp, id: &str, act: &str, body: Value) -> Answer {
    app.post(&format!("/api/signins/{id}/{act}"), body).await
}

/// A column of the connections that are not removed, by sector.
async fn column(app: &TestApp, name: &str) -> Vec<Value> {
    let connections = app.connections().await;
    let connections = connections.as_array().unwrap().iter();
    connections.map(|one| one[name].clone()).collect()
}

/// Waits until the connections, by sector, have these health words.
async fn until_health(app: &TestApp, words: [&str; 2]) {
    eventually(&format!("the health is {words:?}"), async || {
        column(app, "health").await == words
    })
    .await;
}

/// How many secrets are stored.
async fn secrets(app: &TestApp) -> i64 {
    let client = app.database.connect().await;
    let sql = "SELECT count(sealed) FROM sign_ins";
    client.query_one(sql, &[]).await.unwrap().get(0)
}

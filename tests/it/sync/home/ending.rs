//! A credential that ends by itself is warned of in time: the person, and every agent that reads what it brings.

use std::path::Path;
use std::process::Command;

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use super::connected_at;
use crate::support::app::TestApp;
use crate::support::home_server::HomeServer;

#[actix_web::test]
#[expect(clippy::disallowed_methods, reason = "a real home has the real time")]
async fn a_token_that_ends_soon_is_warned_of() {
    let Some(home) = HomeServer::start("a_token_that_ends_soon_is_warned_of").await else {
        return;
    };
    let app = TestApp::start().await;
    let mut asked = connected_at(&home, ([127, 0, 0, 1], home.port).into());
    let created = app
        .post("/api/connections", asked.clone())
        .await
        .expect(201);
    let connection = &created["connections"][0];
    // The token of the tests is one for ten years, which nobody need be told of.
    assert!(ends_at(connection) > Utc::now() + Duration::days(3000));
    assert_eq!(warnings(&app).await, (Value::Null, Value::Null, false));

    asked["credentials"]["token"] = json!(token_of(&home, 7));
    let path = format!(
        "/api/signins/{}/credentials",
        created["signInId"].as_str().unwrap()
    );
    let renewed = json!({ "credentials": asked["credentials"] });
    let sign_in = app.post(&path, renewed).await.expect(200);
    let ends = DateTime::parse_from_rfc3339(sign_in["expiresAt"].as_str().unwrap()).unwrap();
    let away = ends.to_utc() - Utc::now();
    assert!(
        away > Duration::days(6) && away <= Duration::days(7),
        "{sign_in}"
    );
    let (in_sources, note, is_attention) = warnings(&app).await;
    let told = DateTime::parse_from_rfc3339(in_sources.as_str().unwrap()).unwrap();
    assert_eq!(told, ends);
    assert!(note.as_str().unwrap().contains("signs in again"), "{note}");
    assert!(is_attention);
}

/// Asks a home for another token with the one it has given already.
const MAKE_TOKEN: &str = r#"
import asyncio, sys
import aiohttp
async def main(port, token, days):
    async with aiohttp.ClientSession() as session, session.ws_connect(f"http://127.0.0.1:{port}/api/websocket") as ws:
        await ws.receive_json()
        await ws.send_json({"type": "auth", "access_token": token})
        await ws.receive_json()
        made = {"id": 1, "type": "auth/long_lived_access_token", "client_name": f"{days} days", "lifespan": int(days)}
        await ws.send_json(made)
        print((await ws.receive_json())["result"])
asyncio.run(main(*sys.argv[1:]))
"#;

/// A token for so many days, as a person has one made in their profile.
fn token_of(home: &HomeServer, days: u32) -> String {
    let python = "target/peers/home-assistant/bin/python";
    let made = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(python))
        .args(["-c", MAKE_TOKEN, &home.port.to_string(), home.token.trim()])
        .arg(days.to_string())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "{said}");
    String::from_utf8(made.stdout).unwrap().trim().to_owned()
}

fn ends_at(connection: &Value) -> DateTime<Utc> {
    let at = connection["consentExpiresAt"].as_str().unwrap();
    DateTime::parse_from_rfc3339(at).unwrap().to_utc()
}

/// What `sources` and the notes of an answer say of the end, and whether the Overview does.
async fn warnings(app: &TestApp) -> (Value, Value, bool) {
    let asked = json!({"target": "entities", "limit": 1});
    let answer = app.post("/api/data/home", asked).await.expect(200);
    let ends_at = answer["sources"][0]["ends_at"].clone();
    let attention = app.get("/api/status").await.expect(200)["attention"].to_string();
    let is_told = attention.contains("credential_ending");
    (ends_at, answer["notes"][0].clone(), is_told)
}

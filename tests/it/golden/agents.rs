use serde_json::{Value, json};

use super::file;
use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;
use crate::support::golden::assert_kept_json;

const SECTORS: [&str; 6] = ["finance", "mail", "calendar", "contacts", "health", "home"];

async fn agent(app: &TestApp) -> Client {
    let url = format!("http://{}/mcp", app.agents);
    Client::new(&url, Some(app.key_of("claude", &SECTORS).await))
}

#[actix_web::test]
async fn the_handshakes_and_the_tools_are_the_kept_ones() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let session = client.session().await;
    for (name, request) in [
        ("initialize", client.initialize("2025-11-25")),
        ("discover", client.modern("server/discover", json!({}))),
        ("tools", client.modern("tools/list", json!({}))),
        (
            "tools_of_a_session",
            client.in_session(&session, "tools/list", json!({})),
        ),
    ] {
        let (status, answer) = json_of(request).await;
        assert_eq!(status, 200, "{answer}");
        assert_kept_json(&file(&format!("agents/{name}.json")), &answer);
    }
}

#[actix_web::test]
async fn the_schema_of_all_sectors_and_of_each_is_the_kept_one() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let targets = SECTORS.map(|sector| (sector, json!({ "target": sector })));
    for (name, arguments) in [("all", json!({}))].into_iter().chain(targets) {
        let (status, answer) = json_of(client.modern_call("get_schema", arguments)).await;
        assert_eq!(status, 200, "{answer}");
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        let schema: Value = serde_json::from_str(text).unwrap();
        assert_kept_json(&file(&format!("schema/{name}.json")), &schema);
    }
}

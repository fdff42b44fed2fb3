//! What every client gets: the list, each tool, an error, a refusal; and that all of them get the same.

use serde_json::{Value, json};
use sextant::http::mcp::tools;
use sextant::http::wire::{AllSockets, ConnectionLimits};

use super::{connected, url};
use crate::mcp::support::{Client, RmcpPort, json_of};
use crate::support::clients::{Conversation, installed};
use crate::support::household::{Household, fixtures};

const SECTORS: [&str; 4] = ["finance", "calendar", "contacts", "home"];

/// A service with real files beside the sample household.
async fn household_with_files() -> Household {
    let household = Household::start().await;
    let files = [("bank", "ofx"), ("contacts", "vcf"), ("mail", "eml")];
    let files = files
        .into_iter()
        .flat_map(|(folder, ending)| fixtures(folder, ending));
    household.push(files.collect()).await;
    assert!(household.count("finance.transactions").await > 0);
    household
        .app
        .post("/api/sample", json!({}))
        .await
        .expect(201);
    household
}

/// Each tool with valid arguments, and whether the answer is a tool error.
async fn calls(household: &Household) -> Vec<(&'static str, Value, bool)> {
    let booking = "SELECT id FROM finance.transactions ORDER BY amount, id LIMIT 1";
    let id = household.rows(booking).await[0]["id"].clone();
    let spent = json!({
        "target": "finance.transactions", "where": { "amount": { "lt": -10.5 } }, "order_by": ["amount", "id"],
        "select": ["booked_on", "amount", "currency", "description"], "limit": 20, "count": true,
    });
    let people = json!({ "target": "contacts.people", "order_by": ["id"], "limit": 60, "format": "records" });
    vec![
        ("describe_context", json!({}), false),
        ("get_schema", json!({ "target": "finance" }), false),
        ("query", spent, false),
        ("query", people, false),
        (
            "get_record",
            json!({ "target": "finance.transactions", "id": id }),
            false,
        ),
        (
            "fetch_live",
            json!({ "target": "finance.accounts", "limit": 3 }),
            false,
        ),
        ("list_actions", json!({}), false),
        (
            "invoke_action",
            json!({ "action": "home.light.turn_on", "params": {} }),
            true,
        ),
        ("query", json!({ "target": 5 }), true),
        (
            "query",
            json!({ "target": "finance.transactions", "where": { "amuont": 1 } }),
            true,
        ),
        ("query", json!({ "target": "mail.messages" }), true),
    ]
}

/// The answer on the wire, without a client's interpretation.
async fn answer(raw: &Client, tool: &str, arguments: &Value) -> Value {
    let answer = json_of(raw.modern_call(tool, arguments.clone())).await.1;
    let result = &answer["result"];
    let text = result["content"]
        .as_array()
        .unwrap_or_else(|| panic!("{tool}: {answer}"));
    let text: Vec<_> = text.iter().map(|block| block["text"].clone()).collect();
    json!({ "error": result["isError"], "text": text, "structured": null })
}

/// The answer without the present time, which the context and cursors contain.
fn timeless(mut told: Value) -> Value {
    let text = told["text"][0].as_str().unwrap_or_default();
    let Ok(Value::Object(mut answer)) = serde_json::from_str(text) else {
        return told;
    };
    for moment in ["now", "change_cursor", "next_cursor"] {
        if let Some(moment) = answer.get_mut(moment) {
            *moment = Value::Null;
        }
    }
    told["text"][0] = json!(Value::Object(answer).to_string());
    told
}

fn is_introduced(client: &Conversation) {
    let greeting = &client.greeting;
    assert!(
        greeting.get("refused").is_none(),
        "{}: {greeting}",
        client.peer
    );
    if client.peer.keeps_its_connection() {
        assert_eq!(greeting["version"], client.peer.version, "{}", client.peer);
    }
    if client.peer.is_introduced() {
        assert_eq!(greeting["server"], "sextant", "{}", client.peer);
        assert!(
            greeting["instructions"]
                .as_str()
                .unwrap()
                .contains("describe_context")
        );
    }
}

/// Calls a tool that does not exist; a command-line client looks it up in the list and sends nothing.
async fn is_told_of_an_unknown_tool(client: &mut Conversation) {
    let told = client.call("drop_tables", &json!({})).await;
    if client.peer.keeps_its_connection() {
        assert_eq!(told["code"], -32602, "{}: {told}", client.peer);
        assert!(
            told["message"].as_str().unwrap().contains("unknown tool"),
            "{told}"
        );
    } else {
        assert!(
            told["failed"].as_str().unwrap().contains("tool_not_found"),
            "{told}"
        );
    }
}

#[actix_web::test]
async fn r043_every_client_is_served_the_same_list_answers_errors_and_refusals() {
    let household = household_with_files().await;
    let url = url(&household.app);
    let key = household.app.key_of("claude", &SECTORS).await;
    let raw = Client::new(&url, Some(key.clone()));
    let listed = json_of(raw.modern("tools/list", json!({}))).await.1["result"]["tools"].take();
    assert_eq!(listed.as_array().unwrap().len(), 7);
    let mut expected = Vec::new();
    for (tool, arguments, is_error) in calls(&household).await {
        let told = timeless(answer(&raw, tool, &arguments).await);
        assert_eq!(told["error"], is_error, "{tool} {arguments}: {told}");
        expected.push((tool, arguments, told));
    }
    assert_eq!(expected.last().unwrap().2["text"][0], "access denied: mail");
    let sockets = AllSockets::new(&ConnectionLimits::default());
    let rmcp = RmcpPort::over(&household.app.tree, &sockets, tools::all());
    // Each message as it is served, and the same passed to rmcp.
    for url in [&url, &rmcp.url] {
        for mut client in connected(installed("every_client_is_served"), url, &key).await {
            is_introduced(&client);
            assert_eq!(client.list().await, listed, "{}", client.peer);
            for (tool, arguments, answer) in &expected {
                let told = timeless(client.call(tool, arguments).await);
                assert_eq!(told, *answer, "{}: {tool} {arguments}", client.peer);
            }
            is_told_of_an_unknown_tool(&mut client).await;
        }
    }
    rmcp.stop().await;
}

#[actix_web::test]
async fn r030_every_client_with_an_unknown_key_is_refused() {
    let household = crate::support::TestApp::start().await;
    let peers = installed("every_client_with_an_unknown_key");
    let count = peers.len();
    for client in connected(peers, &url(&household), "sxt_unknown").await {
        // A pinned client sends nothing before its first call.
        let refusal = if client.greeting.get("refused").is_some() {
            client.greeting
        } else {
            let mut client = client;
            client.call("list_actions", &json!({})).await
        };
        let is_refused = refusal.get("text").is_none();
        assert!(is_refused, "{refusal}");
    }
    let rows = household.audit_rows(count).await;
    assert!(
        rows.iter()
            .all(|row| row["tool"] == "initialize" && row["deny_reason"] == "unknown agent")
    );
}

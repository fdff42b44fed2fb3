//! What agents send: valid and invalid keys in every place, and messages of both eras with planted words in every
//! part.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sextant_actors::domain::Tool;

use super::markers::Kind;
use super::sweep::Place;
use super::{Run, console};
use crate::audit_log::redaction::folded::{WORDS, folded};
use crate::mcp::support::{Client, modern_meta};
use crate::query::chance::Chance;

/// The seed for the spellings of redacted names.
const FOLDING_SEED: u64 = 26;

/// Plants words in every place; `key` is granted what it reads.
pub async fn plant(run: &mut Run, key: &str) {
    refused_keys(run, key).await;
    misplaced_keys(run, key).await;
    let client = Client::new(&run.service.agents, Some(key.to_owned()));
    let session = client.session().await;
    for target in [
        "finance.transactions",
        "mail.messages",
        "contacts.people",
        "calendar.events",
        "home.entities",
    ] {
        let asked = json!({ "target": target, "format": "records" });
        run.expect(
            Place::Reading,
            client.modern_call("query", asked.clone()),
            200,
        )
        .await;
        run.expect(
            Place::Reading,
            client.session_call(&session, "query", asked),
            200,
        )
        .await;
    }
    for part in [
        "description of a push",
        "amount of a push",
        "subject in mail.messages",
        "title in calendar.series",
    ] {
        let planted = run.markers.text_of(part);
        assert!(
            run.was_answered(Place::Reading, &planted),
            "{part} was not read"
        );
    }
    arguments(run, &client, &session).await;
    redacted_arguments(run, &client, &session).await;
    redacted_in_every_tool(run, &client, &session).await;
    other_messages(run, &client, &session).await;
    broken_messages(run, &client, &session).await;
}

fn initialize(run: &Run, key: &str) -> RequestBuilder {
    Client::new(&run.service.agents, Some(key.to_owned())).initialize("2025-11-25")
}

/// Wrong, malformed, revoked and rotated keys.
async fn refused_keys(run: &mut Run, key: &str) {
    let word = run.markers.word(Kind::Stray, "a wrong key");
    let shapes = [
        word.clone(),
        format!("sxt_{word}"),
        format!("{key}x"),
        format!("{word} {word}"),
        word.repeat(30),
    ];
    for shape in &shapes {
        run.expect(Place::ToAgent, initialize(run, shape), 401)
            .await;
    }
    let revoked = console::key_of(run, "revoked", &["mail"]).await;
    let path = "/api/agents/revoked/revoke";
    run.service.call(Method::POST, path, None, 200).await;
    run.expect(Place::ToAgent, initialize(run, &revoked), 401)
        .await;
    let rotated_away = console::key_of(run, "rotating", &["mail"]).await;
    console::key_of(run, "rotating", &["mail"]).await;
    run.expect(Place::ToAgent, initialize(run, &rotated_away), 401)
        .await;
}

/// A key twice, without a scheme, in the query, the path, a cookie, the body.
async fn misplaced_keys(run: &mut Run, key: &str) {
    let url = run.service.agents.clone();
    let http = Client::new(&url, None);
    for request in [
        http.initialize("2025-11-25")
            .header("authorization", format!("Bearer {key}"))
            .header("authorization", format!("Bearer {key}")),
        http.initialize("2025-11-25").header("authorization", key),
        http.initialize("2025-11-25")
            .header("authorization", format!("Basic {key}")),
        http.initialize("2025-11-25")
            .header("cookie", format!("key={key}")),
        http.initialize("2025-11-25").header("mcp-method", key),
        http.post(json!({ "key": key, "authorization": format!("Bearer {key}") })),
        Client::new(&format!("{url}?key={key}"), None).initialize("2025-11-25"),
        Client::new(&format!("{url}/{key}"), None).initialize("2025-11-25"),
        http.initialize("2025-11-25").header("host", key),
        http.initialize("2025-11-25").header("origin", key),
    ] {
        let (status, body) = run.ask(Place::ToAgent, request).await;
        assert!(
            [400, 401, 403, 404].contains(&status.as_u16()),
            "{status} {body}"
        );
    }
}

/// Arguments under names that the audit log stores, well formed or not.
async fn arguments(run: &mut Run, client: &Client, session: &str) {
    for (tool, shape) in [
        (
            "query",
            json!({ "target": "finance.transactions", "search": "WORD" }),
        ),
        (
            "query",
            json!({ "target": "finance.transactions", "where": { "description": { "contains": "WORD" } } }),
        ),
        (
            "query",
            json!({ "target": "finance.transactions", "where": { "WORD": 1 } }),
        ),
        (
            "query",
            json!({ "target": "finance.transactions", "where": { "amount": "WORD" } }),
        ),
        (
            "query",
            json!({ "target": "finance.transactions", "where": { "booked_on": { "gte": "WORD" } } }),
        ),
        (
            "query",
            json!({ "target": "finance.transactions", "select": ["WORD"], "order_by": ["-WORD"] }),
        ),
        (
            "query",
            json!({ "target": "finance.transactions", "cursor": "WORD" }),
        ),
        ("query", json!({ "target": "finance.WORD" })),
        ("query", json!({ "target": "WORD" })),
        ("query", json!({ "target": "health.days", "note": "WORD" })),
        (
            "query",
            json!({ "target": "finance.transactions", "WORD": true }),
        ),
        (
            "query",
            json!({ "target": "finance.transactions", "format": "WORD", "limit": "WORD" }),
        ),
        (
            "get_record",
            json!({ "target": "mail.messages", "id": "WORD" }),
        ),
        ("get_schema", json!({ "target": "mail.WORD" })),
        (
            "fetch_live",
            json!({ "target": "home.entities", "timeout_s": "WORD" }),
        ),
        ("list_actions", json!({ "target": "WORD.x" })),
        (
            "invoke_action",
            json!({ "action": "home.light.WORD", "params": { "entity_id": "WORD" } }),
        ),
        ("describe_context", json!({ "text": "sxt_WORD" })),
        ("WORD", json!({ "target": "mail" })),
    ] {
        let word = run.markers.word(Kind::Said, &format!("{tool} {shape}"));
        let arguments: Value =
            serde_json::from_str(&shape.to_string().replace("WORD", &word)).unwrap();
        let tool = tool.replace("WORD", &word);
        run.ask(Place::ToAgent, client.modern_call(&tool, arguments.clone()))
            .await;
        run.ask(
            Place::ToAgent,
            client.session_call(session, &tool, arguments),
        )
        .await;
    }
}

/// Arguments under names that the audit log redacts: nothing of them is stored.
async fn redacted_arguments(run: &mut Run, client: &Client, session: &str) {
    for name in [
        "key",
        "API_Key",
        "passphrase",
        "X-Authorization",
        "cookies",
        "clientSecret",
        "token",
        "monkey",
    ] {
        let word = run
            .markers
            .word(Kind::Hidden, &format!("the argument {name}"));
        for value in [
            json!(word),
            json!([word]),
            json!({ "inner": word }),
            json!({ word.as_str(): 1 }),
        ] {
            let nested = json!({ "target": "mail.messages", "where": { "or": [{ name: value }] } });
            for arguments in [json!({ "target": "mail.messages", name: value }), nested] {
                run.ask(
                    Place::ToAgent,
                    client.modern_call("query", arguments.clone()),
                )
                .await;
                run.ask(
                    Place::ToAgent,
                    client.session_call(session, "query", arguments),
                )
                .await;
            }
        }
    }
}

/// Arguments to each tool under names that differ from the six words in case alone, at any depth.
async fn redacted_in_every_tool(run: &mut Run, client: &Client, session: &str) {
    let mut chance = Chance::of(FOLDING_SEED);
    for tool in Tool::ALL.map(Tool::name) {
        for word in WORDS {
            let name = folded(word, &mut chance);
            let place = format!("the argument {name} of {tool}");
            let hidden = run.markers.word(Kind::Hidden, &place);
            let arguments = json!({
                "target": "mail.messages", "action": "home.light.turn_on", name.as_str(): hidden,
                "params": { "deep": [{ "deeper": [{ name.as_str(): { "inner": [hidden] } }] }] }
            });
            for request in [
                client.modern_call(tool, arguments.clone()),
                client.session_call(session, tool, arguments),
            ] {
                run.expect(Place::ToAgent, request, 200).await;
            }
        }
    }
}

/// Methods that are not served, client names, versions and ids.
async fn other_messages(run: &mut Run, client: &Client, session: &str) {
    for (method, params) in [
        ("prompts/get", json!({ "name": "WORD" })),
        ("resources/read", json!({ "uri": "file:///WORD" })),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "WORD" }, "argument": { "name": "a", "value": "WORD" } }),
        ),
        ("logging/setLevel", json!({ "level": "WORD" })),
        ("no/WORD", json!({ "x": "WORD" })),
        ("notifications/WORD", json!({ "x": "WORD" })),
        ("tools/list", json!({ "cursor": "WORD" })),
        ("subscriptions/listen", json!({ "WORD": "WORD" })),
        ("server/discover", json!({ "x": "WORD" })),
    ] {
        let word = run.markers.word(Kind::Said, method);
        let params: Value =
            serde_json::from_str(&params.to_string().replace("WORD", &word)).unwrap();
        let method = method.replace("WORD", &word);
        if method != "subscriptions/listen" {
            run.ask(Place::ToAgent, client.modern(&method, params.clone()))
                .await;
        }
        run.ask(Place::ToAgent, client.in_session(session, &method, params))
            .await;
    }
    let word = run
        .markers
        .word(Kind::Said, "a client's name, version, protocol and id");
    let hello = json!({ "jsonrpc": "2.0", "id": word, "method": "initialize", "params": { "protocolVersion": word,
        "capabilities": { "experimental": { word.as_str(): {} } }, "clientInfo": { "name": word, "version": word } } });
    run.expect(Place::ToAgent, client.post(hello), 200).await;
    for header in [
        "mcp-session-id",
        "mcp-protocol-version",
        "last-event-id",
        "mcp-method",
        "mcp-name",
    ] {
        let word = run.markers.word(Kind::Said, header);
        run.ask(
            Place::ToAgent,
            client.modern("tools/list", json!({})).header(header, &word),
        )
        .await;
        run.ask(
            Place::ToAgent,
            client
                .in_session(&word, "tools/list", json!({}))
                .header("mcp-protocol-version", &word),
        )
        .await;
    }
}

/// Bodies that are no message, no call or no JSON.
async fn broken_messages(run: &mut Run, client: &Client, session: &str) {
    for shape in [
        "WORD",
        "\"WORD\"",
        "[{\"WORD\": 1}]",
        "{\"jsonrpc\": \"WORD\", \"id\": 1, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": {\"WORD\": 1}, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": [\"WORD\"]}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": [\"WORD\"]}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": \"WORD\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": 1, \"message\": \"WORD\"}}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": \"WORD\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\", \"params\": {\"protocolVersion\": [\"WORD\"], \"key\": \"WORD\"}}",
    ] {
        let word = run.markers.word(Kind::Stray, &format!("a message {shape}"));
        let body = shape.replace("WORD", &word);
        run.ask(Place::ToAgent, client.post(&body)).await;
        run.ask(
            Place::ToAgent,
            client.post(&body).header("mcp-session-id", session),
        )
        .await;
        run.ask(
            Place::ToAgent,
            client
                .post(&body)
                .header("content-type", format!("text/{word}")),
        )
        .await;
    }
    for params in [
        json!({ "arguments": { "x": "WORD", "secret": "HIDDEN" } }),
        json!({ "name": ["WORD"], "arguments": ["WORD"] }),
        json!({ "name": "query", "arguments": "WORD", "_meta": "WORD" }),
        json!({ "name": "query", "arguments": ["WORD", { "secret": "HIDDEN" }] }),
    ] {
        let word = run
            .markers
            .word(Kind::Said, &format!("a malformed call {params}"));
        let hidden = run.markers.word(
            Kind::Stray,
            &format!("a redacted part of the malformed call {params}"),
        );
        let text = params
            .to_string()
            .replace("WORD", &word)
            .replace("HIDDEN", &hidden);
        let params: Value = serde_json::from_str(&text).unwrap();
        run.ask(
            Place::ToAgent,
            client.in_session(session, "tools/call", params.clone()),
        )
        .await;
        let mut modern = params;
        modern["_meta"] = modern_meta();
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": modern });
        let headed = client
            .post(body)
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call");
        run.ask(Place::ToAgent, headed.header("mcp-name", "query"))
            .await;
    }
}

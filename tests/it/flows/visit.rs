//! Flow 1: files are pushed, the official client asks, and each call leaves the row that r043 requires.

use std::path::Path;

use serde_json::{Value, json};

use super::{agent, url};
use crate::mcp::support::json_of;
use crate::support::TestApp;
use crate::support::clients::{Conversation, python};
use crate::support::eventually::eventually;
use crate::support::household::{Household, fixtures};

const TRANSACTIONS: &str = "finance.transactions";

/// A client, with the rows that its calls must leave.
struct Visit {
    client: Conversation,
    rows: Vec<Value>,
}

/// The columns of a row beside tool and arguments.
fn row(sector: Value, count: Value) -> Value {
    json!({ "sector": sector, "decision": "allow", "deny_reason": null, "result_count": count, "outcome": "ok" })
}

fn failed(sector: Value) -> Value {
    json!({ "sector": sector, "decision": "allow", "deny_reason": null, "result_count": null, "outcome": "error" })
}

fn denied(sector: Value, word: &str) -> Value {
    json!({ "sector": sector, "decision": "deny", "deny_reason": format!("access denied: {word}"), "result_count": null,
        "outcome": null })
}

impl Visit {
    async fn call(&mut self, tool: &str, arguments: Value, mut row: Value) -> Value {
        let seen = self.client.call(tool, &arguments).await;
        row["tool"] = json!(tool);
        row["args"] = arguments;
        self.rows.push(row);
        seen
    }

    /// The answer of a call that must succeed; its row is expected.
    async fn answer(&mut self, tool: &str, arguments: Value, row: Value) -> Value {
        let seen = self.call(tool, arguments, row).await;
        assert_eq!(seen["error"], false, "{seen}");
        serde_json::from_str(seen["text"][0].as_str().unwrap()).unwrap()
    }

    /// The text of a call that is answered with an error the model can read; its row is expected.
    async fn fault(&mut self, tool: &str, arguments: Value, row: Value) -> String {
        let seen = self.call(tool, arguments, row).await;
        assert_eq!(seen["error"], true, "{seen}");
        seen["text"][0].as_str().unwrap().to_owned()
    }
}

/// Day, amount and payee of each booking of a statement, read by its tags alone.
fn bookings(path: &Path) -> Vec<(String, f64, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let tag = |entry: &str, name: &str| {
        let value = entry.split_once(&format!("<{name}>")).unwrap().1;
        value
            .split(['<', '\n', '\r'])
            .next()
            .unwrap()
            .trim()
            .to_owned()
    };
    let read = |entry: &str| {
        let day = tag(entry, "DTPOSTED");
        let day = format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..8]);
        (
            day,
            tag(entry, "TRNAMT").parse().unwrap(),
            tag(entry, "NAME"),
        )
    };
    text.split("<STMTTRN>").skip(1).map(read).collect()
}

async fn visited(test: &str, mode: &str, version: &str) {
    if !python(mode).is_installed(test) {
        return;
    }
    let household = Household::start().await;
    let statements: Vec<_> = fixtures("bank", "ofx")
        .into_iter()
        .filter(|path| path.ends_with("bank_medium.ofx") || path.ends_with("checking.ofx"))
        .collect();
    let mut booked: Vec<_> = statements.iter().flat_map(|path| bookings(path)).collect();
    booked.sort_by(|a, b| (&a.0, a.1).partial_cmp(&(&b.0, b.1)).unwrap());
    let (is_all_stored, told) = household.push(statements).await;
    assert!(is_all_stored, "{told}");
    let app = &household.app;
    let key = app.key_of("claude", &["finance", "home"]).await;
    let mut client = python(mode).connect(&url(app), &key).await;
    assert_eq!(client.greeting["version"], version, "{}", client.greeting);
    assert_eq!(client.list().await.as_array().unwrap().len(), 7);
    let mut visit = Visit {
        client,
        rows: Vec::new(),
    };
    learn(&mut visit).await;
    read(&mut visit, &booked).await;
    act(&mut visit).await;
    be_refused(&mut visit).await;
    compare(app, &visit.rows).await;
}

/// Asks what can be queried.
async fn learn(visit: &mut Visit) {
    let context = visit
        .answer("describe_context", json!({}), row(Value::Null, json!(2)))
        .await;
    assert_eq!(context["sectors"], json!(["finance", "home"]));
    assert_eq!(context["agent"]["name"], "claude");
    let schema = json!({ "target": "finance" });
    let schema = visit
        .answer("get_schema", schema, row(json!("finance"), json!(4)))
        .await;
    assert_eq!(schema["tables"].as_array().unwrap().len(), 4);
}

/// Reads the statements' bookings with every tool that can.
async fn read(visit: &mut Visit, booked: &[(String, f64, String)]) {
    let finance = |count: usize| row(json!("finance"), json!(count));
    let select = ["booked_on", "amount", "id"];
    let page = json!({ "target": TRANSACTIONS, "select": select, "order_by": ["booked_on", "amount"], "limit": 2, "count": true });
    let (mut found, mut asked) = (Vec::new(), page.clone());
    loop {
        let count = 2.min(booked.len() - found.len());
        let answer = visit.answer("query", asked, finance(count)).await;
        assert_eq!(answer["matched"], booked.len(), "{answer}");
        found.extend(answer["rows"].as_array().unwrap().clone());
        if answer["next_cursor"].is_null() {
            break;
        }
        asked = page.clone();
        asked["cursor"] = answer["next_cursor"].clone();
    }
    let seen: Vec<_> = found
        .iter()
        .map(|row| (row[0].as_str().unwrap(), row[1].as_f64().unwrap()))
        .collect();
    let expected: Vec<_> = booked
        .iter()
        .map(|(day, amount, _)| (day.as_str(), *amount))
        .collect();
    assert_eq!(seen, expected);

    let spent = json!({ "target": TRANSACTIONS, "where": { "amount": { "lt": -20 } }, "select": ["amount"] });
    let expected = booked.iter().filter(|booking| booking.1 < -20.0).count();
    let answer = visit.answer("query", spent, finance(expected)).await;
    assert_eq!(answer["returned"], expected);
    let searched = json!({ "target": TRANSACTIONS, "search": "hairstyles", "select": ["amount"] });
    let answer = visit.answer("query", searched, finance(1)).await;
    assert_eq!(answer["rows"][0][0].as_f64(), Some(-316.67));

    let one = json!({ "target": TRANSACTIONS, "id": found[0][2] });
    let answer = visit.answer("get_record", one, finance(1)).await;
    assert_eq!(answer["record"]["amount"].as_f64(), Some(booked[0].1));
    assert!(
        answer["record"].to_string().contains(&booked[0].2),
        "{answer}"
    );
    let none = json!({ "target": TRANSACTIONS, "id": "00000000-0000-0000-0000-000000000000" });
    let answer = visit.answer("get_record", none, finance(0)).await;
    assert!(answer["record"].is_null());
    let live = json!({ "target": TRANSACTIONS, "limit": 1, "select": ["amount"] });
    let answer = visit.answer("fetch_live", live, finance(1)).await;
    assert_eq!(answer["fetched"][0]["outcome"], "push_only");
}

/// r071, r073: a sector without a source is no permission error; and there are no actions yet.
async fn act(visit: &mut Visit) {
    let home = json!({ "target": "home.entities" });
    let answer = visit
        .answer("query", home, row(json!("home"), json!(0)))
        .await;
    assert_eq!(answer["empty"]["reason"], "no_connection");
    let text = visit
        .fault(
            "fetch_live",
            json!({ "target": "home" }),
            failed(json!("home")),
        )
        .await;
    assert_eq!(text, "no active connection for sector 'home'");
    let actions = visit
        .answer("list_actions", json!({}), row(Value::Null, json!(0)))
        .await;
    assert_eq!(actions["actions"], json!([]));
    let light = json!({ "action": "home.light.turn_on", "params": {} });
    visit
        .fault("invoke_action", light, failed(json!("home")))
        .await;
}

/// Refusals, failures, and arguments that are recorded in another form than sent.
async fn be_refused(visit: &mut Visit) {
    let mail = json!({ "target": "mail.messages", "search": "invoice" });
    let text = visit
        .fault("query", mail, denied(json!("mail"), "mail"))
        .await;
    assert_eq!(text, "access denied: mail");
    let strange = json!({ "target": "finances.transactions" });
    visit
        .fault("query", strange, denied(Value::Null, "finances"))
        .await;
    let act = json!({ "action": "calendar.events.delete", "params": {} });
    visit
        .fault("invoke_action", act, denied(json!("calendar"), "calendar"))
        .await;
    let misspelt = json!({ "target": TRANSACTIONS, "selct": ["id"] });
    let text = visit
        .fault("query", misspelt, failed(json!("finance")))
        .await;
    assert!(text.contains("select"), "{text}");

    let telling =
        json!({ "target": TRANSACTIONS, "where": { "Api_KEY": "x", "amount": { "lt": 0 } } });
    visit
        .fault("query", telling, failed(json!("finance")))
        .await;
    visit.rows.last_mut().unwrap()["args"]["where"]["Api_KEY"] = json!("[redacted]");
    let long = json!({ "target": TRANSACTIONS, "where": { "description": "x".repeat(5000) } });
    visit
        .answer("query", long, row(json!("finance"), json!(0)))
        .await;
    visit.rows.last_mut().unwrap()["args"] = json!("[truncated]");

    let seen = visit
        .call(
            "drop_tables",
            json!({ "target": "mail" }),
            failed(Value::Null),
        )
        .await;
    assert_eq!(seen["code"], -32602, "{seen}");
    visit.rows.last_mut().unwrap()["tool"] = json!("tools/call");
}

/// Compares the agent's audit rows with those expected, column by column.
async fn compare(app: &TestApp, expected: &[Value]) {
    let mut recorded = Vec::new();
    eventually("the agent's rows are written", async || {
        let page = app.audit("?agent=claude&limit=500").await.expect(200);
        recorded = page["rows"].as_array().unwrap().clone();
        recorded.len() >= expected.len()
    })
    .await;
    recorded.reverse();
    assert_eq!(recorded.len(), expected.len(), "{recorded:#?}");
    let mut before = -1;
    for (row, expected) in recorded.iter().zip(expected) {
        let mut shown = row.as_object().unwrap().clone();
        assert!(shown.remove("id").unwrap().is_string());
        let stamp = shown.remove("created_at").unwrap();
        stamp
            .as_str()
            .unwrap()
            .parse::<chrono::DateTime<chrono::Utc>>()
            .unwrap();
        // The client numbers its requests, and the audit log has each number as text (r032).
        let number: i64 = shown
            .remove("request_id")
            .unwrap()
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!(number > before, "{row}");
        before = number;
        assert_eq!(shown.remove("agent_id").unwrap(), "claude");
        assert_eq!(Value::Object(shown), *expected);
    }
    // Opening a session and tools/list leave no row (r033).
    let users = "SELECT 1 FROM audit_log WHERE agent_id = 'claude' AND user_id IS DISTINCT FROM (SELECT id FROM users)";
    let strangers = app
        .database
        .connect()
        .await
        .query(users, &[])
        .await
        .unwrap();
    assert!(strangers.is_empty());
}

#[actix_web::test]
async fn r029_r043_in_mode_auto_each_call_is_answered_from_the_files_and_leaves_its_row() {
    visited("flow_auto", "auto", "2026-07-28").await;
}

#[actix_web::test]
async fn r029_r043_in_mode_legacy_each_call_is_answered_from_the_files_and_leaves_its_row() {
    visited("flow_legacy", "legacy", "2025-11-25").await;
}

#[actix_web::test]
async fn r029_r043_pinned_each_call_is_answered_from_the_files_and_leaves_its_row() {
    visited("flow_pinned", "2026-07-28", "2026-07-28").await;
}

#[actix_web::test]
async fn r032_the_request_id_is_recorded_as_text_whether_it_is_one_or_a_number() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["home"]).await;
    let session = client.session().await;
    json_of(client.session_call(&session, "list_actions", json!({}))).await;
    json_of(client.modern_call("list_actions", json!({}))).await;
    let named = json!({ "jsonrpc": "2.0", "id": "q-1", "method": "tools/call",
        "params": { "name": "list_actions", "arguments": {} } });
    json_of(client.post(named).header("mcp-session-id", &session)).await;
    let rows = app.audit_rows(3).await;
    let ids: Vec<_> = rows.iter().map(|row| row["request_id"].clone()).collect();
    assert_eq!(ids, ["7", "7", "q-1"]);
}

#[actix_web::test]
async fn r064_a_key_without_a_sector_connects_and_is_denied_everything() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &[]).await;
    let context = super::answer(&client, "describe_context", json!({})).await;
    assert_eq!(context["sectors"], json!([]));
    for sector in sextant_actors::domain::Sector::ALL {
        let call = client.modern_call("get_schema", json!({ "target": sector }));
        let (_, body) = json_of(call).await;
        let text = format!("access denied: {sector}");
        assert_eq!(body["result"]["content"][0]["text"], text.as_str());
    }
    let rows = app.audit_rows(7).await;
    assert!(rows[1..].iter().all(|row| row["decision"] == "deny"));
}

//! The kill matrix of docs/asking.md#when-a-grant-changes: each edit over the Console's route against each live thing
//! of an agent, in each version of the protocol, while another agent's go on. A cell that fails is named.

mod alive;

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sextant_actors::clock::FrozenClock;

use self::alive::{Alive, Version};
use super::edits::Edit;
use super::{agent, answer, url};
use crate::mcp::support::{Client, body_of, json_of};
use crate::support::app::settings;
use crate::support::eventually::eventually;
use crate::support::table_lock::TableLock;
use crate::support::{TestApp, TestDatabase};

/// Both agents' grant before the edit. The edit of sectors takes the last one away.
const GRANTED: [&str; 2] = ["home", "finance"];

/// A row of the matrix: the edit, and the protocol version of what is alive.
#[derive(Clone, Copy)]
struct Row<'a> {
    done: &'a dyn fmt::Debug,
    version: Version,
}

impl Row<'_> {
    /// A cell's name, for the assertion that fails in it.
    fn cell(&self, thing: &str) -> String {
        format!("{:?}, {:?}: {thing}", self.done, self.version)
    }
}

async fn edited(edit: Edit, version: Version) {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &GRANTED).await;
    let row = Row {
        done: &edit,
        version,
    };
    let make = async |app: &TestApp| Some(edit.make(app).await);
    let (told, old) = expect_end(&app, &client, row, make).await;
    if edit.keeps_the_key() {
        served_anew(&app, &client, &old, row, &edit.sectors()).await;
        return;
    }
    refused(&client, &old, row).await;
    if let Some(key) = told["key"].as_str() {
        let renewed = Client::new(&url(&app), Some(key.to_owned()));
        served_anew(&app, &renewed, &old, row, &edit.sectors()).await;
    } else {
        let sessions = app.sessions("?agent=claude").await;
        assert_eq!(sessions, json!([]), "{}", row.cell("a session after all"));
    }
}

/// Makes the edit and asserts that everything alive ends and what the bystander has goes on; returns the edit's
/// answer and what was alive.
async fn expect_end(
    app: &TestApp,
    client: &Client,
    row: Row<'_>,
    act: impl AsyncFnOnce(&TestApp) -> Option<Value>,
) -> (Value, Alive) {
    let bystander = agent(app, "chatgpt", &GRANTED).await;
    let held = TableLock::accounts(app).await;
    let mut theirs = Alive::of(&bystander, row.version).await;
    let mut ours = Alive::of(client, row.version).await;
    held.wait_for_calls(2).await;
    let before = app.sessions("?agent=chatgpt").await;
    assert_eq!(before.as_array().unwrap().len(), 1);

    let told = act(app).await.unwrap_or_default();
    if !told.is_null() {
        assert_eq!(told["sessionsEnded"], 1, "{}", row.cell("identity"));
    }
    ours.expect_stream_end(&row.cell("open stream")).await;
    ours.expect_call_end(&row.cell("call in flight")).await;
    eventually(&row.cell("identity"), async || {
        app.sessions("?agent=claude").await == json!([])
    })
    .await;

    theirs.stream_is_open(&row.cell("another's stream"));
    held.release().await;
    theirs.call_answered(&row.cell("another's call")).await;
    let request = theirs.next_request(&bystander).await;
    assert_eq!(request, 200, "{}", row.cell("another's next request"));
    let after = app.sessions("?agent=chatgpt").await;
    assert_eq!(
        after[0]["id"],
        before[0]["id"],
        "{}",
        row.cell("another's identity")
    );
    one_row_each(app, row).await;
    (told, ours)
}

/// The call that was cut short has its audit row, and so has the one that was not (r043).
async fn one_row_each(app: &TestApp, row: Row<'_>) {
    let rows = app.audit_rows(3).await;
    let told = |agent: &str| -> Vec<Value> {
        let own = rows.iter().filter(|row| row["agent_id"] == agent);
        own.map(|row| json!([row["tool"], row["decision"], row["outcome"]]))
            .collect()
    };
    let (cut, whole) = (
        json!(["query", "allow", "error"]),
        json!(["query", "allow", "ok"]),
    );
    assert_eq!(told("claude"), [cut], "{}", row.cell("the record"));
    let next = json!(["list_actions", "allow", "ok"]);
    assert_eq!(
        told("chatgpt"),
        [whole, next],
        "{}",
        row.cell("another's record")
    );
}

/// The next requests under a key that is no longer valid: 401 for every request, in every session.
async fn refused(client: &Client, old: &Alive, row: Row<'_>) {
    assert_eq!(
        old.next_request(client).await,
        401,
        "{}",
        row.cell("next request")
    );
    for request in [
        client.modern("tools/list", json!({})),
        client.modern("subscriptions/listen", json!({ "notifications": {} })),
        client.initialize("2025-11-25"),
    ] {
        let (status, _) = body_of(request).await;
        assert_eq!(status, 401, "{}", row.cell("next request"));
    }
}

/// The next requests under the new grant: a session of the old one is unknown, a stateless request is served, and so
/// is a new session; each under the new sectors (r065, r072).
async fn served_anew(app: &TestApp, client: &Client, old: &Alive, row: Row<'_>, sectors: &Value) {
    let cell = row.cell("next request");
    let versioned = row.version.of_sessions();
    let expected = if versioned.is_some() { 404 } else { 200 };
    assert_eq!(old.next_request(client).await, expected, "{cell}");
    if let Some(version) = versioned {
        let anew = alive::session(client, version).await;
        let (status, _) = body_of(client.in_session(&anew, "ping", json!({}))).await;
        assert_eq!(status, 200, "{cell}");
        let listed = app.sessions("?agent=claude").await;
        assert_eq!(listed.as_array().unwrap().len(), 1, "{cell}");
    }
    let context = answer(client, "describe_context", json!({})).await;
    assert_eq!(&context["sectors"], sectors, "{cell}");
    let call = client.modern_call("get_schema", json!({ "target": "finance" }));
    let (_, body) = json_of(call).await;
    let text = body["result"]["content"][0]["text"].as_str().unwrap();
    let is_granted = sectors.as_array().unwrap().contains(&json!("finance"));
    assert_eq!(
        text != "access denied: finance",
        is_granted,
        "{cell}: {text}"
    );
}

macro_rules! rows {
    ($($name:ident: $edit:ident, $version:ident;)*) => {
        $(#[actix_web::test]
        async fn $name() {
            edited(Edit::$edit, Version::$version).await;
        })*
    };
}

rows! {
    r067_r504_a_rotation_against_what_lives_in_2025_06_18: Rotate, June;
    r067_r504_a_rotation_against_what_lives_in_2025_11_25: Rotate, November;
    r067_r504_a_rotation_against_what_lives_in_2026_07_28: Rotate, July;
    r067_r504_other_sectors_against_what_lives_in_2025_06_18: Sectors, June;
    r067_r504_other_sectors_against_what_lives_in_2025_11_25: Sectors, November;
    r067_r504_other_sectors_against_what_lives_in_2026_07_28: Sectors, July;
    r067_r504_another_deadline_against_what_lives_in_2025_06_18: Deadline, June;
    r067_r504_another_deadline_against_what_lives_in_2025_11_25: Deadline, November;
    r067_r504_another_deadline_against_what_lives_in_2026_07_28: Deadline, July;
    r067_r504_a_revocation_against_what_lives_in_2025_06_18: Revoke, June;
    r067_r504_a_revocation_against_what_lives_in_2025_11_25: Revoke, November;
    r067_r504_a_revocation_against_what_lives_in_2026_07_28: Revoke, July;
    r067_r504_a_removal_against_what_lives_in_2025_06_18: Remove, June;
    r067_r504_a_removal_against_what_lives_in_2025_11_25: Remove, November;
    r067_r504_a_removal_against_what_lives_in_2026_07_28: Remove, July;
}

#[actix_web::test]
async fn r503_a_deadline_that_passes_against_what_lives_in_each_version() {
    for version in [Version::June, Version::November, Version::July] {
        let now: DateTime<Utc> = "2026-03-17T12:00:00Z".parse().unwrap();
        let clock = FrozenClock::at(now);
        let mut settings = settings();
        // A day passes in one step, and the other agent's sessions must not end as idle.
        settings.limits.session_idle_max = std::time::Duration::from_secs(1_000_000);
        let database = TestDatabase::create().await;
        let app = TestApp::start_on(database, settings, std::sync::Arc::new(clock.clone())).await;
        let late = json!({ "name": "claude", "sectors": GRANTED, "expiresInDays": 1 });
        let key = app.create_agent(late).await.expect(201)["key"].clone();
        let client = Client::new(&url(&app), key.as_str().map(str::to_owned));
        let row = Row {
            done: &"deadline passes",
            version,
        };
        let passes = async |_: &TestApp| {
            clock.advance(TimeDelta::days(1));
            None
        };
        let (_, old) = expect_end(&app, &client, row, passes).await;
        refused(&client, &old, row).await;
    }
}

#[actix_web::test]
async fn r063_r075_an_edit_that_is_refused_ends_nothing() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &GRANTED).await;
    let mut alive = Alive::with_stream(&client, Version::November).await;
    let before = app.sessions("").await;
    for body in [
        json!({ "sectors": ["*"] }),
        json!({ "sectors": "home" }),
        json!({ "expiresInDays": 0 }),
        json!({ "sectors": ["home"], "connections": [] }),
        json!({ "sectors": ["home"], "readOnly": true }),
        json!({ "sectors": ["home"], "fields": ["amount"] }),
        json!({ "sectors": ["home"], "rowsPerDay": 5 }),
        json!({ "sectors": ["home"], "hours": "9-17" }),
        json!({ "sectors": { "home": { "expiresInDays": 3 } } }),
    ] {
        let refused = app.amend_agent("claude", body.clone()).await;
        assert_eq!(refused.status, 400, "{body}");
    }
    for refused in [
        app.rotate_agent("nobody").await,
        app.revoke_agent("nobody").await,
        app.remove_agent("nobody").await,
        app.amend_agent("nobody", json!({ "sectors": [] })).await,
    ] {
        assert_eq!(refused.status, 404);
    }
    assert_eq!(app.sessions("").await, before);
    alive.stream_is_open("the stream");
    assert_eq!(alive.next_request(&client).await, 200);
}

#[actix_web::test]
async fn r064_r072_r073_what_an_edit_grants_holds_from_the_next_request_with_data_or_without() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &GRANTED).await;
    app.push_connection("mail.messages").await;
    let mut alive = Alive::with_stream(&client, Version::July).await;
    let change = json!({ "sectors": ["mail", "travel"] });
    let told = app.amend_agent("claude", change).await.expect(200);
    assert_eq!(told["sessionsEnded"], 1);
    alive.expect_stream_end("the stream").await;
    let context = answer(&client, "describe_context", json!({})).await;
    assert_eq!(context["sectors"], json!(["mail"]));
    let empty = answer(&client, "query", json!({ "target": "mail.messages" })).await;
    assert_eq!(empty["returned"], 0, "{empty}");

    let told = app.amend_agent("claude", json!({ "sectors": [] })).await;
    assert_eq!(told.expect(200)["sessionsEnded"], 1);
    let context = answer(&client, "describe_context", json!({})).await;
    assert_eq!(context["sectors"], json!([]));
    for target in ["mail.messages", "travel.trips", "home.entities"] {
        let (_, body) = json_of(client.modern_call("query", json!({ "target": target }))).await;
        let text = body["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("access denied: "), "{target}: {text}");
    }
}

//! Refused keys over the agent port, with a clock that is moved: their reasons, their limit, and that no other caller
//! is affected.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use sextant_actors::clock::FrozenClock;

use super::url;
use crate::mcp::support::{Client, Events, body_of, json_of};
use crate::support::app::settings;
use crate::support::eventually::eventually;
use crate::support::{TestApp, TestDatabase};

/// Refusals that are recorded one by one in a window (r034).
const CAP: usize = 30;
/// Wrong keys that arrive while a right one is in use.
const WRONG_KEYS: usize = 2_000;
/// Wrong keys that arrive concurrently.
const AT_ONCE: usize = 50;

async fn app_with_clock() -> (TestApp, FrozenClock) {
    let now: DateTime<Utc> = "2026-03-17T12:00:00Z".parse().unwrap();
    let clock = FrozenClock::at(now);
    let database = TestDatabase::create().await;
    // A day passes in one step, and no session must end as idle over it.
    let mut settings = settings();
    settings.limits.session_idle_max = Duration::from_secs(1_000_000);
    let app = TestApp::start_on(database, settings, Arc::new(clock.clone())).await;
    (app, clock)
}

async fn refuse(client: &Client, times: usize) {
    for turn in 0..times {
        let request = match turn % 3 {
            0 => client.initialize("2025-11-25"),
            1 => client.modern_call("query", json!({})),
            _ => client.bare(Method::GET),
        };
        assert_eq!(body_of(request).await.0, 401);
    }
}

/// The reasons in all rows so far; rows keep their order, so a further call of an agent's is the last.
async fn reasons(app: &TestApp, agent: &Client) -> Vec<String> {
    let before = app.audit_rows(0).await.len();
    let (status, _) = json_of(agent.modern_call("list_actions", json!({}))).await;
    assert_eq!(status, 200);
    let mut rows = Vec::new();
    eventually("the last row is written", async || {
        rows = app.audit_rows(before + 1).await;
        rows.last().unwrap()["tool"] == "list_actions"
    })
    .await;
    let denied = rows.iter().filter(|row| row["tool"] == "initialize");
    denied
        .map(|row| row["deny_reason"].as_str().unwrap().to_owned())
        .collect()
}

#[actix_web::test]
async fn r034_thirty_refusals_a_minute_have_a_row_and_the_next_window_tells_of_the_others() {
    let (app, clock) = app_with_clock().await;
    let agent = super::agent(&app, "claude", &["home"]).await;
    let stranger = Client::new(&url(&app), Some("sxt_unknown".to_owned()));
    let unknown = |times: usize| vec!["unknown agent".to_owned(); times];
    let summary =
        |counted: usize| vec![format!("throttled: {counted} initialize denials coalesced")];

    refuse(&stranger, CAP + 12).await;
    assert_eq!(reasons(&app, &agent).await, unknown(CAP));
    clock.advance(TimeDelta::milliseconds(59_999));
    refuse(&stranger, 3).await;
    clock.advance(TimeDelta::milliseconds(1));
    let mut expected = unknown(CAP);
    assert_eq!(
        reasons(&app, &agent).await,
        expected,
        "no summary without another refusal"
    );

    refuse(&stranger, CAP + 1).await;
    expected.extend([summary(15), unknown(CAP)].concat());
    assert_eq!(
        reasons(&app, &agent).await,
        expected,
        "the summary first, and outside the thirty"
    );

    clock.advance(TimeDelta::days(-400));
    refuse(&stranger, 1).await;
    expected.extend([summary(1), unknown(1)].concat());
    assert_eq!(
        reasons(&app, &agent).await,
        expected,
        "a clock set back begins a window"
    );

    clock.advance(TimeDelta::seconds(60));
    refuse(&stranger, 1).await;
    expected.extend(unknown(1));
    assert_eq!(
        reasons(&app, &agent).await,
        expected,
        "nothing was counted, so nothing is told"
    );
}

#[actix_web::test]
async fn r030_r033_r031_each_refusal_has_its_words_and_its_shape() {
    let (app, clock) = app_with_clock().await;
    let expiring = json!({ "name": "late", "sectors": ["mail"], "expiresInDays": 1 });
    let late = app.create_agent(expiring).await.expect(201)["key"]
        .as_str()
        .unwrap()
        .to_owned();
    let gone = app.key_of("gone", &["mail"]).await;
    app.revoke_agent("gone").await.expect(200);
    let agent = super::agent(&app, "claude", &["home"]).await;
    let (device, _) = app.push_connection("home.entities").await;
    clock.advance(TimeDelta::days(1));
    let with = |key: &str| Client::new(&url(&app), Some(key.to_owned()));
    // Opening a session, and a probe without a key, leave no row.
    let session = agent.session().await;
    assert_eq!(
        body_of(Client::new(&url(&app), None).initialize("2025-11-25"))
            .await
            .0,
        401
    );
    for key in ["sxt_unknown", &gone, &late] {
        assert_eq!(body_of(with(key).initialize("2025-11-25")).await.0, 401);
    }
    json_of(agent.session_call(&session, "query", json!({ "target": "mail.messages" }))).await;
    json_of(agent.modern_call("get_record", json!({ "target": "Mail; DROP", "id": "x" }))).await;
    let push = app
        .request(Method::POST, &format!("/api/ingest/{device}"))
        .bearer_auth("wrong");
    app.send(push.json(&json!([]))).await.expect(401);
    let rows = app.audit_rows(6).await;
    let shapes: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!([
                row["tool"],
                row["deny_reason"],
                row["agent_id"],
                row["sector"],
                row["request_id"]
            ])
        })
        .collect();
    let expected = json!([
        ["initialize", "unknown agent", null, null, null],
        ["initialize", "revoked", null, null, null],
        ["initialize", "expired", null, null, null],
        ["query", "access denied: mail", "claude", "mail", "7"],
        ["get_record", "access denied: ?", "claude", null, "7"],
        ["ingest", "unauthorized", null, null, null],
    ]);
    assert_eq!(json!(shapes), expected);
    for row in &rows {
        assert_eq!(row["decision"], "deny", "{row}");
        assert_eq!(
            (&row["outcome"], &row["result_count"]),
            (&Value::Null, &Value::Null),
            "{row}"
        );
    }
    let users = "SELECT user_id IS NULL FROM audit_log ORDER BY id";
    let unresolved = app
        .database
        .connect()
        .await
        .query(users, &[])
        .await
        .unwrap();
    let unresolved: Vec<bool> = unresolved.iter().map(|row| row.get(0)).collect();
    assert_eq!(unresolved, [true, true, true, false, false, true]);
}

#[actix_web::test]
async fn r503_a_key_that_expires_ends_its_sessions_on_both_ports_and_no_other() {
    let (app, clock) = app_with_clock().await;
    let expiring = json!({ "name": "late", "sectors": ["home"], "expiresInDays": 1 });
    let key = app.create_agent(expiring).await.expect(201)["key"]
        .as_str()
        .unwrap()
        .to_owned();
    let late = Client::new(&url(&app), Some(key));
    let other = super::agent(&app, "claude", &["home"]).await;
    let (session, others) = (late.session().await, other.session().await);
    let mut ended = Events::open(late.listen(&session)).await;
    let mut kept = Events::open(other.listen(&others)).await;
    json_of(late.modern_call("list_actions", json!({}))).await;
    assert_eq!(
        app.sessions("?agent=late").await.as_array().unwrap().len(),
        2
    );
    clock.advance(TimeDelta::days(1));
    assert_eq!(ended.next().await, None);
    eventually("no session is left", async || {
        app.sessions("?agent=late").await == json!([])
    })
    .await;
    for request in [
        late.session_call(&session, "list_actions", json!({})),
        late.modern_call("list_actions", json!({})),
        late.initialize("2025-11-25"),
        late.listen(&session),
    ] {
        assert_eq!(body_of(request).await.0, 401);
    }
    assert_eq!(app.agent("late").await.expect(200)["status"], "expired");
    let served = json_of(other.session_call(&others, "list_actions", json!({}))).await;
    assert_eq!(served.1["result"]["isError"], false);
    let waits = tokio::time::timeout(Duration::ZERO, kept.next()).await;
    assert!(waits.is_err(), "the other agent's stream is open");
    let rows = app.audit_rows(6).await;
    let reasons: Vec<_> = rows.iter().map(|row| row["deny_reason"].clone()).collect();
    let expired = json!("expired");
    let expected = [
        Value::Null,
        expired.clone(),
        expired.clone(),
        expired.clone(),
        expired,
        Value::Null,
    ];
    assert_eq!(reasons, expected);
}

#[actix_web::test]
async fn r069_thousands_of_wrong_keys_change_nothing_for_the_right_one_or_for_themselves() {
    let app = TestApp::start().await;
    let agent = super::agent(&app, "claude", &["home"]).await;
    let session = agent.session().await;
    let wrong = Client::new(&url(&app), Some("sxt_unknown".to_owned()));
    let first = answer_of(&wrong).await;
    for _ in 0..WRONG_KEYS / AT_ONCE {
        let refused = join_all((0..AT_ONCE).map(|_| answer_of(&wrong)));
        let good = async {
            let (status, answer) =
                json_of(agent.session_call(&session, "list_actions", json!({}))).await;
            assert_eq!((status, &answer["result"]["isError"]), (200, &json!(false)));
            let (status, answer) = json_of(agent.modern_call("list_actions", json!({}))).await;
            assert_eq!((status, &answer["result"]["isError"]), (200, &json!(false)));
        };
        let (refused, ()) = tokio::join!(refused, good);
        assert!(refused.iter().all(|answer| *answer == first), "{refused:?}");
    }
    assert_eq!(agent.session().await.len(), session.len());
    assert_eq!(first.0, 401);
}

/// Status, headers and body of a refusal, without its date.
async fn answer_of(client: &Client) -> (u16, Vec<String>, String) {
    let answer = client.initialize("2025-11-25").send().await.unwrap();
    let head = answer.headers().iter().filter(|(name, _)| *name != "date");
    let mut head: Vec<_> = head
        .map(|(name, value)| format!("{name}: {value:?}"))
        .collect();
    head.sort();
    (answer.status().as_u16(), head, answer.text().await.unwrap())
}

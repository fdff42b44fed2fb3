use serde_json::{Value, json};
use sextant_actors::domain::{Decision, Outcome, Sector};

use super::{args, entry, write};
use crate::support::TestApp;

/// Four rows: allowed, errored, denied, and a refused handshake without user and agent.
async fn four_rows(app: &TestApp) {
    let mut allowed = entry("laptop", "query");
    allowed.args = args(json!({ "target": "mail.messages", "search": "Rent" }));
    let mut errored = entry("phone", "get_record");
    (errored.sector, errored.outcome) = (Some(Sector::Home), Some(Outcome::Error));
    let mut denied = entry("phone", "query");
    (denied.decision, denied.outcome) = (Decision::Deny("access denied: mail".into()), None);
    let mut handshake = entry("", "initialize");
    (
        handshake.user_id,
        handshake.agent_id,
        handshake.sector,
        handshake.outcome,
    ) = (None, None, None, None);
    handshake.decision = Decision::Deny("unknown agent".into());
    write(&app.pool, vec![allowed]).await;
    write(&app.pool, vec![errored]).await;
    write(&app.pool, vec![denied]).await;
    write(&app.pool, vec![handshake]).await;
}

/// The rows that match a query, as `agent tool`, oldest first.
async fn search(app: &TestApp, query: &str) -> Vec<String> {
    let page = app.audit(query).await.expect(200);
    let rows = page["rows"].as_array().unwrap();
    let shown = |row: &Value| {
        format!(
            "{} {}",
            row["agent_id"].as_str().unwrap_or("-"),
            row["tool"].as_str().unwrap()
        )
    };
    rows.iter().rev().map(shown).collect()
}

#[actix_web::test]
async fn r102_every_filter_narrows_the_record() {
    let app = TestApp::start().await;
    four_rows(&app).await;
    let (allowed, errored, denied, handshake) = (
        "laptop query",
        "phone get_record",
        "phone query",
        "- initialize",
    );
    for (query, expected) in [
        ("", vec![allowed, errored, denied, handshake]),
        ("?agent=phone", vec![errored, denied]),
        ("?agent=-", vec![handshake]),
        ("?tool=query", vec![allowed, denied]),
        ("?sector=home", vec![errored]),
        ("?decision=deny", vec![denied, handshake]),
        ("?outcome=ok", vec![allowed]),
        ("?result=allowed", vec![allowed]),
        ("?result=denied", vec![denied, handshake]),
        ("?result=errored", vec![errored]),
        ("?q=rENT", vec![allowed]),
        ("?q=unknown%20agent", vec![handshake]),
        ("?agent=phone&decision=deny", vec![denied]),
        ("?agent=&tool=", vec![allowed, errored, denied, handshake]),
        ("?agent=nobody", vec![]),
    ] {
        assert_eq!(search(&app, query).await, expected, "{query}");
    }
}

#[actix_web::test]
async fn r102_time_bounds_are_from_inclusive_to_exclusive() {
    let app = TestApp::start().await;
    four_rows(&app).await;
    let page = app.audit("").await.expect(200);
    let stamp = |row: usize| page["rows"][row]["created_at"].as_str().unwrap().to_owned();
    let query = format!("?from={}&to={}", stamp(2), stamp(1));
    assert_eq!(search(&app, &query).await, ["phone get_record"]);
}

#[actix_web::test]
async fn what_cannot_be_taken_is_refused_by_name() {
    let app = TestApp::start().await;
    for (query, field) in [
        ("?limit=0", "limit"),
        ("?limit=501", "limit"),
        ("?result=fine", "result"),
        ("?decision=deny&result=denied", "result"),
        ("?from=yesterday", "from"),
        ("?before=x", "before"),
        ("?user_id=1", "user_id"),
        ("?agent=a&agent=b", "agent"),
    ] {
        app.audit(query)
            .await
            .expect_problem(400, "invalid", Some(field));
    }
}

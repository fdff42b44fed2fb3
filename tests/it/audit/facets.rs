//! What is answered from the audit log's counts: the names in it, and calls over time.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sextant_actors::domain::Decision;

use super::{entry, write};
use crate::support::TestApp;

#[actix_web::test]
async fn facets_name_every_agent_and_verb_once() {
    let app = TestApp::start().await;
    assert_eq!(
        app.get("/api/audit/facets").await.expect(200),
        json!({ "agents": [], "tools": [] })
    );
    let mut nobody = entry("x", "ingest");
    nobody.agent_id = None;
    write(
        &app.pool,
        vec![
            entry("b", "query"),
            entry("a", "query"),
            entry("b", "erase"),
            nobody,
        ],
    )
    .await;
    write(&app.pool, vec![entry("b", "query")]).await;
    let facets = app.get("/api/audit/facets").await.expect(200);
    assert_eq!(
        facets,
        json!({ "agents": ["a", "b"], "tools": ["erase", "ingest", "query"] })
    );
}

fn sum(line: &Value) -> u64 {
    line.as_array()
        .unwrap()
        .iter()
        .map(|calls| calls.as_u64().unwrap())
        .sum()
}

#[actix_web::test]
async fn a_plot_tells_the_calls_of_each_step() {
    let app = TestApp::start().await;
    let mut nobody = entry("x", "ingest");
    (nobody.agent_id, nobody.outcome) = (None, None);
    // A refused call counts as a call.
    nobody.decision = Decision::Deny("unauthorized".into());
    write(
        &app.pool,
        vec![
            entry("b", "query"),
            entry("a", "query"),
            entry("b", "erase"),
            nobody,
        ],
    )
    .await;
    age(&app, "b", TimeDelta::days(3)).await;
    let plot = async |query: &str| {
        app.get(&format!("/api/stats/calls?{query}"))
            .await
            .expect(200)
    };

    let day = plot("").await;
    let steps: Vec<DateTime<Utc>> = serde_json::from_value(day["t"].clone()).unwrap();
    assert_eq!(steps.len(), 24);
    assert!(
        steps
            .windows(2)
            .all(|pair| pair[1] - pair[0] == TimeDelta::hours(1))
    );
    let series = day["series"].as_object().unwrap();
    assert_eq!(
        series.keys().collect::<Vec<_>>(),
        ["-", "a"],
        "b called days ago"
    );
    assert!(
        series
            .values()
            .all(|line| line.as_array().unwrap().len() == 24 && sum(line) == 1)
    );

    let week = plot("by=tool&window=7d&step=1d").await;
    assert_eq!(week["t"].as_array().unwrap().len(), 7);
    let sums = ["query", "erase", "ingest"].map(|verb| sum(&week["series"][verb]));
    assert_eq!(sums, [2, 1, 1]);
    let own = plot("by=sector&window=30d&step=1d&agent=b").await;
    assert_eq!(sum(&own["series"]["mail"]), 2);
    assert_eq!(own["series"].as_object().unwrap().len(), 1);
}

/// Makes the agent's rows older by this much.
async fn age(app: &TestApp, agent: &str, by: TimeDelta) {
    let database = app.database.connect().await;
    let older =
        "UPDATE audit_hourly SET hour = hour - $2 * interval '1 second' WHERE agent_id = $1";
    database
        .execute(older, &[&agent, &by.as_seconds_f64()])
        .await
        .unwrap();
}

#[actix_web::test]
async fn a_plot_that_cannot_be_is_refused() {
    let app = TestApp::start().await;
    for (query, field) in [
        ("by=id", "by"),
        ("window=1y", "window"),
        ("step=0h", "step"),
        ("window=90d&step=7h", "step"),
        ("agent=%00", "agent"),
    ] {
        let answer = app.get(&format!("/api/stats/calls?{query}")).await;
        answer.expect_problem(400, "invalid", Some(field));
    }
}

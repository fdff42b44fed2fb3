//! Calls of another user: counted, and shown to nobody else (r006).

use serde_json::{Value, json};
use sextant_actors::audit::AuditEntry;
use sextant_actors::domain::Decision;
use uuid::Uuid;

use super::{entry, write};
use crate::support::TestApp;

/// The other user.
pub const OTHER: Uuid = Uuid::from_u128(7);

pub const ADD_OTHER: &str =
    "INSERT INTO users (id) VALUES ('00000000-0000-0000-0000-000000000007')";

/// An audit entry of the other user's agent.
pub fn foreign(agent: &str, tool: &str) -> AuditEntry {
    AuditEntry {
        user_id: Some(OTHER),
        ..entry(agent, tool)
    }
}

/// An audit entry of a refused handshake.
pub fn refusal() -> AuditEntry {
    AuditEntry {
        user_id: None,
        agent_id: None,
        sector: None,
        outcome: None,
        decision: Decision::Deny("revoked".into()),
        ..entry("", "initialize")
    }
}

async fn plot(app: &TestApp, query: &str) -> Value {
    let plot = app.get(&format!("/api/stats/calls?{query}")).await;
    let series = plot.expect(200)["series"].clone();
    let sum = |line: &Value| {
        let line = line.as_array().unwrap().iter();
        line.map(|calls| calls.as_u64().unwrap()).sum::<u64>()
    };
    let series = series.as_object().unwrap().iter();
    series
        .map(|(name, line)| (name.clone(), json!(sum(line))))
        .collect()
}

#[actix_web::test]
async fn r006_facets_plots_and_last_calls_tell_of_no_other_users_calls() {
    let app = TestApp::start().await;
    let owner = app.database.connect().await;
    owner.batch_execute(ADD_OTHER).await.unwrap();
    app.key_of("laptop", &[]).await;
    app.key_of("phone", &[]).await;
    write(&app.pool, vec![entry("laptop", "query"), refusal()]).await;
    let stamp = app.audit("").await.expect(200)["rows"][0]["created_at"].clone();
    // Later, with the same names.
    write(
        &app.pool,
        vec![
            foreign("laptop", "erase"),
            foreign("laptop", "query"),
            foreign("phone", "query"),
            foreign("theirs", "query"),
        ],
    )
    .await;

    assert_eq!(
        app.get("/api/audit/facets").await.expect(200),
        json!({ "agents": ["laptop"], "tools": ["initialize", "query"] })
    );
    assert_eq!(
        plot(&app, "window=2h").await,
        json!({ "laptop": 1, "-": 1 })
    );
    assert_eq!(
        plot(&app, "by=tool&window=2h").await,
        json!({ "query": 1, "initialize": 1 })
    );
    assert_eq!(
        plot(&app, "by=sector&window=2h&agent=laptop").await,
        json!({ "mail": 1 })
    );
    assert_eq!(plot(&app, "window=2h&agent=theirs").await, json!({}));
    let agents = app.agents().await;
    let last_call = |name: &str| {
        let mut agents = agents.as_array().unwrap().iter();
        agents.find(|agent| agent["name"] == name).unwrap()["lastCallAt"].clone()
    };
    assert_eq!(last_call("laptop"), stamp);
    assert_eq!(last_call("phone"), Value::Null);
}

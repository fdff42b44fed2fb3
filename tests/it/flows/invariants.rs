//! What holds of the grants, the ports and the audit log in each flow.

use reqwest::Method;
use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;

use super::{agent, answer, url};
use crate::mcp::support::{Client, body_of, json_of};
use crate::support::TestApp;

async fn code_of(client: &tokio_postgres::Client, sql: &str) -> String {
    match client.batch_execute(sql).await {
        Ok(()) => "ok".to_owned(),
        Err(error) => error.code().unwrap().code().to_owned(),
    }
}

#[actix_web::test]
async fn r002_no_grant_can_name_a_connection() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("finance.transactions").await;
    for field in ["connections", "connectionId", "sources"] {
        let body = json!({ "name": "claude", "sectors": [], field: [id] });
        app.create_agent(body)
            .await
            .expect_problem(400, "invalid", Some(field));
    }
    // As a sector it is an unknown name, and gives no right.
    let client = agent(&app, "claude", &[&id]).await;
    let context = answer(&client, "describe_context", json!({})).await;
    assert_eq!(context["sectors"], json!([]));
    let call = client.modern_call("query", json!({ "target": "finance.transactions" }));
    let (_, body) = json_of(call).await;
    assert_eq!(
        body["result"]["content"][0]["text"],
        "access denied: finance"
    );
}

#[actix_web::test]
async fn r001_no_route_makes_a_seventh_sector() {
    let app = TestApp::start().await;
    let body =
        json!({ "provider": "push", "sector": "travel", "table": "travel.trips", "label": "x" });
    assert_eq!(app.create_connection(body).await.status, 400);
    let client = agent(&app, "claude", &["*"]).await;
    let context = answer(&client, "describe_context", json!({})).await;
    let six = json!(["finance", "mail", "calendar", "contacts", "health", "home"]);
    assert_eq!(context["sectors"], six);
}

#[actix_web::test]
async fn r006_one_operator_is_seeded_and_everything_is_theirs() {
    let app = TestApp::start().await;
    app.push_connection("home.entities").await;
    app.key_of("claude", &[]).await;
    let owner = app.database.connect().await;
    for table in ["users", "agents", "connections"] {
        let column = if table == "users" { "id" } else { "user_id" };
        let rows = owner
            .query(&format!("SELECT {column} FROM {table}"), &[])
            .await
            .unwrap();
        assert_eq!(rows.len(), 1, "{table}");
        assert_eq!(rows[0].get::<_, uuid::Uuid>(0), OPERATOR, "{table}");
    }
}

#[actix_web::test]
async fn r003_each_port_serves_its_own_routes_and_no_other() {
    let app = TestApp::start().await;
    let http = Client::new(&url(&app), None);
    assert_eq!(app.healthz().await.status, 200);
    assert_eq!(app.post("/mcp", json!({})).await.status, 404);
    for path in ["/healthz", "/api/agents", "/api/audit"] {
        let elsewhere = Client::new(&format!("http://{}{path}", app.agents), None);
        let (status, _) = body_of(elsewhere.bare(Method::GET)).await;
        assert_eq!(status, 404, "{path}");
    }
    let (status, _) = body_of(http.initialize("2025-11-25")).await;
    assert_eq!(status, 401);
}

#[actix_web::test]
async fn r023_no_one_changes_or_takes_away_a_row_of_the_record() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("home.entities").await;
    app.pause(&id).await.expect(200);
    app.audit_rows(1).await;
    let owner = app.database.connect().await;
    let superuser = app.database.connect_as_superuser().await;
    superuser
        .batch_execute("SET session_replication_role = replica")
        .await
        .unwrap();
    for sql in [
        "UPDATE audit_log SET outcome = 'error'",
        "DELETE FROM audit_log",
        "TRUNCATE audit_log",
        "DELETE FROM users",
    ] {
        assert_ne!(code_of(&owner, sql).await, "ok", "{sql}");
    }
    for sql in [
        "UPDATE audit_log SET outcome = 'error'",
        "DELETE FROM audit_log",
        "TRUNCATE audit_log",
    ] {
        assert_eq!(code_of(&superuser, sql).await, "P0001", "{sql}");
    }
    app.disconnect(&id, json!({ "rows": "delete" }))
        .await
        .expect(200);
    let rows = app.audit_rows(2).await;
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row["tool"].as_str().unwrap(), row["outcome"].as_str()))
        .collect();
    assert_eq!(told, [("pause", Some("ok")), ("disconnect", Some("ok"))]);
}

#[actix_web::test]
async fn r044_an_agents_name_refers_to_nothing_and_a_user_must_exist() {
    let app = TestApp::start().await;
    let owner = app.database.connect().await;
    let insert = |column: &str, value: &str| {
        format!(
            "INSERT INTO audit_log (tool, decision, {column}) VALUES ('query', 'allow', {value})"
        )
    };
    assert_eq!(code_of(&owner, &insert("agent_id", "'gone'")).await, "ok");
    let stranger = insert("user_id", "gen_random_uuid()");
    assert_eq!(code_of(&owner, &stranger).await, "23503");
}

#[actix_web::test]
async fn r041_r031_of_the_operators_acts_only_those_of_the_table_leave_a_row() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("home.entities").await;
    app.rotate_secret(&id).await.expect(200);
    app.key_of("claude", &[]).await;
    app.amend_agent("claude", json!({ "sectors": ["home"], "expiresInDays": 3 }))
        .await
        .expect(200);
    app.rotate_agent("claude").await.expect(200);
    app.revoke_agent("claude").await.expect(200);
    app.remove_agent("claude").await.expect(200);
    app.audit("?limit=5").await.expect(200);
    app.pause(&id).await.expect(200);
    app.resume(&id).await.expect(200);
    app.disconnect(&id, json!({ "rows": "keep" }))
        .await
        .expect(200);
    let rows = app.audit_rows(3).await;
    let told: Vec<_> = rows
        .iter()
        .map(|row| [&row["agent_id"], &row["tool"], &row["decision"]].map(Value::clone))
        .collect();
    let expected = ["pause", "resume", "disconnect"]
        .map(|tool| [json!("operator"), json!(tool), json!("allow")]);
    assert_eq!(told, expected);
    assert!(rows.iter().all(|row| row["request_id"].is_null()));
}

#[actix_web::test]
async fn r086_a_known_and_an_unknown_connection_are_refused_alike() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("home.entities").await;
    let mut seen = Vec::new();
    for id in [id.as_str(), "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"] {
        let request = app.request(Method::POST, &format!("/api/ingest/{id}"));
        let request = request.bearer_auth("wrong").json(&json!([]));
        let refused = app.send(request).await;
        let mut head: Vec<_> = refused
            .headers
            .iter()
            .filter(|(name, _)| *name != "date")
            .map(|(name, value)| format!("{name}: {value:?}"))
            .collect();
        head.sort();
        seen.push((refused.status, head, refused.text));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(
        (seen[0].0.as_u16(), seen[0].2.as_str()),
        (401, r#"{"error":"unauthorized"}"#)
    );
    let rows = app.audit_rows(2).await;
    let kept = |row: &Value| {
        let mut row = row.as_object().unwrap().clone();
        row.retain(|name, _| !["id", "created_at"].contains(&name.as_str()));
        row
    };
    assert_eq!(kept(&rows[0]), kept(&rows[1]));
}

#[actix_web::test]
async fn r028_no_key_and_no_secret_stands_anywhere_in_the_database() {
    let app = TestApp::start().await;
    let (id, secret) = app.push_connection("home.entities").await;
    let key = app.key_of("claude", &["home"]).await;
    let client = Client::new(&url(&app), Some(key.clone()));
    client.session().await;
    answer(&client, "describe_context", json!({})).await;
    for bearer in [secret.as_str(), key.as_str()] {
        let request = app.request(Method::POST, &format!("/api/ingest/{id}"));
        app.send(request.bearer_auth(bearer).json(&json!([]))).await;
    }
    app.revoke_agent("claude").await.expect(200);
    assert_eq!(body_of(client.initialize("2025-11-25")).await.0, 401);
    app.audit_rows(4).await;
    let owner = app.database.connect().await;
    let tables = "SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
        WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'";
    for table in owner.query(tables, &[]).await.unwrap() {
        let table: String = table.get(0);
        let sql = format!("SELECT to_jsonb(t)::text FROM {table} t");
        for row in owner.query(&sql, &[]).await.unwrap() {
            let text: String = row.get(0);
            assert!(
                !text.contains(&key) && !text.contains(&secret),
                "{table} holds it"
            );
        }
    }
}

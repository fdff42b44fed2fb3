//! Another user's whole store in the same database: nothing that the operator or their agents read shows that it is
//! there (r006).

use std::sync::Arc;

use reqwest::Method;
use serde_json::{Value, json};
use sextant::catalog;
use sextant_actors::clock::SystemClock;

use crate::support::answers::{a_message, calls, household, without_times};
use crate::support::app::settings;
use crate::support::{TestApp, TestDatabase};

/// Every table with a user, except those in which a user always has exactly one row.
const OWNED: &str = "
    SELECT format('%I.%I', table_schema, table_name)
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE column_name = 'user_id' AND table_type = 'BASE TABLE' AND table_name NOT IN ('generations', 'built')";
/// Adds the other user, and disables the triggers that keep the audit log unchanged, until [`HOLD`].
const RELEASE: &str = "
    INSERT INTO users (id) VALUES ('00000000-0000-0000-0000-000000000007');
    SET session_replication_role = replica;
    ALTER TABLE audit_log DISABLE TRIGGER USER";
const HOLD: &str = "
    ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_rows_stay;
    ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_stays";

/// Makes everything that the operator has the other user's.
async fn give_away(database: &TestDatabase) {
    let superuser = database.connect_as_superuser().await;
    superuser.batch_execute(RELEASE).await.unwrap();
    let (mut tables, mut rows) = (0, 0);
    for table in superuser.query(OWNED, &[]).await.unwrap() {
        let table: String = table.get(0);
        let give = format!(
            "UPDATE {table} SET user_id = '00000000-0000-0000-0000-000000000007' WHERE user_id IS NOT NULL"
        );
        tables += 1;
        rows += superuser.execute(&give, &[]).await.unwrap();
    }
    superuser.batch_execute(HOLD).await.unwrap();
    assert!(tables > 25 && rows > 2_000, "{tables} {rows}");
}

/// What the operator reads, by request.
async fn read_by_the_operator(app: &TestApp) -> Vec<(String, Value)> {
    let mut read = Vec::new();
    for path in [
        "/api/agents",
        "/api/connections",
        "/api/sessions",
        "/api/audit",
        "/api/audit/facets",
        "/api/stats/calls?by=tool&window=30d&step=1d",
        "/api/operator/context",
        "/api/operator/schema",
        "/api/audit.csv",
    ] {
        let answer = app.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        let mut answer = without_times(&answer.text);
        if let Some(plot) = answer.as_object_mut() {
            plot.remove("t");
        }
        read.push((path.to_owned(), answer));
    }
    let status = app.get("/api/status").await.expect(200);
    for part in ["sectors", "onboarded"] {
        read.push((part.to_owned(), status[part].clone()));
    }
    for table in catalog::tables() {
        let (target, path) = (table.target(), table.sector.name());
        let asked = json!({ "target": target, "count": true });
        let answer = app.post(&format!("/api/data/{path}"), asked).await;
        assert_eq!(answer.status, 200, "{target}: {answer:?}");
        read.push((target, without_times(&answer.text)));
    }
    read
}

/// What an agent with all sectors reads, by request.
async fn read_by_an_agent(app: &TestApp, mail: &str) -> Vec<(String, Value)> {
    let key = app.key_of("fresh", &["*"]).await;
    let mut read = Vec::new();
    for (tool, arguments) in calls(mail) {
        let request = app.request(Method::POST, &format!("/api/read/{tool}"));
        let answer = app.send(request.bearer_auth(&key).json(&arguments)).await;
        read.push((format!("{tool} {arguments}"), without_times(&answer.text)));
    }
    read
}

fn assert_same(found: Vec<(String, Value)>, expected: Vec<(String, Value)>) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.into_iter().zip(expected) {
        assert_eq!(found, expected);
    }
}

#[actix_web::test]
async fn r006_of_another_users_store_nothing_is_read() {
    let (app, _) = household().await;
    let mail = a_message(&app).await;
    let key = app.key_of("theirs", &["*"]).await;
    let (connection, secret) = app.push_connection("home.entities").await;
    let full = read_by_the_operator(&app).await;
    let database = app.stop_in_order().await;
    give_away(&database).await;

    let app = TestApp::start_on(database, settings(), Arc::new(SystemClock)).await;
    let empty = TestApp::start().await;
    let expected = read_by_the_operator(&empty).await;
    let told = full.iter().zip(&expected);
    let differing = told.filter(|(full, empty)| full != empty).count();
    assert!(differing > 20, "{differing}");
    assert_same(read_by_the_operator(&app).await, expected);
    assert_same(
        read_by_an_agent(&app, &mail).await,
        read_by_an_agent(&empty, &mail).await,
    );

    let mirror = app.request(Method::POST, "/api/read/describe_context");
    app.send(mirror.bearer_auth(&key)).await.expect(403);
    let push = app.request(Method::POST, &format!("/api/ingest/{connection}"));
    let push = push.bearer_auth(&secret).json(&json!([]));
    app.send(push).await.expect(401);
    app.pause(&connection).await.expect(404);
    app.revoke_agent("theirs").await.expect(404);
}

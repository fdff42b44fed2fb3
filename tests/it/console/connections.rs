use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sextant_actors::domain::{ConnectionState, Digest};

use crate::support::TestApp;

/// The random bytes of a secret, decoded from base64url after its prefix.
fn bytes_of(secret: &str) -> Vec<u8> {
    let encoded = secret.strip_prefix("sxi_").unwrap();
    BASE64_URL_SAFE_NO_PAD.decode(encoded).unwrap()
}

#[actix_web::test]
async fn r085_a_secret_is_shown_once_and_only_its_sha256_is_kept() {
    let app = TestApp::start().await;
    let body = json!({ "provider": "push", "sector": "finance", "label": "Bank export" });
    let created = app.create_connection(body).await;
    assert_eq!(created.headers["cache-control"], "no-store");
    let created = created.expect(201);
    let (id, secret) = (
        created["connections"][0]["id"].as_str().unwrap(),
        created["secret"].as_str().unwrap(),
    );
    assert_eq!(bytes_of(secret).len(), 32);
    let url = created["ingestUrl"].as_str().unwrap();
    assert_eq!(url, format!("http://{}/api/ingest/{id}", app.address()));

    let sql = "SELECT c::text, ingest_secret_sha256, target_table FROM connections c";
    let row = app
        .database
        .connect()
        .await
        .query_one(sql, &[])
        .await
        .unwrap();
    assert!(!row.get::<_, String>(0).contains(secret));
    assert_eq!(row.get::<_, &[u8]>(1), Digest::of(secret).as_bytes());
    assert_eq!(row.get::<_, &str>(2), "finance.transactions");
    let shown = app.connections().await.to_string() + &app.connection(id).await.text;
    assert!(
        !shown.contains(secret) && !shown.contains("sha256"),
        "{shown}"
    );
}

#[actix_web::test]
async fn a_connection_is_published_before_it_is_answered() {
    let app = TestApp::start().await;
    let (id, secret) = app.push_connection("contacts.groups").await;
    let published = app.published(&id).unwrap();
    assert_eq!(published.secret, Some(Digest::of(&secret)));
    assert_eq!(
        (published.target.as_str(), published.state),
        ("contacts.groups", ConnectionState::Active)
    );
}

#[actix_web::test]
async fn a_connection_is_shown_with_its_state_and_health() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("health.samples").await;
    let mut shown = app.connection(&id).await.expect(200);
    assert_eq!(shown["rows"].take(), json!(0));
    shown.as_object_mut().unwrap().remove("rows");
    assert_eq!(shown, app.connections().await[0]);
    for (field, expected) in [
        ("provider", json!("push")),
        ("sector", json!("health")),
        ("table", json!("health.samples")),
        ("state", json!("active")),
        ("health", json!("waiting")),
        ("hasIngestSecret", json!(true)),
        ("lastSyncAt", Value::Null),
    ] {
        assert_eq!(shown[field], expected, "{field}");
    }
}

#[actix_web::test]
async fn what_no_connection_can_be_made_of_is_refused_by_name() {
    let app = TestApp::start().await;
    for (body, field) in [
        (
            json!({ "provider": "google", "sector": "mail", "label": "a" }),
            "provider",
        ),
        (
            json!({ "provider": "push", "sector": "money", "label": "a" }),
            "sector",
        ),
        (
            json!({ "provider": "push", "sector": "mail", "table": "threads", "label": "a" }),
            "table",
        ),
        (
            json!({ "provider": "push", "sector": "mail", "table": "finance.accounts", "label": "a" }),
            "table",
        ),
        (
            json!({ "provider": "push", "sector": "mail", "label": "" }),
            "label",
        ),
        (
            json!({ "provider": "push", "sector": "mail", "label": "a", "secret": "mine" }),
            "secret",
        ),
    ] {
        app.create_connection(body)
            .await
            .expect_problem(400, "invalid", Some(field));
    }
    assert_eq!(app.connections().await, json!([]));
}

#[actix_web::test]
async fn r039_pause_and_resume_take_effect_at_once_and_leave_a_row_each() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("mail.messages").await;
    assert_eq!(app.pause(&id).await.expect(200)["state"], "paused");
    assert_eq!(app.published(&id).unwrap().state, ConnectionState::Paused);
    assert_eq!(app.resume(&id).await.expect(200)["state"], "active");
    assert_eq!(app.published(&id).unwrap().state, ConnectionState::Active);

    let rows = app.audit_rows(2).await;
    for (row, verb) in rows.iter().zip(["pause", "resume"]) {
        assert_eq!(
            (&row["agent_id"], &row["tool"]),
            (&json!("operator"), &json!(verb))
        );
        assert_eq!(
            (&row["decision"], &row["outcome"]),
            (&json!("allow"), &json!("ok"))
        );
        assert_eq!(
            (&row["sector"], &row["result_count"]),
            (&json!("mail"), &Value::Null)
        );
        assert_eq!(row["args"], json!({ "connectionId": id }));
    }
    assert_eq!(rows.len(), 2);
}

#[actix_web::test]
async fn r048_an_act_that_failed_is_recorded_as_error() {
    let app = TestApp::start().await;
    let unknown = uuid::Uuid::from_u128(1).to_string();
    app.pause(&unknown)
        .await
        .expect_problem(404, "not_found", None);
    app.resume(&unknown)
        .await
        .expect_problem(404, "not_found", None);
    app.disconnect(&unknown, json!({ "rows": "keep" }))
        .await
        .expect_problem(404, "not_found", None);
    let rows = app.audit_rows(3).await;
    for (row, verb) in rows.iter().zip(["pause", "resume", "disconnect"]) {
        assert_eq!(
            (&row["tool"], &row["decision"], &row["outcome"]),
            (&json!(verb), &json!("allow"), &json!("error"))
        );
    }
}

#[actix_web::test]
async fn r085_a_new_secret_stops_the_old_one_at_once() {
    let app = TestApp::start().await;
    let (id, old) = app.push_connection("mail.messages").await;
    let rotated = app.rotate_secret(&id).await.expect(200);
    let new = rotated["secret"].as_str().unwrap();
    assert_ne!(new, old);
    assert_eq!(bytes_of(new).len(), 32);
    assert_ne!(bytes_of(new)[..16], bytes_of(&old)[..16]);
    assert_eq!(app.published(&id).unwrap().secret, Some(Digest::of(new)));
    app.rotate_secret("nonsense")
        .await
        .expect_problem(404, "not_found", None);
}

#[actix_web::test]
async fn r082_a_stored_hash_of_the_wrong_length_is_no_secret() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("mail.messages").await;
    let cut = "UPDATE connections SET ingest_secret_sha256 = substr(ingest_secret_sha256, 1, 16)";
    app.database
        .connect()
        .await
        .batch_execute(cut)
        .await
        .unwrap();
    app.resume(&id).await.expect(200);
    assert_eq!(app.published(&id).unwrap().secret, None);
}

use serde_json::{Value, json};
use sextant_actors::domain::Digest;

use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;

#[actix_web::test]
async fn r074_an_agent_is_shown_with_exactly_its_grant_and_its_life() {
    let app = TestApp::start().await;
    let key = app.key_of("laptop", &["mail"]).await;
    let _live = app.open_session(&key, "client").await;
    let shown = app.agent("laptop").await.expect(200);
    assert_eq!(shown, app.agents().await[0]);
    let mut fields: Vec<_> = shown
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    fields.sort_unstable();
    let mut expected = [
        "name",
        "sectors",
        "status",
        "createdAt",
        "expiresAt",
        "revokedAt",
        "lastCallAt",
        "liveSessions",
    ];
    expected.sort_unstable();
    assert_eq!(fields, expected);
    assert_eq!(
        (&shown["status"], &shown["liveSessions"]),
        (&json!("active"), &json!(1))
    );
    assert_eq!(shown["lastCallAt"], Value::Null);
}

#[actix_web::test]
async fn r074_the_table_holds_exactly_the_fields_of_a_grant() {
    let app = TestApp::start().await;
    let columns = "SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute \
                   WHERE attrelid = 'agents'::regclass AND attnum > 0 AND NOT attisdropped";
    let row = app
        .database
        .connect()
        .await
        .query_one(columns, &[])
        .await
        .unwrap();
    assert_eq!(
        row.get::<_, &str>(0),
        "user_id name key_hash sectors created_at revoked_at expires_at"
    );
}

#[actix_web::test]
async fn sessions_are_asked_for_by_a_name_that_can_be_one() {
    let app = TestApp::start().await;
    assert_eq!(app.sessions("?agent=nobody").await, json!([]));
    app.get("/api/sessions?agent=a%20b")
        .await
        .expect_problem(400, "invalid", Some("agent"));
    app.get("/api/sessions?agnet=a")
        .await
        .expect_problem(400, "invalid", Some("agnet"));
}

#[actix_web::test]
async fn agents_and_their_keys_outlive_the_service() {
    let app = TestApp::start().await;
    let key = app.key_of("laptop", &["mail"]).await;
    let before = app.agents().await;
    let app = app.restart().await;
    assert_eq!(app.agents().await, before);
    assert!(app.tree.grants.resolve(&Digest::of(&key)).is_ok());
}

#[actix_web::test]
async fn every_stamp_is_to_the_microsecond_at_most_wherever_it_is_kept() {
    let app = TestApp::start().await;
    let expiring = json!({ "name": "laptop", "sectors": ["home"], "expiresInDays": 1 });
    let made = app.create_agent(expiring).await.expect(201);
    let url = format!("http://{}/mcp", app.agents);
    let client = Client::new(&url, Some(made["key"].as_str().unwrap().to_owned()));
    let session = client.session().await;
    json_of(client.session_call(&session, "list_actions", json!({}))).await;
    app.audit_rows(1).await;
    let live = app.sessions("?agent=laptop").await[0].clone();
    let agent = app.agent("laptop").await.expect(200);
    for stamp in [
        &live["startedAt"],
        &live["lastCallAt"],
        &agent["lastCallAt"],
        &agent["createdAt"],
        &agent["expiresAt"],
        &made["expiresAt"],
    ] {
        let stamp = stamp.as_str().unwrap();
        let (_, fraction) = stamp.split_once('.').unwrap_or((stamp, "Z"));
        assert!(
            stamp.ends_with('Z') && fraction.len() <= "123456Z".len(),
            "{stamp}"
        );
    }
}

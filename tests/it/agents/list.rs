use serde_json::{Value, json};

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

use serde_json::{Value, json};
use sextant_actors::domain::{Digest, KeyRefusal};

use crate::support::TestApp;

async fn revoke_all(app: &TestApp) -> Value {
    app.post("/api/agents/revoke-all", json!({}))
        .await
        .expect(200)
}

fn refusal(app: &TestApp, key: &str) -> Option<KeyRefusal> {
    app.tree.grants.resolve(&Digest::of(key)).err()
}

#[actix_web::test]
async fn r067_everyone_is_cut_off_at_once_and_comes_back_by_a_rotation_alone() {
    let app = TestApp::start().await;
    let laptop = app.key_of("laptop", &["mail"]).await;
    let phone = app.key_of("phone", &["*"]).await;
    app.key_of("gone", &["mail"]).await;
    app.revoke_agent("gone").await.expect(200);
    let gone = app.agent("gone").await.expect(200);
    let _live = [
        app.open_session(&laptop, "a").await,
        app.open_session(&laptop, "b").await,
        app.open_session(&phone, "c").await,
    ];

    let revoked = revoke_all(&app).await;
    assert_eq!(revoked, json!({ "revoked": 2, "sessionsEnded": 3 }));
    assert_eq!(app.sessions("").await, json!([]));
    for key in [&laptop, &phone] {
        assert_eq!(refusal(&app, key), Some(KeyRefusal::Revoked));
    }
    let agents = app.agents().await;
    let mut agents = agents.as_array().unwrap().iter();
    assert!(agents.all(|agent| agent["status"] == "revoked"));
    assert_eq!(app.agent("gone").await.expect(200), gone, "as it was");

    let nobody = revoke_all(&app).await;
    assert_eq!(nobody, json!({ "revoked": 0, "sessionsEnded": 0 }));

    let app = app.restart().await;
    assert_eq!(refusal(&app, &phone), Some(KeyRefusal::Revoked));
    app.amend_agent("phone", json!({ "sectors": ["home"] }))
        .await
        .expect(200);
    assert_eq!(refusal(&app, &phone), Some(KeyRefusal::Revoked));
    let rotated = app.rotate_agent("phone").await.expect(200);
    assert_eq!(refusal(&app, rotated["key"].as_str().unwrap()), None);
    assert_eq!(refusal(&app, &laptop), Some(KeyRefusal::Revoked));
}

#[actix_web::test]
async fn r041_it_leaves_no_row_and_an_agent_may_bear_its_name() {
    let app = TestApp::start().await;
    assert_eq!(revoke_all(&app).await["revoked"], 0);
    app.key_of("revoke-all", &["mail"]).await;
    let (connection, _) = app.push_connection("mail.messages").await;
    assert_eq!(revoke_all(&app).await["revoked"], 1);
    let agent = app.agent("revoke-all").await.expect(200);
    assert_eq!(agent["status"], "revoked");
    app.rotate_agent("revoke-all").await.expect(200);
    app.revoke_agent("revoke-all").await.expect(200);
    app.remove_agent("revoke-all").await.expect(200);
    app.pause(&connection).await.expect(200);
    let rows = app.audit_rows(1).await;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["tool"], "pause");
}

#[actix_web::test]
async fn nobody_is_revoked_while_the_database_is_away() {
    let app = TestApp::start().await;
    let key = app.key_of("laptop", &["mail"]).await;
    app.lose_database().await;
    app.post("/api/agents/revoke-all", json!({}))
        .await
        .expect_problem(503, "unavailable", None);
    assert_eq!(refusal(&app, &key), None);
}

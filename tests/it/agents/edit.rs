use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sextant_actors::domain::{Digest, KeyRefusal, Sector, SectorSet};
use sextant_actors::sessions::Lease;

use crate::support::TestApp;

#[actix_web::test]
async fn r063_patch_leaves_what_is_absent_and_null_never_expires() {
    let app = TestApp::start().await;
    let body = json!({ "name": "laptop", "sectors": ["mail"], "expiresInDays": 10 });
    let deadline = app.create_agent(body).await.expect(201)["expiresAt"].clone();
    assert!(deadline.is_string());

    let edited = app
        .amend_agent("laptop", json!({ "sectors": ["home"] }))
        .await
        .expect(200);
    assert_eq!(
        (&edited["sectors"], &edited["expiresAt"]),
        (&json!(["home"]), &deadline)
    );
    let edited = app
        .amend_agent("laptop", json!({ "expiresInDays": null }))
        .await
        .expect(200);
    assert_eq!(
        (&edited["sectors"], &edited["expiresAt"]),
        (&json!(["home"]), &Value::Null)
    );
    let edited = app
        .amend_agent("laptop", json!({ "expiresInDays": 1 }))
        .await
        .expect(200);
    let days = stamp(&edited["expiresAt"]) - stamp(&edited["createdAt"]);
    assert_eq!(days.num_days(), 1);
}

fn stamp(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap().parse().unwrap()
}

#[actix_web::test]
async fn r063_r078_what_patch_cannot_take_is_a_400_that_changes_nothing() {
    let app = TestApp::start().await;
    app.key_of("laptop", &["mail"]).await;
    let before = app.agents().await;
    for (body, field) in [
        (json!({ "sectors": ["*"] }), Some("sectors")),
        (json!({ "sectors": ["mail", "*"] }), Some("sectors")),
        (json!({ "sectors": null }), Some("sectors")),
        (
            json!({ "sectors": ["home"], "expiresInDays": 0 }),
            Some("expiresInDays"),
        ),
        (json!({ "expiresInDays": "10" }), Some("expiresInDays")),
        (
            json!({ "sectors": ["home"], "name": "other" }),
            Some("name"),
        ),
        (json!({}), None),
    ] {
        app.amend_agent("laptop", body)
            .await
            .expect_problem(400, "invalid", field);
    }
    assert_eq!(app.agents().await, before);
}

#[actix_web::test]
async fn an_agent_that_is_not_there_is_not_found() {
    let app = TestApp::start().await;
    for answer in [
        app.agent("nobody").await,
        app.amend_agent("nobody", json!({ "sectors": [] })).await,
        app.rotate_agent("nobody").await,
        app.revoke_agent("nobody").await,
        app.remove_agent("nobody").await,
        app.remove_agent("a%20b").await,
    ] {
        answer.expect_problem(404, "not_found", None);
    }
}

#[actix_web::test]
async fn r067_each_edit_ends_every_live_session_of_that_agent_and_of_no_other() {
    let app = TestApp::start().await;
    let mut key = app.key_of("laptop", &["mail"]).await;
    let other_key = app.key_of("phone", &["mail"]).await;
    let other = app.open_session(&other_key, "other").await;
    for edit in [
        "sectors", "deadline", "rotate", "revoke", "create", "remove",
    ] {
        let _live: [Lease; 2] = [
            app.open_session(&key, "a").await,
            app.open_session(&key, "b").await,
        ];
        assert_eq!(
            app.sessions("?agent=laptop")
                .await
                .as_array()
                .unwrap()
                .len(),
            2
        );
        let edited = match edit {
            "sectors" => app
                .amend_agent("laptop", json!({ "sectors": ["home"] }))
                .await
                .expect(200),
            "deadline" => app
                .amend_agent("laptop", json!({ "expiresInDays": 5 }))
                .await
                .expect(200),
            "rotate" => app.rotate_agent("laptop").await.expect(200),
            "revoke" => app.revoke_agent("laptop").await.expect(200),
            "create" => app
                .create_agent(json!({ "name": "laptop", "sectors": [] }))
                .await
                .expect(201),
            _ => app.remove_agent("laptop").await.expect(200),
        };
        assert_eq!(edited["sessionsEnded"], 2, "{edit}");
        assert_eq!(app.sessions("?agent=laptop").await, json!([]), "{edit}");
        match edit {
            "rotate" | "create" => key = edited["key"].as_str().unwrap().to_owned(),
            "revoke" => {
                key = app.rotate_agent("laptop").await.expect(200)["key"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            }
            _ => {}
        }
    }
    let left = app.sessions("").await;
    assert_eq!(left.as_array().unwrap().len(), 1);
    assert_eq!(left[0]["id"], other.id().as_str());
    assert_eq!(
        (&left[0]["agent"], &left[0]["client"]["name"]),
        (&json!("phone"), &json!("other"))
    );
}

#[actix_web::test]
async fn a_rotation_keeps_the_grant_and_ends_the_old_key() {
    let app = TestApp::start().await;
    let body = json!({ "name": "laptop", "sectors": ["mail"], "expiresInDays": 10 });
    let created = app.create_agent(body).await.expect(201);
    let rotated = app.rotate_agent("laptop").await.expect(200);
    assert_eq!(rotated["expiresAt"], created["expiresAt"]);
    assert_eq!(rotated["sectors"], created["sectors"]);
    let resolve = |answer: &Value| {
        app.tree
            .grants
            .resolve(&Digest::of(answer["key"].as_str().unwrap()))
    };
    assert_eq!(resolve(&created).unwrap_err(), KeyRefusal::UnknownAgent);
    assert_eq!(
        resolve(&rotated).unwrap().sectors,
        SectorSet::EMPTY.with(Sector::Mail)
    );
}

#[actix_web::test]
async fn a_rotation_after_the_deadline_is_a_conflict() {
    let app = TestApp::start().await;
    app.create_agent(json!({ "name": "laptop", "sectors": [], "expiresInDays": 1 }))
        .await
        .expect(201);
    let past = "UPDATE agents SET expires_at = now() - interval '1 day'";
    app.database
        .connect()
        .await
        .batch_execute(past)
        .await
        .unwrap();
    app.rotate_agent("laptop")
        .await
        .expect_problem(409, "conflict", None);
    app.amend_agent("laptop", json!({ "expiresInDays": 5 }))
        .await
        .expect(200);
    app.rotate_agent("laptop").await.expect(200);
}

#[actix_web::test]
async fn a_revoked_key_is_refused_and_a_removed_agent_is_gone() {
    let app = TestApp::start().await;
    let key = app.key_of("laptop", &[]).await;
    app.revoke_agent("laptop").await.expect(200);
    assert_eq!(
        app.tree.grants.resolve(&Digest::of(&key)).unwrap_err(),
        KeyRefusal::Revoked
    );
    assert_eq!(app.agents().await[0]["status"], "revoked");
    app.remove_agent("laptop").await.expect(200);
    assert_eq!(app.agents().await, json!([]));
}

#[actix_web::test]
async fn r041_no_act_on_an_agent_leaves_a_row() {
    let app = TestApp::start().await;
    let (connection, _) = app.push_connection("mail.messages").await;
    app.key_of("laptop", &["mail"]).await;
    app.amend_agent("laptop", json!({ "sectors": [] }))
        .await
        .expect(200);
    app.amend_agent("laptop", json!({ "expiresInDays": 1 }))
        .await
        .expect(200);
    app.rotate_agent("laptop").await.expect(200);
    app.revoke_agent("laptop").await.expect(200);
    app.remove_agent("laptop").await.expect(200);
    app.rotate_secret(&connection).await.expect(200);
    app.audit("").await.expect(200);
    app.pause(&connection).await.expect(200);
    let tools: Vec<_> = app
        .audit_rows(1)
        .await
        .iter()
        .map(|row| row["tool"].clone())
        .collect();
    assert_eq!(tools, ["pause"]);
}

use serde_json::{Value, json};
use sextant_actors::domain::{Digest, KeyRefusal, Sector, SectorSet};

use crate::support::TestApp;

#[actix_web::test]
async fn r061_a_key_is_shown_once_and_only_its_hash_is_kept() {
    let app = TestApp::start().await;
    let created = app
        .create_agent(json!({ "name": "laptop", "sectors": ["mail"] }))
        .await;
    assert_eq!(created.headers["cache-control"], "no-store");
    let created = created.expect(201);
    let key = created["key"].as_str().unwrap();
    assert!(key.starts_with("sxt_") && key.len() == 4 + 43, "{key}");
    assert_eq!(created["name"], "laptop");
    assert_eq!(created["sectors"], json!(["mail"]));
    assert_eq!(created["expiresAt"], Value::Null);
    assert_eq!(created["replaced"], false);

    let row = app
        .database
        .connect()
        .await
        .query_one("SELECT a::text, key_hash FROM agents a", &[])
        .await
        .unwrap();
    assert!(!row.get::<_, String>(0).contains(key));
    assert_eq!(row.get::<_, &[u8]>(1), Digest::of(key).as_bytes());
    let listed = app.agents().await.to_string() + &app.agent("laptop").await.text;
    assert!(
        !listed.contains(key) && !listed.contains("hash"),
        "{listed}"
    );
}

#[actix_web::test]
async fn r060_a_second_key_under_a_name_is_a_rotate() {
    let app = TestApp::start().await;
    let old = app.key_of("laptop", &["mail"]).await;
    app.revoke_agent("laptop").await.expect(200);
    let body = json!({ "name": "laptop", "sectors": ["home"], "expiresInDays": 3 });
    let again = app.create_agent(body).await.expect(201);
    assert_eq!(again["replaced"], true);
    let new = app
        .tree
        .grants
        .resolve(&Digest::of(again["key"].as_str().unwrap()))
        .unwrap();
    assert_eq!(new.sectors, SectorSet::EMPTY.with(Sector::Home));
    let refused = app.tree.grants.resolve(&Digest::of(&old)).unwrap_err();
    assert_eq!(refused, KeyRefusal::UnknownAgent);
    assert_eq!(app.agents().await.as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn r062_sectors_are_stored_as_sent_and_resolved_on_use() {
    let app = TestApp::start().await;
    for (name, sent, resolved) in [
        ("all", json!(["*"]), SectorSet::ALL),
        (
            "beside",
            json!(["*", "mail"]),
            SectorSet::EMPTY.with(Sector::Mail),
        ),
        ("misspelt", json!(["helth"]), SectorSet::EMPTY),
        ("none", json!([]), SectorSet::EMPTY),
    ] {
        let created = app
            .create_agent(json!({ "name": name, "sectors": sent }))
            .await
            .expect(201);
        assert_eq!(created["sectors"], sent);
        let ticket = app
            .tree
            .grants
            .resolve(&Digest::of(created["key"].as_str().unwrap()))
            .unwrap();
        assert_eq!(ticket.sectors, resolved, "{name}");
    }
}

#[actix_web::test]
async fn r063_r079_what_cannot_be_taken_is_a_400_that_changes_nothing() {
    let app = TestApp::start().await;
    let key = app.key_of("laptop", &["mail"]).await;
    let before = app.agents().await;
    for (body, field) in [
        (json!({ "name": "laptop" }), Some("sectors")),
        (
            json!({ "name": "laptop", "sectors": "mail" }),
            Some("sectors"),
        ),
        (json!({ "name": "laptop", "sectors": [1] }), Some("sectors")),
        (
            json!({ "name": "laptop", "sectors": ["a\u{0}"] }),
            Some("sectors"),
        ),
        (json!({ "sectors": [] }), Some("name")),
        (json!({ "name": "operator", "sectors": [] }), Some("name")),
        (
            json!({ "agentName": "a b", "sectors": [] }),
            Some("agentName"),
        ),
        (
            json!({ "name": "laptop", "sectors": [], "expiresInDays": 0 }),
            Some("expiresInDays"),
        ),
        (
            json!({ "name": "laptop", "sectors": [], "expiresInDays": 3651 }),
            Some("expiresInDays"),
        ),
        (
            json!({ "name": "laptop", "sectors": [], "expiresInDays": 1.5 }),
            Some("expiresInDays"),
        ),
        (
            json!({ "name": "laptop", "sectors": [], "expiresInDays": "9" }),
            Some("expiresInDays"),
        ),
        (
            json!({ "name": "laptop", "sectors": [], "readOnly": true }),
            Some("readOnly"),
        ),
        (json!([]), None),
    ] {
        app.create_agent(body)
            .await
            .expect_problem(400, "invalid", field);
    }
    app.post_text("/api/agents", "{")
        .await
        .expect_problem(400, "invalid", None);
    assert_eq!(app.agents().await, before);
    assert!(app.tree.grants.resolve(&Digest::of(&key)).is_ok());
}

#[actix_web::test]
async fn the_name_is_taken_under_its_other_names_too() {
    let app = TestApp::start().await;
    for (field, name) in [
        ("name", "one"),
        ("agent", "two"),
        ("agentName", "my.laptop_3-x"),
    ] {
        let created = app
            .create_agent(json!({ field: name, "sectors": [] }))
            .await
            .expect(201);
        assert_eq!(created["name"], name);
    }
}

#[actix_web::test]
async fn a_body_that_is_too_large_is_refused() {
    let app = TestApp::start().await;
    let sectors = vec!["mail"; 20_000];
    let answer = app
        .create_agent(json!({ "name": "a", "sectors": sectors }))
        .await;
    answer.expect_problem(413, "too_large", None);
}

/// The warnings in an answer, which are sentences.
fn warnings(answer: &Value) -> Vec<&str> {
    let warnings = answer["warnings"].as_array().unwrap();
    let warnings = warnings.iter().map(|one| one.as_str().unwrap());
    warnings
        .inspect(|one| assert!(one.ends_with('.')))
        .collect()
}

#[actix_web::test]
async fn what_stands_out_about_a_grant_is_told_when_it_is_made_and_when_it_is_edited() {
    let app = TestApp::start().await;
    let quiet = json!({ "name": "quiet", "sectors": ["*"], "expiresInDays": 9 });
    let quiet = app.create_agent(quiet).await.expect(201);
    assert_eq!(quiet["warnings"], json!([]));

    let odd = json!({ "name": "odd", "sectors": ["helth", "mail"] });
    let made = app.create_agent(odd.clone()).await.expect(201);
    assert_eq!(made["sectors"], odd["sectors"], "stored as sent");
    let told = warnings(&made);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("\"helth\"") && told[0].contains("health"));
    assert!(told[1].contains("expiresInDays"));

    let again = app.create_agent(odd).await.expect(201);
    assert_eq!(again["replaced"], true);
    let told = warnings(&again);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].contains("agent odd") && told[0].contains("refused"));

    let edit = json!({ "sectors": [], "expiresInDays": 3 });
    let edited = app.amend_agent("odd", edit).await.expect(200);
    let told = warnings(&edited);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("empty"));
    let edit = json!({ "sectors": ["home"] });
    let edited = app.amend_agent("odd", edit).await.expect(200);
    assert_eq!(edited["warnings"], json!([]));
    let edit = json!({ "expiresInDays": null });
    let edited = app.amend_agent("odd", edit).await.expect(200);
    assert_eq!(warnings(&edited).len(), 1);
}

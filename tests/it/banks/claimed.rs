//! A setup token is claimed once: what it gives is kept before anything is tried with it.

use serde_json::json;

use super::world::World;
use crate::support::stand_ins::simplefin::{Bridge, PASSWORD, USER};

#[actix_web::test]
async fn r123_one_token_is_one_connection_for_all_banks() {
    let test = "r123_one_token_is_one_connection_for_all_banks";
    let Some(world) = World::start(test).await else {
        return;
    };
    {
        let mut bridge = world.bridge();
        bridge.open("a", "giro", "Checking 1234");
        bridge.open("b", "save", "Savings 5678");
        bridge.open("c", "save", "Savings 9999");
    }
    let made = world.connect(&Bridge::setup_token()).await.expect(201);
    assert_eq!(made["connections"].as_array().unwrap().len(), 1, "{made}");
    assert_eq!(made["connections"][0]["sector"], "finance");
    world.until_health("ok").await;
    let banks = world.rows("accounts", &["name", "institution_name"]).await;
    let expected = json!([
        ["Checking 1234", "Bank giro"],
        ["Savings 5678", "Bank save"],
        ["Savings 9999", "Bank save"]
    ]);
    assert_eq!(json!(banks), expected);
    // Eight times a day, unless the operator says otherwise.
    assert_eq!(world.connection().await["syncIntervalMinutes"], 180);
    // Nothing shows what was claimed.
    for path in ["/api/signins", "/api/connections"] {
        let shown = world.app.get(path).await;
        assert!(
            !shown.text.contains(PASSWORD) && !shown.text.contains(USER),
            "{path}"
        );
    }
    world.assert_nowhere_stored(&[PASSWORD, USER]).await;
    let again = world.connect(&Bridge::setup_token()).await;
    again.expect_problem(400, "invalid", Some("token"));
    assert_eq!(world.app.connections().await.as_array().unwrap().len(), 1);
}

/// The bridge fails after the token was claimed: the access stays, and is completed later, by another process too.
#[actix_web::test]
async fn what_was_claimed_is_kept_when_the_bridge_does_not_answer_then() {
    let test = "what_was_claimed_is_kept_when_the_bridge_does_not_answer_then";
    let Some(world) = World::start(test).await else {
        return;
    };
    world.bridge().has_lapsed = true;
    world
        .bridge()
        .open("a", "giro", "Checking 1234")
        .book("1", "-5", super::world::now());
    let refused = world.connect(&Bridge::setup_token()).await;
    assert!(refused.text.contains("lapsed"), "{refused:?}");
    assert!(refused.text.contains("is kept"), "{refused:?}");
    refused.expect_problem(502, "provider_error", None);
    assert_eq!(world.app.connections().await, json!([]));
    let kept = world.app.get("/api/signins").await.expect(200);
    let id = kept["signIns"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(kept["signIns"][0]["connections"], json!([]));
    let path = format!("/api/signins/{id}/complete");

    let world = world.restart().await;
    let status = world.app.get("/api/status").await.expect(200);
    assert!(
        status["attention"].to_string().contains("SimpleFIN"),
        "{status}"
    );
    let still = world.app.post(&path, json!({})).await;
    still.expect_problem(502, "provider_error", None);
    world.bridge().has_lapsed = false;
    let done = world.app.post(&path, json!({})).await.expect(200);
    assert_eq!(done["connections"][0]["sector"], "finance", "{done}");
    world.until_health("ok").await;
    assert_eq!(world.rows("transactions", &["amount"]).await.len(), 1);
    assert_eq!(world.bridge().claims, 1);
    world.app.post(&path, json!({})).await.expect(404);
}

/// A token that is entered for a sign-in without connections is kept like the first one, and completed like it.
#[actix_web::test]
async fn another_token_for_what_nothing_answered_to_yet_is_completed_too() {
    let test = "another_token_for_what_nothing_answered_to_yet_is_completed_too";
    let Some(world) = World::start(test).await else {
        return;
    };
    world.bridge().has_lapsed = true;
    world.bridge().open("a", "giro", "Checking 1234");
    let refused = world.connect(&Bridge::setup_token()).await;
    refused.expect_problem(502, "provider_error", None);
    let kept = world.app.get("/api/signins").await.expect(200);
    let id = kept["signIns"][0]["id"].as_str().unwrap().to_owned();
    world.bridge().claims = 0;
    let entered = json!({"credentials": {"token": Bridge::setup_token()}});
    let path = format!("/api/signins/{id}/credentials");
    let again = world.app.post(&path, entered).await.expect(200);
    assert_eq!(again["connections"], json!([]), "{again}");
    world.bridge().has_lapsed = false;
    let path = format!("/api/signins/{id}/complete");
    world.app.post(&path, json!({})).await.expect(200);
    world.until_health("ok").await;
}

/// The access was ended at the bridge: another token renews the same sign-in, and no row is lost or doubled.
#[actix_web::test]
async fn another_token_renews_the_sign_in() {
    let test = "another_token_renews_the_sign_in";
    let filled = |bridge: &mut Bridge| {
        bridge
            .open("a", "giro", "Checking 1234")
            .book("1", "-5", super::world::now());
    };
    let Some(world) = World::connected(test, filled).await else {
        return;
    };
    let ids = world.rows("transactions", &["id"]).await;
    world.bridge().is_disabled = true;
    world.wait(chrono::TimeDelta::hours(3));
    assert_eq!(world.fetch().await["outcome"], "needs_sign_in");
    let shown = world.connection().await;
    assert_eq!(shown["health"], "needs_sign_in");
    assert!(
        shown["error"]["message"]
            .as_str()
            .unwrap()
            .contains("new setup token"),
        "{shown}"
    );
    {
        let mut bridge = world.bridge();
        bridge.is_disabled = false;
        bridge.claims = 0;
    }
    let sign_in = shown["signInId"].as_str().unwrap();
    let path = format!("/api/signins/{sign_in}/credentials");
    let entered = json!({"credentials": {"token": Bridge::setup_token()}});
    world.app.post(&path, entered).await.expect(200);
    world.until_health("ok").await;
    assert_eq!(world.rows("transactions", &["id"]).await, ids);
}

/// What is entered is the token, and for another server its host: nobody chooses a bank here.
#[actix_web::test]
async fn r130_no_bank_is_chosen_here() {
    let app = crate::support::TestApp::start().await;
    let listed = app.get("/api/providers").await.expect(200);
    let listed = listed["providers"].as_array().unwrap().iter();
    let mut bridges = listed.filter(|one| one["id"] == "simplefin");
    let bridge = bridges.next().unwrap();
    let fields = bridge["fields"].as_array().unwrap().iter();
    let names: Vec<_> = fields
        .map(|field| (&field["name"], &field["kind"]))
        .collect();
    let secret = (&json!("token"), &json!("secret"));
    assert_eq!(names, [secret, (&json!("server"), &json!("text"))]);
    assert_eq!(bridge["sectors"], json!(["finance"]));
    let banks = "/api/aggregator-apps/simplefin/banks?country=FI";
    app.get(banks).await.expect_problem(404, "not_found", None);
}

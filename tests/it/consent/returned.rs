//! Browsers that come back forged, late, twice or from elsewhere: nothing is connected, and the page says what to do.

use chrono::TimeDelta;
use reqwest::Url;
use serde_json::{Value, json};

use super::granted::HEALTH;
use super::world::{AtGoogle, AtWhoop};
use crate::support::browser::Browser;
use crate::support::emulate;

async fn assert_refused(world: &AtGoogle, outcome: &Value) {
    assert_eq!(outcome["outcome"], "failed", "{outcome}");
    let told = outcome["message"].as_str().unwrap();
    assert!(told.contains("Begin again"), "{told}");
    assert_eq!(world.connections().await, [Value::Null; 0]);
}

#[actix_web::test]
async fn a_state_serves_once_and_for_the_browser_that_began_within_ten_minutes() {
    let test = "a_state_serves_once_and_for_the_browser_that_began_within_ten_minutes";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    // Forged.
    let page = world.begin(None).await;
    let back = emulate::consent(&page, None).await;
    let code = back.query_pairs().find(|(name, _)| name == "code").unwrap();
    let mut forged = back.clone();
    forged
        .query_pairs_mut()
        .clear()
        .append_pair("code", &code.1)
        .append_pair("state", "forged");
    assert_refused(&world, &world.return_to(&forged).await).await;

    // Another browser, which ends it for everybody.
    let other = Browser::new(world.app.address().port());
    let id = other.follow(&back).await;
    let outcome = world
        .app
        .get(&format!("/api/signins/{id}"))
        .await
        .expect(200);
    assert_refused(&world, &outcome).await;
    assert_refused(&world, &world.return_to(&back).await).await;

    // Late.
    let page = world.begin(None).await;
    let back = emulate::consent(&page, None).await;
    world.advance(TimeDelta::minutes(10));
    assert_refused(&world, &world.return_to(&back).await).await;

    // Nothing that could be read.
    let empty = back.join("?").unwrap();
    assert_refused(&world, &world.return_to(&empty).await).await;

    // Twice: the first is good, and the second changes nothing.
    let page = world.begin(None).await;
    let back = emulate::consent(&page, None).await;
    let outcome = world.return_to(&back).await;
    assert_eq!(outcome["outcome"], "connected", "{outcome}");
    let again = world.return_to(&back).await;
    assert_eq!(again["outcome"], "failed", "{again}");
    assert_eq!(world.connections().await.len(), 2);
}

#[actix_web::test]
async fn a_person_who_cancels_has_changed_nothing() {
    let test = "a_person_who_cancels_has_changed_nothing";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    let page = world.begin(None).await;
    let state = page
        .query_pairs()
        .find(|(name, _)| name == "state")
        .unwrap();
    let back = |error: &str| {
        let address = format!(
            "http://localhost/oauth/google/callback?error={error}&state={}",
            state.1
        );
        Url::parse(&address).unwrap()
    };
    let outcome = world.return_to(&back("access_denied")).await;
    assert_eq!(outcome["outcome"], "cancelled", "{outcome}");
    assert!(
        outcome["message"]
            .as_str()
            .unwrap()
            .contains("Nothing has changed")
    );
    assert_eq!(world.connections().await, [Value::Null; 0]);
}

#[actix_web::test]
async fn a_sign_in_begins_at_localhost_alone_and_with_an_app_alone() {
    let test = "a_sign_in_begins_at_localhost_alone_and_with_an_app_alone";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    let elsewhere = world.app.post("/api/oauth/google/start", json!({})).await;
    assert!(
        elsewhere.text.contains("http://localhost:"),
        "{elsewhere:?}"
    );
    elsewhere.expect_problem(409, "conflict", None);
    let path = "/api/oauth/whoop/start";
    let without = world.browser.post(path, json!({})).await;
    without.expect_problem(409, "conflict", None);
    let unknown = world
        .browser
        .post("/api/oauth/icloud/start", json!({}))
        .await;
    unknown.expect_problem(404, "not_found", None);
}

#[actix_web::test]
async fn a_pasted_address_is_checked_like_a_callback() {
    let test = "a_pasted_address_is_checked_like_a_callback";
    let Some(world) = AtWhoop::start(test).await else {
        return;
    };
    world.legs.tell(json!({ "scope": HEALTH })).await;
    let page = world.begin(None).await;
    let ended = crate::support::plain_http::get(&page)
        .await
        .location()
        .unwrap();
    let path = "/api/oauth/whoop/paste";
    for none in ["", "https://localhost/oauth/whoop/callback", "hello"] {
        let answer = world.browser.post(path, json!({ "address": none })).await;
        answer.expect_problem(400, "invalid", Some("address"));
    }
    let other = Browser::new(world.app.address().port());
    let answer = other.post(path, json!({ "address": ended.as_str() })).await;
    assert_eq!(answer.expect(200)["outcome"], "failed");
    assert_eq!(world.connections().await, [Value::Null; 0]);
}

#[actix_web::test]
async fn another_account_does_not_take_the_place_of_the_one_that_is_renewed() {
    let test = "another_account_does_not_take_the_place_of_the_one_that_is_renewed";
    let Some(world) = AtWhoop::start(test).await else {
        return;
    };
    let first = super::granted::sign_in_at_whoop(&world, None, HEALTH).await;
    let id = first["signInId"].as_str().unwrap().to_owned();
    let known = world.sign_ins().await;
    let profile = |_: &str| {
        let profile =
            json!({"user_id": 99, "email": "x@y.test", "first_name": "X", "last_name": "Y"});
        crate::support::stand_ins::wire::json(200, "", &profile)
    };
    let law = crate::support::stand_ins::faults::Law::Kept;
    world
        .account
        .state()
        .faults
        .once("/v2/user/profile/basic", law, profile);
    let outcome = super::granted::sign_in_at_whoop(&world, Some(&id), HEALTH).await;
    assert_eq!(outcome["outcome"], "failed", "{outcome}");
    assert!(
        outcome["message"]
            .as_str()
            .unwrap()
            .contains("another account")
    );
    assert_eq!(outcome["signInId"], json!(id));
    assert_eq!(world.sign_ins().await, known);
    assert_eq!(world.fetch("health").await["outcome"], "fetched");
}

//! Tokens that end, are not taken, or are lost on the way: renewed once for all who need one, and never sent twice blindly.

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::granted::{HEALTH, sign_in_at_whoop};
use super::world::{AtGoogle, AtWhoop};
use crate::support::TestApp;
use crate::support::stand_ins::google::agenda::event;

async fn connected(test: &str) -> Option<AtWhoop> {
    let world = AtWhoop::start(test).await?;
    let outcome = sign_in_at_whoop(&world, None, HEALTH).await;
    assert_eq!(outcome["outcome"], "connected", "{outcome}");
    world.until_health("health", "ok").await;
    Some(world)
}

/// How many token requests have arrived.
async fn requests(world: &AtWhoop) -> u64 {
    world.legs.arrived("requests").await
}

#[actix_web::test]
async fn a_token_is_renewed_when_it_ends_and_when_a_source_takes_it_no_more() {
    let test = "a_token_is_renewed_when_it_ends_and_when_a_source_takes_it_no_more";
    let Some(world) = connected(test).await else {
        return;
    };
    let before = requests(&world).await;
    assert_eq!(world.fetch("health").await["outcome"], "fetched");
    assert_eq!(requests(&world).await, before);
    world.advance(TimeDelta::hours(1));
    assert_eq!(world.fetch("health").await["outcome"], "fetched");
    assert_eq!(requests(&world).await, before + 1);
    world.account.state().bearers.spend();
    world.advance(TimeDelta::minutes(1));
    assert_eq!(world.fetch("health").await["outcome"], "fetched");
    assert_eq!(requests(&world).await, before + 2);
}

#[actix_web::test]
async fn two_connections_of_one_sign_in_share_their_tokens() {
    let test = "two_connections_of_one_sign_in_share_their_tokens";
    let Some(world) = AtGoogle::start(test).await else {
        return;
    };
    world.sign_in(None).await;
    world.until_health("calendar", "ok").await;
    world.until_health("contacts", "ok").await;
    world.advance(TimeDelta::hours(2));
    {
        let mut google = world.account.state();
        google.bearers.spend();
        google.agenda.calendar("op@x.test").put("a", event("A"));
    }
    let both = futures_util::future::join(world.fetch("calendar"), world.fetch("contacts")).await;
    assert_eq!(both.0["outcome"], "fetched", "{}", both.0);
    assert_eq!(both.1["outcome"], "fetched", "{}", both.1);
}

#[actix_web::test]
async fn a_sign_in_that_its_provider_has_ended_waits_for_the_person_and_says_so() {
    let test = "a_sign_in_that_its_provider_has_ended_waits_for_the_person_and_says_so";
    let Some(world) = connected(test).await else {
        return;
    };
    world.advance(TimeDelta::hours(1));
    world.legs.tell_next("ended").await;
    world.fetch("health").await;
    let ended = world.until_health("health", "needs_sign_in").await;
    assert_eq!(ended["error"]["code"], "sign_in_ended", "{ended}");
    let told = ended["error"]["message"].as_str().unwrap();
    assert!(told.ends_with("sign in again"), "{told}");
    let status = world.app.get("/api/status").await.expect(200);
    let needs = status["attention"].as_array().unwrap();
    assert!(
        needs.iter().any(|one| one["kind"] == "connection_stopped"),
        "{status}"
    );
    let asked = json!({"target": "sleeps"});
    let empty = world.app.post("/api/data/health", asked).await.expect(200);
    assert_eq!(empty["empty"]["reason"], "needs_sign_in", "{empty}");
    // Nothing is asked any more, whatever time goes by.
    let before = requests(&world).await;
    world.advance(TimeDelta::days(1));
    assert_eq!(world.fetch("health").await["outcome"], "needs_sign_in");
    assert_eq!(requests(&world).await, before);

    let id = ended["signInId"].as_str().unwrap();
    let again = sign_in_at_whoop(&world, Some(id), HEALTH).await;
    assert_eq!(again["outcome"], "connected", "{again}");
    let renewed = world.until_health("health", "ok").await;
    assert_eq!(renewed["id"], ended["id"]);
}

#[actix_web::test]
async fn patience_that_a_provider_asks_for_is_kept() {
    let test = "patience_that_a_provider_asks_for_is_kept";
    let Some(world) = connected(test).await else {
        return;
    };
    world.advance(TimeDelta::hours(1));
    world
        .legs
        .tell(json!({"next": "busy", "retry_after": "300"}))
        .await;
    assert_eq!(world.fetch("health").await["outcome"], "failed");
    let before = requests(&world).await;
    world.advance(TimeDelta::minutes(4));
    assert_eq!(world.fetch("health").await["outcome"], "waiting");
    assert_eq!(requests(&world).await, before);
    world.advance(TimeDelta::minutes(2));
    assert_eq!(world.fetch("health").await["outcome"], "fetched");
    assert_eq!(requests(&world).await, before + 1);
}

/// The token that was sent may be spent: it is sent once more, and then never again.
#[actix_web::test]
async fn a_lost_answer_is_followed_by_one_repetition_and_then_by_the_person() {
    let test = "a_lost_answer_is_followed_by_one_repetition_and_then_by_the_person";
    let Some(world) = connected(test).await else {
        return;
    };
    world.advance(TimeDelta::hours(1));
    let before = requests(&world).await;
    world.legs.tell_next("lost").await;
    assert_eq!(world.fetch("health").await["outcome"], "failed");
    assert_eq!(requests(&world).await, before + 1);
    world.advance(TimeDelta::minutes(20));
    world.fetch("health").await;
    world.until_health("health", "needs_sign_in").await;
    assert_eq!(requests(&world).await, before + 2);
}

/// The process is cut off while the answer is on its way. The next one knows that a request was sent, and waits before the one repetition.
#[actix_web::test]
async fn a_renewal_that_a_kill_cut_off_is_known_by_the_next_process() {
    let test = "a_renewal_that_a_kill_cut_off_is_known_by_the_next_process";
    let Some(world) = connected(test).await else {
        return;
    };
    world.advance(TimeDelta::hours(1));
    let before = requests(&world).await;
    world.legs.tell_next("silent").await;
    let path = "/api/operator/fetch_live";
    let asked = json!({"target": "health", "timeout_s": 1});
    let fetched = world.app.post(path, asked).await.expect(200);
    assert_eq!(fetched["fetched"][0]["outcome"], "running", "{fetched}");
    world.legs.wait_for_requests(before + 1).await;
    let (legs, clock, settings) = (world.legs, world.clock, world.settings);
    let database = world.app.abandon();
    let settings = sextant::app::Settings {
        console_port: 0,
        ..settings
    };
    let app = TestApp::start_on(database, settings, Arc::new(clock.clone())).await;
    let fetch = async || -> Value {
        let asked = json!({"target": "health", "timeout_s": 60});
        let answer = app.post(path, asked).await.expect(200);
        answer["fetched"][0].clone()
    };
    assert_eq!(fetch().await["outcome"], "failed");
    assert_eq!(legs.arrived("requests").await, before + 1);
    clock.advance(TimeDelta::minutes(20));
    fetch().await;
    assert_eq!(legs.arrived("requests").await, before + 2);
}

#[actix_web::test]
async fn tokens_and_apps_open_after_the_key_was_replaced_and_are_renewed() {
    let test = "tokens_and_apps_open_after_the_key_was_replaced_and_are_renewed";
    let Some(world) = connected(test).await else {
        return;
    };
    let rotated = world.app.post("/api/key/rotate", json!({})).await;
    // The tokens, and the secret of the app.
    assert_eq!(rotated.expect(200), json!({"resealed": 2, "lost": 0}));
    world.advance(TimeDelta::hours(1));
    let before = requests(&world).await;
    assert_eq!(world.fetch("health").await["outcome"], "fetched");
    assert_eq!(requests(&world).await, before + 1);
}

/// Without an app nothing is renewed, and no verdict falls on the sign-in: it goes on when the app is there again.
#[actix_web::test]
async fn a_sign_in_waits_for_its_app_and_goes_on_with_it() {
    let test = "a_sign_in_waits_for_its_app_and_goes_on_with_it";
    let Some(world) = connected(test).await else {
        return;
    };
    let path = "/api/oauth-apps/whoop";
    let removed = world.app.request(reqwest::Method::DELETE, path);
    assert_eq!(world.app.send(removed).await.status, 204);
    world.advance(TimeDelta::hours(1));
    let failed = world.fetch("health").await;
    assert_eq!(failed["outcome"], "failed", "{failed}");
    let told = failed["message"].as_str().unwrap();
    assert!(told.contains("Provider apps"), "{told}");
    world.set_app().await;
    world.advance(TimeDelta::hours(1));
    assert_eq!(world.fetch("health").await["outcome"], "fetched");
}

//! How a connection fares, in words: a server that is down, a password that is refused, a credential that is revoked and entered anew.

use serde_json::json;

use super::{World, credentials, event};
use crate::support::app::TestApp;
use crate::support::dav_server::{PASSWORD, Peer};
use crate::support::eventually::eventually;
use crate::support::ports;
use crate::support::relay::Relay;

#[actix_web::test]
async fn a_server_that_is_down_is_waited_for() {
    let Some(mut world) = World::connect("a_server_that_is_down_is_waited_for").await else {
        return;
    };
    world.put("a", &event("a@x", "a", "")).await;
    world.sync().await;
    world.server.stop();
    let fetched = world.fetch().await;
    assert_eq!(fetched["outcome"], "failed", "{fetched}");
    let shown = world.connection().await;
    assert_eq!(shown["health"], "backing_off", "{shown}");
    assert_eq!(shown["error"]["code"], "unavailable", "{shown}");
    // What is kept is answered all the same, and nothing asks the source before its time.
    assert_eq!(world.titles().await, ["a"]);
    assert_eq!(world.fetch().await["outcome"], "waiting");
}

/// The service's own rest keeps nobody from having a look; only what a source wishes for does.
#[actix_web::test]
async fn a_server_that_is_back_is_read_as_soon_as_the_person_wants_it() {
    let test = "a_server_that_is_back_is_read_as_soon_as_the_person_wants_it";
    let Some(server) = Peer::Radicale.start(test).await else {
        return;
    };
    let relay = Relay::start(server.address).await;
    let world = World::connect_at(TestApp::start().await, server, relay.address).await;
    for verb in ["sync-now", "restart"] {
        relay.lead(([127, 0, 0, 1], ports::unused()).into());
        assert_eq!(world.fetch().await["outcome"], "failed");
        relay.lead(world.server.address);
        world.put(verb, &event(verb, verb, "")).await;
        assert_eq!(world.fetch().await["outcome"], "waiting");
        let path = format!("/api/connections/{}/{verb}", world.calendar);
        let told = world.app.post(&path, json!({})).await.expect(202);
        let runs = format!("/api/connections/{}/runs?limit=1", world.calendar);
        let newest = world.app.get(&runs).await.expect(200)["rows"][0]["id"].clone();
        if verb == "sync-now" {
            assert_eq!(told, json!({ "runId": newest }));
        }
        eventually("it is read", async || {
            world.connection().await["health"] == "ok"
        })
        .await;
        world.assert_equal().await;
    }
}

#[actix_web::test]
async fn a_revoked_credential_ends_the_rounds_until_it_is_entered_anew() {
    let test = "a_revoked_credential_ends_the_rounds_until_it_is_entered_anew";
    let Some(world) = World::connect(test).await else {
        return;
    };
    world.put("a", &event("a@x", "a", "")).await;
    world.sync().await;
    let path = format!("/api/signins/{}/revoke", world.sign_in);
    world.app.post(&path, json!({})).await.expect(200);
    assert_eq!(world.connection().await["health"], "needs_sign_in");
    assert_eq!(world.fetch().await["outcome"], "needs_sign_in");
    world.put("b", &event("b@x", "b", "")).await;
    let path = format!("/api/signins/{}/credentials", world.sign_in);
    let renewed = json!({"credentials": credentials(&world.server, PASSWORD)});
    world.app.post(&path, renewed).await.expect(200);
    world.sync().await;
    assert_eq!(world.connection().await["health"], "ok");
    world.assert_equal().await;
}

#[actix_web::test]
async fn a_wrong_password_connects_nothing_and_is_named_at_its_field() {
    let test = "a_wrong_password_connects_nothing_and_is_named_at_its_field";
    let Some(world) = World::connect(test).await else {
        return;
    };
    let asked = json!({
        "provider": "own_server",
        "sectors": ["contacts"],
        "credentials": credentials(&world.server, "wrong-password"),
    });
    let refused = world.app.post("/api/connections", asked).await;
    assert!(!refused.text.contains("wrong-password"), "{refused:?}");
    refused.expect_problem(400, "invalid", Some("password"));
}

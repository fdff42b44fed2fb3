//! Who may act, and where.

use serde_json::{Value, json};

use super::{World, connected_at};
use crate::mcp::support::Client;
use crate::support::eventually::eventually;

#[actix_web::test]
async fn r504_an_action_that_waits_when_its_grant_ends_is_never_sent() {
    let test = "r504_an_action_that_waits_when_its_grant_ends_is_never_sent";
    let Some(world) = World::connect(test).await else {
        return;
    };
    world.caught_up().await;
    let url = format!("http://{}/mcp", world.app.agents);
    let other = Client::new(&url, Some(world.app.key_of("other", &["home"]).await));
    let lights = json!({"target": "home.light.toggle"});
    let (listed, _) = world.call("list_actions", lights).await;
    let lights = listed["actions"][0]["entities"].clone();
    let path = format!("/api/states/{}", lights[0].as_str().unwrap());
    let before = world.home.rest("GET", &path, "").await.unwrap();

    world.relay.hold();
    let toggle =
        |light: &Value| json!({"action": "home.light.toggle", "params": {"entity_id": light}});
    let called = world.agent.modern_call("invoke_action", toggle(&lights[0]));
    let revoke = async {
        world.relay.holds_something().await;
        let revoked = world.app.post("/api/agents/housekeeper/revoke", json!({}));
        revoked.await.expect(200);
        world.relay.release();
    };
    let (answered, ()) = tokio::join!(called.send(), revoke);
    if let Ok(answered) = answered {
        let text = answered.text().await.unwrap_or_default();
        assert!(!text.contains("outcome"), "{text}");
    }
    // Another action passes the same way after it.
    let (done, is_error) = world
        .call_as(&other, "invoke_action", toggle(&lights[1]))
        .await;
    assert!(!is_error, "{done}");
    let after = world.home.rest("GET", &path, "").await.unwrap();
    assert_eq!(after["last_changed"], before["last_changed"], "{after}");
}

#[actix_web::test]
async fn r127_of_several_homes_that_have_it_the_person_says_which() {
    let test = "r127_of_several_homes_that_have_it_the_person_says_which";
    let Some(world) = World::connect(test).await else {
        return;
    };
    world.caught_up().await;
    // The same home by another address is another home to the service.
    let mut asked = connected_at(&world.home, ([127, 0, 0, 1], world.home.port).into());
    asked["label"] = json!("The cabin");
    let created = world.app.post("/api/connections", asked).await.expect(201);
    let label = created["connections"][0]["label"]
        .as_str()
        .unwrap()
        .to_owned();
    let (listed, _) = world
        .call("list_actions", json!({"target": "home.light.toggle"}))
        .await;
    let light = listed["actions"][0]["entities"][0].clone();
    let mut asked = json!({"action": "home.light.toggle", "params": {"entity_id": light}});
    eventually("both homes can be reached", async || {
        let (said, is_error) = world.call("invoke_action", asked.clone()).await;
        is_error && said.to_string().contains("say which with `connection`")
    })
    .await;
    asked["connection"] = json!(label);
    let (done, is_error) = world.call("invoke_action", asked).await;
    assert!(!is_error, "{done}");
    assert_eq!(done["connection"], label.as_str());
}

#[actix_web::test]
async fn r128_nothing_is_done_with_a_credential_that_was_revoked() {
    let test = "r128_nothing_is_done_with_a_credential_that_was_revoked";
    let Some(world) = World::connect(test).await else {
        return;
    };
    world.caught_up().await;
    let (listed, _) = world
        .call("list_actions", json!({"target": "home.light.toggle"}))
        .await;
    let light = listed["actions"][0]["entities"][0].clone();
    let path = format!("/api/connections/{}", world.connection);
    let shown = world.app.get(&path).await.expect(200);
    let revoke = format!(
        "/api/signins/{}/revoke",
        shown["signInId"].as_str().unwrap()
    );
    world.app.post(&revoke, json!({})).await.expect(200);
    let asked = json!({"action": "home.light.toggle", "params": {"entity_id": light}});
    eventually("the home is not reached any more", async || {
        let (said, is_error) = world.call("invoke_action", asked.clone()).await;
        is_error && said.to_string().contains("cannot be reached now")
    })
    .await;
    let shown = world.app.get(&path).await.expect(200);
    assert_eq!(shown["health"], "needs_sign_in", "{shown}");
}

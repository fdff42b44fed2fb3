//! After the answer of pause, erase, revoke or disconnect no page commits any more.

use serde_json::{Value, json};

use super::{World, event};
use crate::support::app::{TestApp, settings};
use crate::support::cluster::shared;
use crate::support::dav_server::Peer;
use crate::support::postgres_proxy::{Act, PostgresProxy, When};

/// What is done while the COMMIT of a page is held. After its answer nothing comes any more.
async fn while_a_page_is_committed(
    test: &str,
    act: impl AsyncFnOnce(&World),
) -> Option<(World, PostgresProxy)> {
    let server = Peer::Radicale.start(test).await?;
    let proxy = PostgresProxy::before(&shared().socket_dir).await;
    let world = World::connect_to(TestApp::start_over(&proxy, settings()).await, server).await;
    world.put("a", &event("a@x", "a", "")).await;
    world.sync().await;
    world.put("b", &event("b@x", "b", "")).await;
    let held = proxy.inject(When::CommitAfter("source_items"), Act::Hold, 1);
    let fetching = world.fetch();
    let acting = async {
        held.wait_for(1).await;
        let release = async {
            tokio::task::yield_now().await;
            held.release();
        };
        tokio::join!(act(&world), release);
        world.titles().await
    };
    let (_, answered) = tokio::join!(fetching, acting);
    let later = world.titles().await;
    assert_eq!(later, answered, "a page came after the answer");
    // The service goes on over the proxy.
    Some((world, proxy))
}

#[actix_web::test]
async fn nothing_comes_after_the_answer_of_a_pause_and_a_resume_brings_the_rest() {
    let test = "nothing_comes_after_the_answer_of_a_pause_and_a_resume_brings_the_rest";
    let pause = async |world: &World| {
        world.act("pause", json!({})).await;
    };
    let Some((world, _proxy)) = while_a_page_is_committed(test, pause).await else {
        return;
    };
    world.act("resume", json!({})).await;
    world.sync().await;
    world.assert_equal().await;
}

#[actix_web::test]
async fn nothing_comes_after_the_answer_of_an_erase() {
    let test = "nothing_comes_after_the_answer_of_an_erase";
    let erase = async |world: &World| {
        let scope = json!({"scope": "connection", "connectionId": world.calendar});
        world.app.post("/api/erase", scope).await.expect(200);
    };
    if let Some((world, _proxy)) = while_a_page_is_committed(test, erase).await {
        assert_eq!(world.titles().await, [""; 0]);
    }
}

#[actix_web::test]
async fn an_erased_connection_is_read_anew_from_its_beginning() {
    let test = "an_erased_connection_is_read_anew_from_its_beginning";
    let Some(world) = World::connect(test).await else {
        return;
    };
    world.put("a", &event("a@x", "a", "")).await;
    world.sync().await;
    let scope = json!({"scope": "connection", "connectionId": world.calendar});
    world.app.post("/api/erase", scope).await.expect(200);
    assert_eq!(world.titles().await, [""; 0]);
    assert_eq!(world.connection().await["state"], "paused");
    world.act("resume", json!({})).await;
    world.sync().await;
    world.assert_equal().await;
}

#[actix_web::test]
async fn a_disconnect_keeps_or_deletes_the_rows() {
    let test = "a_disconnect_keeps_or_deletes_the_rows";
    let Some(world) = World::connect(test).await else {
        return;
    };
    world.put("a", &event("a@x", "a", "")).await;
    world.sync().await;
    world.act("disconnect", json!({"rows": "keep"})).await;
    assert_eq!(world.titles().await, ["a"]);
    let listed = world.app.get("/api/connections").await.expect(200);
    assert_eq!(listed["connections"], json!([]));
    let asked = json!({"target": "calendar"});
    let fetched = world.app.post("/api/operator/fetch_live", asked).await;
    let said = fetched.json();
    let text = "no active connection for sector 'calendar'";
    assert!(said.to_string().contains(text), "{said}");
    let sign_in: Value = world
        .app
        .get(&format!("/api/signins/{}", world.sign_in))
        .await
        .json();
    assert_eq!(sign_in["error"], "not_found", "{sign_in}");
}

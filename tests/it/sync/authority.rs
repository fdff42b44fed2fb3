//! What the source says now wins, whatever its stamps; and what did not change there changes nothing here.

use serde_json::{Value, json};

use super::{World, event};
use crate::support::app::TestApp;
use crate::support::cursors;
use crate::support::dav_server::Peer;
use crate::support::front::Front;

const OLD: &str = "LAST-MODIFIED:20260101T000000Z\r\n";
const NEW: &str = "LAST-MODIFIED:20260601T000000Z\r\n";

#[actix_web::test]
async fn a_restored_event_with_an_older_stamp_is_what_there_is() {
    let test = "a_restored_event_with_an_older_stamp_is_what_there_is";
    let Some(world) = World::connect(test).await else {
        return;
    };
    world.put("a", &event("a@x", "first", OLD)).await;
    world.sync().await;
    world.put("a", &event("a@x", "second", NEW)).await;
    world.sync().await;
    assert_eq!(world.titles().await, ["second"]);
    world.server.delete("/op/cal/a.ics").await;
    world.sync().await;
    assert_eq!(world.titles().await, [""; 0]);
    world.put("a", &event("a@x", "first", OLD)).await;
    world.sync().await;
    world.assert_equal().await;
    assert_eq!(world.titles().await, ["first"]);
}

#[actix_web::test]
async fn an_unchanged_round_and_an_unchanged_pass_change_no_row() {
    let test = "an_unchanged_round_and_an_unchanged_pass_change_no_row";
    let Some(world) = World::connect(test).await else {
        return;
    };
    for name in ["a", "b", "c"] {
        let rule = "RRULE:FREQ=WEEKLY;COUNT=5\r\n";
        world.put(name, &event(name, name, rule)).await;
    }
    world.sync().await;
    let mark = cursors::settled(&world.app, "calendar.events").await;
    let counts = |fetched: &Value| (fetched["upserted"].clone(), fetched["deleted"].clone());
    assert_eq!(counts(&world.sync().await), (json!(0), json!(0)));
    // The server forgets what it told: everything is read anew.
    world.server.lose_tokens("/op/cal");
    assert_eq!(counts(&world.sync().await), (json!(0), json!(0)));
    let since = changes(&world, &mark).await;
    assert_eq!(since["rows"], json!([]), "{since}");
    world.assert_equal().await;
}

/// The occurrences that changed since a mark.
async fn changes(world: &World, since: &Value) -> Value {
    let asked = json!({"target": "events", "changed_since": since, "limit": 100});
    world
        .app
        .post("/api/data/calendar", asked)
        .await
        .expect(200)
}

#[actix_web::test]
async fn what_cannot_be_read_is_named_and_the_rest_is_stored() {
    let test = "what_cannot_be_read_is_named_and_the_rest_is_stored";
    let Some(server) = Peer::Radicale.start(test).await else {
        return;
    };
    // The server itself refuses such a rule: it stands in its answers only.
    let front = Front::start(&server).await;
    front.rewrite(|body| body.replace("BYDAY=SU", "BYDAY=XX"));
    let world = World::connect_at(TestApp::start().await, server, front.address).await;
    world.put("good", &event("good@x", "good", "")).await;
    // A rule that no calendar knows would show wrong days.
    let rule = "RRULE:FREQ=WEEKLY;BYDAY=SU\r\n";
    world.put("bad", &event("bad@x", "bad", rule)).await;
    world.sync().await;
    assert_eq!(world.titles().await, ["good"]);
    let path = format!("/api/connections/{}/runs", world.calendar);
    let runs = world.app.get(&path).await.expect(200);
    let partial = runs["rows"].as_array().unwrap().iter();
    let partial: Vec<&Value> = partial.filter(|run| run["outcome"] == "partial").collect();
    assert_eq!(partial.len(), 1, "{runs}");
    let message = partial[0]["message"].as_str().unwrap();
    assert!(message.contains("bad.ics"), "{message}");
}

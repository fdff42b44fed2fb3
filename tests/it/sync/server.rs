//! A calendar as it changes at its server, compared with what an independent client lists there.

use serde_json::{Value, json};

use super::{World, event};

#[tokio::test]
async fn what_is_put_changed_and_deleted_is_followed() {
    let Some(world) = World::connect("what_is_put_changed_and_deleted_is_followed").await else {
        return;
    };
    for name in ["a", "b", "c"] {
        world
            .put(name, &event(&format!("{name}@x"), name, ""))
            .await;
    }
    let fetched = world.sync().await;
    assert!(fetched["upserted"].as_u64() >= Some(3), "{fetched}");
    world.assert_equal().await;
    world.put("a", &event("a@x", "later", "")).await;
    world.server.delete("/op/cal/b.ics").await;
    world.put("d", &event("d@x", "new", "")).await;
    let fetched = world.sync().await;
    assert_eq!(fetched["deleted"], 1, "{fetched}");
    world.assert_equal().await;
    let connection = world.connection().await;
    assert_eq!(connection["health"], "ok", "{connection}");
    assert!(connection["lastSyncAt"].is_string(), "{connection}");
}

#[tokio::test]
async fn occurrences_and_calendars_are_told_to_agents() {
    let Some(world) = World::connect("occurrences_and_calendars_are_told_to_agents").await else {
        return;
    };
    let rule = "RRULE:FREQ=WEEKLY;COUNT=5\r\n";
    world.put("a", &event("a@x", "weekly", rule)).await;
    world.sync().await;
    let ask = async |body: Value| world.app.post("/api/data/calendar", body).await.expect(200);
    let events = ask(json!({"target": "events", "select": ["title", "start_at"]})).await;
    assert_eq!(events["returned"], 5, "{events}");
    let calendars = ask(json!({"target": "calendars", "select": ["name", "color"]})).await;
    let rows = calendars["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row[0] == "Home"), "{calendars}");
    // A calendar that goes takes its events with it.
    world.server.delete("/op/cal/").await;
    world.sync().await;
    let events = ask(json!({"target": "events", "select": ["title"]})).await;
    assert_eq!(events["returned"], 0, "{events}");
}

//! The requests of a day: counted before they are sent, over restarts, whoever asks.

use chrono::TimeDelta;
use serde_json::json;

use super::world::{World, now};

#[actix_web::test]
async fn a_day_has_twenty_requests_and_then_the_store_answers() {
    let test = "a_day_has_twenty_requests_and_then_the_store_answers";
    let filled = |bridge: &mut crate::support::stand_ins::simplefin::Bridge| {
        bridge
            .open("a", "giro", "Checking 1234")
            .book("1", "-5", now());
    };
    let Some(mut world) = World::connected(test, filled).await else {
        return;
    };
    let mut outcomes = Vec::new();
    for number in 0..25 {
        world.wait(TimeDelta::minutes(1));
        outcomes.push(world.fetch().await["outcome"].as_str().unwrap().to_owned());
        if number == 5 {
            world = world.restart().await;
            world.until_health("ok").await;
        }
    }
    assert_eq!(world.bridge().take_asked().len(), 20);
    assert_eq!(outcomes[0], "fetched");
    assert_eq!(outcomes[24], "waiting", "{outcomes:?}");
    let shown = world.connection().await;
    assert_eq!(
        (&shown["health"], &shown["error"]["code"]),
        (&json!("backing_off"), &json!("rate_limited")),
        "{shown}"
    );
    let id = shown["id"].as_str().unwrap();
    let path = format!("/api/connections/{id}/sync-now");
    world.app.post(&path, json!({})).await.expect(409);
    // What is stored is served all the same.
    assert_eq!(world.rows("transactions", &["amount"]).await.len(), 1);

    // The first of them is a day old.
    world.wait(TimeDelta::days(1));
    world
        .bridge()
        .account("a")
        .book("2", "-6", now() + TimeDelta::days(1));
    assert_eq!(world.fetch().await["outcome"], "fetched");
    assert_eq!(world.rows("transactions", &["amount"]).await.len(), 2);
}

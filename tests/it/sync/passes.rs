//! What a pass over everything has not named is gone; unless that is so much that a second pass must say the same.

use serde_json::json;

use super::{World, event};

/// More than may go at once, whatever their share.
const MANY: usize = 24;

/// A calendar with many events, of which the server knows nothing any more but what `left` names.
async fn emptied(test: &str, left: usize) -> Option<World> {
    let world = World::connect(test).await?;
    for number in 0..MANY {
        let name = format!("n{number:02}");
        world.put(&name, &event(&name, &name, "")).await;
    }
    world.sync().await;
    for number in left..MANY {
        let path = format!("/op/cal/n{number:02}.ics");
        world.server.delete(&path).await;
    }
    // What was deleted is not told any more: a pass over everything finds it.
    world.server.lose_tokens("/op/cal");
    Some(world)
}

#[actix_web::test]
async fn when_more_than_half_is_gone_a_second_pass_must_say_the_same() {
    let test = "when_more_than_half_is_gone_a_second_pass_must_say_the_same";
    let Some(world) = emptied(test, 2).await else {
        return;
    };
    let first = world.fetch().await;
    assert_eq!(world.titles().await.len(), MANY, "{first}");
    let shown = world.connection().await;
    let runs = format!("/api/connections/{}/runs", world.calendar);
    let runs = world.app.get(&runs).await.expect(200);
    assert_ne!(runs["rows"][0]["message"], json!(null), "{runs} {shown}");
    world.fetch().await;
    world.assert_equal().await;
    assert_eq!(world.titles().await.len(), 2);
}

#[actix_web::test]
async fn what_was_away_for_one_pass_only_stays() {
    let test = "what_was_away_for_one_pass_only_stays";
    let Some(world) = emptied(test, 0).await else {
        return;
    };
    world.fetch().await;
    assert_eq!(world.titles().await.len(), MANY);
    for number in 0..MANY {
        let name = format!("n{number:02}");
        world.put(&name, &event(&name, &name, "")).await;
    }
    world.fetch().await;
    world.assert_equal().await;
    assert_eq!(world.titles().await.len(), MANY);
}

#[actix_web::test]
async fn when_less_than_half_is_gone_one_pass_is_believed() {
    let test = "when_less_than_half_is_gone_one_pass_is_believed";
    let Some(world) = emptied(test, MANY / 2).await else {
        return;
    };
    world.sync().await;
    world.assert_equal().await;
    assert_eq!(world.titles().await.len(), MANY / 2);
}

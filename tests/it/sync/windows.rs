//! How far back a source is read, as the person sets it; and that agents are told of it.

use reqwest::Method;
use serde_json::{Value, json};

use super::{World, event};

impl World {
    async fn look_back(&self, days: Value) {
        let path = format!("/api/connections/{}", self.calendar);
        let request = self.app.request(Method::PATCH, &path);
        let set = self
            .app
            .send(request.json(&json!({ "syncWindowDays": days })));
        set.await.expect(200);
    }

    async fn covers_from(&self) -> Value {
        let context = self.app.get("/api/operator/context").await.expect(200);
        context["freshness"]["calendar"]["connections"][0]["covers_from"].clone()
    }

    /// Why there is no event of ten years ago.
    async fn why_nothing(&self) -> Value {
        let asked = json!({"target": "events", "where": {"start_at": {"lt": "2016-01-01"}}});
        let answer = self.app.post("/api/data/calendar", asked).await.expect(200);
        answer["empty"]["reason"].clone()
    }
}

#[actix_web::test]
async fn a_window_bounds_a_calendar_and_is_told() {
    let test = "a_window_bounds_a_calendar_and_is_told";
    let Some(world) = World::connect(test).await else {
        return;
    };
    assert_eq!(world.covers_from().await, Value::Null, "nothing bounds it");
    assert_eq!(world.why_nothing().await, "no_match");
    let old = event("old@x", "old", "").replace("202603", "201503");
    world.look_back(json!(3650)).await;
    world.put("new", &event("new@x", "new", "")).await;
    world.put("old", &old).await;
    world.sync().await;
    assert_eq!(world.titles().await, ["new"]);
    assert!(world.covers_from().await.is_string());
    assert_eq!(world.why_nothing().await, "outside_window");
    world.look_back(Value::Null).await;
    world.sync().await;
    world.assert_equal().await;
    assert_eq!(world.titles().await, ["new", "old"]);
    assert_eq!(world.covers_from().await, Value::Null);
    world.look_back(json!(30)).await;
    world.server.lose_tokens("/op/cal");
    let fetched = world.sync().await;
    assert_eq!(
        (&fetched["upserted"], &fetched["deleted"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(world.titles().await, ["new", "old"]);
}

//! A home: what it has, as it changes, and what can be done there (r127).

mod acting;
mod ending;
mod kept;

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::mcp::support::Client;
use crate::support::app::TestApp;
use crate::support::eventually::eventually;
use crate::support::home_server::HomeServer;
use crate::support::relay::Relay;

/// The service, a home that it listens to, and an agent that may act there.
struct World {
    app: TestApp,
    home: HomeServer,
    /// The way to the home.
    relay: Relay,
    agent: Client,
    connection: String,
}

impl World {
    async fn connect(test: &str) -> Option<Self> {
        let home = HomeServer::start(test).await?;
        let app = TestApp::start().await;
        let relay = Relay::start(([127, 0, 0, 1], home.port).into()).await;
        let asked = connected_at(&home, relay.address);
        let created = app.post("/api/connections", asked).await.expect(201);
        let connection = created["connections"][0]["id"].as_str().unwrap().to_owned();
        let key = app.key_of("housekeeper", &["home"]).await;
        let url = format!("http://{}/mcp", app.agents);
        Some(Self {
            agent: Client::new(&url, Some(key)),
            app,
            home,
            relay,
            connection,
        })
    }

    /// What a tool answers the agent, and whether it says that it failed.
    async fn call(&self, tool: &str, arguments: Value) -> (Value, bool) {
        self.call_as(&self.agent, tool, arguments).await
    }

    async fn call_as(&self, agent: &Client, tool: &str, arguments: Value) -> (Value, bool) {
        let sent = agent.modern_call(tool, arguments).send().await.unwrap();
        let answer: Value = sent.json().await.unwrap();
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap();
        let answered = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        (answered, result["isError"] == true)
    }

    async fn state_of(&self, entity: &str) -> Option<String> {
        let asked =
            json!({"target": "home.entities", "where": {"entity_id": entity}, "select": ["state"]});
        let (answer, _) = self.call("query", asked).await;
        answer["rows"][0][0].as_str().map(str::to_owned)
    }

    async fn caught_up(&self) {
        let asked = json!({"target": "home", "timeout_s": 60});
        let fetched = self.app.post("/api/operator/fetch_live", asked).await;
        let fetched = fetched.expect(200)["fetched"][0].clone();
        assert_eq!(fetched["outcome"], "fetched", "{fetched}");
    }
}

/// What connects a home that is reached at an address.
fn connected_at(home: &HomeServer, address: SocketAddr) -> Value {
    json!({
        "provider": "home_assistant",
        "credentials": { "address": format!("http://{address}"), "token": home.token.trim() },
    })
}

#[actix_web::test]
async fn r127_a_home_is_read_and_acted_on_and_the_row_tells_what_it_reported() {
    let test = "r127_a_home_is_read_and_acted_on_and_the_row_tells_what_it_reported";
    let Some(mut world) = World::connect(test).await else {
        return;
    };
    world.caught_up().await;
    let states = world.home.rest("GET", "/api/states", "").await.unwrap();
    let counted = json!({"target": "home.entities", "aggregate": {"n": "count"}, "where": {"state": {"is_null": false}}});
    let (answer, _) = world.call("query", counted).await;
    let entities = answer["rows"][0][0].as_u64().unwrap();
    assert_eq!(entities, states.as_array().unwrap().len() as u64);

    // What can be done stands in the catalogue, and what is dangerous does not.
    let (listed, _) = world
        .call("list_actions", json!({"target": "home.light"}))
        .await;
    let actions = listed["actions"].as_array().unwrap();
    let turn_on = actions
        .iter()
        .find(|one| one["action"] == "home.light.turn_on");
    let light = turn_on.unwrap()["entities"][0].as_str().unwrap().to_owned();
    let (locks, _) = world
        .call("list_actions", json!({"target": "home.lock"}))
        .await;
    assert_eq!(locks["actions"], json!([]), "{locks}");

    let off = json!({"action": "home.light.turn_off", "params": {"entity_id": light}});
    let (done, is_error) = world.call("invoke_action", off).await;
    assert!(!is_error, "{done}");
    assert_eq!(done["outcome"], "done");
    eventually("the light is off in the store", async || {
        world.state_of(&light).await.as_deref() == Some("off")
    })
    .await;
    let on = json!({"action": "home.light.turn_on", "params": {"entity_id": light, "brightness_pct": 40}});
    let (done, _) = world.call("invoke_action", on).await;
    assert_eq!(done["changed"][0]["state"], "on", "{done}");
    assert_eq!(done["changed"][0]["entity_id"], light.as_str());
    eventually("the light is on in the store", async || {
        world.state_of(&light).await.as_deref() == Some("on")
    })
    .await;

    // What is wrong is named before anything is sent.
    let wrong = json!({"action": "home.light.turn_on", "params": {"entity_id": light, "brightness_pct": 400}});
    let (said, is_error) = world.call("invoke_action", wrong).await;
    assert!(
        is_error && said.to_string().contains("brightness_pct"),
        "{said}"
    );
    let unknown = json!({"action": "home.lock.unlock", "params": {"entity_id": "lock.front_door"}});
    let (said, is_error) = world.call("invoke_action", unknown).await;
    assert!(is_error, "{said}");

    let mut rows = Value::Null;
    eventually("the rows are written", async || {
        rows = world.app.audit("?tool=invoke_action").await.expect(200);
        rows["rows"].as_array().unwrap().len() == 4
    })
    .await;
    let outcomes: Vec<&Value> = rows["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["outcome"])
        .collect();
    assert_eq!(outcomes, ["error", "error", "ok", "ok"], "newest first");
    for row in rows["rows"].as_array().unwrap() {
        assert_eq!(
            (&row["decision"], &row["sector"]),
            (&json!("allow"), &json!("home"))
        );
        assert_eq!(row["result_count"], Value::Null);
    }

    // A home that is gone says so, and nothing is sent; what is stored is answered all the same.
    world.home.stop().await;
    eventually("the home is known to be away", async || {
        let path = format!("/api/connections/{}", world.connection);
        let shown = world.app.get(&path).await.expect(200);
        shown["health"] == "backing_off"
    })
    .await;
    let again = json!({"action": "home.light.turn_off", "params": {"entity_id": light}});
    let (said, is_error) = world.call("invoke_action", again).await;
    assert!(
        is_error && said.to_string().contains("cannot be reached"),
        "{said}"
    );
    let (listed, is_error) = world.call("list_actions", json!({})).await;
    assert!(!is_error, "{listed}");
    assert_eq!(listed["actions"], json!([]));
    assert!(
        listed["notes"].to_string().contains("cannot be reached"),
        "{listed}"
    );
    assert_eq!(world.state_of(&light).await.as_deref(), Some("on"));

    // It comes back by itself.
    world.home.start_again();
    eventually("the home is listened to again", async || {
        let (listed, _) = world
            .call("list_actions", json!({"target": "home.light"}))
            .await;
        !listed["actions"].as_array().unwrap().is_empty()
    })
    .await;
}

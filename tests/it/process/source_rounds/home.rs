//! A home.

use serde_json::{Value, json};

use super::home_server::HomeServer;
use super::{Chance, Served, survive};
use crate::support::users::in_scratch;

/// Switches that are flipped before each kill.
const CHANGES: u64 = 12;

struct Home(HomeServer);

impl Served for Home {
    const SECTOR: &'static str = "home";

    fn connection(&self) -> Value {
        json!({
            "provider": "home_assistant",
            "credentials": {
                "address": format!("http://127.0.0.1:{}", self.0.port),
                "token": self.0.token.trim(),
            },
        })
    }

    async fn change(&mut self, chance: &mut Chance, _: u64) {
        let lights: Vec<String> = self
            .states()
            .await
            .into_iter()
            .filter_map(|(id, _)| id.starts_with("light.").then_some(id))
            .collect();
        for _ in 0..CHANGES {
            let body = json!({"entity_id": chance.one_of(&lights)}).to_string();
            let path = "/api/services/light/toggle";
            self.0.rest("POST", path, &body).await.unwrap();
        }
    }

    async fn listed(&self) -> Vec<String> {
        let states = self.states().await.into_iter();
        let mut listed: Vec<String> = states.map(|(id, state)| format!("{id} {state}")).collect();
        listed.sort();
        listed
    }

    fn query(&self) -> Value {
        let select = ["entity_id", "state"];
        json!({"target": "entities", "select": select, "where": {"state": {"is_null": false}}, "limit": 1000})
    }

    fn text_of(&self, row: &Value) -> String {
        format!("{} {}", row[0].as_str().unwrap(), row[1].as_str().unwrap())
    }
}

impl Home {
    async fn states(&self) -> Vec<(String, String)> {
        let states = self.0.rest("GET", "/api/states", "").await.unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let states = states.as_array().unwrap().iter();
        states
            .map(|state| (text(&state["entity_id"]), text(&state["state"])))
            .collect()
    }
}

#[test]
fn killed_rounds_over_a_home_lose_nothing_and_double_nothing() {
    let test = "killed_rounds_over_a_home_lose_nothing_and_double_nothing";
    in_scratch(async |home| {
        let Some(server) = HomeServer::start(test).await else {
            return;
        };
        survive(home, &mut Home(server)).await;
    });
}

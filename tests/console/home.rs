//! A home: what agents may act on there, by domain, as the person sets it on its page (r127).

use serde_json::{Value, json};

use crate::harness::{Console, in_browser};
use crate::home_server::HomeServer;
use crate::support::eventually::eventually;

/// The actions of a domain that an agent is offered.
async fn actions(console: &Console, agent: &str, domain: &str) -> usize {
    let asked =
        json!({ "tool": "list_actions", "arguments": { "target": format!("home.{domain}") } });
    let path = format!("/api/agents/{agent}/preview");
    let told = console
        .service
        .call(reqwest::Method::POST, &path, Some(asked), 200);
    told.await["actions"].as_array().map_or(0, Vec::len)
}

#[test]
fn r127_what_may_be_acted_on_in_a_home_is_set_on_its_page() {
    in_browser("home::domains", async |console| {
        let Some(home) = HomeServer::start("home::domains").await else {
            return;
        };
        console.service.key("housekeeper", &["home"]).await;
        let token = home.token.trim().to_owned();
        let page = &console.browser;
        page.open("/connections/new/home_assistant").await;
        page.field("Address")
            .type_text(&format!("http://127.0.0.1:{}", home.port))
            .await;
        page.field("Long-lived access token")
            .type_text(&token)
            .await;
        page.button("Connect").click().await;
        page.shows("Home connected.").await;
        let connections = console.get("/api/connections").await["connections"].clone();
        let id = connections[0]["id"].as_str().unwrap().to_owned();
        eventually("its actions are known", async || {
            actions(console, "housekeeper", "light").await > 0
        })
        .await;
        assert_eq!(actions(console, "housekeeper", "lock").await, 0);

        page.open(&format!("/connections/{id}")).await;
        page.shows("What agents may act on").await;
        page.switch("light").becomes(true).await;
        page.switch("lock").becomes(false).await;
        page.switch("light").click().await;
        page.shows("Saved. No agent can act on light any more.")
            .await;
        eventually("no light is offered", async || {
            actions(console, "housekeeper", "light").await == 0
        })
        .await;
        page.switch("lock").click().await;
        page.shows("Saved. Agents can act on lock now.").await;
        page.shows("Something is on that can open the house").await;
        eventually("locks are offered", async || {
            actions(console, "housekeeper", "lock").await > 0
        })
        .await;
        page.client.refresh().await.unwrap();
        page.switch("light").becomes(false).await;
        page.switch("lock").becomes(true).await;
        page.shows("Active").await;
        let held = "return document.documentElement.outerHTML.includes(arguments[0])";
        assert_eq!(page.run(held, vec![json!(token)]).await, json!(false));
        let acts = console.get("/api/audit?agent=operator").await["rows"].clone();
        assert_eq!(
            acts,
            Value::Array(vec![]),
            "none of it is an act of the record"
        );
    });
}

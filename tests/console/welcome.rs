//! The first minutes: journey 1, without files.

use serde_json::json;

use crate::harness::element::Role;
use crate::harness::in_browser;

#[test]
fn an_empty_service_leads_to_its_first_steps_and_the_first_call_ends_them_by_itself() {
    in_browser("welcome::steps", async |console| {
        let page = &console.browser;
        page.open("/").await;
        page.is_at("/welcome").await;
        page.button("Load the sample household").click().await;
        page.shows("There is a source.").await;
        page.button("New agent").click().await;
        page.field("Name").type_text("claude").await;
        page.switch("mail").click().await;
        page.button("Create key").click().await;
        page.shows("Key for claude").await;
        let key = page
            .run(
                "return document.querySelector('[data-testid=secret]').textContent",
                vec![],
            )
            .await;
        page.the(Role::Checkbox, "I have stored this key")
            .click()
            .await;
        page.button("Done").click().await;
        page.shows("Waiting for the first call of claude").await;
        assert_eq!(
            console.get("/api/audit?agent=claude").await["rows"],
            json!([]),
            "the page has called by itself"
        );
        console
            .ask(
                "sxt_this-is-no-key-of-anybody-whatsoever-000000",
                "describe_context",
                json!({}),
            )
            .await;
        // Only the agent port records whoever knocks.
        let client = reqwest_of_agents(console);
        client.await;
        page.shows("A client knocked with a key that is not known; paste it again.")
            .await;
        console
            .ask(
                key.as_str().unwrap(),
                "query",
                json!({ "target": "mail.messages" }),
            )
            .await;
        page.shows("A call was served.").await;
        page.shows("All three are done.").await;
        page.open("/").await;
        page.shows("What needs you").await;
        assert_eq!(page.path().await, "/");
    });
}

/// A client with a wrong key at the agent port.
async fn reqwest_of_agents(console: &crate::harness::Console) {
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let client = crate::support::http::builder().build().unwrap();
    let answer = client
        .post(&console.service.agents)
        .bearer_auth("sxt_this-is-no-key-of-anybody-whatsoever-000000")
        .header("accept", "application/json, text/event-stream")
        .json(&request)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 401);
}

#[test]
fn the_steps_can_be_left_and_stay_left() {
    in_browser("welcome::left", async |console| {
        let page = &console.browser;
        page.open("/welcome").await;
        page.button("Skip to Overview").click().await;
        page.is_at("/").await;
        page.shows("What needs you").await;
        page.client.refresh().await.unwrap();
        page.shows("Nothing recorded yet").await;
        assert_eq!(page.path().await, "/");
    });
}

//! Agents by the keyboard alone: every stop has a name and a focus that is seen, and a dialog gives the focus back.

use fantoccini::key::Key;
use serde_json::json;

use crate::harness::element::Role;
use crate::harness::{Browser, in_browser};

/// Makes `claude` with a key for mail.
async fn make_agent(page: &Browser) -> String {
    page.tab_to("New agent").await;
    page.press(&[Key::Enter]).await;
    page.focus_is_on("Name").await;
    page.press(&[Key::Escape]).await;
    page.the(Role::Dialog, "").is_gone().await;
    page.focus_is_on("New agent").await;
    page.press(&[Key::Enter]).await;
    page.focus_is_on("Name").await;
    page.type_here("claude").await;
    page.tab_to("mail").await;
    page.press(&[Key::Space]).await;
    page.tab_to("Create key").await;
    page.press(&[Key::Enter]).await;
    page.shows("This is the only time the key is shown.").await;
    let shown = "return document.querySelector('[data-testid=secret]').textContent";
    let key = page.run(shown, vec![]).await;
    page.press(&[Key::Escape, Key::Escape]).await;
    page.tab_to("I have stored this key").await;
    page.press(&[Key::Space]).await;
    page.tab_to("Done").await;
    page.press(&[Key::Enter]).await;
    page.the(Role::Dialog, "").is_gone().await;
    page.focus_is_on("New agent").await;
    key.as_str().unwrap().to_owned()
}

#[test]
fn an_agent_is_made_switched_and_asked_about_by_keyboard_alone() {
    in_browser("keyboard::agents", async |console| {
        console.browser.open("/agents").await;
        let key = make_agent(&console.browser).await;
        let answer = console.ask(&key, "describe_context", json!({})).await;
        assert_eq!(answer["sectors"], json!(["mail"]));
        let page = &console.browser;
        page.tab_to("mail").await;
        page.press(&[Key::Space]).await;
        page.shows("Saved. claude can no longer use mail. 1 live session ended.")
            .await;
        page.focus_is_on("mail").await;
        let sent = "return performance.getEntriesByType('resource').filter((entry) => new URL(entry.name).pathname === '/api/agents/claude').length";
        assert_eq!(page.run(sent, vec![]).await, json!(1));
        let answer = console.ask(&key, "describe_context", json!({})).await;
        assert_eq!(answer["sectors"], json!([]));
        page.tab_to("Revoke claude").await;
        page.press(&[Key::Enter]).await;
        page.focus_is_on("Cancel").await;
        page.press(&[Key::Escape]).await;
        page.the(Role::Dialog, "").is_gone().await;
        page.focus_is_on("Revoke claude").await;
    });
}

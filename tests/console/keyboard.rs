//! Agents by the keyboard alone: every stop has a name and a focus that is seen, and a dialog gives the focus back.

use fantoccini::key::Key;
use serde_json::json;

use crate::harness::element::Role;
use crate::harness::{Browser, in_browser};
use crate::support::eventually::eventually;

/// More than any page here has.
const STOPS_MAX: usize = 80;

/// The name of what has the focus, and whether it is seen to have it.
const STOP: &str = "const at = document.activeElement; \
    const style = getComputedStyle(at); \
    const isSeen = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none'; \
    const label = at.getAttribute('aria-label') ?? (at.labels?.length ? at.labels[0].innerText : at.innerText) ?? ''; \
    return { isNothing: at === document.body, isSeen, name: label.replace(/\\s+/g, ' ').trim(), what: at.outerHTML.slice(0, 200) }";

/// Presses Tab until what has the focus has a name that begins so.
async fn tab_to(page: &Browser, name: &str) {
    for _ in 0..STOPS_MAX {
        page.press(&[Key::Tab]).await;
        let stop = page.run(STOP, vec![]).await;
        if stop["isNothing"] == true {
            continue;
        }
        let own = stop["name"].as_str().unwrap();
        assert!(!own.is_empty(), "a stop without a name: {stop}");
        assert_eq!(stop["isSeen"], true, "the focus is not seen: {stop}");
        if own.starts_with(name) {
            return;
        }
    }
    panic!("no stop is named {name}");
}

async fn focus_is_on(page: &Browser, name: &str) {
    eventually(&format!("{name} has the focus"), async || {
        let stop = page.run(STOP, vec![]).await;
        stop["name"].as_str().unwrap().starts_with(name)
    })
    .await;
}

async fn type_text(page: &Browser, text: &str) {
    let field = page.client.active_element().await.unwrap();
    field.send_keys(text).await.unwrap();
}

/// Makes `claude` with a key for mail.
async fn make_agent(page: &Browser) -> String {
    tab_to(page, "New agent").await;
    page.press(&[Key::Enter]).await;
    focus_is_on(page, "Name").await;
    page.press(&[Key::Escape]).await;
    page.the(Role::Dialog, "").is_gone().await;
    focus_is_on(page, "New agent").await;
    page.press(&[Key::Enter]).await;
    focus_is_on(page, "Name").await;
    type_text(page, "claude").await;
    tab_to(page, "mail").await;
    page.press(&[Key::Space]).await;
    tab_to(page, "Create key").await;
    page.press(&[Key::Enter]).await;
    page.shows("This is the only time the key is shown.").await;
    let shown = "return document.querySelector('[data-testid=secret]').textContent";
    let key = page.run(shown, vec![]).await;
    page.press(&[Key::Escape, Key::Escape]).await;
    tab_to(page, "I have stored this key").await;
    page.press(&[Key::Space]).await;
    tab_to(page, "Done").await;
    page.press(&[Key::Enter]).await;
    page.the(Role::Dialog, "").is_gone().await;
    focus_is_on(page, "New agent").await;
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
        tab_to(page, "mail").await;
        page.press(&[Key::Space]).await;
        page.shows("Saved. claude can no longer use mail. 1 live session ended.")
            .await;
        focus_is_on(page, "mail").await;
        let sent = "return performance.getEntriesByType('resource').filter((entry) => new URL(entry.name).pathname === '/api/agents/claude').length";
        assert_eq!(page.run(sent, vec![]).await, json!(1));
        let answer = console.ask(&key, "describe_context", json!({})).await;
        assert_eq!(answer["sectors"], json!([]));
        tab_to(page, "Revoke claude").await;
        page.press(&[Key::Enter]).await;
        focus_is_on(page, "Cancel").await;
        page.press(&[Key::Escape]).await;
        page.the(Role::Dialog, "").is_gone().await;
        focus_is_on(page, "Revoke claude").await;
    });
}

//! Single pages and open dialogs by the rules of accessibility, at each width and in each theme.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::harness::element::Role;
use crate::harness::{Console, axe, in_browser};
use crate::support::pulled::PulledSource;

/// A service with the sample household, an agent, its call, and a device; the addresses of single pages.
async fn seeded(console: &Console) -> Vec<String> {
    console.load_sample().await;
    let key = console.service.key("claude", &["finance", "mail"]).await;
    let query = json!({ "target": "mail.messages", "limit": 1 });
    let answer = console.ask(&key, "query", query).await;
    let row = console.row("agent=claude").await["id"].clone();
    let device = console.service.device("health.sleeps").await.id;
    let client = console.database.connect().await;
    let source = PulledSource::sign_in(&client, "icloud").await;
    let read = source.connection("mail.messages", "Ada's mail").await;
    let refused = json!({ "code": "refused", "message": "The server refused the password." });
    source.fares(read, "needs_sign_in", refused, None).await;
    source.run(read, 20, Some("ok"), 40).await;
    source.run(read, 5, Some("failed"), 0).await;
    let record = answer["rows"][0][0].as_str().unwrap();
    vec![
        "/agents/claude".to_owned(),
        format!("/connections/{device}"),
        format!("/connections/{read}"),
        "/connections".to_owned(),
        "/connections/new".to_owned(),
        "/connections/new/own_server".to_owned(),
        format!("/activity/{}", row.as_str().unwrap()),
        "/data/mail/messages".to_owned(),
        format!("/data/mail/messages/{record}"),
        "/data/finance/transactions?group=category".to_owned(),
        "/agents/claude/data".to_owned(),
        "/agents/claude/data/finance/transactions".to_owned(),
        "/agents/claude/data/health/sleeps".to_owned(),
        "/settings/system".to_owned(),
        "/settings/nowhere".to_owned(),
    ]
}

#[test]
fn single_pages_have_no_violation() {
    in_browser("accessible::pages", async |console| {
        let addresses = seeded(console).await;
        console.browser.expect("preview");
        let page = &console.browser;
        for address in addresses {
            page.open(&address).await;
            axe::everywhere(page, &address).await;
        }
    });
}

/// Where a dialog is opened, by which control (none: by the address), and a text of it.
const DIALOGS: [(&str, &str, &str); 10] = [
    ("/agents?new=1", "", "New agent"),
    ("/connections/new/push", "", "New connection"),
    ("/agents/claude", "Rotate key", "Rotate the key of claude?"),
    ("/agents/claude", "Revoke", "Revoke claude?"),
    ("/agents/claude", "Remove", "Remove claude?"),
    ("/", "Cut everyone off", "Cut everyone off"),
    ("/settings/data", "Count and erase", "Erase: Everything?"),
    ("/settings/system", "Restart audit", "Restart"),
    ("/connections", "Rotate secret", "Rotate the secret"),
    ("/connections", "Disconnect", "Disconnect"),
];

#[test]
fn open_dialogs_have_no_violation_and_give_the_focus_back() {
    in_browser("accessible::dialogs", async |console| {
        console.service.key("claude", &["finance"]).await;
        console.service.device("health.sleeps").await;
        let page = &console.browser;
        page.open("/welcome").await;
        page.button("Skip to Overview").click().await;
        page.is_at("/").await;
        for (address, control, title) in DIALOGS {
            page.open(address).await;
            if !control.is_empty() {
                page.button(control).click().await;
            }
            page.the(Role::Dialog, title).found().await;
            page.is_ready().await;
            axe::everywhere(page, title).await;
            page.press(&[Key::Escape]).await;
            page.the(Role::Dialog, title).is_gone().await;
            if !control.is_empty() {
                let back = format!("the focus is back after {title}");
                let names = "return (document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()";
                let name = page.run(names, vec![]).await;
                assert!(
                    name.as_str().unwrap().starts_with(control),
                    "{back}: {name}"
                );
            }
        }
        page.open("/").await;
        let control_k = "dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))";
        page.run(control_k, vec![]).await;
        page.the(Role::Field, "Search").type_text("agent").await;
        page.is_ready().await;
        axe::everywhere(page, "the search").await;
    });
}

/// A source that is read just now, one that is listened to, and one that needs the person: their pages.
async fn sources(console: &Console) -> [String; 3] {
    let client = console.database.connect().await;
    let source = PulledSource::sign_in(&client, "own_server").await;
    let read = source.connection("calendar.series", "Ada's calendar").await;
    source.run(read, 1, None, 12).await;
    let stopped = source.connection("contacts.people", "Ada's contacts").await;
    let refused = json!({ "code": "refused", "message": "the server refused the password", "since": "2026-11-20T10:00:00Z", "count": 3 });
    source.fares(stopped, "needs_sign_in", refused, None).await;
    let source = PulledSource::sign_in(&client, "home_assistant").await;
    let home = source.connection("home.entities", "Our flat").await;
    source.fares(home, "ok", Value::Null, None).await;
    [read, home, stopped].map(|id| format!("/connections/{id}"))
}

#[test]
fn a_source_and_what_is_asked_about_it_have_no_violation() {
    in_browser("accessible::sources", async |console| {
        let [read, home, stopped] = sources(console).await;
        let page = &console.browser;
        for (address, text) in [
            (&read, "Syncing"),
            (&home, "What agents may act on"),
            (&stopped, "Since"),
        ] {
            page.open(address).await;
            page.shows(text).await;
            axe::everywhere(page, address).await;
        }
        for (address, controls, title) in [
            (&stopped, &["Sign in again for"][..], "Sign in to"),
            (&read, &["Revoke credential"][..], "Revoke the credential"),
            (
                &read,
                &["More acts", "Restart connector"][..],
                "Restart the connector",
            ),
            (&read, &["More acts", "Disconnect"][..], "Disconnect"),
        ] {
            page.open(address).await;
            for control in controls {
                page.button(control).click().await;
            }
            page.the(Role::Dialog, title).found().await;
            page.is_ready().await;
            axe::everywhere(page, title).await;
        }
        page.open("/connections/new/own_server").await;
        page.button("Connect").click().await;
        page.shows("User is needed.").await;
        axe::everywhere(page, "a form with a fault").await;
    });
}

#[test]
fn what_is_shown_once_has_no_violation() {
    in_browser("accessible::secrets", async |console| {
        console.service.key("claude", &["finance"]).await;
        let page = &console.browser;
        page.open("/agents/claude").await;
        page.button("Rotate key").click().await;
        page.the(Role::Button, "Rotate key").click().await;
        page.shows("This is the only time the key is shown.").await;
        axe::everywhere(page, "a key").await;
        console.service.device("health.sleeps").await;
        page.open("/connections").await;
        page.button("Rotate secret").click().await;
        page.the(Role::Button, "Rotate secret").click().await;
        page.shows("This is the only time the secret is shown.")
            .await;
        axe::everywhere(page, "a secret").await;
    });
}

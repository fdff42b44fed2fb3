//! The service itself: its parts, and the restart of one.

use serde_json::json;

use crate::harness::element::Role;
use crate::harness::{axe, browser, in_browser};

#[test]
fn r506_a_restart_of_the_sessions_registry_says_how_many_sessions_it_ends() {
    in_browser("settings::restart", async |console| {
        for agent in ["laptop", "phone"] {
            let key = console.service.key(agent, &["mail"]).await;
            console.ask(&key, "describe_context", json!({})).await;
        }
        let page = &console.browser;
        page.open("/settings/system").await;
        page.shows("session-registry").await;
        let buttons = "return [...document.querySelectorAll('button[aria-label^=\"Restart \"]')].map((button) => button.ariaLabel)";
        let parts = ["audit", "connections", "grants", "session-registry"];
        let expected = parts.map(|part| format!("Restart {part}"));
        assert_eq!(page.run(buttons, vec![]).await, json!(expected));
        page.button("Restart session-registry").click().await;
        page.shows("All live sessions (2 now) end at once; clients open others.")
            .await;
        page.set_width(browser::NARROWEST).await;
        let violations = axe::violations(page).await;
        assert!(violations.is_empty(), "{violations:#?}");
        page.the(Role::Button, "Restart").click().await;
        page.shows("Restarted session-registry. 2 live sessions ended.")
            .await;
        let sessions = console.get("/api/sessions").await;
        assert_eq!(sessions["sessions"], json!([]));
        page.button("Restart grants").click().await;
        page.the(Role::Button, "Restart").click().await;
        page.shows("Restarted grants.").await;
        let violations = axe::violations(page).await;
        assert!(violations.is_empty(), "{violations:#?}");
    });
}

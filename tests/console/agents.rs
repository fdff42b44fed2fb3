//! Agents: journeys 12 to 15 of the Console's acceptance list, and cutting everyone off.

use fantoccini::key::Key;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::element::Role;
use crate::harness::{Console, in_browser};

impl Console {
    /// What is stored of an agent.
    async fn agent(&self, name: &str) -> Value {
        self.get(&format!("/api/agents/{name}")).await
    }

    /// Ends the dialog that shows a secret; the secret.
    async fn take_secret(&self, noun: &str) -> String {
        let shown = "return document.querySelector('[data-testid=secret]').textContent";
        self.browser.button("Done").found().await;
        let secret = self.browser.run(shown, vec![]).await;
        let secret = secret.as_str().unwrap().to_owned();
        self.browser.press(&[Key::Escape, Key::Escape]).await;
        assert!(
            !self.browser.button("Done").is_enabled().await,
            "Escape has closed it"
        );
        let box_name = format!("I have stored this {noun}");
        self.browser.the(Role::Checkbox, &box_name).click().await;
        self.browser.button("Done").click().await;
        self.browser.the(Role::Dialog, "").is_gone().await;
        secret
    }

    /// Whether a text is anywhere in the page's document, address or storage.
    async fn page_holds(&self, text: &str) -> bool {
        let script = "const all = document.documentElement.outerHTML + location.href + JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + JSON.stringify(history.state); \
            const values = [...document.querySelectorAll('input, textarea')].map((field) => field.value).join(); \
            return (all + values).includes(arguments[0])";
        self.browser.run(script, vec![json!(text)]).await == json!(true)
    }
}

#[test]
fn r077_a_key_is_made_by_keyboard_alone_shown_once_and_works() {
    in_browser("agents::key", async |console| {
        console.browser.open("/agents").await;
        console.browser.shows("No agents yet").await;
        let page = &console.browser;
        page.open("/agents?new=1").await;
        page.field("Name").found().await;
        page.eventually(
            "the name has the focus",
            "return document.activeElement.matches('dialog input')",
        )
        .await;
        let on = "return document.querySelectorAll('dialog [role=switch]:checked').length";
        assert_eq!(page.run(on, vec![]).await, json!(0));
        page.field("Name").type_text("claude").await;
        page.switch("mail")
            .found()
            .await
            .send_keys(" ")
            .await
            .unwrap();
        page.switch("mail").becomes(true).await;
        page.button("Create key")
            .found()
            .await
            .send_keys("\u{e007}")
            .await
            .unwrap();
        page.shows("This is the only time the key is shown. Only a hash of it is kept.")
            .await;
        page.shows("Claude Code").await;
        let snippets = page.text().await;
        assert!(
            snippets.contains("Claude Code") && snippets.contains("Authorization: Bearer sxt_"),
            "{snippets}"
        );
        let key = console.take_secret("key").await;
        assert!(key.starts_with("sxt_"));
        assert!(!console.page_holds(&key).await);
        let answer = console.ask(&key, "describe_context", json!({})).await;
        assert_eq!(answer["sectors"], json!(["mail"]));
        let agent = console.agent("claude").await;
        let (created, expires) = (&agent["createdAt"], &agent["expiresAt"]);
        let days = |instant: &Value| {
            instant
                .as_str()
                .unwrap()
                .parse::<chrono::DateTime<chrono::Utc>>()
                .unwrap()
        };
        assert_eq!(
            (days(expires) - days(created)).num_minutes() / 60,
            90 * 24 - 1
        );
        console.browser.open("/agents").await;
        assert!(!console.page_holds(&key).await);
    });
}

#[test]
fn a_name_that_exists_is_warned_of_and_its_old_key_dies() {
    in_browser("agents::exists", async |console| {
        let old = console.service.key("laptop", &["mail"]).await;
        let page = &console.browser;
        page.open("/agents?new=1").await;
        page.field("Name").type_text("operator").await;
        page.button("Create key").click().await;
        page.shows("operator is kept for the service itself").await;
        page.field("Name").fill("laptop").await;
        page.shows("laptop exists. This replaces its key.").await;
        page.field("Deadline").choose("never expires").await;
        page.button("Replace key").click().await;
        let new = console.take_secret("key").await;
        assert_eq!(
            console.ask(&old, "describe_context", json!({})).await["error"],
            "forbidden"
        );
        assert_eq!(
            console.ask(&new, "describe_context", json!({})).await["sectors"],
            json!([])
        );
        assert_eq!(console.agent("laptop").await["expiresAt"], Value::Null);
    });
}

#[test]
fn r076_sectors_are_saved_at_once_without_a_button_and_a_refused_switch_goes_back() {
    in_browser("agents::switch", async |console| {
        let key = console.service.key("laptop", &["mail"]).await;
        console.ask(&key, "describe_context", json!({})).await;
        console.browser.expect("503");
        console.browser.expect("500");
        let page = &console.browser;
        page.open("/agents").await;
        assert!(!page.text().await.contains("Save"));
        page.switch("mail").becomes(true).await;
        page.switch("health").click().await;
        page.shows("Saved. laptop can use health from its next session. 1 live session ended.")
            .await;
        assert_eq!(
            console.agent("laptop").await["sectors"],
            json!(["mail", "health"])
        );
        let answer = console.ask(&key, "describe_context", json!({})).await;
        assert_eq!(answer["sectors"], json!(["mail", "health"]));
        page.switch("mail").click().await;
        page.shows("laptop can no longer use mail").await;
        // Both of two quick ones are kept.
        page.switch("home").click().await;
        page.switch("finance").click().await;
        page.shows("laptop can use finance").await;
        assert_eq!(
            console.agent("laptop").await["sectors"],
            json!(["finance", "health", "home"])
        );
        // The table cannot be written for as long as this holds it.
        let client = console.database.connect_as_superuser().await;
        client.batch_execute("ALTER TABLE agents ADD CONSTRAINT refused CHECK (NOT ('contacts' = ANY (sectors))) NOT VALID").await.unwrap();
        page.switch("contacts").click().await;
        page.the(Role::Button, "Close the message").found().await;
        page.switch("contacts").becomes(false).await;
        assert_eq!(
            console.agent("laptop").await["sectors"],
            json!(["finance", "health", "home"])
        );
    });
}

#[test]
fn r078_an_unknown_sector_and_a_star_are_told_and_the_star_becomes_a_list() {
    in_browser("agents::star", async |console| {
        console.service.key("odd", &["helth", "home"]).await;
        console.service.key("star", &["*"]).await;
        let page = &console.browser;
        page.open("/agents/odd").await;
        page.shows("Unrecognised sector “helth” has no effect.")
            .await;
        page.open("/agents/star").await;
        page.shows("All six sectors (set outside the Console).")
            .await;
        page.switch("finance").click().await;
        page.shows("star can no longer use finance").await;
        let listed = json!(["mail", "calendar", "contacts", "health", "home"]);
        assert_eq!(console.agent("star").await["sectors"], listed);
    });
}

#[test]
fn deadline_rotate_revoke_and_remove_end_sessions_and_write_no_row() {
    in_browser("agents::acts", async |console| {
        let key = console.service.key("laptop", &["mail"]).await;
        console.ask(&key, "describe_context", json!({})).await;
        let page = &console.browser;
        page.open("/agents/laptop").await;
        page.shows("1 live session").await;
        page.field("Deadline")
            .choose("another number of days")
            .await;
        page.field("Days").fill("4000").await;
        page.button("Set deadline").click().await;
        page.shows("Give a whole number of days from 1 to 3650.")
            .await;
        page.field("Days").fill("5").await;
        page.button("Set deadline").click().await;
        page.shows("Saved. laptop expires in 5 days. 1 live session ended.")
            .await;
        console.ask(&key, "describe_context", json!({})).await;
        page.button("Rotate key").click().await;
        assert!(page.button("Cancel").has_focus().await);
        page.press(&[Key::Escape]).await;
        page.the(Role::Dialog, "").is_gone().await;
        assert!(page.button("Rotate key").has_focus().await);
        page.button("Rotate key").click().await;
        page.shows("The present key is refused from now on.").await;
        page.the(Role::Button, "Rotate key").click().await;
        let new = console.take_secret("key").await;
        assert_eq!(
            console.ask(&key, "describe_context", json!({})).await["error"],
            "forbidden"
        );
        page.button("Revoke").click().await;
        page.button("Revoke laptop").click().await;
        page.shows("Revoked laptop.").await;
        assert_eq!(
            console.ask(&new, "describe_context", json!({})).await["error"],
            "forbidden"
        );
        page.button("Remove").click().await;
        assert!(!page.button("Remove agent").is_enabled().await);
        page.field("Type laptop to confirm")
            .type_text("laptop")
            .await;
        page.button("Remove agent").click().await;
        page.is_at("/agents").await;
        page.shows("No agents yet").await;
        let rows = console.get("/api/audit?agent=operator").await;
        assert_eq!(rows["rows"], json!([]));
    });
}

#[test]
fn everyone_is_cut_off_with_one_button() {
    in_browser("agents::cut_off", async |console| {
        let keys = [
            console.service.key("one", &["mail"]).await,
            console.service.key("two", &["home"]).await,
        ];
        for key in &keys {
            console.ask(key, "describe_context", json!({})).await;
        }
        let left = console
            .service
            .request(Method::POST, "/api/onboarding/complete");
        assert_eq!(left.json(&json!({})).send().await.unwrap().status(), 204);
        let page = &console.browser;
        page.open("/").await;
        page.button("Cut everyone off").click().await;
        page.shows("Revokes 2 agents and ends 2 live sessions. An agent comes back only when its key is rotated.").await;
        page.the(Role::Button, "Cut everyone off").click().await;
        page.shows("Revoked 2 agents. 2 live sessions ended.").await;
        for key in &keys {
            assert_eq!(
                console.ask(key, "describe_context", json!({})).await["error"],
                "forbidden"
            );
        }
    });
}

//! Sources that are read by themselves: the catalogue, the form, the page of a connection. Journeys 6, 8, 10 and 11.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::element::Role;
use crate::harness::{Console, in_browser};
use crate::support::pulled::PulledSource;

/// A text that is entered as a password and may be seen nowhere.
const PASSWORD: &str = "abcd-efgh-ijkl-mnop";

/// Mail, a calendar that fails, and contacts of one sign-in, with their runs.
async fn seed(console: &Console) -> [Uuid; 3] {
    let client = console.database.connect().await;
    let source = PulledSource::sign_in(&client, "icloud").await;
    let mail = source.connection("mail.messages", "Ada's mail").await;
    let calendar = source.connection("calendar.series", "Ada's calendar").await;
    let contacts = source.connection("contacts.people", "Ada's contacts").await;
    source.fares(mail, "ok", Value::Null, None).await;
    for minutes in [45, 30, 3] {
        source.run(mail, minutes, Some("ok"), minutes).await;
    }
    source.run(mail, 180, Some("failed"), 0).await;
    let problem = json!({ "code": "failed", "message": "The server did not answer within 30 s." });
    source
        .fares(calendar, "backing_off", problem, Some(4))
        .await;
    let refused = json!({ "code": "refused", "message": "The server refused the password." });
    source.fares(contacts, "needs_sign_in", refused, None).await;
    [mail, calendar, contacts]
}

#[test]
fn a_list_tells_how_each_source_fares_and_is_narrowed_by_it() {
    in_browser("sources::list", async |console| {
        seed(console).await;
        let page = &console.browser;
        page.open("/connections").await;
        for text in [
            "Apple iCloud",
            "ada@example.org",
            "Failing (retry in 4 min)",
            "Sign in again",
        ] {
            page.shows(text).await;
        }
        let told = "return document.querySelector('svg.runs').getAttribute('aria-label')";
        let expected = "Last 4 syncs: 3 ok, 1 failed, last failed 3 hours ago";
        page.eventually(
            "the strip is told in words",
            &format!("{told} === {}", json!(expected)),
        )
        .await;
        let asked = "return performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/runs') || entry.name.includes('/runs?')).length";
        assert_eq!(
            page.run(asked, vec![]).await,
            json!(0),
            "the list has the strips"
        );
        page.field("State").choose("Needs you").await;
        page.is_at("/connections?state=needs-you").await;
        page.hides("Ada's calendar").await;
        page.shows("Ada's contacts").await;
    });
}

#[test]
fn a_run_that_left_something_out_is_told_from_one_that_did_not() {
    in_browser("sources::partial", async |console| {
        let client = console.database.connect().await;
        let source = PulledSource::sign_in(&client, "own_server").await;
        let calendar = source.connection("calendar.series", "Calendar").await;
        source.fares(calendar, "ok", Value::Null, None).await;
        source.run(calendar, 30, Some("ok"), 12).await;
        source.run(calendar, 3, Some("partial"), 2).await;
        let page = &console.browser;
        page.open(&format!("/connections/{calendar}")).await;
        page.shows("Last 2 syncs: 1 ok, 1 with some left out").await;
        page.shows("Some left out").await;
        page.shows("1 item was left out: /op/cal/a.ics: it cannot be read.")
            .await;
    });
}

#[test]
fn the_catalogue_leads_to_a_form_that_says_what_is_wrong_where_it_is_wrong() {
    in_browser("sources::form", async |console| {
        console.browser.expect("400 (Bad Request)");
        let page = &console.browser;
        page.open("/connections").await;
        page.link("Connect a source").click().await;
        page.is_at("/connections/new").await;
        for text in ["Apple iCloud", "Own server", "Home Assistant", "Push from"] {
            page.link(text).found().await;
        }
        page.link("Apple iCloud").click().await;
        page.is_at("/connections/new/icloud").await;
        page.button("Connect").click().await;
        page.shows("Apple Account is needed.").await;
        page.field("Apple Account").type_text("ada").await;
        page.field("App-specific password")
            .type_text(PASSWORD)
            .await;
        page.button("Connect").click().await;
        page.shows("mail address of your Apple Account").await;
        let focused = "return document.activeElement.name === 'account'";
        page.eventually("the field at fault has the focus", focused)
            .await;
        let held = "return document.documentElement.outerHTML.includes(arguments[0])";
        assert_eq!(page.run(held, vec![json!(PASSWORD)]).await, json!(false));
        page.the(Role::Checkbox, "mail").click().await;
        page.the(Role::Checkbox, "calendar").click().await;
        page.the(Role::Checkbox, "contacts").click().await;
        page.shows("Tick at least one sector.").await;
        assert_eq!(
            console.get("/api/connections").await["connections"],
            json!([])
        );
    });
}

#[test]
fn r128_an_interval_is_recorded_and_a_window_is_not() {
    in_browser("sources::plan", async |console| {
        let [mail, ..] = seed(console).await;
        let page = &console.browser;
        page.open(&format!("/connections/{mail}")).await;
        page.field("Back to").choose("90 days").await;
        page.shows("Saved. The last 90 days are read.").await;
        page.field("Every").choose("hour").await;
        page.shows("Saved. Ada's mail is read every hour.").await;
        let shown = console.get(&format!("/api/connections/{mail}")).await;
        assert_eq!(
            (&shown["syncIntervalMinutes"], &shown["syncWindowDays"]),
            (&json!(60), &json!(90))
        );
        let row = console.row("agent=operator").await;
        assert_eq!(row["tool"], "set_sync_interval");
        assert_eq!(row["args"]["minutes"], 60);
        let rows = console.get("/api/audit?agent=operator").await["rows"].clone();
        assert_eq!(rows.as_array().unwrap().len(), 1, "{rows}");
    });
}

#[test]
fn r129_a_revoke_names_every_connection_that_stops() {
    in_browser("sources::revoke", async |console| {
        let [mail, ..] = seed(console).await;
        let page = &console.browser;
        page.open(&format!("/connections/{mail}")).await;
        page.shows("ada@example.org").await;
        page.button("Revoke credential").click().await;
        page.shows("3 connections stop at once").await;
        for label in [
            "Ada's mail (mail)",
            "Ada's calendar (calendar)",
            "Ada's contacts (contacts)",
        ] {
            page.shows(label).await;
        }
        page.button("Cancel").click().await;
        page.button("Revoke credential").click().await;
        page.the(Role::Button, "Revoke credential").click().await;
        page.shows("Revoked the credential of ada@example.org.")
            .await;
        page.shows("Sign in again").await;
        let row = console.row("tool=revoke").await;
        assert_eq!(
            (&row["agent_id"], &row["outcome"]),
            (&json!("operator"), &json!("ok"))
        );
    });
}

#[test]
fn a_disconnect_of_a_source_says_what_ends_and_can_be_left() {
    in_browser("sources::disconnect", async |console| {
        let [mail, ..] = seed(console).await;
        let page = &console.browser;
        let menu = "More acts on Ada's mail";
        page.open(&format!("/connections/{mail}")).await;
        page.button(menu).click().await;
        page.button("Disconnect").click().await;
        page.shows("With the last connection of a sign-in its credential is deleted.")
            .await;
        page.button("Cancel").click().await;
        let focused = format!(
            "return document.activeElement.ariaLabel === {}",
            json!(menu)
        );
        page.eventually("the focus is back", &focused).await;
        page.button(menu).click().await;
        page.button("Disconnect").click().await;
        page.shows("Its rows: 0 rows").await;
        page.the(Role::Button, "Disconnect").click().await;
        page.is_at("/connections").await;
        page.hides("Ada's mail").await;
        page.shows("Ada's calendar").await;
    });
}

//! A real server of calendars and contacts, from its form to its end: journeys 6, 7, 10 and 11.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::harness::element::Role;
use crate::harness::{Browser, Console, in_browser};
use crate::support::dav_server::{DavServer, PASSWORD, Peer, USER};

const LABEL: &str = "An event of Ada";

fn event(uid: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//tests//EN\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20260101T000000Z\r\n\
         DTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z\r\nSUMMARY:{LABEL}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

/// Fills the form of a server of one's own, but for the password.
async fn fill(page: &Browser, server: &DavServer) {
    let authority = std::fs::read_to_string(&server.certificates.authority).unwrap();
    page.open("/connections/new/own_server").await;
    let address = page.field("Calendar and contacts server");
    address.type_text(server.typed().as_str()).await;
    page.field("User").type_text(USER).await;
    page.field("Authority of the certificate")
        .type_text(&authority)
        .await;
    page.the(Role::Checkbox, "mail").click().await;
}

/// Connects calendars and contacts over the form; the id of the connection of calendars.
async fn connect(console: &Console, server: &DavServer) -> String {
    let page = &console.browser;
    fill(page, server).await;
    page.field("Password").type_text(PASSWORD).await;
    page.button("Connect").click().await;
    page.shows("Calendar and contacts connected.").await;
    let connections = console.get("/api/connections").await;
    let calendar = connections["connections"].as_array().unwrap().iter();
    let calendar = calendar.filter(|connection| connection["sector"] == "calendar");
    calendar
        .map(|connection| connection["id"].as_str().unwrap().to_owned())
        .next()
        .unwrap()
}

async fn holds(page: &Browser, text: &str) -> Value {
    let script = "return document.documentElement.outerHTML.includes(arguments[0])";
    page.run(script, vec![json!(text)]).await
}

#[test]
fn r128_a_wrong_password_is_told_at_its_field_and_the_right_one_connects() {
    in_browser("own_server::password", async |console| {
        let Some(server) = Peer::Radicale.start("own_server::password").await else {
            return;
        };
        console.browser.expect("400 (Bad Request)");
        let page = &console.browser;
        fill(page, &server).await;
        page.field("Password").type_text("of-somebody-else").await;
        page.button("Connect").click().await;
        let refused = "return document.querySelector('[name=password]').getAttribute('aria-invalid') === 'true' && document.activeElement.name === 'password'";
        page.eventually("the password is at fault and has the focus", refused)
            .await;
        assert_eq!(
            console.get("/api/connections").await["connections"],
            json!([])
        );
        page.field("Password").fill(PASSWORD).await;
        page.press(&[Key::Enter]).await;
        page.shows("Calendar and contacts connected.").await;
        assert_eq!(holds(page, PASSWORD).await, json!(false));
        page.link("Show connections").found().await;
        let connections = console.get("/api/connections").await;
        assert_eq!(connections["connections"].as_array().unwrap().len(), 2);
    });
}

#[test]
fn r128_a_source_is_read_now_paused_and_resumed_and_each_is_recorded() {
    in_browser("own_server::acts", async |console| {
        let Some(server) = Peer::Radicale.start("own_server::acts").await else {
            return;
        };
        let calendar = connect(console, &server).await;
        let page = &console.browser;
        page.open(&format!("/connections/{calendar}")).await;
        page.shows("Active").await;
        page.shows("Last sync: 1 ok").await;
        server.put("/op/cal/a.ics", &event("a@x")).await;
        page.button("Sync now").click().await;
        page.shows("Last 2 syncs: 2 ok").await;
        page.button("Pause").click().await;
        page.shows("Its source is not read.").await;
        page.button("Resume").click().await;
        page.hides("Its source is not read.").await;
        for verb in ["sync_now", "pause", "resume"] {
            let row = console.row(&format!("tool={verb}")).await;
            assert_eq!(
                (&row["agent_id"], &row["outcome"]),
                (&json!("operator"), &json!("ok")),
                "{row}"
            );
        }
        page.open("/data/calendar/series").await;
        page.shows(LABEL).await;
    });
}

#[test]
fn a_source_that_is_away_fails_in_words_and_its_connector_can_be_restarted() {
    in_browser("own_server::away", async |console| {
        let Some(mut server) = Peer::Radicale.start("own_server::away").await else {
            return;
        };
        let calendar = connect(console, &server).await;
        console.browser.expect("409 (Conflict)");
        let page = &console.browser;
        page.open(&format!("/connections/{calendar}")).await;
        page.shows("Last sync: 1 ok").await;
        server.stop();
        page.button("Sync now").click().await;
        page.shows("Failing (retry in").await;
        page.shows("It is tried again by itself.").await;
        page.button("More acts").click().await;
        page.button("Restart connector").click().await;
        page.shows("other connections notice nothing").await;
        page.the(Role::Button, "Restart connector").click().await;
        page.shows("Restarted the connector").await;
        page.open("/connections?state=failing").await;
        page.shows("Failing (retry in").await;
    });
}

#[test]
fn a_disconnect_deletes_the_rows_of_a_source_when_that_is_asked_for() {
    in_browser("own_server::disconnect", async |console| {
        let Some(server) = Peer::Radicale.start("own_server::disconnect").await else {
            return;
        };
        server.put("/op/cal/a.ics", &event("a@x")).await;
        let calendar = connect(console, &server).await;
        let page = &console.browser;
        page.open(&format!("/connections/{calendar}")).await;
        page.shows("Last sync: 1 ok").await;
        page.button("More acts").click().await;
        page.button("Disconnect").click().await;
        page.the(Role::Radio, "Delete them").click().await;
        page.the(Role::Button, "Disconnect").click().await;
        page.shows("deleted.").await;
        page.is_at("/connections").await;
        let row = console.row("tool=disconnect").await;
        assert_eq!(
            row["args"],
            json!({ "connectionId": calendar, "rows": "delete" })
        );
        page.open("/data/calendar/series").await;
        page.hides(LABEL).await;
        let left = console.get("/api/connections").await;
        assert_eq!(left["connections"].as_array().unwrap().len(), 1);
    });
}

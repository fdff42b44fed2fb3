//! A real server of calendars and contacts, from its form to its end: journeys 6, 7, 10 and 11.

use fantoccini::key::Key;
use reqwest::Method;
use serde_json::{Value, json};

use crate::dav::{
    TITLE, acts_of_operator, connect, event, fill, hold, holds_password, let_go, listed_as, person,
    stands, start_again,
};
use crate::harness::element::Role;
use crate::harness::{Browser, Console, in_browser, in_browser_with};
use crate::support::dav_server::{PASSWORD, Peer};
use crate::support::eventually::eventually;
use crate::support::service::log_in;

/// A password of nobody.
const WRONG: &str = "of-somebody-else";

#[test]
fn r128_a_wrong_password_is_told_at_its_field_and_the_right_one_connects() {
    let test = "own_server::password";
    // Whatever the service could write to its log, it writes.
    in_browser_with(
        test,
        |setup| setup.env("RUST_LOG", "trace"),
        async |console| {
            let Some(server) = Peer::Radicale.start(test).await else {
                return;
            };
            console.browser.expect("400 (Bad Request)");
            let page = &console.browser;
            fill(page, &server).await;
            page.field("Label").type_text("Home server").await;
            page.field("Password").type_text(WRONG).await;
            page.button("Connect").click().await;
            let refused = "const field = document.querySelector('[name=password]'); const told = field.getAttribute('aria-describedby') ?? ''; \
            return field.getAttribute('aria-invalid') === 'true' && document.activeElement === field && told.includes('-error')";
            page.eventually("the password is at fault and has the focus", refused)
                .await;
            let connections = async || console.get("/api/connections").await["connections"].clone();
            assert_eq!(connections().await, json!([]));
            page.field("Password").fill(PASSWORD).await;
            page.press(&[Key::Enter]).await;
            page.shows("Calendar and contacts connected.").await;
            assert!(!holds_password(page).await);
            page.link("Show connections").click().await;
            page.is_at("/connections").await;
            page.shows("Home server").await;
            assert!(!holds_password(page).await);
            assert_eq!(connections().await.as_array().unwrap().len(), 2);
            let log = log_in(console.service.home());
            assert!(!log.is_empty(), "there is a log");
            for secret in [PASSWORD, WRONG] {
                assert!(!log.contains(secret), "the log has {secret}");
            }
        },
    );
}

#[test]
fn r039_r128_pause_resume_and_sync_now_leave_one_row_each_and_a_push_meanwhile_its_own() {
    in_browser("own_server::acts", async |console| {
        let Some(server) = Peer::Radicale.start("own_server::acts").await else {
            return;
        };
        let [calendar, _] = connect(console, &server).await;
        let page = &console.browser;
        page.open(&format!("/connections/{calendar}")).await;
        stands(page, "Active").await;
        page.shows("Last sync: 1 ok").await;
        page.button("Pause").click().await;
        stands(page, "Paused").await;
        page.shows("Its source is not read.").await;
        let push = console
            .service
            .request(Method::POST, &format!("/api/ingest/{calendar}"));
        let pushed = push
            .bearer_auth("of-no-device")
            .json(&json!([]))
            .send()
            .await;
        assert_eq!(pushed.unwrap().status(), 401);
        page.button("Resume").click().await;
        stands(page, "Active").await;
        server.put("/op/cal/a.ics", &event("a@x")).await;
        hold(&server);
        page.button("Sync now").click().await;
        stands(page, "Syncing").await;
        let_go(&server);
        page.shows("Last 2 syncs: 2 ok").await;
        stands(page, "Active").await;
        let bars = "return document.querySelectorAll('svg.runs .run-ok').length === 2";
        page.eventually("there is a bar more", bars).await;

        let refused = console.row("tool=ingest").await;
        assert_eq!(
            (&refused["decision"], &refused["agent_id"]),
            (&json!("deny"), &Value::Null)
        );
        let acts = acts_of_operator(console, 3).await;
        let told: Vec<_> = acts
            .iter()
            .map(|row| (&row["tool"], &row["outcome"]))
            .collect();
        let ok = json!("ok");
        let verbs = [json!("pause"), json!("resume"), json!("sync_now")];
        let expected: Vec<_> = verbs.iter().map(|verb| (verb, &ok)).collect();
        assert_eq!(told, expected);
        page.open("/data/calendar/series").await;
        page.shows(TITLE).await;
    });
}

/// The actors of all connections but one, with what a restart would change.
async fn actors_but(console: &Console, connection: &str) -> Vec<Value> {
    let listed = console.get("/api/actors").await;
    let others = listed["actors"].as_array().unwrap().iter();
    let others = others.filter(|actor| actor["connectionId"] != connection);
    others.cloned().collect()
}

/// Notes every state that the list shows of a sector's connection from now on.
async fn watch(page: &Browser, sector: &str) {
    let script = "const [sector] = arguments; window.seen = []; \
        const look = () => { const word = document.querySelector(`section[aria-label=${sector}] .state`)?.innerText.trim(); if (window.seen.at(-1) !== word) window.seen.push(word); }; \
        look(); new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })";
    page.run(script, vec![json!(sector)]).await;
}

#[test]
fn r506_a_source_that_failed_comes_back_with_its_connector_and_no_other_notices() {
    in_browser("own_server::away", async |console| {
        let Some(mut server) = Peer::Radicale.start("own_server::away").await else {
            return;
        };
        let [calendar, _] = connect(console, &server).await;
        let page = &console.browser;
        page.open("/connections").await;
        listed_as(page, "calendar", "Active").await;
        listed_as(page, "contacts", "Active").await;
        watch(page, "contacts").await;
        let others = actors_but(console, &calendar).await;
        server.stop();
        // The first in the list is the calendar.
        page.button("Sync now").click().await;
        listed_as(page, "calendar", "Failing (retry in").await;
        let told = "return document.querySelector('section[aria-label=calendar] .note-bad')?.innerText.length > 10";
        page.eventually("the list says why", told).await;

        start_again(&mut server).await;
        page.button("More acts").click().await;
        page.button("Restart connector").click().await;
        page.shows("other connections notice nothing").await;
        page.the(Role::Button, "Restart connector").click().await;
        page.shows("Restarted the connector").await;
        listed_as(page, "calendar", "Active").await;
        let gone =
            "return document.querySelector('section[aria-label=calendar] .note-bad') === null";
        page.eventually("the problem is gone", gone).await;

        assert_eq!(
            page.run("return window.seen", vec![]).await,
            json!(["Active"])
        );
        assert_eq!(actors_but(console, &calendar).await, others);
        let acts = acts_of_operator(console, 1).await;
        let verbs: Vec<_> = acts.iter().map(|row| &row["tool"]).collect();
        assert_eq!(verbs, ["sync_now"], "a restart leaves no row (r041)");
    });
}

/// Opens the dialog of a connection's end, on its page; the number of rows that it names.
async fn ask_to_disconnect(page: &Browser, connection: &str) -> u64 {
    page.open(&format!("/connections/{connection}")).await;
    page.button("More acts").click().await;
    page.button("Disconnect").click().await;
    page.eventually(
        "the rows are counted",
        "return /Its rows: \\d/.test(document.body.innerText)",
    )
    .await;
    let rows = "return document.body.innerText.match(/Its rows: ([\\d,]+) rows?/)[1]";
    let told = page.run(rows, vec![]).await;
    told.as_str().unwrap().replace(',', "").parse().unwrap()
}

#[test]
fn a_disconnect_names_its_rows_is_left_by_escape_and_keeps_or_deletes_them() {
    in_browser("own_server::disconnect", async |console| {
        let Some(server) = Peer::Radicale.start("own_server::disconnect").await else {
            return;
        };
        server.put("/op/cal/a.ics", &event("a@x")).await;
        for name in ["Ada", "Grace"] {
            server
                .put(&format!("/op/book/{name}.vcf"), &person(name, name))
                .await;
        }
        let [calendar, contacts] = connect(console, &server).await;
        let page = &console.browser;
        let listed = async || {
            console.get("/api/connections").await["connections"]
                .as_array()
                .unwrap()
                .len()
        };
        ask_to_disconnect(page, &calendar).await;
        page.press(&[Key::Escape]).await;
        page.the(Role::Dialog, "").is_gone().await;
        stands(page, "Active").await;
        assert_eq!(listed().await, 2);

        ask_to_disconnect(page, &calendar).await;
        page.the(Role::Button, "Disconnect").click().await;
        page.shows("Its rows stay.").await;
        page.is_at("/connections").await;
        assert_eq!(listed().await, 1);
        page.open("/data/calendar/series").await;
        page.shows(TITLE).await;

        // What a source has deleted is no row of it any more.
        server.delete("/op/book/Grace.vcf").await;
        let path = format!("/api/connections/{contacts}");
        let held = async || console.get(&path).await["rows"].as_u64().unwrap();
        let before = held().await;
        page.open(&format!("/connections/{contacts}")).await;
        page.button("Sync now").click().await;
        eventually("she is gone", async || held().await < before).await;
        assert_eq!(ask_to_disconnect(page, &contacts).await, held().await);
        page.shows("With the last connection of a sign-in its credential is deleted.")
            .await;
        page.the(Role::Radio, "Delete them").click().await;
        page.the(Role::Button, "Disconnect").click().await;
        page.shows("Its rows are deleted.").await;
        page.is_at("/connections").await;
        assert_eq!(listed().await, 0);
        page.open("/data/contacts/people").await;
        page.hides("Grace").await;
        let acts = acts_of_operator(console, 3).await;
        let told: Vec<_> = acts.iter().map(|row| row["args"].clone()).collect();
        let expected = [
            json!({ "connectionId": calendar, "rows": "keep" }),
            json!({ "connectionId": contacts }),
            json!({ "connectionId": contacts, "rows": "delete" }),
        ];
        assert_eq!(told, expected);
    });
}

//! Fetching from the sources of a table: what became of each is said, and it is recorded once (r042). Journey 19.

use reqwest::Method;
use serde_json::json;

use crate::dav::{TITLE, connect, event, start_again};
use crate::harness::{Browser, Console, in_browser};
use crate::support::dav_server::Peer;
use crate::support::eventually::eventually;
use crate::support::pulled::PulledSource;

/// Presses the button, and waits for a line that begins so.
async fn fetch(page: &Browser, outcome: &str) {
    page.open(&page.path().await).await;
    page.button("Fetch from source").click().await;
    says(page, outcome).await;
}

async fn says(page: &Browser, outcome: &str) {
    let line = format!(
        "return [...document.querySelectorAll('.fetched .state')].some((state) => state.innerText.trim() === {})",
        json!(outcome)
    );
    page.eventually(&format!("it is said that it is {outcome}"), &line)
        .await;
}

/// Waits until there are so many rows of fetches; there is none but those, and `others`.
async fn recorded(console: &Console, count: usize, others: usize) {
    let asked = "/api/audit?tool=fetch_live&agent=operator";
    eventually("each fetch is recorded", async || {
        console.get(asked).await["rows"].as_array().unwrap().len() >= count
    })
    .await;
    let all = console.get("/api/audit").await["rows"].clone();
    assert_eq!(all.as_array().unwrap().len(), count + others, "{all}");
}

#[test]
fn r042_a_fetch_tells_what_became_of_each_source_and_leaves_one_row() {
    in_browser("fetching::outcomes", async |console| {
        let Some(mut server) = Peer::Radicale.start("fetching::outcomes").await else {
            return;
        };
        let [calendar, _] = connect(console, &server).await;
        console.service.device("calendar.series").await;
        let page = &console.browser;
        for address in [
            "/data/calendar",
            "/data/calendar/series",
            "/data/contacts/people",
        ] {
            page.open(address).await;
        }
        server.put("/op/cal/a.ics", &event("a@x")).await;
        page.open("/data/calendar/series").await;
        page.hides(TITLE).await;
        fetch(page, "Fetched").await;
        page.shows("changed.").await;
        page.shows("Its device pushes; there is nothing to fetch.")
            .await;
        page.shows(TITLE).await;
        recorded(console, 1, 0).await;

        fetch(page, "Fetched").await;
        page.shows("Nothing is new.").await;
        recorded(console, 2, 0).await;

        server.stop();
        fetch(page, "Failed").await;
        fetch(page, "Waiting").await;
        page.shows("It is asked again").await;
        start_again(&mut server).await;
        let sign_in =
            console.get(&format!("/api/connections/{calendar}")).await["signInId"].clone();
        recorded(console, 4, 0).await;
        let revoke = format!("/api/signins/{}/revoke", sign_in.as_str().unwrap());
        console
            .service
            .call(Method::POST, &revoke, Some(json!({})), 200)
            .await;
        fetch(page, "Sign in again").await;
        let row = console.row("tool=fetch_live").await;
        assert_eq!(
            (&row["agent_id"], &row["decision"]),
            (&json!("operator"), &json!("allow"))
        );
        recorded(console, 5, 1).await;
    });
}

/// In place of the service: a round that takes longer than a fetch waits.
const RUNNING: &str = "const answers = window.fetch; window.fetch = (address, options) => String(address).includes('fetch_live') \
    ? Promise.resolve(new Response(JSON.stringify({ fetched: [{ connection: 'Mail', outcome: 'running', upserted: 2, deleted: 1, message: '' }] }), \
        { headers: { 'content-type': 'application/json' } })) \
    : answers(address, options)";

#[test]
fn a_round_that_goes_on_is_said_to_be_running() {
    in_browser("fetching::running", async |console| {
        let client = console.database.connect().await;
        let source = PulledSource::sign_in(&client, "icloud").await;
        source.connection("mail.messages", "Mail").await;
        let page = &console.browser;
        page.open("/data/mail/messages").await;
        page.run(RUNNING, vec![]).await;
        page.button("Fetch from source").click().await;
        says(page, "Still running").await;
        page.shows("3 rows changed so far; the rest is being read.")
            .await;
    });
}

#[test]
fn where_all_is_pushed_there_is_nothing_to_fetch() {
    in_browser("fetching::pushed", async |console| {
        console.service.device("calendar.series").await;
        let page = &console.browser;
        page.open("/data/calendar/series").await;
        page.shows("Looking here is not recorded.").await;
        assert!(!page.button("Fetch from source").is_there().await);
    });
}

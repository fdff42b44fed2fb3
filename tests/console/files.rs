//! Files that are brought in the page: journey 1 with files, what they leave open, and work that ends early.

use std::path::{Path, PathBuf};

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::harness::axe;
use crate::harness::browser::Browser;
use crate::harness::{Console, in_browser};
use crate::support::service::Setup;

/// Names neither an account nor a currency.
const BOOKINGS: &str = "Date,Description,Amount\n2026-06-01,Bread,-3.20\n2026-06-02,Milk,-1.10\n";

/// Writes files into a folder of the test's service.
fn written(console: &Console, files: &[(&str, String)]) -> Vec<PathBuf> {
    let folder = console.service.home().join("chosen");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |(name, text): &(&str, String)| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    files.iter().map(write).collect()
}

/// Chooses files as a person does in the browser's own dialog.
async fn choose(page: &Browser, paths: &[PathBuf]) {
    let input = fantoccini::Locator::Css("[data-chooses=files]");
    let input = page.client.find(input).await.unwrap();
    let listed: Vec<_> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    input.send_keys(&listed.join("\n")).await.unwrap();
}

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures");
    std::fs::read_to_string(path.join(name)).unwrap()
}

fn mailbox(messages: usize) -> String {
    let message = |number: usize| {
        format!(
            "From ann@example.com Mon Jun  1 10:00:00 2026\nFrom: ann@example.com\nSubject: Note {number}\n\
             Date: Mon, 1 Jun 2026 10:00:00 +0000\nMessage-ID: <{number}@example.com>\n\nText {number}\n\n"
        )
    };
    (0..messages).map(message).collect()
}

/// How many records of a table the service has.
async fn stored(console: &Console, target: &str) -> Value {
    let query = json!({ "target": target, "aggregate": { "n": "count" } });
    let key = console.service.key("counter", &["finance", "mail"]).await;
    let answer = console.ask(&key, "query", query).await;
    answer["rows"][0][0].clone()
}

#[test]
fn the_first_step_is_done_by_dropping_files() {
    in_browser("files::welcome", async |console| {
        let page = &console.browser;
        page.open("/").await;
        page.is_at("/welcome").await;
        let drop = "const data = new DataTransfer(); \
            data.items.add(new File([arguments[0]], 'dates.ics')); \
            document.querySelector('.drop-zone').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
        let is_there = "return document.querySelector('.drop-zone') !== null";
        page.eventually("files can be dropped", is_there).await;
        page.run(drop, vec![json!(fixture("calendar/000.ics"))])
            .await;
        page.shows("1 record can be stored").await;
        page.shows("Checked, nothing stored yet").await;
        assert_eq!(
            console.get("/api/connections").await["connections"],
            json!([])
        );
        page.button("Store 1 record").click().await;
        page.shows("1 record stored").await;
        page.link("Calendar from files").click().await;
        page.shows("Pushes of calendar.series.").await;
        page.shows("no secret").await;
        page.open("/welcome").await;
        page.shows("There is a source.").await;
    });
}

#[test]
fn what_files_leave_open_is_asked_beside_them_and_answered_for_all() {
    in_browser("files::questions", async |console| {
        let files = ["march.csv", "april.csv"].map(|name| (name, BOOKINGS.to_owned()));
        let paths = written(console, &files);
        let page = &console.browser;
        page.open("/connections/files").await;
        choose(page, &paths).await;
        page.shows("2 files leave something open").await;
        page.shows("Nothing in these files can be stored yet").await;
        assert!(!page.button("Store 0 records").is_enabled().await);
        page.field("march.csv: Whose account is it?")
            .type_text("Checking")
            .await;
        page.button("Answer march.csv for all that ask this")
            .click()
            .await;
        page.button("Check with these answers").click().await;
        page.field("april.csv: Which currency are its amounts in?")
            .type_text("eur")
            .await;
        page.button("Answer april.csv for all that ask this")
            .click()
            .await;
        page.button("Check with these answers").click().await;
        page.shows("4 records can be stored").await;
        page.button("Store 4 records").click().await;
        page.shows("4 records stored").await;
        // The same booking of the same account in a second file is the same booking.
        page.shows("2 new, 0 changed, 2 there already.").await;
        assert_eq!(stored(console, "finance.transactions").await, 2);
    });
}

#[test]
fn days_that_may_be_two_are_asked_in_the_page() {
    in_browser("files::days", async |console| {
        let old = fixture("statements/qif/qifgem-bank-split.qif");
        let paths = written(console, &[("old.qif", old)]);
        let page = &console.browser;
        page.open("/connections/files").await;
        choose(page, &paths).await;
        page.field("old.qif: Which currency are its amounts in?")
            .type_text("usd")
            .await;
        page.button("Check with these answers").click().await;
        page.field("old.qif: How are its dates written?")
            .choose("Month, day, year (12/31/2026)")
            .await;
        page.button("Check with these answers").click().await;
        page.button("Store 3 records").click().await;
        page.shows("3 records stored").await;
        assert_eq!(stored(console, "finance.transactions").await, 3);
    });
}

#[test]
fn records_go_to_the_connection_that_the_person_chooses() {
    in_browser("files::destinations", async |console| {
        let device = console.service.device("calendar.series").await;
        let paths = written(console, &[("dates.ics", fixture("calendar/000.ics"))]);
        let page = &console.browser;
        page.open("/connections/files").await;
        choose(page, &paths).await;
        let offered = format!(
            "return Boolean(document.querySelector('option[value=\"{}\"]'))",
            device.id
        );
        page.eventually("the connection is offered", &offered).await;
        page.field("Connection for calendar.series")
            .choose("calendar.series")
            .await;
        page.button("Store 1 record").click().await;
        page.shows("1 record stored").await;
        let pushes = console
            .get(&format!("/api/connections/{}/pushes", device.id))
            .await;
        assert_eq!(pushes["rows"].as_array().unwrap().len(), 1, "{pushes}");
        page.button("Remove these files").click().await;
        page.is_at("/connections/files").await;
        page.hides("Brought lately").await;
    });
}

#[test]
fn a_run_that_is_cancelled_says_what_is_stored_and_goes_on_when_asked() {
    in_browser("files::cancel", async |console| {
        let paths = written(console, &[("box.mbox", mailbox(12_000))]);
        let page = &console.browser;
        page.open("/connections/files").await;
        choose(page, &paths).await;
        page.button("Store 12,000 records").click().await;
        page.button("Cancel").click().await;
        page.shows("It was cancelled. What is counted here is stored.")
            .await;
        page.button("Store the rest").click().await;
        page.shows("12,000 records stored").await;
        let label = console.get("/api/status").await["sample"].clone();
        assert_eq!(label, json!(false), "what was brought is no sample");
    });
}

#[test]
fn a_service_that_dies_while_it_stores_has_lost_and_doubled_nothing() {
    in_browser("files::killed", async |console| {
        console.browser.expect("net::ERR");
        console.browser.expect("Failed to load resource");
        let paths = written(console, &[("box.mbox", mailbox(12_000))]);
        console.browser.open("/connections/files").await;
        choose(&console.browser, &paths).await;
        console.browser.button("Store 12,000 records").click().await;
        console.browser.shows("Storing").await;
        let home = console.service.home().to_owned();
        let port = console
            .service
            .console
            .rsplit(':')
            .next()
            .unwrap()
            .to_owned();
        console.service.signal(Signal::SIGKILL);
        console
            .browser
            .shows("The service cannot be reached.")
            .await;
        let again = Setup::in_home(&home)
            .env("DATABASE_URL", &console.database.url())
            .env("TZ", "UTC")
            .env("REST_PORT", &port);
        console.service = again.start().await;
        let page = &console.browser;
        page.shows("The service stopped meanwhile.").await;
        page.button("Store the rest").click().await;
        page.shows("12,000 records stored").await;
        assert_eq!(stored(console, "mail.messages").await, 12_000);
    });
}

#[test]
fn the_screens_of_files_have_no_violation() {
    in_browser("files::axe", async |console| {
        let sound = fixture("calendar/025.ics");
        let hostile = format!("{}.ics", "long-name-without-a-space".repeat(8));
        let paths = written(
            console,
            &[
                ("bank.csv", BOOKINGS.to_owned()),
                ("dates.ics", sound.clone()),
                (&hostile, sound),
            ],
        );
        let page = &console.browser;
        page.open("/connections/files").await;
        choose(page, &paths).await;
        page.shows("leaves something open").await;
        let job = page.path().await;
        for path in ["/connections/files", &job] {
            page.open(path).await;
            page.shows("Files").await;
            axe::everywhere(page, path).await;
        }
    });
}

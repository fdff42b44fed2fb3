//! A server of calendars and contacts as a person connects it, and what becomes of it meanwhile: held, stopped, started again.

use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::harness::element::Role;
use crate::harness::{Browser, Console};
use crate::support::dav_server::{CREDENTIAL, DavServer, PASSWORD, USER};
use crate::support::eventually::eventually;

/// What the event of [`event`] is called.
pub const TITLE: &str = "An event of Ada";

/// An event, as a client stores it.
pub fn event(uid: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//tests//EN\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20260101T000000Z\r\n\
         DTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z\r\nSUMMARY:{TITLE}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

/// A person, as a client stores them.
pub fn person(uid: &str, name: &str) -> String {
    format!("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{uid}\r\nFN:{name}\r\nN:{name};;;;\r\nEND:VCARD\r\n")
}

/// Fills the form of a server of one's own, but for the password, and wants calendars and contacts of it.
pub async fn fill(page: &Browser, server: &DavServer) {
    page.open("/connections/new/own_server").await;
    enter(page, server).await;
    page.the(Role::Checkbox, "mail").click().await;
}

/// Fills the fields that are no secret.
pub async fn enter(page: &Browser, server: &DavServer) {
    let authority = std::fs::read_to_string(&server.certificates.authority).unwrap();
    let address = page.field("Calendar and contacts server");
    address.fill(server.typed().as_str()).await;
    page.field("User").fill(USER).await;
    page.field("Authority of the certificate")
        .fill(&authority)
        .await;
}

/// Connects calendars and contacts over the form; the ids of both connections.
pub async fn connect(console: &Console, server: &DavServer) -> [String; 2] {
    let page = &console.browser;
    fill(page, server).await;
    page.field("Password").type_text(PASSWORD).await;
    page.button("Connect").click().await;
    page.shows("Calendar and contacts connected.").await;
    let ids = [
        id_of(console, "calendar").await,
        id_of(console, "contacts").await,
    ];
    for id in &ids {
        eventually("it was read for the first time", async || {
            console.get(&format!("/api/connections/{id}")).await["lastSyncAt"].is_string()
        })
        .await;
    }
    ids
}

/// The connection of a sector.
pub async fn id_of(console: &Console, sector: &str) -> String {
    let listed = console.get("/api/connections").await;
    let mut listed = listed["connections"].as_array().unwrap().iter();
    let own = listed.find(|connection| connection["sector"] == sector);
    own.unwrap()["id"].as_str().unwrap().to_owned()
}

/// Whether the password is in the page, its fields, its address or its stores: as it is, or as it is sent.
pub async fn holds_password(page: &Browser) -> bool {
    let sent = CREDENTIAL.trim_start_matches("Basic ");
    holds(page, &[PASSWORD, sent]).await
}

/// Whether any of these words is there.
pub async fn holds(page: &Browser, words: &[&str]) -> bool {
    let script = "const [words] = arguments; \
        const fields = [...document.querySelectorAll('input, textarea')].map((field) => field.value); \
        const all = [document.documentElement.outerHTML, ...fields, location.href, JSON.stringify(history.state), \
            JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })].join(' '); \
        return words.some((word) => all.includes(word))";
    page.run(script, vec![json!(words)]).await == json!(true)
}

/// Waits until the page of a connection says that it stands so.
pub async fn stands(page: &Browser, word: &str) {
    let own = "document.querySelector('section[aria-label=State] .state')?.innerText";
    let script = format!("return {own}?.trim().startsWith({}) === true", json!(word));
    page.eventually(word, &script).await;
}

/// Waits until the list says that the connection of a sector stands so.
pub async fn listed_as(page: &Browser, sector: &str, word: &str) {
    let script = format!(
        "return document.querySelector('section[aria-label={sector}] .state')?.innerText.trim().startsWith({}) === true",
        json!(word)
    );
    page.eventually(&format!("{sector}: {word}"), &script).await;
}

/// What the operator did, by the audit log, the first act first, once there are so many rows.
pub async fn acts_of_operator(console: &Console, count: usize) -> Vec<Value> {
    let mut rows = Vec::new();
    eventually("the acts are recorded", async || {
        let page = console.get("/api/audit?agent=operator").await;
        rows = page["rows"].as_array().unwrap().clone();
        rows.len() >= count
    })
    .await;
    rows.reverse();
    rows
}

/// It takes requests, and answers none.
pub fn hold(server: &DavServer) {
    kill(pid(server), Signal::SIGSTOP).unwrap();
}

/// It answers again.
pub fn let_go(server: &DavServer) {
    kill(pid(server), Signal::SIGCONT).unwrap();
}

/// Starts a stopped Radicale with what it had, at the same address, and waits until it answers.
pub async fn start_again(server: &mut DavServer) {
    let programs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers/dav/bin");
    server.process = Command::new(programs.join("python"))
        .args(["-m", "radicale", "--config"])
        .arg(server.folder.path().join("config"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    eventually("the server answers", async || {
        let answer = server.send("PROPFIND", "/", "application/xml", "").await;
        answer.is_some()
    })
    .await;
}

fn pid(server: &DavServer) -> Pid {
    Pid::from_raw(server.process.id().cast_signed())
}

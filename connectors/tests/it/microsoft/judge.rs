//! Whether the stand-in is like Graph: the official client, which nobody here wrote, reads it as it is, and asks it by the paths that
//! this service asks by. And what holds both to the types of Graph notices what is not of them.

use std::collections::BTreeSet;

use reqwest::Url;
use serde_json::{Value, json};
use tokio::process::Command;

use super::stage::{Sector, World};
use super::{contact, event, message};
use crate::support::plain_http;
use crate::support::skipped;
use crate::support::stand_ins::contracts::{Contract, peers, root};
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::graph::ROOT;
use crate::support::stand_ins::wire;
use crate::support::store::Store;

/// Folders that every account has: an account without one says so, and the client was asked for the inbox alone.
const BY_NAME: [&str; 6] = [
    "/sentitems",
    "/drafts",
    "/deleteditems",
    "/junkemail",
    "/archive",
    "/contacts",
];

const VIEW: &str = "calendars/cal/calendarView";

/// Something of every kind, as the other tests have it.
fn fill(world: &World) {
    let mut graph = world.graph();
    for number in 0..5 {
        graph.put("contacts", contact(&format!("c{number}"), "Ann"));
        let mail = message(&format!("m{number}"), "Hello");
        graph.put("mailFolders/in/messages", mail);
        let id = format!("e{number}");
        let single = event(&id, "Plan", "2026-03-09T09:00:00", "2026-03-09T10:00:00");
        graph.put(VIEW, single);
    }
    graph.put("contactFolders", json!({"id": "f1", "displayName": "Work"}));
    graph.put("contactFolders/f1/contacts", contact("w1", "Bob"));
    graph.put(
        "mailFolders",
        json!({"id": "in", "displayName": "Inbox", "totalItemCount": 5}),
    );
    graph
        .singles
        .insert("mailFolders/inbox".to_owned(), json!({"id": "in"}));
    let file = json!({"@odata.type": "#microsoft.graph.fileAttachment", "id": "f", "name": "a.pdf", "contentType": "application/pdf", "size": 3, "isInline": false});
    graph.singles.insert(
        "messages/m0/attachments".to_owned(),
        json!({"value": [file]}),
    );
    graph.put(
        "calendars",
        json!({"id": "cal", "name": "Calendar", "hexColor": "", "isDefaultCalendar": true}),
    );
    drop(graph);
    super::calendar::series(world, &["2026-03-09"], Some("2026-03-16"));
}

/// What the client read; `None` where it is not installed, which is said.
async fn judge(test: &str, world: &World) -> Option<Value> {
    let python = peers().join("graph/bin/python");
    if !python.exists() {
        let missing = "the client of Graph is missing; run tests/peers/install.sh";
        skipped::for_want_of(test, missing);
        return None;
    }
    let plain = world.plain(test).await;
    let base = format!("http://{}/v1.0", plain.address);
    world.graph().links_to = format!("{base}/me");
    let output = Command::new(python)
        .arg(root().join("tests/peers/graph/judge.py"))
        .arg(base)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .await
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    world.graph().links_to = ROOT.to_owned();
    world.graph().is_strict = true;
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// The paths that were asked for, without what is asked of them.
fn paths(world: &World) -> BTreeSet<String> {
    let requests = std::mem::take(&mut world.graph().requests);
    let paths = requests
        .iter()
        .map(|request| request.split('?').next().unwrap());
    paths
        .map(|path| path.trim_end_matches("()").to_owned())
        .collect()
}

#[tokio::test]
async fn the_official_client_reads_the_stand_in() {
    let Some(mut world) = World::start("judge", Sector::Mail).await else {
        return;
    };
    fill(&world);
    let Some(read) = judge("judge", &world).await else {
        return;
    };
    let ids = |name: &str| {
        read[name]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let there = |collection: &str| {
        world
            .graph()
            .there(collection)
            .into_keys()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        ids("contacts"),
        [there("contacts"), vec!["w1".to_owned()]].concat()
    );
    assert_eq!(ids("messages"), there("mailFolders/in/messages"));
    assert_eq!(ids("events"), there(VIEW));
    assert_eq!(
        read["messages"]["m0"],
        json!([
            "Hello",
            "ann@example.com",
            "Hello",
            false,
            "2026-01-02T03:04:06+00:00"
        ])
    );
    assert_eq!(read["attachments"], json!({"f": ["a.pdf", 3]}));
    assert_eq!(read["events"]["o-2026-03-23"], json!(["occurrence", "s"]));
    assert_eq!(read["inbox"], "in");
    let series = json!({"cancelled": ["OID.s.2026-03-09"], "exceptions": ["2026-03-16T09:00:00+00:00"], "pattern": "weekly"});
    assert_eq!(read["series"], series);

    // What this service asks for, the client asks for by the same paths.
    let judged = paths(&world);
    for sector in [Sector::Contacts, Sector::Mail, Sector::Calendar] {
        world.sector = sector;
        world.store = Store::default();
        world.sync().await.unwrap();
    }
    let other: Vec<_> = paths(&world).difference(&judged).cloned().collect();
    let by_name = |path: &String| BY_NAME.iter().any(|name| path.ends_with(name));
    assert_eq!(
        other.iter().filter(|path| !by_name(path)).count(),
        0,
        "{other:?}"
    );
}

#[tokio::test]
async fn a_wrong_request_and_a_wrong_answer_are_noticed() {
    let test = "graph_a_wrong_request_and_a_wrong_answer";
    let Some(world) = World::start(test, Sector::Mail).await else {
        return;
    };
    if !Contract::Graph.is_here() {
        return;
    }
    fill(&world);
    let plain = world.plain(test).await;
    let ask = async |path: &str| {
        let address = format!("http://{}/v1.0/me/{path}", plain.address);
        plain_http::get(&Url::parse(&address).unwrap()).await;
        plain.violations()
    };
    let none: [&str; 0] = [];
    let view = "calendars/cal/calendarView/delta?startDateTime=2026-01-01T00:00:00Z&endDateTime=2026-12-31T00:00:00Z";
    for right in [
        "contacts/delta?$select=id,displayName",
        "mailFolders/inbox",
        "events/s",
        view,
    ] {
        assert_eq!(ask(right).await, none, "{right}");
    }
    for wrong in [
        "mailFolders/in/messages/delta?$select=id,wellKnownName",
        "contacts/delta?$filter=a",
        "calendars/cal/calendarView/delta",
        "events/s?$expand=occurrences",
    ] {
        assert_eq!(ask(wrong).await.len(), 1, "{wrong}");
    }
    for (collection, wrong) in [
        ("contacts", json!({"id": "w", "birthday": "22 July"})),
        ("contacts", json!({"id": "w", "shoeSize": 44})),
        ("contacts", json!({"id": "w", "displayName": 7})),
        (
            "calendars/cal/calendarView",
            json!({"id": "w", "start": {"dateTime": "2026-01-01", "timeZone": "UTC"}}),
        ),
    ] {
        world.graph().page_items = 100;
        world.graph().put(collection, wrong.clone());
        let asked = if collection == "contacts" {
            "contacts/delta"
        } else {
            view
        };
        assert_eq!(ask(asked).await.len(), 1, "{wrong}");
        world.graph().remove(collection, "w");
    }
    let unended = |_: &str| wire::json(200, "", &json!({"value": []}));
    world
        .graph()
        .faults
        .once("contacts/delta", Law::Kept, unended);
    assert_eq!(ask("contacts/delta").await.len(), 1);
}

//! Whether the stand-in is like Graph: the official client, which nobody here wrote, reads it as it is, its answers are of the types
//! of Graph, and it is asked by the paths that this service asks by.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::stage::{Sector, World};
use super::{contact, event, message};
use crate::support::skipped;
use crate::support::stand_ins::graph;
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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn schema_path() -> PathBuf {
    root().join("tests/peers/contracts/microsoft-graph.schema.json")
}

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

/// What the client read, or why it did not; `None` where it is not installed.
async fn judge(test: &str, base: &str) -> Option<Result<Value, String>> {
    let python = root().join("target/peers/graph/bin/python");
    if !python.exists() {
        skipped::for_want_of(
            test,
            "the client of Graph is missing; run tests/peers/install.sh",
        );
        return None;
    }
    let mut command = Command::new(python);
    command
        .arg(root().join("tests/peers/graph/judge.py"))
        .args([base])
        .arg(schema_path());
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    let judged = tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap();
    Some(match judged.status.success() {
        true => Ok(serde_json::from_slice(&judged.stdout).unwrap()),
        false => Err(String::from_utf8_lossy(&judged.stderr).into_owned()),
    })
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

async fn judge_world(test: &str, world: &World) -> Option<Result<Value, String>> {
    let plain = world.plain(test).await;
    let base = format!("http://{}/v1.0", plain.address);
    world.graph().links_to = format!("{base}/me");
    judge(test, &base).await
}

#[tokio::test]
async fn the_official_client_reads_the_stand_in() {
    let Some(mut world) = World::start("judge", Sector::Mail).await else {
        return;
    };
    fill(&world);
    let Some(read) = judge_world("judge", &world).await else {
        return;
    };
    let read = read.unwrap();
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
    world.graph().links_to = graph::ROOT.to_owned();
    world.graph().is_strict = true;
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

/// Each name of a `$select` is a property of its type.
#[tokio::test]
async fn what_is_selected_is_there_to_be_selected() {
    let Some(mut world) = World::start("selected", Sector::Mail).await else {
        return;
    };
    fill(&world);
    let schema: Value = serde_json::from_slice(&std::fs::read(schema_path()).unwrap()).unwrap();
    for sector in [Sector::Contacts, Sector::Mail, Sector::Calendar] {
        world.sector = sector;
        world.store = Store::default();
        world.sync().await.unwrap();
    }
    let requests = world.graph().requests.clone();
    let mut selecting = 0;
    for request in requests
        .iter()
        .filter(|request| request.contains("$select="))
    {
        let path = request.split('?').next().unwrap();
        let kind = match path {
            path if path.contains("/events/") => "Event",
            path if path.ends_with("/attachments") => "Attachment",
            path if path.contains("/messages") => "Message",
            path if path.contains("/mailFolders/") => "MailFolder",
            path if path.contains("/contactFolders/") => "ContactFolder",
            path => panic!("{path}"),
        };
        let (known, unknown) = selected(&schema, kind, request);
        assert_eq!(unknown, [""; 0], "{kind}");
        selecting += known;
    }
    assert!(selecting > 60);
}

/// How many names a request selects that its type has, and those that it has not.
fn selected<'a>(schema: &Value, kind: &str, request: &'a str) -> (usize, Vec<&'a str>) {
    let properties = schema["definitions"][kind]["properties"]
        .as_object()
        .unwrap();
    let names = request.split("$select=").nth(1).unwrap();
    let names = names.split('&').next().unwrap().split(',');
    let (known, unknown): (Vec<_>, Vec<_>) = names.partition(|name| properties.contains_key(*name));
    (known.len(), unknown)
}

#[tokio::test]
async fn what_is_wrong_with_an_answer_or_a_request_is_noticed() {
    let schema: Value = serde_json::from_slice(&std::fs::read(schema_path()).unwrap()).unwrap();
    let (known, unknown) = selected(&schema, "Message", "/x?$select=id,wellKnownName&$top=1");
    assert_eq!((known, unknown), (1, vec!["wellKnownName"]));

    let Some(world) = World::start("judge_notices", Sector::Mail).await else {
        return;
    };
    let mut wrong = contact("wrong", "Ann");
    wrong["birthday"] = json!("22 July");
    for wrong in [
        wrong,
        json!({"id": "wrong", "displayName": "Ann", "shoeSize": 44}),
    ] {
        fill(&world);
        world.graph().put("contacts", wrong);
        let Some(judged) = judge_world("judge_notices", &world).await else {
            return;
        };
        let reason = judged.unwrap_err();
        assert!(
            reason.contains("shoeSize") || reason.contains("22 July"),
            "{reason}"
        );
    }
}

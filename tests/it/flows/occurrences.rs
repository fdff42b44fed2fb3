//! What an agent reads of every calendar sample's occurrences, against python-dateutil.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sextant::app::Settings;
use sextant::cli::push::{EnvironmentSecret, PushArguments, Report, push};
use sextant_actors::clock::FrozenClock;

use super::{agent, answer};
use crate::mcp::support::Client;
use crate::occurrences::{NOW, OPERATOR_ZONE, peer};
use crate::support::app::settings;
use crate::support::household::fixtures;
use crate::support::{TestApp, TestDatabase};

const SELECT: [&str; 9] = [
    "uid",
    "original_start",
    "start_at",
    "end_at",
    "start_date",
    "end_date",
    "is_all_day",
    "status",
    "override_id",
];

/// How many lines are compared at least; fewer means that one side has missed some.
const LINES_MIN: usize = 1000;

/// A file that is refused, so that nothing of it is stored: METHOD:ADD adds to a meeting that the file does not
/// contain.
const REFUSED: (&str, &str) = ("400.ics", "123456789@example.com");

/// Lines in the peer's form, by UID.
type Lines = BTreeMap<String, Vec<String>>;

#[actix_web::test]
async fn an_agent_reads_the_occurrences_of_every_sample_as_the_peer_expands_them() {
    let files = fixtures("calendar", "ics");
    let Some(theirs) = peer::expanded(&files, OPERATOR_ZONE, NOW) else {
        return;
    };
    let set = Settings {
        zone: OPERATOR_ZONE,
        ..settings()
    };
    let clock = FrozenClock::at(NOW.parse().unwrap());
    let app = TestApp::start_on(TestDatabase::create().await, set, Arc::new(clock)).await;
    let client = agent(&app, "claude", &["calendar"]).await;
    let (mut compared, mut differences) = (0, Vec::new());
    for file in &files {
        let label = file.file_name().unwrap().to_str().unwrap();
        push_alone(&app, file, label).await;
        let ours = read(&client, label).await;
        for (uid, expected) in by_uid(&theirs[file.to_str().unwrap()]) {
            let found = ours.get(&uid).cloned().unwrap_or_default();
            compared += found.len();
            if (label, uid.as_str()) == REFUSED {
                assert!(found.is_empty(), "{found:?}");
                continue;
            }
            if found != expected {
                differences.push(format!("{label} {uid}: {}", differing(&found, &expected)));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(compared >= LINES_MIN, "only {compared} were compared");
}

/// How many lines either side has, and the first that only one side has.
fn differing(ours: &[String], theirs: &[String]) -> String {
    let only = |a: &[String], b: &[String]| a.iter().find(|line| !b.contains(line)).cloned();
    format!(
        "{} ours {:?}, {} theirs {:?}",
        ours.len(),
        only(ours, theirs),
        theirs.len(),
        only(theirs, ours)
    )
}

/// Pushes one file into a connection of its own.
async fn push_alone(app: &TestApp, file: &Path, label: &str) {
    let body = json!({ "provider": "push", "sector": "calendar", "label": label });
    let created = app.create_connection(body).await.expect(201);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let arguments = PushArguments {
        files: vec![file.to_owned()],
        connections: vec![text(&created["connections"][0]["id"])],
        secret_file: None,
        ..PushArguments::default()
    };
    let secret = EnvironmentSecret(Some(text(&created["secret"])));
    let url = format!("http://{}", app.address());
    let mut told = Vec::new();
    push(&arguments, &url, secret, &mut Report::new(&mut told, None))
        .await
        .unwrap();
}

/// All occurrences of a connection, page by page.
async fn read(client: &Client, label: &str) -> Lines {
    let page = json!({ "target": "calendar.events", "select": SELECT, "where": { "connection": label },
        "limit": 1000, "budget": 25_000, "format": "records" });
    let (mut lines, mut asked) = (Lines::new(), page.clone());
    loop {
        let found = answer(client, "query", asked).await;
        for row in found["rows"].as_array().unwrap() {
            let uid = row["uid"].as_str().unwrap_or_default().trim().to_owned();
            lines.entry(uid).or_default().push(line(row));
        }
        if found["next_cursor"].is_null() {
            break;
        }
        asked = page.clone();
        asked["cursor"] = found["next_cursor"].clone();
    }
    lines.values_mut().for_each(|lines| lines.sort());
    lines
}

fn line(row: &Value) -> String {
    let text = |name: &str| row[name].as_str().unwrap_or_default();
    let stamp = |name: &str| {
        text(name).parse::<DateTime<Utc>>().map_or_else(
            |_| row[name].to_string(),
            |at| at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        )
    };
    let span = match row["is_all_day"] == true {
        true => format!("{}/{}", text("start_date"), text("end_date")),
        false => format!("{}/{}", stamp("start_at"), stamp("end_at")),
    };
    let mark = if row["override_id"].is_null() {
        ""
    } else {
        " override"
    };
    format!("{} {span} {}{mark}", text("original_start"), text("status"))
}

/// The peer's lines by UID, for UIDs whose every series it could read.
fn by_uid(series: &BTreeMap<String, peer::Expanded>) -> Lines {
    let mut lines = Lines::new();
    let uid = |name: &str| name.rsplit_once('#').unwrap().0.to_owned();
    for (name, expanded) in series {
        let found = expanded.occurrences.clone().unwrap_or_default();
        lines.entry(uid(name)).or_default().extend(found);
    }
    let unread = series.iter().filter(|(_, it)| it.occurrences.is_none());
    unread.for_each(|(name, _)| drop(lines.remove(&uid(name))));
    lines.values_mut().for_each(|lines| lines.sort());
    lines
}

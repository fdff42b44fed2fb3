//! An export of version 1, from before fields had their present names, kept unchanged.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use sextant::catalog;
use sextant_actors::clock::FrozenClock;

use super::{Entries, export, import};
use crate::support::app::settings;
use crate::support::{TestApp, TestDatabase};

/// An export written by Sextant 0.1.0, before version 2 of the format, in Europe/Berlin: the sample household, and by
/// push connections labelled *Old …* holdings, balances stated by a bank, mails with copies, contacts, a calendar,
/// days, devices, tombstones and a reference that waits. Nobody in it exists.
const KEPT: &[u8] = include_bytes!("export-version-1.zip");

type Row = Map<String, Value>;

/// A store that imported it under the clock of its making: documents contain the time zone rules of that time.
async fn imported() -> (TestApp, Value) {
    let made = Entries::of(KEPT).manifest()["exported_at"].clone();
    let clock = FrozenClock::at(made.as_str().unwrap().parse().unwrap());
    let database = TestDatabase::create().await;
    let app = TestApp::start_on(database, settings(), Arc::new(clock)).await;
    let answer = import(&app, KEPT.to_vec()).await.expect(200);
    (app, answer)
}

fn rows(entries: &Entries, table: &str) -> Vec<Row> {
    let bytes = entries.named()[format!("{table}.jsonl").as_str()];
    let lines = std::str::from_utf8(bytes).unwrap().lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A row of version 1 under the present names.
fn renamed(table: &str, row: Row) -> Row {
    let present = |name: String| match (table, name.as_str()) {
        ("finance.holdings" | "finance.balances", "as_of") => "day".to_owned(),
        ("mail.messages", "to_" | "cc_" | "bcc_") => name.trim_end_matches('_').to_owned(),
        (_, "source_updated_at") => "updated_at".to_owned(),
        _ => name,
    };
    row.into_iter()
        .map(|(name, value)| (present(name), value))
        .collect()
}

/// The row without its nulls: columns added since are null.
fn said(row: Row) -> Row {
    row.into_iter()
        .filter(|(_, value)| !value.is_null())
        .collect()
}

/// An occurrence with the stamp of the row from which it was made.
fn stamped(was: &Entries, mut event: Row) -> Row {
    let stamps: BTreeMap<String, Value> = rows(was, "calendar.series")
        .into_iter()
        .map(|series| {
            let id = series["id"].as_str().unwrap().to_owned();
            (id, series["source_updated_at"].clone())
        })
        .collect();
    if !event["deleted_at"].is_null() {
        return event;
    }
    let of = |name: &str| stamps.get(event[name].as_str()?).cloned();
    let stamp = of("override_id").filter(|stamp| !stamp.is_null());
    let stamp = stamp.or_else(|| of("series_id")).unwrap_or_default();
    event.insert("source_updated_at".to_owned(), stamp);
    event
}

#[actix_web::test]
async fn it_comes_back_whole_and_leaves_as_version_4() {
    let was = Entries::of(KEPT);
    assert_eq!(was.manifest()["version"], 1);
    let (app, answer) = imported().await;
    for table in catalog::tables().filter(|table| table.is_stored()) {
        let target = table.target();
        let told = was.manifest()["tables"][&target]["rows"].clone();
        let came = answer["tables"].get(&target).cloned().unwrap_or(json!(0));
        assert_eq!(came, told, "{target}");
    }
    let is = Entries::of(&export(&app).await);
    assert_eq!(is.manifest()["version"], 4);
    let was_told = was.manifest();
    for table in was_told["tables"].as_object().unwrap().keys() {
        if ["audit_log", "agents"].contains(&table.as_str()) {
            continue;
        }
        let (before, after) = (rows(&was, table), rows(&is, table));
        assert_eq!(before.len(), after.len(), "{table}");
        for (before, after) in before.into_iter().zip(after) {
            let before = match table.as_str() {
                "calendar.events" => stamped(&was, before),
                _ => before,
            };
            assert_eq!(said(renamed(table, before)), said(after), "{table}");
        }
    }
    for name in was_told["files"].as_object().unwrap().keys() {
        let (before, after) = (was.named()[name.as_str()], is.named()[name.as_str()]);
        assert!(before == after, "{name}");
    }
}

#[actix_web::test]
async fn its_fields_are_asked_for_by_their_present_names() {
    let (app, _) = imported().await;
    let first = async |sector: &str, asked: Value| {
        let answer = app.post(&format!("/api/data/{sector}"), asked).await;
        answer.expect(200)["rows"][0].clone()
    };
    let holding = json!({ "target": "holdings", "where": { "symbol": "VWCE" }, "select": ["day", "updated_at"] });
    assert_eq!(
        first("finance", holding).await,
        json!(["2026-03-01", "2026-03-02T08:00:00Z"])
    );
    let balance = json!({ "target": "balances", "where": { "day": "2026-03-09", "connection": "Old bank" }, "select": ["current", "updated_at"] });
    let stated = first("finance", balance).await;
    assert_eq!(stated.to_string(), "[-12.5000,null]");
    let mail = json!({ "target": "messages", "where": { "bcc": { "contains": "u@example.org" } }, "select": ["to", "cc", "updated_at"] });
    let mail = first("mail", mail).await;
    assert!(mail[0].to_string().contains("bob@example.org"), "{mail}");
    assert!(mail[1].to_string().contains("carol@example.org"), "{mail}");
    assert_eq!(mail[2], "2026-03-04T10:00:00Z");
    let choir = json!({ "target": "events", "where": { "title": "Choir" }, "select": ["updated_at"], "limit": 1 });
    assert_eq!(
        first("calendar", choir).await,
        json!(["2026-02-20T09:30:00Z"])
    );
}

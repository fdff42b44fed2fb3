//! Exported, imported into an empty store, exported again: the same bytes; and the same answers.

use std::sync::Arc;

use chrono_tz::Tz;
use serde_json::{Value, json};
use sextant::catalog;
use sextant_actors::clock::FrozenClock;

use super::{Entries, export, export_of, import};
use crate::support::app::settings;
use crate::support::planted::{plant_everywhere, plant_random};
use crate::support::{TestApp, TestDatabase};

/// A service with all sectors; tombstones, references that wait, a paused and a removed connection, agents.
async fn app_with_rows() -> TestApp {
    let app = TestApp::start().await;
    app.post("/api/sample", json!({})).await.expect(201);
    let planted = plant_everywhere(&app).await;
    app.pause(&planted[0].id).await.expect(200);
    app.disconnect(&planted[2].id, json!({ "rows": "keep" }))
        .await
        .expect(200);
    app.key_of("laptop", &["mail", "finance"]).await;
    app.key_of("gone", &["*"]).await;
    app.post("/api/agents/gone/revoke", json!({}))
        .await
        .expect(200);
    app
}

/// Each answer of the inspector on a table, without the parts that differ between stores.
async fn answers(app: &TestApp) -> Vec<Value> {
    let mut answers = Vec::new();
    for table in catalog::tables() {
        let asked = json!({ "target": table.target(), "limit": 200 });
        let path = format!("/api/data/{}", table.sector);
        let mut answer = app.post(&path, asked).await.expect(200);
        for own in ["change_cursor", "next_cursor", "now"] {
            answer.as_object_mut().unwrap().remove(own);
        }
        answers.push(answer);
    }
    answers
}

/// Asserts that two bundles are the same except for stamps, the audit log and the agents' revocation.
fn assert_same(before: &Entries, after: &Entries) {
    let (before, after) = (before.named(), after.named());
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        after.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &before {
        if ["manifest.json", "audit_log.jsonl", "agents.jsonl"].contains(name) {
            continue;
        }
        let (was, is) = (
            String::from_utf8_lossy(bytes),
            String::from_utf8_lossy(after[name]),
        );
        for (line, (was, is)) in was.lines().zip(is.lines()).enumerate() {
            assert_eq!(was, is, "{name}, line {}", line + 1);
        }
        assert_eq!(was.len(), is.len(), "{name}");
    }
    let names = |bytes: &[u8]| -> Vec<Value> {
        let lines = std::str::from_utf8(bytes).unwrap().lines();
        let agents = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
        agents
            .map(|agent| {
                json!([
                    agent["name"],
                    agent["sectors"],
                    agent["created_at"],
                    agent["expires_at"]
                ])
            })
            .collect()
    };
    assert_eq!(names(before["agents.jsonl"]), names(after["agents.jsonl"]));
}

#[actix_web::test]
async fn r040_r110_a_store_comes_back_as_it_was() {
    let old = app_with_rows().await;
    let bundle = export(&old).await;
    let entries = Entries::of(&bundle);
    for (name, told) in entries.manifest()["tables"].as_object().unwrap() {
        let is_service_made =
            ["mail.mailboxes", "health.recoveries", "health.cycles"].contains(&name.as_str());
        // Nothing is read from a source here (`sign_ins::moved`, `duplicates::moved`).
        let is_of_sources =
            ["sign_ins", "source_items", "evidence.account_pairs"].contains(&name.as_str());
        assert!(
            is_service_made || is_of_sources || told["rows"].as_u64().unwrap() > 0,
            "{name} is empty, which proves nothing"
        );
    }
    let new = TestApp::start().await;
    let key = new.key_of("laptop", &["home"]).await;
    let answer = import(&new, bundle.clone()).await.expect(200);
    // Without a restart: the connections as ingest knows them, and the agents as the Console lists them.
    let connections = old.connections().await;
    assert_eq!(answer["agents"], 1, "{answer}");
    assert_eq!(
        answer["connections"].as_u64().unwrap() as usize,
        connections.as_array().unwrap().len() + 1
    );
    let fresh = new.connections().await;
    for (was, is) in connections
        .as_array()
        .unwrap()
        .iter()
        .zip(fresh.as_array().unwrap())
    {
        assert_eq!(
            [&was["id"], &was["label"], &was["state"], &was["health"]],
            [&is["id"], &is["label"], &is["state"], &is["health"]]
        );
        assert_eq!(is["hasIngestSecret"], false);
        let published = new.published(was["id"].as_str().unwrap()).unwrap();
        assert!(published.secret.is_none());
    }
    let agents = new.get("/api/agents").await.expect(200);
    let told: Vec<Value> = agents["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| json!([agent["name"], agent["status"]]))
        .collect();
    assert_eq!(told.len(), 2, "{agents}");
    // The agent that existed before still works, with its own sectors.
    let home = new
        .request(reqwest::Method::GET, "/api/read/describe_context")
        .bearer_auth(key);
    new.send(home).await.expect(200);
    // The imported rows are those that an erase of everything would delete.
    let erasable = new
        .post("/api/erase/preview", json!({ "scope": "all" }))
        .await
        .expect(200);
    assert_eq!(
        (&erasable["deleted"], &erasable["tables"]),
        (&answer["imported"], &answer["tables"])
    );
    let notes = answer["notes"].to_string();
    for said in [
        "rotate-secret",
        "came revoked",
        "here already",
        "laptop",
        "never imported",
    ] {
        assert!(notes.contains(said), "{said}: {notes}");
    }

    let mut kept_here = Entries::of(&export(&new).await);
    // The agent that existed before keeps its own settings.
    *kept_here.entry("agents.jsonl") = entries.named()["agents.jsonl"].to_vec();
    assert_same(&entries, &kept_here);
    for (was, is) in answers(&old).await.into_iter().zip(answers(&new).await) {
        assert_eq!(was, is);
    }
    // The audit log has no row of the import, and none of the old log.
    let rows = new.audit("?limit=500").await.expect(200);
    assert!(!rows.to_string().contains("import"), "{rows}");
    assert_eq!(
        new.audit("?tool=ingest").await.expect(200)["rows"],
        json!([])
    );
    import(&new, bundle)
        .await
        .expect_problem(409, "conflict", None);

    // A device can go on with a new secret.
    let device = fresh
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["table"] == "contacts.people")
        .unwrap();
    let id = device["id"].as_str().unwrap();
    let secret = new.rotate_secret(id).await.expect(200)["secret"]
        .as_str()
        .unwrap()
        .to_owned();
    let push = new.request(reqwest::Method::POST, &format!("/api/ingest/{id}"));
    let pushed = new
        .send(
            push.bearer_auth(secret)
                .json(&json!([{ "full_name": "Ada" }])),
        )
        .await
        .expect(200);
    assert_eq!(pushed["inserted"], 1);
}

#[actix_web::test]
async fn agents_come_revoked_under_a_hash_that_no_key_has() {
    let old = TestApp::start().await;
    let key = old.key_of("laptop", &["mail"]).await;
    let new = TestApp::start().await;
    import(&new, export(&old).await).await.expect(200);
    let refused = new
        .request(reqwest::Method::GET, "/api/read/describe_context")
        .bearer_auth(&key);
    new.send(refused)
        .await
        .expect_problem(403, "forbidden", None);
    let agents = new.get("/api/agents").await.expect(200);
    assert_eq!(agents["agents"][0]["name"], "laptop", "{agents}");
    let client = new.database.connect().await;
    let row = client
        .query_one(
            "SELECT revoked_at IS NOT NULL, octet_length(key_hash) FROM agents",
            &[],
        )
        .await
        .unwrap();
    assert_eq!((row.get::<_, bool>(0), row.get::<_, i32>(1)), (true, 32));
    let rotated = new
        .post("/api/agents/laptop/rotate", json!({}))
        .await
        .expect(200);
    let fresh = rotated["key"].as_str().unwrap();
    let allowed = new
        .request(reqwest::Method::GET, "/api/read/describe_context")
        .bearer_auth(fresh);
    new.send(allowed).await.expect(200);
}

#[actix_web::test]
async fn one_sector_comes_alone() {
    let old = TestApp::start().await;
    plant_everywhere(&old).await;
    for sector in ["health", "mail"] {
        let query = format!("?sector={sector}");
        let bundle = export_of(&old, &query).await;
        let new = TestApp::start().await;
        import(&new, bundle.clone()).await.expect(200);
        let again = export_of(&new, &query).await;
        assert_same(&Entries::of(&bundle), &Entries::of(&again));
    }
}

#[actix_web::test]
async fn any_store_comes_back_whatever_is_written_in_it() {
    for seed in [1, sextant_actors::random::bytes::<1>().unwrap()[0].into()] {
        println!("seed {seed}");
        let old = TestApp::start().await;
        plant_random(&old, seed).await;
        let bundle = export(&old).await;
        let new = TestApp::start().await;
        import(&new, bundle.clone()).await.expect(200);
        assert_same(&Entries::of(&bundle), &Entries::of(&export(&new).await));
    }
}

/// Days and balances in a store.
async fn derived(app: &TestApp) -> Vec<Value> {
    let client = app.database.connect().await;
    let mut found = Vec::new();
    for table in ["health.days", "finance.balances"] {
        let sql = format!(
            "SELECT to_jsonb(made) - ARRAY['synced_at', 'changed_xid', 'deleted_at'] AS made FROM {table} AS made WHERE deleted_at IS NULL ORDER BY id"
        );
        let rows = client.query(&sql, &[]).await.unwrap();
        assert!(!rows.is_empty(), "{table}");
        found.extend(rows.iter().map(|row| row.get::<_, Value>(0)));
    }
    found
}

#[actix_web::test]
async fn in_another_zone_days_and_balances_are_those_of_that_zone() {
    let elsewhere = || {
        let mut settings = settings();
        settings.zone = Tz::Asia__Tokyo;
        settings
    };
    // When it is evening in Berlin, it is tomorrow in Tokyo: a balance stated now belongs to another day there.
    let evening = FrozenClock::at("2026-03-10T18:00:00Z".parse().unwrap());
    let database = TestDatabase::create().await;
    let old = TestApp::start_on(database, settings(), Arc::new(evening)).await;
    old.post("/api/sample", json!({})).await.expect(201);
    let bundle = export(&old).await;
    let new = TestApp::start_with(elsewhere()).await;
    let answer = import(&new, bundle).await.expect(200);
    assert!(
        answer["notes"]
            .to_string()
            .contains("made anew in Asia/Tokyo"),
        "{answer}"
    );
    let at_home = derived(&old).await;
    let moved = old.restart_with(elsewhere()).await;
    let expected = derived(&moved).await;
    assert_ne!(at_home, expected, "the zone matters");
    assert_eq!(derived(&new).await, expected);
}

#[actix_web::test]
async fn what_was_disconnected_and_erased_gives_way_to_what_comes_back() {
    let app = TestApp::start().await;
    let planted = plant_everywhere(&app).await;
    let bundle = export(&app).await;
    for connection in &planted {
        app.disconnect(&connection.id, json!({ "rows": "keep" }))
            .await
            .expect(200);
    }
    // The store is not empty, so this is refused.
    import(&app, bundle.clone())
        .await
        .expect_problem(409, "conflict", None);
    app.post("/api/erase", json!({ "scope": "all" }))
        .await
        .expect(200);
    import(&app, bundle.clone()).await.expect(200);
    assert_same(&Entries::of(&bundle), &Entries::of(&export(&app).await));
}

#[actix_web::test]
async fn a_change_cursor_from_before_an_import_has_expired() {
    let old = TestApp::start().await;
    plant_everywhere(&old).await;
    let new = TestApp::start().await;
    let asked = json!({ "target": "people", "limit": 1 });
    let first = new
        .post("/api/data/contacts", asked.clone())
        .await
        .expect(200);
    import(&new, export(&old).await).await.expect(200);
    let mut since = asked;
    since["changed_since"] = first["change_cursor"].clone();
    let refused = new.post("/api/data/contacts", since).await;
    assert!(refused.text.contains("cursor_expired"), "{refused:?}");
}

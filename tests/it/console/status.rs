//! `GET /api/status`: what the Overview shows, with the database reachable and unreachable.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;
use serde_json::{Value, json};
use sextant::app::Settings;
use sextant::config::ZoneSource;
use sextant_actors::clock::{Clock as _, FrozenClock, SystemClock};
use tempfile::TempDir;

use crate::mcp::support::{Client, json_of};
use crate::support::app::settings;
use crate::support::cluster::shared;
use crate::support::eventually::eventually;
use crate::support::failing::{POISON, panicking_once};
use crate::support::postgres_proxy::PostgresProxy;
use crate::support::pulled::PulledSource;
use crate::support::{TestApp, TestDatabase};

/// Settings with a journal in a temporary folder.
fn journaled() -> (Settings, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let journal = Some(folder.path().join("journal"));
    (
        Settings {
            journal,
            ..settings()
        },
        folder,
    )
}

async fn status(app: &TestApp) -> Value {
    app.get("/api/status").await.expect(200)
}

/// The kind of each entry in `needs`, and what it is about.
fn needs(status: &Value) -> Vec<(String, Value)> {
    let all = status["attention"].as_array().unwrap().iter();
    all.map(|one| {
        assert!(one["text"].as_str().unwrap().ends_with('.'), "{one}");
        (one["kind"].as_str().unwrap().to_owned(), one["ref"].clone())
    })
    .collect()
}

fn tile<'a>(status: &'a Value, sector: &str) -> &'a Value {
    let tiles = status["sectors"].as_array().unwrap();
    tiles.iter().find(|tile| tile["name"] == sector).unwrap()
}

async fn push(app: &TestApp, count: usize) {
    let (connection, secret) = app.push_connection("mail.messages").await;
    let records: Vec<Value> = (0..count)
        .map(|at| json!({ "id": at.to_string(), "subject": "x" }))
        .collect();
    let request = app.request(Method::POST, &format!("/api/ingest/{connection}"));
    app.send(request.bearer_auth(&secret).json(&records))
        .await
        .expect(200);
}

#[actix_web::test]
async fn a_fresh_service_tells_its_ports_and_that_nothing_is_there() {
    let (settings, _folder) = journaled();
    let app = TestApp::start_with(settings).await;
    let told = status(&app).await;
    let started_at: DateTime<Utc> = told["startedAt"].as_str().unwrap().parse().unwrap();
    assert!(started_at <= SystemClock.now());
    let empty =
        |name: &str| json!({ "name": name, "rows": 0, "connections": 0, "lastSyncAt": null });
    let sectors = ["finance", "mail", "calendar", "contacts", "health", "home"].map(empty);
    let expected = json!({
        "version": env!("CARGO_PKG_VERSION"), "startedAt": told["startedAt"],
        "ports": { "console": app.address().port(), "agent": app.agents.port() },
        "database": "ok", "onboarded": false, "sample": false, "attention": [],
        "journal": { "state": "ok", "failingSince": null, "waitingRows": 0, "droppedRows": 0 },
        "timezone": told["timezone"],
        "sectors": sectors,
        "exposure": { "mode": "local", "url": null, "allowedHosts": [], "check": null }
    });
    assert_eq!(told, expected);
    assert!(told["timezone"]["name"].is_string());
    assert_eq!(told["timezone"]["isSet"], true);
}

#[actix_web::test]
async fn a_status_tells_rows_sources_and_keys_that_end_soon() {
    let (settings, _folder) = journaled();
    let app = TestApp::start_with(settings).await;
    push(&app, 3).await;
    let days = [
        ("soon", json!(3)),
        ("later", json!(30)),
        ("never", Value::Null),
        ("gone", json!(3)),
    ];
    for (name, expires) in days {
        app.create_agent(json!({ "name": name, "sectors": ["mail"], "expiresInDays": expires }))
            .await
            .expect(201);
    }
    app.revoke_agent("gone").await.expect(200);
    let told = status(&app).await;
    assert_eq!(
        (&told["onboarded"], &told["database"]),
        (&json!(true), &json!("ok"))
    );
    assert_eq!(needs(&told), [("key_expiring".to_owned(), json!("soon"))]);
    let mail = tile(&told, "mail");
    assert_eq!(
        (&mail["rows"], &mail["connections"]),
        (&json!(3), &json!(1))
    );
    let synced = app.connections().await[0]["lastSyncAt"].clone();
    assert!(synced.is_string());
    assert_eq!(mail["lastSyncAt"], synced);
}

#[actix_web::test]
async fn a_source_that_stopped_needs_somebody() {
    let (settings, _folder) = journaled();
    let app = TestApp::start_with(settings).await;
    let (connection, _) = app.push_connection("mail.messages").await;
    let database = app.database.connect().await;
    for (health, is_told) in [
        ("needs_sign_in", true),
        ("consent_expired", true),
        ("backing_off", false),
    ] {
        database
            .execute("UPDATE connections SET health = $1", &[&health])
            .await
            .unwrap();
        let told = needs(&status(&app).await);
        let expected = is_told.then(|| ("connection_stopped".to_owned(), json!(connection)));
        assert_eq!(told, expected.into_iter().collect::<Vec<_>>(), "{health}");
    }
}

#[actix_web::test]
async fn a_credential_that_ends_soon_needs_somebody_once_a_sign_in() {
    let (settings, _folder) = journaled();
    let app = TestApp::start_with(settings).await;
    let database = app.database.connect().await;
    let source = PulledSource::sign_in(&database, "icloud").await;
    let mail = source.connection("mail.messages", "Mail").await;
    source.connection("calendar.series", "Calendar").await;
    for (ends_in, is_told) in [("15 days", false), ("13 days", true), ("-1 day", true)] {
        let ending = format!(
            "UPDATE connections SET health = 'ok', expires_at = now() + interval '{ends_in}'"
        );
        database.batch_execute(&ending).await.unwrap();
        let told = needs(&status(&app).await);
        let expected = is_told.then(|| "credential_ending".to_owned());
        let kinds: Vec<_> = told.into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, expected.into_iter().collect::<Vec<_>>(), "{ends_in}");
    }
    // What has stopped is told as that.
    source.fares(mail, "needs_sign_in", Value::Null, None).await;
    let told = needs(&status(&app).await);
    let kinds: Vec<_> = told.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["connection_stopped", "credential_ending"]);
}

#[actix_web::test]
async fn a_status_with_the_database_away_says_so_and_tells_what_was_known() {
    let way = PostgresProxy::before(&shared().socket_dir).await;
    let (settings, _folder) = journaled();
    let app = TestApp::start_over(&way, settings).await;
    push(&app, 2).await;
    let url = format!("http://{}/mcp", app.agents);
    let nobody = Client::new(&url, Some(app.key_of("nobody", &[]).await));
    app.audit_rows(1).await;
    let before = status(&app).await;
    assert_eq!(needs(&before), []);
    for silent in [false, true] {
        if silent {
            way.freeze();
        } else {
            way.cut();
        }
        json_of(nobody.modern_call("list_actions", json!({}))).await;
        let told = status(&app).await;
        assert_eq!(told["database"], "down");
        let kinds: Vec<_> = needs(&told).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, ["database_down", "record_waiting"]);
        assert!(
            told["attention"][1]["text"]
                .as_str()
                .unwrap()
                .contains("rows of the audit log wait")
        );
        assert_eq!(
            (&told["sectors"], &told["onboarded"]),
            (&before["sectors"], &before["onboarded"])
        );
        way.mend();
        eventually("the trouble is over", async || {
            status(&app).await["attention"] == json!([])
        })
        .await;
    }
}

#[actix_web::test]
async fn rows_that_were_lost_are_told_of() {
    let way = PostgresProxy::before(&shared().socket_dir).await;
    // Without a journal, which would keep the entries.
    let mut tight = settings();
    tight.limits.audit_waiting_rows_max = 1;
    let app = TestApp::start_over(&way, tight).await;
    let url = format!("http://{}/mcp", app.agents);
    let nobody = Client::new(&url, Some(app.key_of("nobody", &[]).await));
    way.cut();
    for _ in 0..3 {
        json_of(nobody.modern_call("list_actions", json!({}))).await;
    }
    let told = needs(&status(&app).await);
    let lost = ("record_dropped".to_owned(), Value::Null);
    assert!(told.contains(&lost), "{told:?}");
}

#[actix_web::test]
async fn rows_are_counted_now_and_then_and_not_each_time() {
    let clock = FrozenClock::at("2026-03-01T12:00:00Z".parse().unwrap());
    let app = TestApp::start_on(
        TestDatabase::create().await,
        settings(),
        Arc::new(clock.clone()),
    )
    .await;
    assert_eq!(tile(&status(&app).await, "mail")["rows"], 0);
    push(&app, 2).await;
    eventually("they are counted again", async || {
        tile(&status(&app).await, "mail")["rows"] == 2
    })
    .await;
    clock.advance(TimeDelta::days(1));
    assert_eq!(status(&app).await["startedAt"], "2026-03-01T12:00:00Z");
}

#[actix_web::test]
async fn a_part_that_crashed_is_told_of_until_it_is_back() {
    let clock = FrozenClock::at("2026-03-01T12:00:00Z".parse().unwrap());
    let app = TestApp::start_in(
        TestDatabase::create().await,
        settings(),
        Arc::new(clock),
        panicking_once,
    )
    .await;
    app.create_agent(json!({ "name": POISON, "sectors": ["mail"] }))
        .await;
    eventually("it is back", async || {
        status(&app).await["attention"] == json!([])
    })
    .await;
    assert_eq!(
        app.get("/api/actors").await.expect(200)["actors"][2]["restarts"],
        1
    );
}

#[actix_web::test]
async fn a_journal_that_cannot_be_had_is_told_of_and_calls_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("a file");
    std::fs::write(&taken, "").unwrap();
    let clock = FrozenClock::at("2026-03-01T12:00:00Z".parse().unwrap());
    let settings = Settings {
        journal: Some(taken),
        ..settings()
    };
    let app = TestApp::start_on(
        TestDatabase::create().await,
        settings,
        Arc::new(clock.clone()),
    )
    .await;
    let url = format!("http://{}/mcp", app.agents);
    let nobody = Client::new(&url, Some(app.key_of("nobody", &[]).await));
    json_of(nobody.modern_call("list_actions", json!({}))).await;
    clock.advance(TimeDelta::minutes(1));
    let told = status(&app).await;
    assert_eq!(needs(&told), [("journal_failing".to_owned(), Value::Null)]);
    assert!(
        told["attention"][0]["text"]
            .as_str()
            .unwrap()
            .contains("1 so far"),
        "{told}"
    );
    app.audit_rows(1).await;
}

#[actix_web::test]
async fn a_zone_that_nobody_set_needs_the_operator() {
    let (settings, _folder) = journaled();
    let unset = Settings {
        zone: chrono_tz::UTC,
        zone_source: ZoneSource::Fallback,
        ..settings
    };
    let app = TestApp::start_with(unset).await;
    let told = status(&app).await;
    assert_eq!(needs(&told), [("zone_unset".to_owned(), Value::Null)]);
    let text = told["attention"][0]["text"].as_str().unwrap();
    assert!(text.contains("UTC") && text.contains("TIMEZONE"), "{text}");
}

//! `kill -9` while the service writes many rows of its own: nothing of it is stored, and the next start does all of
//! it.

use std::path::Path;

use nix::sys::signal::Signal;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_postgres::Client;

use super::Setup;
use super::service::{Service, postgres_socket};
use crate::support::cluster;
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

const SAMPLE_TABLES: usize = 13;
/// A trigger in which every writer of days waits until `gate.opened` has a row. For a lock the service would not wait
/// without a limit.
const GATE: &str = "
    CREATE SCHEMA gate;
    CREATE TABLE gate.opened ();
    CREATE FUNCTION gate.pass() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
    LOOP EXIT WHEN EXISTS (SELECT FROM gate.opened); PERFORM pg_sleep(0.01); END LOOP; RETURN new; END $$;
    CREATE TRIGGER gate BEFORE INSERT ON health.days FOR EACH ROW EXECUTE FUNCTION gate.pass()";
const WAITERS: &str = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
const DAYS: &str = "SELECT \"day\"::text FROM health.days WHERE deleted_at IS NULL ORDER BY 1";
const ZONES: &str = "SELECT zone FROM evidence.built ORDER BY sector";

/// Under an application name of its own, because a start ends the connections that an earlier service left.
async fn connect(service: &Service) -> Client {
    let mut config = cluster::superuser(&postgres_socket(service), "sextant");
    cluster::connect(config.application_name("psql")).await
}

async fn texts(client: &Client, statement: &str) -> Vec<String> {
    let rows = client.query(statement, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

async fn waits(client: &Client) {
    eventually("a writer of days waits at the gate", async || {
        let row = client.query_one(WAITERS, &[]).await.unwrap();
        row.get::<_, i64>(0) > 0
    })
    .await;
}

/// Lets the writer go on, and waits for its end: until then no other statement can drop the trigger.
async fn open_gate(client: &Client) {
    let open = "INSERT INTO gate.opened DEFAULT VALUES";
    client.batch_execute(open).await.unwrap();
    let remove = "DROP TRIGGER gate ON health.days";
    client.batch_execute(remove).await.unwrap();
}

/// Every row of every table that holds the sample and the days, as text.
async fn everything(client: &Client) -> Vec<String> {
    let mut tables: Vec<_> = sextant::catalog::tables()
        .filter(|table| table.target() != "mail.threads")
        .map(sextant::catalog::Table::target)
        .collect();
    tables.extend(
        [
            "connections",
            "agents",
            "generations",
            "evidence.balances",
            "evidence.days",
            "evidence.built",
            "pending_references",
            "sync_cursors",
            "sign_ins",
            "source_items",
        ]
        .map(str::to_owned),
    );
    let rows = tables
        .iter()
        .map(|table| format!("SELECT '{table} ' || kept::text FROM {table} AS kept"));
    let rows = rows.collect::<Vec<_>>().join(" UNION ALL ");
    texts(client, &format!("{rows} ORDER BY 1")).await
}

fn in_zone(home: &Path, zone: &str) -> Setup {
    Setup::in_home(home).env("TIMEZONE", zone)
}

async fn killed(service: Service) {
    service.signal(Signal::SIGKILL);
    service.wait_for_end().await;
}

/// Kills the service while a request waits in the trigger, and starts another: nothing was acknowledged, nothing is
/// stored.
async fn started_again(
    home: &Path,
    service: Service,
    asked: JoinHandle<reqwest::Result<Response>>,
    database: &Client,
    before: &[String],
) -> Service {
    waits(database).await;
    killed(service).await;
    assert!(asked.await.unwrap().is_err(), "nothing was promised");
    open_gate(database).await;
    assert_eq!(everything(database).await, before, "nothing is half there");
    let service = in_zone(home, "UTC").start().await;
    let kept = service
        .call(Method::GET, "/api/connections", None, 200)
        .await;
    assert_eq!(kept["connections"], json!([]), "{kept}");
    service
}

#[test]
fn a_rebuild_that_was_killed_has_not_happened_and_the_next_start_does_it() {
    in_scratch(async |home| {
        let service = in_zone(home, "UTC").start().await;
        let watch = service.device("health.samples").await;
        let steps: Vec<Value> = (1..=5)
            .map(|day| json!({ "id": day.to_string(), "metric": "steps", "value": 10, "start_at": format!("2026-03-0{day}T23:30:00Z") }))
            .collect();
        let pushed = service.push(&watch, Value::from(steps).to_string());
        assert_eq!(pushed.send().await.unwrap().status(), 200);
        let database = connect(&service).await;
        let days = |from: u32| -> Vec<_> {
            (from..from + 5)
                .map(|day| format!("2026-03-0{day}"))
                .collect()
        };
        assert_eq!(texts(&database, DAYS).await, days(1));
        let before = everything(&database).await;
        // At the third of five, so that the rebuild is in the middle of its writing.
        let gate = GATE.replace(
            "FOR EACH ROW",
            "FOR EACH ROW WHEN (new.\"day\" = '2026-03-04')",
        );
        database.batch_execute(&gate).await.unwrap();
        // The database server goes on, and its trigger stays.
        killed(service).await;
        let starting = in_zone(home, "Europe/Berlin").spawn();
        waits(&database).await;
        starting.signal(Signal::SIGKILL);
        starting.wait_for_end().await;
        open_gate(&database).await;
        assert_eq!(everything(&database).await, before, "nothing is half made");
        let service = in_zone(home, "Europe/Berlin").start().await;
        assert_eq!(texts(&database, DAYS).await, days(2));
        assert_eq!(texts(&database, ZONES).await, ["Europe/Berlin"; 2]);
        drop(database);
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn a_sample_whose_load_was_killed_is_not_there_and_can_be_loaded() {
    in_scratch(async |home| {
        let service = in_zone(home, "UTC").start().await;
        let database = connect(&service).await;
        let before = everything(&database).await;
        database.batch_execute(GATE).await.unwrap();
        let asked = service
            .request(Method::POST, "/api/sample")
            .json(&json!({}));
        let asked = tokio::spawn(asked.send());
        let service = started_again(home, service, asked, &database, &before).await;
        assert_eq!(service.audit_rows("ingest").await.len(), 0);
        let body = Some(json!({}));
        let loaded = service.call(Method::POST, "/api/sample", body, 201).await;
        assert_eq!(
            loaded["connections"].as_array().unwrap().len(),
            SAMPLE_TABLES
        );
        assert!(!texts(&database, DAYS).await.is_empty());
        drop(database);
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn an_import_that_was_killed_is_not_there_and_the_same_file_can_be_imported() {
    in_scratch(async |home| {
        let service = in_zone(home, "UTC").start().await;
        service.key("laptop", &["mail"]).await;
        let body = Some(json!({}));
        service.call(Method::POST, "/api/sample", body, 201).await;
        let bundle = service.request(Method::GET, "/api/export").send().await;
        let bundle = bundle.unwrap().bytes().await.unwrap();
        // Removed connections stay as rows, and an import replaces them.
        let gone = service.call(Method::DELETE, "/api/sample", None, 200).await;
        let database = connect(&service).await;
        let before = everything(&database).await;
        database.batch_execute(GATE).await.unwrap();
        let import = |service: &Service| {
            let request = service.request(Method::POST, "/api/import");
            let request = request.header("content-type", "application/zip");
            request.body(bundle.clone()).send()
        };
        let asked = tokio::spawn(import(&service));
        let service = started_again(home, service, asked, &database, &before).await;
        let imported = import(&service).await.unwrap();
        assert_eq!(imported.status(), 200);
        let imported: Value = imported.json().await.unwrap();
        assert_eq!(imported["imported"], gone["deleted"], "{imported}");
        assert_eq!(imported["connections"], SAMPLE_TABLES);
        assert!(!texts(&database, DAYS).await.is_empty());
        drop(database);
        service.stop(Signal::SIGTERM).await;
    });
}

//! Calls that are given up: a cheap read runs to its end and leaves its connection for the next; any other is
//! cancelled, and counts against the agent until its connection has been replaced.

use std::pin::pin;

use actix_web::rt::spawn;
use futures_util::poll;
use serde_json::json;
use sextant::capacity::Slots;
use sextant::db::{Database, DatabaseOptions, Place, PoolLimits};
use tokio_postgres::Client;

use super::call;
use crate::mcp::support::Client as Agent;
use crate::support::cluster::shared;
use crate::support::database::drivers;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::PostgresProxy;
use crate::support::table_lock::TableLock;
use crate::support::{TestApp, TestDatabase};

const WAITING: &str = "SELECT pid FROM pg_locks
    WHERE NOT granted AND relation = 'finance.accounts'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
const STATE: &str = "SELECT state FROM pg_stat_activity WHERE pid = $1";

async fn state(client: &Client, backend: i32) -> Option<String> {
    let row = client.query_opt(STATE, &[&backend]).await.unwrap();
    row.map(|row| row.get(0))
}

#[actix_web::test]
async fn a_cheap_read_that_is_given_up_is_not_cancelled_and_its_connection_serves_the_next() {
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["finance"]).await;
    let accounts = json!({ "target": "finance.accounts" });
    let onlooker = app.database.connect_as_superuser().await;
    let held = TableLock::accounts(&app).await;
    let port = Agent::new(&format!("http://{}/mcp", app.agents), Some(key.clone()));
    let asked = spawn(port.modern_call("query", accounts).send());
    held.wait_for_calls(1).await;
    let backend: i32 = onlooker.query_one(WAITING, &[]).await.unwrap().get(0);
    asked.abort();
    // The call has ended; the read in the database has not.
    let rows = app.audit_rows(1).await;
    assert_eq!(
        (&rows[0]["decision"], &rows[0]["outcome"]),
        (&json!("allow"), &json!("error"))
    );
    held.wait_for_calls(1).await;
    assert_eq!(state(&onlooker, backend).await.as_deref(), Some("active"));
    held.release().await;
    eventually("the read comes to its end", async || {
        state(&onlooker, backend).await.as_deref() == Some("idle")
    })
    .await;
    let holdings = json!({ "target": "finance.holdings" });
    let next = app.send(call(&app, &key, "query", &holdings)).await;
    assert_eq!(next.expect(200)["target"], "finance.holdings");
    assert_eq!(state(&onlooker, backend).await.as_deref(), Some("idle"));
}

async fn open(database: &TestDatabase) -> Database {
    let options = DatabaseOptions {
        place: Place::Foreign(database.url()),
        reader_role: true,
        limits: PoolLimits {
            other_connections_max: 1,
            ..PoolLimits::default()
        },
        drivers: drivers(),
    };
    let opened = Database::open(options).await;
    opened.unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_read_keeps_its_permit_until_another_connection_can_be_had() {
    let database = TestDatabase::create().await;
    let opened = open(&database).await;
    let onlooker = database.connect_as_superuser().await;
    let slots = Slots::new(1);
    let slot = slots.take(1).await;
    let readers = opened.readers().other.clone();
    let mut reader = readers.get_under(slot).await.unwrap();
    let rows = reader.query("SELECT pg_backend_pid()", &[]).await.unwrap();
    let backend: i32 = rows[0].get(0);
    let read = tokio::spawn(async move {
        let _ = reader.query("SELECT pg_sleep(3600)", &[]).await;
    });
    eventually("the read runs", async || {
        state(&onlooker, backend).await.as_deref() == Some("active")
    })
    .await;
    assert!(slots.try_take().is_none());
    read.abort();
    let slot = slots.take(1).await;
    let used = readers.in_use();
    assert_eq!((used.idle, used.lent), (1, 0), "another stands ready");
    eventually("the cancelled one has ended", async || {
        state(&onlooker, backend).await.is_none()
    })
    .await;
    drop(slot);
    opened.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_nobody_waits_for_any_more_is_made_to_its_end_under_its_permit() {
    let proxy = PostgresProxy::before(&shared().socket_dir).await;
    let database = TestDatabase::create().await;
    let opened = database.open_over(&proxy).await.unwrap();
    let readers = opened.readers().other.clone();
    let slots = Slots::new(1);
    let slot = slots.try_take().unwrap();
    proxy.freeze();
    {
        let mut getting = pin!(readers.get_under(slot));
        assert!(poll!(&mut getting).is_pending());
    }
    assert!(slots.try_take().is_none());
    proxy.mend();
    drop(slots.take(1).await);
    let used = readers.in_use();
    assert_eq!((used.idle, used.lent), (1, 0), "it stands ready");
    opened.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_was_answered_gives_its_permit_back_with_its_connection() {
    let database = TestDatabase::create().await;
    let opened = open(&database).await;
    let slots = Slots::new(1);
    for _ in 0..3 {
        let slot = slots.try_take().unwrap();
        let mut reader = opened.readers().other.get_under(slot).await.unwrap();
        reader.query("SELECT 1", &[]).await.unwrap();
    }
    assert!(slots.try_take().is_some());
    opened.stop().await.unwrap();
}

//! Reads that take too long, and reads for which nobody waits any more.

use std::time::Duration;

use sextant::db::{Database, DatabaseOptions, Place, PoolLimits, StoreError};
use tokio_postgres::Client;

use super::read_rows;
use crate::support::TestDatabase;
use crate::support::database::drivers;
use crate::support::eventually::eventually;

const SLEEPERS: &str = "SELECT count(*) FROM pg_stat_activity \
     WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'";

async fn sleepers(admin: &Client) -> i64 {
    admin.query_one(SLEEPERS, &[]).await.unwrap().get(0)
}

async fn open_with(database: &TestDatabase, limits: PoolLimits) -> Database {
    let options = DatabaseOptions {
        place: Place::Foreign(database.url()),
        reader_role: true,
        limits,
        drivers: drivers(),
    };
    Database::open(options)
        .await
        .unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_nobody_waits_for_is_cancelled_and_its_connection_closed() {
    let database = TestDatabase::create().await;
    let limits = PoolLimits {
        other_connections_max: 1,
        ..PoolLimits::default()
    };
    let open = open_with(&database, limits).await;
    let admin = database.connect_as_superuser().await;
    let readers = open.readers().other.clone();
    let read = tokio::spawn(async move {
        let mut reader = readers.get().await.unwrap();
        reader
            .query("SELECT pg_sleep(3600)", &[])
            .await
            .map(|rows| rows.len())
    });
    eventually("the read runs", async || sleepers(&admin).await == 1).await;
    read.abort();
    eventually("the read is stopped in the server", async || {
        sleepers(&admin).await == 0
    })
    .await;
    let rows = read_rows(&open, "SELECT 1").await.unwrap();
    assert_eq!(rows.len(), 1, "its place in the pool is free again");
    open.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_was_answered_gives_its_connection_back() {
    let database = TestDatabase::create().await;
    let open = open_with(
        &database,
        PoolLimits {
            other_connections_max: 1,
            ..PoolLimits::default()
        },
    )
    .await;
    let mut pids = Vec::new();
    for _ in 0..2 {
        let rows = read_rows(&open, "SELECT pg_backend_pid()").await.unwrap();
        pids.push(rows[0].get::<_, i32>(0));
    }
    assert_eq!(pids[0], pids[1]);
    open.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_takes_too_long_is_ended_by_the_server() {
    let database = TestDatabase::create().await;
    let limits = PoolLimits {
        reader_statement_timeout: Duration::from_millis(50),
        ..PoolLimits::default()
    };
    let open = open_with(&database, limits).await;
    let error = read_rows(&open, "SELECT pg_sleep(3600)").await.unwrap_err();
    assert_eq!(error, StoreError::Cancelled);
    open.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn several_statements_share_one_snapshot() {
    let database = TestDatabase::create().await;
    let open = open_with(&database, PoolLimits::default()).await;
    let mut reader = open.readers().other.get().await.unwrap();
    let transaction = reader.begin().unwrap().transaction().await.unwrap();
    let row = transaction
        .query_one("SELECT pg_snapshot_xmin(pg_current_snapshot())::text", &[])
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    reader.finish();
    let found: String = row.get(0);
    assert!(!found.is_empty());
    drop(reader);
    open.stop().await.unwrap();
}

#[test]
fn connections_outlive_the_runtime_that_asked_for_them() {
    let asked_first = tokio::runtime::Runtime::new().unwrap();
    let (database, open) = asked_first.block_on(async {
        let database = TestDatabase::create().await;
        let open = open_with(&database, PoolLimits::default()).await;
        open.service()
            .get()
            .await
            .unwrap()
            .query_one("SELECT 1", &[])
            .await
            .unwrap();
        (database, open)
    });
    drop(asked_first);
    let asked_later = tokio::runtime::Runtime::new().unwrap();
    asked_later.block_on(async {
        open.service()
            .get()
            .await
            .unwrap()
            .query_one("SELECT 1", &[])
            .await
            .unwrap();
        open.stop().await.unwrap();
    });
    drop(database);
}

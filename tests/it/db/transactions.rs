//! Transactions that conflict, are refused, or whose answer is lost.

use std::sync::atomic::{AtomicU32, Ordering};

use sextant::db::{Database, ServicePool, StoreError, expect_one, tx};

use crate::support::TestDatabase;
use crate::support::eventually::eventually;

async fn with_counter() -> (TestDatabase, Database) {
    let database = TestDatabase::create().await;
    let open = database
        .open()
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let owner = database.connect().await;
    owner
        .batch_execute(
            "CREATE TABLE counter (n int NOT NULL CHECK (n < 100)); INSERT INTO counter VALUES (0)",
        )
        .await
        .unwrap();
    (database, open)
}

async fn counter(database: &TestDatabase) -> i32 {
    database
        .connect()
        .await
        .query_one("SELECT n FROM counter", &[])
        .await
        .unwrap()
        .get(0)
}

/// Surfaces move transactions between threads, so their futures must be `Send`.
fn sendable<T: Send>(value: T) -> T {
    value
}

async fn add(pool: &ServicePool, amount: &[i32]) -> Result<u64, StoreError> {
    tx(pool, "add", |transaction| {
        Box::pin(async move {
            let rows = transaction
                .execute("UPDATE counter SET n = n + $1", &[&amount[0]])
                .await?;
            expect_one("counter/add", rows)?;
            Ok(rows)
        })
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn work_that_borrows_is_committed() {
    let (database, open) = with_counter().await;
    let amount = vec![5];
    let found = sendable(add(open.service(), &amount)).await.unwrap();
    assert_eq!(found, 1);
    assert_eq!(counter(&database).await, 5);
    open.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_met_another_is_done_again() {
    let (database, open) = with_counter().await;
    let rival = &database.connect().await;
    let attempts = &AtomicU32::new(0);
    tx(open.service(), "add", |transaction| {
        Box::pin(async move {
            transaction
                .batch_execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                .await?;
            transaction.query_one("SELECT n FROM counter", &[]).await?;
            if attempts.fetch_add(1, Ordering::Relaxed) < 2 {
                rival.batch_execute("UPDATE counter SET n = n + 10").await?;
            }
            transaction
                .execute("UPDATE counter SET n = n + 1", &[])
                .await?;
            Ok::<_, StoreError>(())
        })
    })
    .await
    .unwrap();
    assert_eq!(attempts.load(Ordering::Relaxed), 3);
    assert_eq!(counter(&database).await, 21);
    open.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_always_meets_another_gives_up() {
    let (database, open) = with_counter().await;
    let rival = &database.connect().await;
    let end = tx(open.service(), "add", |transaction| {
        Box::pin(async move {
            transaction
                .batch_execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                .await?;
            transaction.query_one("SELECT n FROM counter", &[]).await?;
            rival.batch_execute("UPDATE counter SET n = n + 1").await?;
            transaction
                .execute("UPDATE counter SET n = n + 1", &[])
                .await?;
            Ok::<_, StoreError>(())
        })
    })
    .await;
    assert_eq!(end, Err(StoreError::Conflict));
    assert_eq!(
        counter(&database).await,
        5,
        "the rival's five, none of ours"
    );
    open.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_data_names_the_constraint_and_no_value() {
    let (database, open) = with_counter().await;
    let error = tx(open.service(), "add", |transaction| {
        Box::pin(async move {
            transaction
                .execute("UPDATE counter SET n = 4711", &[])
                .await?;
            Ok::<_, StoreError>(())
        })
    })
    .await
    .unwrap_err();
    assert!(error.is_rejected());
    assert!(error.to_string().contains("counter_n_check"), "{error}");
    assert!(!format!("{error:?}").contains("4711"));
    assert_eq!(counter(&database).await, 0);
    open.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn another_number_of_rows_rolls_back() {
    let (database, open) = with_counter().await;
    let error = tx(open.service(), "add", |transaction| {
        Box::pin(async move {
            let rows = transaction
                .execute("UPDATE counter SET n = 7 WHERE n > 50 OR true", &[])
                .await?;
            expect_one("counter/set", rows + 1)
        })
    })
    .await
    .unwrap_err();
    assert!(matches!(error, StoreError::UnexpectedRows { found: 2, .. }));
    assert_eq!(counter(&database).await, 0);
    open.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_is_lost_is_of_unknown_fate_and_not_repeated() {
    let (database, open) = with_counter().await;
    let admin = database.connect_as_superuser().await;
    // Ends the connection during the commit.
    admin
        .batch_execute(
            "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS \
             $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END $$; \
             CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON counter DEFERRABLE INITIALLY DEFERRED \
             FOR EACH ROW EXECUTE FUNCTION cut()",
        )
        .await
        .unwrap();
    let attempts = &AtomicU32::new(0);
    let end = tx(open.service(), "add", |transaction| {
        Box::pin(async move {
            attempts.fetch_add(1, Ordering::Relaxed);
            transaction
                .execute("UPDATE counter SET n = n + 1", &[])
                .await?;
            Ok::<_, StoreError>(())
        })
    })
    .await;
    assert_eq!(end, Err(StoreError::FateUnknown { transaction: "add" }));
    assert_eq!(attempts.load(Ordering::Relaxed), 1);
    open.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_is_abandoned_takes_its_connection_with_it() {
    let (database, open) = with_counter().await;
    let rival = database.connect().await;
    rival
        .batch_execute("BEGIN; LOCK TABLE counter")
        .await
        .unwrap();
    let waits = "SELECT 1 FROM pg_locks WHERE relation = 'counter'::regclass AND NOT granted";
    let waiting = async {
        eventually("the transaction waits for the lock", async || {
            rival.query_opt(waits, &[]).await.unwrap().is_some()
        })
        .await;
    };
    tokio::select! {
        done = add(open.service(), &[1]) => panic!("{done:?}"),
        () = waiting => {}
    }
    // The pool has had no other connection so far; the next statement must not wait behind the lock.
    assert!(open.service().answers().await);
    open.stop().await.unwrap();
}

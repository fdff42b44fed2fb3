//! One process for each database, wherever the database is.

use sextant::db::{Database, DatabaseError, LockError, LockState, ProcessMark};
use tokio_postgres::Client;

use crate::support::TestDatabase;
use crate::support::cluster::connect;
use crate::support::eventually::eventually;
use crate::support::users::{Helper, helper_argument, say, wait_for_the_parent};

const LOCK: &str = "SELECT pg_try_advisory_lock(21368, 1)";
const HOLDERS: &str = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 21368 AND objid = 1 AND granted \
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

async fn terminate_holder(admin: &Client) {
    let pid: i32 = admin.query_one(HOLDERS, &[]).await.unwrap().get(0);
    admin
        .query_one("SELECT pg_terminate_backend($1)", &[&pid])
        .await
        .unwrap();
}

async fn open_database(database: &TestDatabase) -> Database {
    database
        .open()
        .await
        .unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn r509_a_second_process_is_refused_and_told_who_holds_the_database() {
    let database = TestDatabase::create().await;
    let mut holder = Helper::start(HOLDER, &database.url());
    assert_eq!(holder.hear(), "open");
    let Err(DatabaseError::Lock(LockError::Held(found))) = database.open().await else {
        panic!("a second process got in");
    };
    assert_eq!(found.process.as_ref().unwrap().pid, holder.pid());
    assert!(found.to_string().contains(&format!("pid {}", holder.pid())));
    holder.kill();
    open_database(&database).await.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn r509_a_connection_whose_process_is_gone_is_ended() {
    let database = TestDatabase::create().await;
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let own = ProcessMark::own();
    let mark = own
        .application_name()
        .replace(&own.pid.to_string(), &gone.id().to_string());
    let left_over = connect(database.service_config().application_name(mark)).await;
    assert!(
        left_over
            .query_one(LOCK, &[])
            .await
            .unwrap()
            .get::<_, bool>(0)
    );
    open_database(&database).await.stop().await.unwrap();
    eventually("the left connection is closed", async || {
        left_over.is_closed()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r509_a_holder_that_is_not_ours_is_left_in_peace_and_named() {
    let database = TestDatabase::create().await;
    let stranger = connect(database.service_config().application_name("psql")).await;
    assert!(
        stranger
            .query_one(LOCK, &[])
            .await
            .unwrap()
            .get::<_, bool>(0)
    );
    let Err(error) = database.open().await else {
        panic!("it got in beside a stranger")
    };
    assert!(error.to_string().contains("role sextant"), "{error}");
    assert!(!stranger.is_closed());
}

#[tokio::test(flavor = "multi_thread")]
async fn r509_a_lost_lock_is_taken_again_before_anything_is_written() {
    let database = TestDatabase::create().await;
    let open = open_database(&database).await;
    let admin = database.connect_as_superuser().await;
    let before: i32 = admin.query_one(HOLDERS, &[]).await.unwrap().get(0);
    terminate_holder(&admin).await;
    eventually("another connection holds the lock", async || {
        admin
            .query_opt(HOLDERS, &[])
            .await
            .unwrap()
            .is_some_and(|row| row.get::<_, i32>(0) != before)
    })
    .await;
    drop(open.service().get().await.unwrap());
    eventually("the lock is held", async || {
        open.standing().state() == LockState::Held
    })
    .await;
    open.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_let_go_of_without_a_word_is_not_reached_for_again() {
    let database = TestDatabase::create().await;
    let open = open_database(&database).await;
    let admin = database.connect_as_superuser().await;
    let (pool, lent) = (open.service().clone(), open.service().get().await.unwrap());
    drop(open);
    let left = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    eventually("its connections end, those that are lent too", async || {
        admin.query_one(left, &[]).await.unwrap().get::<_, i64>(0) == 0
    })
    .await;
    assert!(lent.is_closed());
    assert!(pool.get().await.is_err(), "nobody has the lock any more");
    open_database(&database).await.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn r509_a_lock_that_another_took_stops_the_service_and_every_write() {
    let database = TestDatabase::create().await;
    let open = open_database(&database).await;
    let admin = database.connect_as_superuser().await;
    let rival = database.connect().await;
    // It waits in the server's queue, and so gets the lock at the moment in which it is released.
    let waiting = tokio::spawn(async move {
        rival
            .query_one("SELECT pg_advisory_lock(21368, 1)", &[])
            .await
            .unwrap();
        rival
    });
    eventually("the rival waits", async || {
        let sql = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 21368 AND NOT granted \
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        admin.query_opt(sql, &[]).await.unwrap().is_some()
    })
    .await;
    terminate_holder(&admin).await;
    let _rival = waiting.await.unwrap();
    let holder = open.standing().taken().await;
    assert_eq!(holder.role, "sextant");
    assert!(open.service().get().await.is_err());
    open.stop().await.unwrap();
}

const HOLDER: &str = "db::service_lock::holder";

/// Not a test: a service in another process that has the database open.
#[test]
#[ignore = "a part played in a process of its own"]
fn holder() {
    let Some(url) = helper_argument(HOLDER) else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let options = sextant::db::DatabaseOptions {
        place: sextant::db::Place::Foreign(url),
        reader_role: true,
        limits: sextant::db::PoolLimits::default(),
        drivers: runtime.handle().clone(),
    };
    let _open = runtime
        .block_on(Database::open(options))
        .unwrap_or_else(|error| panic!("{error}"));
    say("open");
    wait_for_the_parent();
}

//! Counts that an earlier version made without a user get theirs, in steps, while calls go on (r006).

use std::sync::Arc;

use futures_util::future::join;
use serde_json::json;
use sextant::db::{MIGRATIONS, ServicePool, migrate};
use sextant::store::audit_hourly::count_anew;
use sextant_actors::clock::SystemClock;
use tokio_postgres::Client;

use super::users::{ADD_OTHER, foreign, refusal};
use super::{entry, write};
use crate::support::app::settings;
use crate::support::cluster::shared;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::{Act, PostgresProxy, When};
use crate::support::{TestApp, TestDatabase};

/// Rows of the audit log that the earlier version left.
const ROWS: u64 = 900;
const STEP: i64 = 40;

/// Rows of two users and of no user over the last hours, the current one included, and their counts, which had no
/// user. The ids have gaps; every fifth row has no agent, so that one count covers rows of all three.
const EARLIER: &str = "
    INSERT INTO audit_log (id, user_id, agent_id, tool, sector, decision, outcome, created_at)
    SELECT n * 3,
        CASE n % 3 WHEN 1 THEN '00000000-0000-4000-8000-000000000001'::uuid WHEN 2 THEN '00000000-0000-0000-0000-000000000007' END,
        CASE WHEN n % 5 > 0 THEN (ARRAY['nobodys', 'ours', 'theirs'])[1 + n % 3] END,
        (ARRAY['query', 'ingest'])[1 + n % 2], CASE WHEN n % 4 > 0 THEN 'mail' END, 'allow',
        CASE WHEN n % 7 > 0 THEN 'ok' END, now() - interval '1 hour' * ((900 - n) / 100)
    FROM generate_series(1, 900) AS n;
    SELECT setval('audit_log_id_seq', 2700);
    INSERT INTO audit_hourly (hour, agent_id, tool, sector, decision, outcome, n, last_at)
    SELECT date_trunc('hour', created_at, 'UTC'), agent_id, tool, sector, decision, outcome, count(*), max(created_at)
    FROM audit_log GROUP BY 1, 2, 3, 4, 5, 6";

/// Every count that differs from the audit log, in either direction.
const UNEQUAL: &str = "
    WITH counted AS (
        SELECT date_trunc('hour', created_at, 'UTC') AS hour, user_id, agent_id, tool, sector, decision, outcome, count(*) AS n
        FROM audit_log GROUP BY 1, 2, 3, 4, 5, 6, 7
    ), kept AS (
        SELECT hour, user_id, agent_id, tool, sector, decision, outcome, n FROM audit_hourly
    ), unequal AS (
        (TABLE counted EXCEPT TABLE kept) UNION ALL (TABLE kept EXCEPT TABLE counted)
    )
    SELECT count(*) FROM unequal";
/// The number of audit rows less the number that is counted, over all users.
const UNCOUNTED: &str =
    "SELECT (SELECT count(*) FROM audit_log) - (SELECT sum(n)::bigint FROM audit_hourly)";

/// A database as that version left it.
async fn earlier() -> TestDatabase {
    let database = TestDatabase::made_with("OWNER sextant").await;
    let mut owner = database.connect().await;
    let place = MIGRATIONS
        .iter()
        .position(|step| step.name == "users of the counted record");
    let before = &MIGRATIONS[..place.unwrap()];
    migrate(&mut owner, before).await.unwrap();
    owner.batch_execute(ADD_OTHER).await.unwrap();
    owner.batch_execute(EARLIER).await.unwrap();
    database
}

async fn number(owner: &Client, sql: &str) -> i64 {
    owner.query_one(sql, &[]).await.unwrap().get(0)
}

/// Writes entries of all kinds, now.
async fn call(pool: &ServicePool) {
    let calls = vec![
        refusal(),
        entry("ours", "query"),
        foreign("theirs", "query"),
    ];
    write(pool, calls).await;
}

#[actix_web::test]
async fn r006_counts_made_before_they_had_users_get_them_while_rows_arrive() {
    let database = earlier().await;
    let opened = database.open().await.unwrap();
    let (pool, owner) = (opened.service(), database.connect().await);
    assert!(number(&owner, UNEQUAL).await > 0);
    let mut total = 0;
    loop {
        let (rows, ()) = join(count_anew(pool, STEP), call(pool)).await;
        assert_eq!(number(&owner, UNCOUNTED).await, 0, "after {total}");
        match rows.unwrap() {
            0 => break,
            rows => total += rows,
        }
        assert!(total <= ROWS);
    }
    assert_eq!(total, ROWS, "none twice, and none of the new ones");
    assert_eq!(number(&owner, UNEQUAL).await, 0);
    assert_eq!(count_anew(pool, STEP).await.unwrap(), 0);
}

#[actix_web::test]
async fn r006_a_count_anew_that_is_cut_off_goes_on_where_it_was() {
    let proxy = PostgresProxy::before(&shared().socket_dir).await;
    let database = earlier().await;
    let opened = database.open_over(&proxy).await.unwrap();
    let (pool, owner) = (opened.service(), database.connect().await);
    let step = When::Statement("UPDATE audit_hourly_recount");
    let commit = When::CommitAfter("UPDATE audit_hourly_recount");
    let faults = [
        (step, Act::CutBefore),
        (step, Act::LoseAnswer),
        (commit, Act::CutBefore),
        (commit, Act::LoseAnswer),
    ];
    for (when, act) in faults {
        assert!(count_anew(pool, STEP).await.unwrap() > 0);
        let fault = proxy.inject(when, act, 1);
        assert!(count_anew(pool, STEP).await.is_err(), "{act:?}");
        assert_eq!(fault.count(), 1);
        // PostgreSQL ends a transaction some time after its connection was cut.
        eventually("all rows are counted", async || {
            number(&owner, UNCOUNTED).await == 0
        })
        .await;
    }
    let mut left = ROWS;
    while count_anew(pool, STEP).await.unwrap() > 0 {
        left = left.checked_sub(1).expect("it comes to an end");
    }
    assert_eq!(number(&owner, UNEQUAL).await, 0);
}

#[actix_web::test]
async fn r006_the_service_counts_an_earlier_record_anew_by_itself() {
    let database = earlier().await;
    let app = TestApp::start_on(database, settings(), Arc::new(SystemClock)).await;
    let owner = app.database.connect().await;
    eventually("the counts are the users' own", async || {
        number(&owner, UNEQUAL).await == 0
    })
    .await;
    let facets = app.get("/api/audit/facets").await.expect(200);
    assert_eq!(facets["agents"], json!(["nobodys", "ours"]));
}

//! How PostgreSQL reads the audit log: along its one index and no further than it must, whatever the filters.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;

use super::many::{analyse, fill};
use crate::support::{TestApp, TestDatabase};

const SETTLE: &str = include_str!("../../../sql/statements/audit_log/settle.sql");
const BEFORE: &str = include_str!("../../../sql/statements/audit_log/slice_before.sql");
const AFTER: &str = include_str!("../../../sql/statements/audit_log/slice_after.sql");
const AGENTS: &str = include_str!("../../../sql/statements/audit_hourly/agents.sql");
const TOOLS: &str = include_str!("../../../sql/statements/audit_hourly/tools.sql");
const LAST_CALLS: &str = include_str!("../../../sql/statements/audit_hourly/last_calls.sql");
const FIRST_CALL: &str = include_str!("../../../sql/statements/audit_hourly/first_call.sql");
const IS_CALLED_SINCE: &str =
    include_str!("../../../sql/statements/audit_hourly/is_called_since.sql");
const INDEX: &str = "audit_log_user_id_created_at";
/// Enough rows for a difference between reading all of them and reading a page.
const ROWS: u64 = 120_000;
/// Rows that share a stamp: they must be sorted before the first of them is returned.
const FLUSH_ROWS_MAX: f64 = 5_000.0;
/// Upper bound on the counts of one agent in one hour: there is one for each verb, sector and result.
const CALLS_OF_AN_HOUR_MAX: f64 = 300.0;
const NONE: Option<&str> = None;

/// Where a slice begins, the number of rows it may read, and an agent to filter by.
type Asked<'a> = (DateTime<Utc>, i64, i64, Option<&'a str>);

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// The plan of a slice, executed as the service does.
async fn plan(database: &mut Client, slice: &str, (stamp, id, rows, agent): Asked<'_>) -> Value {
    let reading = database.transaction().await.unwrap();
    reading.query_one(SETTLE, &[&"60000"]).await.unwrap();
    let explain = format!("EXPLAIN (ANALYZE, FORMAT JSON) {slice}");
    let (oldest, newest) = (at("1970-01-01T00:00:00Z"), at("2100-01-01T00:00:00Z"));
    let row = reading
        .query_one(
            &explain,
            &[
                &OPERATOR, &stamp, &id, &oldest, &newest, &rows, &agent, &false, &NONE, &NONE,
                &NONE, &NONE, &NONE,
            ],
        )
        .await
        .unwrap();
    row.get::<_, Value>(0)[0]["Plan"].clone()
}

/// The nodes of a plan, the outermost first.
fn nodes(plan: &Value) -> Vec<&Value> {
    let mut all = vec![plan];
    for child in plan["Plans"].as_array().into_iter().flatten() {
        all.extend(nodes(child));
    }
    all
}

/// Asserts that both branches scan the index, and that neither reads more rows than `rows_max`.
fn assert_walks(plan: &Value, rows_max: f64, case: &str) {
    let nodes = nodes(plan);
    let kinds: Vec<&str> = nodes
        .iter()
        .map(|node| node["Node Type"].as_str().unwrap())
        .collect();
    let reads: Vec<&&Value> = nodes
        .iter()
        .filter(|node| node["Relation Name"] == "audit_log")
        .collect();
    assert_eq!(reads.len(), 2, "{case}: {kinds:?}");
    for read in reads {
        assert_eq!(
            (&read["Node Type"], &read["Index Name"]),
            (&"Index Scan".into(), &INDEX.into()),
            "{case}"
        );
        assert!(
            read["Actual Rows"].as_f64().unwrap() <= rows_max,
            "{case}: {read}"
        );
    }
    let walks = kinds
        .iter()
        .filter(|kind| **kind == "Incremental Sort")
        .count();
    assert_eq!(walks, 2, "{case}: {kinds:?}");
}

#[tokio::test]
async fn r020_a_page_walks_the_one_index_and_reads_little_more_than_it_shows() {
    let test = TestDatabase::create().await;
    let mut database = test.connect().await;
    fill(&database, 1, ROWS).await;
    let (now, middle) = (at("2026-11-21T12:00:00Z"), at("2020-07-01T12:00:00Z"));
    for statistics in ["as analysed", "none"] {
        if statistics == "none" {
            forget_statistics(&test).await;
        }
        for (slice, stamp) in [(BEFORE, now), (BEFORE, middle), (AFTER, middle)] {
            let case = format!("{statistics}, from {stamp}");
            // Six times: PostgreSQL plans a prepared statement anew for the first five executions and may then keep a
            // generic plan.
            let page = plan(&mut database, slice, (stamp, i64::MAX, 51, None)).await;
            assert_walks(&page, FLUSH_ROWS_MAX + 51.0, &case);
            let judged = plan(&mut database, slice, (stamp, 0, 5_000, Some("rare"))).await;
            assert_walks(&judged, 2.0 * FLUSH_ROWS_MAX + 1.0, &case);
        }
    }
}

/// Deletes the table's statistics, as if it had grown and never been analysed.
async fn forget_statistics(test: &TestDatabase) {
    let superuser = test.connect_as_superuser().await;
    let forget = "DELETE FROM pg_catalog.pg_statistic WHERE starelid = 'audit_log'::regclass";
    superuser.batch_execute(forget).await.unwrap();
}

#[tokio::test]
async fn facets_and_last_calls_do_not_read_every_hour() {
    let test = TestDatabase::create().await;
    let database = test.connect().await;
    fill(&database, 1, ROWS).await;
    analyse(&database).await;
    for (facet, name) in [(AGENTS, "agents"), (TOOLS, "tools")] {
        let explain = format!("EXPLAIN (ANALYZE, FORMAT JSON) {facet}");
        let row = database
            .query_one(&explain, &[&OPERATOR, &1_000_i64])
            .await
            .unwrap();
        let plan = row.get::<_, Value>(0)[0]["Plan"].clone();
        for node in nodes(&plan)
            .iter()
            .filter(|node| node["Relation Name"] == "audit_hourly")
        {
            assert_eq!(node["Node Type"], "Index Only Scan", "{name}: {node}");
            assert_eq!(
                node["Actual Rows"].as_f64().map(|rows| rows <= 1.0),
                Some(true),
                "{name}: {node}"
            );
        }
    }
    let explain = format!("EXPLAIN (ANALYZE, FORMAT JSON) {LAST_CALLS}");
    let asked = ["agent-1", "rare", "nobody"].map(str::to_owned).to_vec();
    let row = database
        .query_one(&explain, &[&OPERATOR, &asked])
        .await
        .unwrap();
    let plan = row.get::<_, Value>(0)[0]["Plan"].clone();
    for node in nodes(&plan)
        .iter()
        .filter(|node| node["Relation Name"] == "audit_hourly")
    {
        let rows = node["Actual Rows"].as_f64().unwrap();
        assert!(
            node["Node Type"] != "Seq Scan" && rows <= CALLS_OF_AN_HOUR_MAX,
            "last calls: {node}"
        );
    }
}

#[tokio::test]
async fn the_first_call_is_found_without_reading_every_hour() {
    let test = TestDatabase::create().await;
    let database = test.connect().await;
    fill(&database, 1, ROWS).await;
    analyse(&database).await;
    let since = Some(at("2100-01-01T00:00:00Z"));
    for (statement, since) in [
        (FIRST_CALL, None),
        (FIRST_CALL, since),
        (IS_CALLED_SINCE, since),
    ] {
        let explain = format!("EXPLAIN (ANALYZE, FORMAT JSON) {statement}");
        let row = database
            .query_one(&explain, &[&OPERATOR, &since])
            .await
            .unwrap();
        let plan = row.get::<_, Value>(0)[0]["Plan"].clone();
        for node in nodes(&plan)
            .iter()
            .filter(|node| node["Relation Name"] == "audit_hourly")
        {
            let rows = |name: &str| node[name].as_f64().unwrap_or_default();
            let read = rows("Actual Rows") + rows("Rows Removed by Filter");
            assert!(read <= CALLS_OF_AN_HOUR_MAX, "{since:?}: {node}");
        }
    }
}

/// PostgreSQL's counts of reads of the audit log, once they include those of `path`: sequential scans and index
/// scans.
async fn scans(database: &Client) -> (i64, i64) {
    let row = database
        .query_one(
            "SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'audit_log'",
            &[],
        )
        .await
        .unwrap();
    (row.get(0), row.get(1))
}

#[actix_web::test]
async fn what_the_console_asks_is_read_as_planned() {
    let app = TestApp::start().await;
    let database = app.database.connect().await;
    fill(&database, 1, ROWS).await;
    let (whole_before, walks_before) = scans(&database).await;
    let pages = [
        "",
        "?limit=500",
        "?agent=rare",
        "?from=2020-03-01T00:00:00Z&to=2020-03-02T00:00:00Z",
    ];
    for _ in 0..3 {
        for page in pages {
            app.audit(page).await.expect(200);
        }
    }
    crate::support::eventually::eventually("the walks are counted", async || {
        scans(&database).await.1 > walks_before
    })
    .await;
    assert_eq!(
        scans(&database).await.0,
        whole_before,
        "the whole record was scanned"
    );
}

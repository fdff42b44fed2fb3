//! How long reading the audit log may take, through its routes: the limits on a page that searches for rows, and on a
//! file that is not read.

use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::StreamExt as _;
use serde_json::Value;
use tokio_postgres::Client;

use super::csv::readings;
use super::{entry, write};
use crate::support::TestApp;
use crate::support::app::settings;
use crate::support::eventually::eventually;

/// Rows of one flush, and the number of flushes.
const FLUSH_ROWS: usize = 20;
const FLUSHES: usize = 10;
/// Rows of two flushes are checked in one slice.
const SLICE_ROWS: usize = 40;
/// Longer than any slice takes unless it hangs.
const SLICE_TIME: Duration = Duration::from_secs(3);
/// Longer than any page of these tests takes.
const FOREVER: Duration = Duration::from_secs(3600);
/// For a reader that does not read.
const STALL_MAX: Duration = Duration::from_millis(500);
/// Rows of 20 kB: more than the answer and the sockets' buffers hold together.
const LONG_ROWS: &str = "INSERT INTO audit_log (tool, decision, args)
    SELECT 'query', 'allow', jsonb_build_object('note', repeat('x', 20000)) FROM generate_series(1, 3000)";
/// Reading a row of the oldest flush waits for this lock.
const LOCK: i64 = 7;

/// Writes flushes, of which the newest and the oldest begin with a row of `rare`; returns the ids of those rows.
async fn fill(app: &TestApp) -> (i64, i64) {
    let mut rare = Vec::new();
    for flush in 0..FLUSHES {
        let mut rows = vec![entry("noise", "query"); FLUSH_ROWS];
        let is_at_an_end = flush == 0 || flush == FLUSHES - 1;
        if is_at_an_end {
            rows[0].agent_id = Some("rare".into());
        }
        let ids = write(&app.pool, rows).await;
        rare.extend(is_at_an_end.then_some(ids[0]));
    }
    (rare[0], rare[1])
}

fn ids(page: &Value) -> Vec<i64> {
    let rows = page["rows"].as_array().unwrap();
    let id = |row: &Value| row["id"].as_str().unwrap().parse().unwrap();
    rows.iter().map(id).collect()
}

/// The stamps of the audit log's flushes, oldest first.
async fn stamps(app: &TestApp) -> Vec<DateTime<Utc>> {
    let sql = "SELECT DISTINCT created_at FROM audit_log ORDER BY 1";
    let rows = app.database.connect().await.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// From now on reading a row of the oldest flush blocks until the lock is released, as on a disk that hangs.
async fn stand_still(app: &TestApp, oldest: i64) -> Client {
    let client = app.database.connect().await;
    let last = oldest + i64::try_from(FLUSH_ROWS).unwrap() - 1;
    let guard = format!(
        "SELECT pg_advisory_lock({LOCK});
        ALTER TABLE audit_log RENAME TO audit_kept;
        CREATE VIEW audit_log AS SELECT * FROM audit_kept
            WHERE id > {last} OR (pg_advisory_xact_lock_shared({LOCK}))::text IS NOT NULL"
    );
    client.batch_execute(&guard).await.unwrap();
    client
}

#[actix_web::test]
async fn a_page_ends_with_what_it_has_when_a_slice_takes_too_long() {
    let mut settings = settings();
    settings.reads.page.slice_rows = SLICE_ROWS;
    settings.reads.page.slice_time = SLICE_TIME;
    settings.reads.page.time = FOREVER;
    let app = TestApp::start_with(settings).await;
    let (oldest, newest) = fill(&app).await;
    let stamps = stamps(&app).await;
    let lock = stand_still(&app, oldest).await;
    let page = app.audit("?agent=rare&limit=5").await.expect(200);
    assert_eq!(ids(&page), [newest]);
    let searched = stamp(&page["searched_back_to"]);
    assert!(
        stamps[1..FLUSHES - 1].contains(&searched),
        "{searched} of {stamps:?}"
    );
    let next = format!(
        "?agent=rare&limit=5&before={}",
        page["next"].as_str().unwrap()
    );
    // A page without the time to check a single slice finds nothing out.
    app.audit(&next)
        .await
        .expect_problem(503, "unavailable", None);
    drop(lock);
    let mut rest = Value::Null;
    eventually("nothing stands still any more", async || {
        let answer = app.audit(&next).await;
        let is_there = answer.status == 200;
        if is_there {
            rest = answer.json();
        }
        is_there
    })
    .await;
    assert_eq!((ids(&rest), &rest["next"]), (vec![oldest], &Value::Null));
    assert_eq!(rest.get("searched_back_to"), None);
}

#[actix_web::test]
async fn a_page_whose_time_is_spent_says_how_far_it_looked_either_way() {
    let mut settings = settings();
    settings.reads.page.slice_rows = SLICE_ROWS;
    settings.reads.page.time = Duration::ZERO;
    let app = TestApp::start_with(settings).await;
    let (oldest, newest) = fill(&app).await;
    let stamps = stamps(&app).await;
    let every_other = |first| -> Vec<_> { stamps.iter().copied().skip(first).step_by(2).collect() };
    let back: Vec<_> = every_other(0).into_iter().rev().collect();
    let (found, told, last) = follow(&app, "before", None).await;
    assert_eq!((found, told), (vec![newest, oldest], back));
    // From behind the last row, forward again.
    let start = last["prev"].as_str().map(str::to_owned);
    let (found, told, _) = follow(&app, "after", start).await;
    assert_eq!((found, told), (vec![oldest, newest], every_other(1)));
}

/// Follows the pages in one direction: returns the rows, how far each page says it looked, and the last page.
async fn follow(
    app: &TestApp,
    way: &str,
    mut start: Option<String>,
) -> (Vec<i64>, Vec<DateTime<Utc>>, Value) {
    let (on, searched) = match way {
        "before" => ("next", "searched_back_to"),
        _ => ("prev", "searched_up_to"),
    };
    let (mut found, mut told) = (Vec::new(), Vec::new());
    loop {
        let place = start.map(|place| format!("&{way}={place}"));
        let query = format!("?agent=rare&limit=5{}", place.unwrap_or_default());
        let page = app.audit(&query).await.expect(200);
        found.extend(ids(&page));
        told.extend(page.get(searched).map(stamp));
        start = page[on].as_str().map(str::to_owned);
        if start.is_none() {
            return (found, told, page);
        }
    }
}

fn stamp(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap().parse().unwrap()
}

#[actix_web::test]
async fn a_file_that_its_reader_does_not_take_is_given_up() {
    let mut settings = settings();
    settings.reads.file_stall_max = STALL_MAX;
    let app = TestApp::start_with(settings).await;
    let database = app.database.connect().await;
    database.batch_execute(LONG_ROWS).await.unwrap();
    let begin = async || {
        let request = app.request(reqwest::Method::GET, "/api/audit.csv");
        let mut pieces = request.send().await.unwrap().bytes_stream();
        pieces.next().await.unwrap().unwrap();
        pieces
    };
    // As many readers as are allowed, and both stay connected.
    let readers = [begin().await, begin().await];
    eventually("others have their turn", async || {
        app.get("/api/audit.csv?agent=nobody").await.status == 200
    })
    .await;
    eventually("the database is left alone", async || {
        readings(&app).await == 0
    })
    .await;
    for reader in readers {
        let rest: Vec<_> = reader.collect().await;
        assert!(rest.last().unwrap().is_err(), "a part passes for the whole");
    }
}

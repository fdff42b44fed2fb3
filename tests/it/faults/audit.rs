//! The audit log over a database that fails: calls go on, and their rows wait and are written once, in order and
//! complete.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sextant::app::Settings;
use sextant_actors::clock::FrozenClock;
use sextant_actors::limits::TreeLimits;

use super::Faulty;
use crate::mcp::support::{Client, body_of};
use crate::support::app::settings;
use crate::support::cluster::shared;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::{Act, PostgresProxy, When};
use crate::support::{TestApp, TestDatabase};

const INSERT: &str = "INSERT INTO audit_log";
const POSITION: &str = "SELECT seq FROM audit_position";
/// Logs each statement that writes rows: its text, how many rows, their stamps, and the database's own time.
const NOTE_FLUSHES: &str = "
    CREATE TABLE flushes (number serial, statement text, rows bigint, stamps timestamptz[], database_stamp timestamptz);
    CREATE FUNCTION note_flush() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO flushes (statement, rows, stamps, database_stamp)
        SELECT current_query(), count(*), array_agg(DISTINCT created_at), now() FROM fresh;
        RETURN NULL;
    END
    $$;
    CREATE TRIGGER note_flush AFTER INSERT ON audit_log REFERENCING NEW TABLE AS fresh
        FOR EACH STATEMENT EXECUTE FUNCTION note_flush()";
/// Calls of one test.
const CALLS: usize = 12;
const ROWS_MAX: usize = 5;

/// Makes a call whose row carries this name.
async fn call(agent: &Client, name: &str) {
    let arguments = json!({ "target": format!("home.{name}") });
    let (status, _) = body_of(agent.modern_call("list_actions", arguments)).await;
    assert_eq!(status, 200, "{name}: no call fails by its row");
}

async fn calls(agent: &Client) {
    calls_from(agent, 0).await;
}

async fn calls_from(agent: &Client, first: usize) {
    for number in first..CALLS {
        call(agent, &format!("n{number}")).await;
    }
}

/// The arguments in the rows, oldest first, once there are this many; asserts that the counts by hour agree.
async fn landed(faulty: &Faulty, count: usize) -> Vec<Value> {
    let database = faulty.app.database.connect().await;
    let sql = "SELECT args FROM audit_log ORDER BY id";
    let mut rows = Vec::new();
    eventually("the rows have landed", async || {
        rows = database.query(sql, &[]).await.unwrap();
        rows.len() >= count && faulty.app.tree.audit.stats().waiting_rows == 0
    })
    .await;
    let hours = "SELECT coalesce(sum(n), 0)::bigint FROM audit_hourly";
    let counted: i64 = database.query_one(hours, &[]).await.unwrap().get(0);
    assert_eq!(usize::try_from(counted).unwrap(), rows.len(), "by hour");
    rows.iter().map(|row| row.get(0)).collect()
}

fn expected(names: impl IntoIterator<Item = String>) -> Vec<Value> {
    let args = |name| json!({ "target": format!("home.{name}") });
    names.into_iter().map(args).collect()
}

fn numbered(count: usize) -> Vec<Value> {
    expected((0..count).map(|number| format!("n{number}")))
}

#[actix_web::test]
async fn r502_r021_rows_wait_out_every_failure_of_the_database_and_land_once_in_order() {
    let faults = [
        (INSERT, Act::LoseAnswer),
        (INSERT, Act::CutBefore),
        (INSERT, Act::Refuse("53100")),
        (INSERT, Act::HangUp("57P01")),
        (INSERT, Act::Refuse("40001")),
        (POSITION, Act::LoseAnswer),
        (POSITION, Act::Refuse("53100")),
    ];
    for (piece, act) in faults {
        let faulty = Faulty::start().await;
        let agent = faulty.agent("claude", &["home"]).await;
        if piece == POSITION {
            // The position is only queried after an error.
            let when = When::Statement(INSERT);
            faulty.way.inject(when, Act::LoseAnswer, 1);
        }
        let fault = faulty.way.inject(When::Statement(piece), act, 2);
        // The others come after the first flush: a flush whose answer is lost has its rows in the database, and is
        // not sent again.
        call(&agent, "n0").await;
        fault.wait_for(1).await;
        calls_from(&agent, 1).await;
        fault.wait_for(2).await;
        assert_eq!(
            landed(&faulty, CALLS).await,
            numbered(CALLS),
            "{piece} {act:?}"
        );
        assert_eq!(faulty.app.tree.audit.stats().dropped_rows, 0);
    }
}

#[actix_web::test]
async fn r502_one_row_that_the_database_refuses_loses_its_arguments_and_holds_up_no_other() {
    for code in ["23514", "22P05"] {
        let faulty = Faulty::start().await;
        let agent = faulty.agent("claude", &["home"]).await;
        // All rows but the first come in one flush.
        let held = faulty.way.inject(When::Statement(INSERT), Act::Hold, 1);
        let refused = faulty.way.inject(
            When::Carrying(INSERT, "poison"),
            Act::Refuse(code),
            usize::MAX,
        );
        call(&agent, "first").await;
        held.wait_for(1).await;
        calls(&agent).await;
        call(&agent, "poison").await;
        call(&agent, "last").await;
        held.release();
        let mut all = expected(["first".to_owned()]);
        all.extend(numbered(CALLS));
        all.push(json!("[truncated]"));
        all.extend(expected(["last".to_owned()]));
        assert_eq!(landed(&faulty, CALLS + 3).await, all, "{code}");
        // Halved down to the one row: 14, 7, 4 (or 3), 2, 1.
        assert!(refused.count() >= 4, "{code}: {}", refused.count());
        assert_eq!(faulty.app.tree.audit.stats().dropped_rows, 0);
    }
}

#[actix_web::test]
async fn r502_r024_rows_beyond_the_bound_are_counted_and_nobody_is_refused() {
    let bounded = TreeLimits {
        audit_waiting_rows_max: ROWS_MAX,
        ..settings().limits
    };
    let faulty = Faulty::start_with(Settings {
        limits: bounded,
        ..settings()
    })
    .await;
    let agent = faulty.agent("claude", &["home"]).await;
    let full = faulty
        .way
        .inject(When::Statement(INSERT), Act::Refuse("53100"), usize::MAX);
    calls(&agent).await;
    full.wait_for(1).await;
    let stats = faulty.app.tree.audit.stats();
    assert_eq!(stats.waiting_rows, ROWS_MAX);
    assert_eq!(stats.dropped_rows, (CALLS - ROWS_MAX) as u64);
    faulty.way.mend();
    assert_eq!(
        landed(&faulty, ROWS_MAX).await,
        numbered(ROWS_MAX),
        "the oldest are kept"
    );
    call(&agent, "after").await;
    assert_eq!(landed(&faulty, ROWS_MAX + 1).await.len(), ROWS_MAX + 1);
    assert_eq!(faulty.app.tree.audit.stats().waiting_bytes, 0);
}

#[actix_web::test]
async fn r021_r022_a_flush_is_one_statement_of_bound_values_with_the_databases_stamp() {
    let way = PostgresProxy::before(&shared().socket_dir).await;
    let database = TestDatabase::create().await;
    let client = database.connect().await;
    client.batch_execute(NOTE_FLUSHES).await.unwrap();
    // The process's clock is years behind the database's.
    let clock = Arc::new(FrozenClock::at("2020-02-29T23:59:59Z".parse().unwrap()));
    let app = TestApp::start_over_on(&way, database, settings(), clock).await;
    let faulty = Faulty { app, way };
    let agent = faulty.agent("claude", &["home"]).await;
    // All rows but the first come in one flush.
    let held = faulty.way.inject(When::Statement(INSERT), Act::Hold, 1);
    call(&agent, "first").await;
    held.wait_for(1).await;
    calls(&agent).await;
    held.release();
    assert_eq!(landed(&faulty, CALLS + 1).await.len(), CALLS + 1);

    let sql = "SELECT statement, rows, stamps, database_stamp FROM flushes ORDER BY number";
    let flushes = client.query(sql, &[]).await.unwrap();
    let rows: Vec<i64> = flushes.iter().map(|flush| flush.get("rows")).collect();
    assert_eq!(rows, [1, i64::try_from(CALLS).unwrap()]);
    for flush in &flushes {
        let stamp: DateTime<Utc> = flush.get("database_stamp");
        assert_eq!(flush.get::<_, Vec<DateTime<Utc>>>("stamps"), [stamp]);
        let statement: &str = flush.get("statement");
        assert_eq!(statement, flushes[0].get::<_, &str>("statement"));
        for value in ["claude", "list_actions", "home", "allow", "'ok'", "n0"] {
            assert!(!statement.contains(value), "{value}: {statement}");
        }
    }
    let of_the_database =
        "SELECT count(*) FROM audit_log WHERE created_at > now() - interval '1 day'";
    let recent: i64 = client.query_one(of_the_database, &[]).await.unwrap().get(0);
    assert_eq!(usize::try_from(recent).unwrap(), CALLS + 1);
}

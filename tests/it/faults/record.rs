//! The record over a database that fails: calls go on, their rows wait, and land once, in order, whole.

use serde_json::{Value, json};
use sextant::app::Settings;
use sextant_actors::limits::Limits;

use super::Faulty;
use crate::mcp::support::{Client, body_of};
use crate::support::app::settings;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::{Act, When};

const INSERT: &str = "INSERT INTO audit_log";
const POSITION: &str = "SELECT seq FROM audit_position";
/// Calls of one test.
const CALLS: usize = 12;
const ROWS_MAX: usize = 5;

/// A call whose row bears this name.
async fn call(agent: &Client, name: &str) {
    let arguments = json!({ "target": format!("home.{name}") });
    let (status, _) = body_of(agent.modern_call("list_actions", arguments)).await;
    assert_eq!(status, 200, "{name}: no call fails by its row");
}

async fn calls(agent: &Client) {
    for number in 0..CALLS {
        call(agent, &format!("n{number}")).await;
    }
}

/// What the rows hold as arguments, oldest first, once so many are there; and that they are counted by hour as often.
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
            // It is asked for after an error alone.
            let when = When::Statement(INSERT);
            faulty.way.inject(when, Act::LoseAnswer, 1);
        }
        let fault = faulty.way.inject(When::Statement(piece), act, 2);
        calls(&agent).await;
        fault.has_struck(2).await;
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
        held.has_struck(1).await;
        calls(&agent).await;
        call(&agent, "poison").await;
        call(&agent, "last").await;
        held.let_go();
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
    let bounded = Limits {
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
    full.has_struck(1).await;
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

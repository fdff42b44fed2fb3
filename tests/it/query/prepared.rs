use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sextant::query::check::check_rows;
use sextant::query::compile::{self, Plan, Statement};
use sextant::query::effort::Effort;
use sextant::query::readers::{CallReader, SnapshotMode};
use sextant::query::request::Request;
use sextant::query::time::LocalTime;
use sextant_actors::domain::OPERATOR;

use super::house::now;
use crate::support::TestDatabase;

/// Statements that a connection may keep prepared.
const KEPT_MAX: i64 = 64;
const CHARS: usize = 100;

fn statement(arguments: &Value) -> Statement {
    let request = Request::parse(arguments).unwrap();
    let time = LocalTime {
        now: now(),
        zone: chrono_tz::UTC,
    };
    compile::rows(&check_rows(&request, OPERATOR, &time).unwrap(), CHARS)
}

fn limited(limit: usize) -> Statement {
    statement(&json!({"target": "finance.transactions", "limit": limit}))
}

async fn kept(reader: &mut CallReader) -> i64 {
    let count = Statement {
        sql: "SELECT count(*) FROM pg_catalog.pg_prepared_statements".into(),
        params: Vec::new(),
        plan: Plan::Momentary,
    };
    let rows = reader.run(&count).await.unwrap();
    rows.first().unwrap().get(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_of_one_shape_is_prepared_once_and_a_search_never() {
    let database = TestDatabase::create().await;
    let open = database
        .open()
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let mut reader = CallReader::open(&open.readers().other, Effort::Other, None)
        .await
        .unwrap();
    for category in ["rent", "food", "rent"] {
        let asked = json!({"target": "finance.transactions", "where": {"category": category}});
        reader.run(&statement(&asked)).await.unwrap();
        reader
            .run_each(&[statement(&asked)], SnapshotMode::Shared)
            .await
            .unwrap();
        let search = json!({"target": "mail.messages", "search": category});
        reader.run(&statement(&search)).await.unwrap();
        assert_eq!(kept(&mut reader).await, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_keeps_a_bounded_number_of_statements() {
    let database = TestDatabase::create().await;
    let open = database
        .open()
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let mut reader = CallReader::open(&open.readers().other, Effort::Other, None)
        .await
        .unwrap();
    let mut most = 0;
    for limit in 1..=100 {
        reader.run(&limited(limit)).await.unwrap();
        most = most.max(kept(&mut reader).await);
    }
    assert!((2..=KEPT_MAX).contains(&most), "{most}");
}

/// The time at which the server executes it.
fn executed_at(comment: &str) -> Statement {
    Statement {
        sql: format!("SELECT clock_timestamp() -- {comment}"),
        params: Vec::new(),
        plan: Plan::Lasting,
    }
}

/// What is read first may stand for what is read after it only if it is: a prepared statement waits for one that is not.
#[tokio::test(flavor = "multi_thread")]
async fn statements_sent_together_are_executed_in_their_order_whichever_are_prepared() {
    let database = TestDatabase::create().await;
    let open = database
        .open()
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let mut reader = CallReader::open(&open.readers().other, Effort::Other, None)
        .await
        .unwrap();
    let statements = ["first", "second", "third"].map(executed_at);
    reader.run(&statements[1]).await.unwrap();
    let answers = reader
        .run_each(&statements, SnapshotMode::PerStatement)
        .await
        .unwrap();
    let times: Vec<DateTime<Utc>> = answers.iter().map(|rows| rows[0].get(0)).collect();
    assert!(times.is_sorted(), "{times:?}");
}

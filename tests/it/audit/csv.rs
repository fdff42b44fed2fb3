//! The audit log as a file, read back by an independent parser.

use std::process::Stdio;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use sextant_actors::domain::{Decision, OPERATOR, Outcome};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::many::fill;
use super::{args, entry, write};
use crate::support::eventually::eventually;
use crate::support::{TestApp, skipped};

/// Reads the rows with Python's own parser.
const PARSER: &str = "import csv, json, sys\n\
    text = open(0, newline='', encoding='utf-8').read()\n\
    json.dump(list(csv.reader(text.splitlines(keepends=True), strict=True)), sys.stdout)";
const COLUMNS: [&str; 11] = [
    "id",
    "agent_id",
    "tool",
    "sector",
    "decision",
    "deny_reason",
    "args",
    "result_count",
    "outcome",
    "request_id",
    "created_at",
];
/// More than the answer and the sockets' buffers hold together.
const MANY: u64 = 80_000;

async fn parsed(text: &str) -> Vec<Vec<String>> {
    let mut python = Command::new("python3")
        .args(["-c", PARSER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut input = python.stdin.take().unwrap();
    input.write_all(text.as_bytes()).await.unwrap();
    drop(input);
    let output = python.wait_with_output().await.unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The text of a cell for what the route for pages returns.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[actix_web::test]
async fn r046_every_row_is_a_line_and_the_arguments_stand_as_recorded() {
    let name = "r046_every_row_is_a_line_and_the_arguments_stand_as_recorded";
    if Command::new("python3")
        .arg("--version")
        .output()
        .await
        .is_err()
    {
        return skipped::for_want_of(name, "python3 is missing");
    }
    let app = TestApp::start().await;
    let mut full = entry("laptop", "query");
    full.args = args(
        json!({ "q": "a,\"b\"\r\n=1+1", "n": 1.10, "big": 12345678901234567890_u64, "none": null, "ü": "=x" }),
    );
    (full.result_count, full.request_id) = (Some(3), Some("line\none".into()));
    let mut formula = entry("-minus", "@SUM(A1)");
    formula.decision = Decision::Deny("=cmd|'/C calc'!A0".into());
    (formula.outcome, formula.request_id) = (None, Some("+1".into()));
    formula.args = args(json!("=1+1"));
    let mut bare = entry("x", "\ttab");
    (bare.user_id, bare.agent_id, bare.sector, bare.outcome) =
        (None, None, None, Some(Outcome::Error));
    write(&app.pool, vec![full, formula, bare]).await;

    let answer = app.get("/api/audit.csv").await;
    assert_eq!(answer.status, 200);
    let media = answer.headers["content-type"].to_str().unwrap();
    assert!(media.starts_with("text/csv; charset=utf-8"), "{media}");
    let named = answer.headers["content-disposition"].to_str().unwrap();
    assert!(
        named.starts_with("attachment; filename=\"sextant-audit-20") && named.ends_with(".csv\""),
        "{named}"
    );
    let lines = parsed(&answer.text).await;
    assert_eq!(lines[0], COLUMNS);
    let pages = app.audit("").await.expect(200);
    let rows = pages["rows"].as_array().unwrap();
    assert_eq!(lines.len(), 1 + rows.len());
    for (line, row) in lines[1..].iter().zip(rows) {
        for (column, text) in COLUMNS
            .iter()
            .zip(line)
            .filter(|(column, _)| **column != "args")
        {
            let told = cell(&row[*column]);
            let guarded = told.starts_with(['=', '+', '-', '@', '\t']);
            let expected = if guarded { format!("'{told}") } else { told };
            assert_eq!(*text, expected, "{column}");
        }
        let args: Option<Value> =
            (!line[6].is_empty()).then(|| serde_json::from_str(&line[6]).unwrap());
        assert_eq!(args.unwrap_or_default(), row["args"]);
    }
    // Text from the database as it is, without an apostrophe before it.
    let database = app.database.connect().await;
    let recorded =
        "SELECT coalesce(args::text, '') FROM audit_log ORDER BY created_at DESC, id DESC";
    let recorded = database.query(recorded, &[]).await.unwrap();
    let recorded: Vec<String> = recorded.iter().map(|row| row.get(0)).collect();
    assert_eq!(
        lines[1..]
            .iter()
            .map(|line| line[6].clone())
            .collect::<Vec<_>>(),
        recorded
    );
    assert!(!answer.text.contains(&OPERATOR.to_string()), "r044");
}

#[actix_web::test]
async fn the_file_holds_the_whole_filtered_record_and_leaves_no_row() {
    let app = TestApp::start().await;
    fill(&app.database.connect().await, 1, 30_000).await;
    let ids = async |query: &str| -> Vec<i64> {
        let text = app.get(&format!("/api/audit.csv{query}")).await.text;
        let lines = text.split_terminator("\r\n").skip(1);
        lines
            .map(|line| line.split(',').next().unwrap().parse().unwrap())
            .collect()
    };
    let all = ids("").await;
    assert_eq!(all.len(), 30_000, "and r041: as many after it was read");
    let newest = app.audit("?limit=500").await.expect(200);
    let newest: Vec<i64> = newest["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].as_str().unwrap().parse().unwrap())
        .collect();
    assert_eq!(all[..500], newest, "the newest first");
    assert_eq!(ids("").await, all);
    assert_eq!(ids("?agent=rare").await.len(), 1);
    assert_eq!(ids("?tool=ingest&result=denied").await.len(), 200);
    let month = ids("?from=2020-01-02T00:00:00Z&to=2020-01-03T00:00:00Z").await;
    assert!(
        !month.is_empty() && month.len() < all.len(),
        "{}",
        month.len()
    );
    app.get("/api/audit.csv?limit=5")
        .await
        .expect_problem(400, "invalid", Some("limit"));
    app.get("/api/audit.csv?before=x")
        .await
        .expect_problem(400, "invalid", Some("before"));
}

/// The number of database sessions in the middle of a transaction over the audit log.
pub async fn readings(app: &TestApp) -> i64 {
    let database = app.database.connect_as_superuser().await;
    let reading = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() \
        AND state = 'idle in transaction'";
    database.query_one(reading, &[]).await.unwrap().get(0)
}

#[actix_web::test]
async fn a_file_is_sent_as_it_is_taken_and_ends_with_its_reader() {
    let app = TestApp::start().await;
    fill(&app.database.connect().await, 1, MANY).await;
    let take = async || {
        let answer = app
            .request(reqwest::Method::GET, "/api/audit.csv")
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 200);
        let mut pieces = answer.bytes_stream();
        let first = pieces.next().await.unwrap().unwrap();
        assert!(first.starts_with(b"id,agent_id,tool"));
        pieces
    };
    // Readers that stop reading: what cannot be sent is not read from the database, so their transactions stay open.
    let (one, two) = (take().await, take().await);
    eventually("both wait for their readers", async || {
        readings(&app).await == 2
    })
    .await;
    app.get("/api/audit.csv")
        .await
        .expect_problem(503, "unavailable", None);
    app.audit("").await.expect(200);
    // The readers close their connections.
    drop((one, two));
    eventually("their connections are free", async || {
        readings(&app).await == 0
    })
    .await;
    // A turn is given back a moment after its connection has closed.
    eventually("there is room again", async || {
        app.get("/api/audit.csv?agent=agent-7").await.status == 200
    })
    .await;
}

#[actix_web::test]
async fn a_file_is_of_one_moment_and_one_that_is_cut_short_is_no_file() {
    let app = TestApp::start().await;
    let database = app.database.connect().await;
    fill(&database, 1, MANY).await;
    let begin = async || {
        let answer = app
            .request(reqwest::Method::GET, "/api/audit.csv")
            .header("connection", "close")
            .send()
            .await
            .unwrap();
        let mut pieces = answer.bytes_stream();
        let first = pieces.next().await.unwrap().unwrap();
        (first, pieces)
    };
    let lines = |bytes: &[u8]| {
        u64::try_from(bytes.windows(2).filter(|pair| pair == b"\r\n").count()).unwrap()
    };
    let (first, mut rest) = begin().await;
    // Rows that come before all that are still to be sent.
    let older = "INSERT INTO audit_log (tool, decision, created_at) SELECT 'late', 'allow', '1999-01-01' FROM generate_series(1, 100)";
    database.batch_execute(older).await.unwrap();
    let mut whole = first.to_vec();
    while let Some(piece) = rest.next().await {
        whole.extend_from_slice(&piece.unwrap());
    }
    assert_eq!(lines(&whole), 1 + MANY);

    let (_, mut rest) = begin().await;
    app.lose_database().await;
    let mut is_cut = false;
    while let Some(piece) = rest.next().await {
        is_cut = piece.is_err();
        if is_cut {
            break;
        }
    }
    assert!(
        is_cut,
        "the end of what was read passed for the end of the record"
    );
    app.get("/api/audit.csv")
        .await
        .expect_problem(503, "unavailable", None);
}

//! A push over a database that fails in the middle: a clear error, nothing stored in part, and a repetition that
//! stores everything once.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::Faulty;
use crate::support::app::Answer;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::{Act, When};

const TABLE: &str = "finance.transactions";
/// In the text of the push's transaction alone.
const STORING: &str = r#""finance"."transactions""#;
/// Several batches within the transaction.
const RECORDS: usize = 2_500;

struct Device {
    id: String,
    secret: String,
}

impl Device {
    async fn of(faulty: &Faulty) -> Self {
        let (id, secret) = faulty.app.push_connection(TABLE).await;
        Self { id, secret }
    }

    async fn push(&self, faulty: &Faulty) -> Answer {
        let records: Vec<Value> = (0..RECORDS).map(coffee).collect();
        let request = faulty
            .app
            .request(reqwest::Method::POST, &format!("/api/ingest/{}", self.id))
            .bearer_auth(&self.secret)
            .json(&records);
        faulty.app.send(request).await
    }
}

fn coffee(number: usize) -> Value {
    json!({ "id": format!("t{number}"), "amount": -3, "currency": "EUR", "booked_on": "2026-03-01" })
}

/// The number of rows in the table, and of their distinct source ids.
async fn stored(faulty: &Faulty) -> (usize, usize) {
    let database = faulty.app.database.connect().await;
    let sql = "SELECT count(*), count(DISTINCT source_id) FROM finance.transactions";
    let row = database.query_one(sql, &[]).await.unwrap();
    let count = |place| usize::try_from(row.get::<_, i64>(place)).unwrap();
    (count(0), count(1))
}

fn said(answer: Answer, status: u16) -> String {
    let body = answer.expect(status);
    body["message"].as_str().unwrap().to_owned()
}

/// Outcome and count of the audit rows of pushes, oldest first.
async fn audit_rows(faulty: &Faulty, count: usize) -> Vec<(Value, Value)> {
    let rows = faulty.app.audit_rows(count).await;
    rows.iter()
        .filter(|row| row["tool"] == "ingest")
        .map(|row| (row["outcome"].clone(), row["result_count"].clone()))
        .collect()
}

#[actix_web::test]
async fn r505_a_push_whose_commit_is_not_answered_says_so_and_is_stored_once_however_often_it_comes()
 {
    let faulty = Faulty::start().await;
    let device = Device::of(&faulty).await;
    let lost = faulty
        .way
        .inject(When::CommitAfter(STORING), Act::LoseAnswer, 2);
    for _ in 0..2 {
        let said = said(device.push(&faulty).await, 503);
        assert!(
            said.contains("send the push again, it is stored once"),
            "{said}"
        );
    }
    assert_eq!(lost.count(), 2);
    assert_eq!(
        stored(&faulty).await,
        (RECORDS, RECORDS),
        "it was committed"
    );
    let again = device.push(&faulty).await.expect(200);
    assert_eq!(again["unchanged"], RECORDS, "{again}");
    assert_eq!(stored(&faulty).await, (RECORDS, RECORDS));
    let (lost, known) = ((json!("error"), Value::Null), (json!("ok"), json!(RECORDS)));
    assert_eq!(audit_rows(&faulty, 3).await, [lost.clone(), lost, known]);
}

#[actix_web::test]
async fn r505_a_push_that_the_database_leaves_in_the_middle_stores_nothing_in_part() {
    let faults = [
        (When::CommitAfter(STORING), Act::CutBefore),
        (When::Statement(STORING), Act::CutBefore),
        (When::Statement(STORING), Act::HangUp("57P01")),
        (When::Statement(STORING), Act::Refuse("53100")),
        (When::Statement("last_success_at"), Act::LoseAnswer),
        (When::CommitAfter(STORING), Act::Refuse("53100")),
    ];
    let faulty = Faulty::start().await;
    let device = Device::of(&faulty).await;
    for (when, act) in faults {
        let fault = faulty.way.inject(when, act, 1);
        let said = said(device.push(&faulty).await, 503);
        assert_eq!(fault.count(), 1, "{when:?} {act:?}");
        assert!(
            said.contains("send the push again"),
            "{when:?} {act:?}: {said}"
        );
        assert_eq!(stored(&faulty).await, (0, 0), "{when:?} {act:?}");
    }
    let stored_now = device.push(&faulty).await.expect(200);
    assert_eq!(stored_now["inserted"], RECORDS, "{stored_now}");
    assert_eq!(
        audit_rows(&faulty, faults.len() + 1).await.len(),
        faults.len() + 1
    );
}

#[actix_web::test]
async fn r505_a_push_that_meets_another_is_made_again_and_stored_once() {
    let faulty = Faulty::start().await;
    let device = Device::of(&faulty).await;
    faulty
        .way
        .inject(When::Statement(STORING), Act::Refuse("40001"), 1);
    faulty
        .way
        .inject(When::CommitAfter(STORING), Act::Refuse("40P01"), 1);
    let stored_now = device.push(&faulty).await.expect(200);
    assert_eq!(stored_now["inserted"], RECORDS, "{stored_now}");
    assert_eq!(stored(&faulty).await, (RECORDS, RECORDS));
}

#[actix_web::test]
async fn a_secret_whose_rotation_is_not_answered_is_refused_until_the_connection_has_been_read() {
    let faulty = Faulty::start().await;
    let device = Device::of(&faulty).await;
    let rotating = "ingest_secret_sha256 = $3";
    let lost = faulty
        .way
        .inject(When::CommitAfter(rotating), Act::LoseAnswer, 1);
    let said = said(faulty.app.rotate_secret(&device.id).await, 503);
    assert_eq!(lost.count(), 1);
    assert!(said.contains("look whether the change was made"), "{said}");
    // The old secret is refused, by the service as in the database.
    device.push(&faulty).await.expect(401);
    let renewed = faulty.app.rotate_secret(&device.id).await.expect(200);
    let renewed = Device {
        secret: renewed["secret"].as_str().unwrap().to_owned(),
        id: device.id,
    };
    renewed.push(&faulty).await.expect(200);
}

#[actix_web::test]
async fn a_pause_whose_commit_is_not_answered_is_kept_and_recorded_as_failed() {
    let faulty = Faulty::start().await;
    let device = Device::of(&faulty).await;
    faulty
        .way
        .inject(When::CommitAfter("SET paused_at"), Act::LoseAnswer, 1);
    let said = said(faulty.app.pause(&device.id).await, 503);
    assert!(said.contains("look whether the change was made"), "{said}");
    device.push(&faulty).await.expect(401);
    let rows = faulty.app.audit_rows(1).await;
    assert_eq!(
        (&rows[0]["tool"], &rows[0]["outcome"]),
        (&json!("pause"), &json!("error"))
    );
}

/// In the text of the statement that reads the connections for the snapshot.
const PUBLISHING: &str = "ingest_secret_sha256, health, problem,";

/// The device is let in, and agents are told of its push, from the table itself.
#[actix_web::test]
async fn a_push_whose_connections_cannot_be_read_again_is_answered_and_told_all_the_same() {
    let faulty = Faulty::start().await;
    let device = Device::of(&faulty).await;
    let key = faulty.app.key_of("reader", &["finance"]).await;
    let unread = faulty
        .way
        .inject(When::Statement(PUBLISHING), Act::Refuse("57P03"), 1_000);
    device.push(&faulty).await.expect(200);
    device.push(&faulty).await.expect(200);
    assert!(unread.count() >= 2);
    let is_current = || faulty.app.tree.connections.snapshot().is_current();
    assert!(!is_current());
    let database = faulty.app.database.connect().await;
    let sql = "SELECT last_success_at FROM connections";
    let row = database.query_one(sql, &[]).await.unwrap();
    let success: DateTime<Utc> = row.get(0);
    for (tool, arguments) in [
        ("query", json!({ "target": TABLE, "limit": 1 })),
        (
            "query",
            json!({ "target": TABLE, "limit": 1, "count": true }),
        ),
        (
            "query",
            json!({ "target": TABLE, "group_by": ["currency"], "aggregate": { "n": "count" } }),
        ),
        ("get_record", json!({ "target": TABLE, "id": device.id })),
    ] {
        let request = faulty
            .app
            .request(reqwest::Method::POST, &format!("/api/read/{tool}"));
        let answer = faulty.app.send(request.bearer_auth(&key).json(&arguments));
        let answer = answer.await.expect(200);
        let told: DateTime<Utc> = answer["sources"][0]["as_of"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(told.timestamp(), success.timestamp(), "{answer}");
    }
    faulty.way.mend();
    eventually("the connections are read", async || is_current()).await;
}

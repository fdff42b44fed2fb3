//! What an answer says of its sources is never newer than its rows, and a change cursor misses nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Duration, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;
use uuid::Uuid;

use super::chance::{Chance, seeds};
use super::house::{House, rows};

const TARGET: &str = "finance.transactions";
const WRITERS: u64 = 3;
const WRITES: usize = 60;
/// How fresh the connection is before the first write; each write makes it fresher by a second.
const BEGINNING: &str = "2026-03-17T08:00:00Z";
/// As a push does: its rows, and how fresh the connection is, in one transaction.
const WRITE: &str = "WITH fresher AS (
        UPDATE connections SET last_success_at = last_success_at + interval '1 second' WHERE id = $1 RETURNING id
    )
    INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, currency, booked_on)
    SELECT gen_random_uuid(), $2, id, gen_random_uuid(), -1, 'EUR', '2026-03-01' FROM fresher";

async fn write(owner: &Client, connection: Uuid, end: &str) {
    owner.batch_execute("BEGIN").await.unwrap();
    owner
        .execute(WRITE, &[&connection, &OPERATOR])
        .await
        .unwrap();
    owner.batch_execute(end).await.unwrap();
}

/// The writes that the answer says are in it.
fn told(answer: &Value) -> i64 {
    let beginning: DateTime<Utc> = BEGINNING.parse().unwrap();
    let as_of: DateTime<Utc> = answer["as_of"].as_str().unwrap().parse().unwrap();
    (as_of - beginning).num_seconds()
}

/// A question, and how many rows its answer tells of.
type Question = (Value, fn(&Value) -> i64);

/// Each question with the number of rows that its answer holds.
fn questions() -> Vec<Question> {
    let all = json!({"target": TARGET, "select": ["amount"], "limit": 1000, "budget": 25000});
    let counted = json!({"target": TARGET, "select": ["amount"], "limit": 1, "count": true});
    let grouped = json!({"target": TARGET, "group_by": ["currency"], "aggregate": {"n": "count"}});
    vec![
        (all, |answer| rows(answer).len().try_into().unwrap()),
        (counted, |answer| answer["matched"].as_i64().unwrap()),
        (grouped, |answer| {
            rows(answer)
                .first()
                .map_or(0, |row| row[1].as_i64().unwrap())
        }),
    ]
}

#[actix_rt::test]
async fn what_an_answer_tells_of_its_sources_is_never_newer_than_its_rows() {
    for seed in seeds() {
        write_and_read(&Chance::of(seed)).await;
    }
}

async fn write_and_read(chance: &Chance) {
    let house = Arc::new(House::build().await);
    let connection = house.connect(TARGET, "Bank").await;
    let writers = (0..WRITERS).map(|number| {
        let (house, mut chance) = (Arc::clone(&house), chance.part(number));
        async move {
            let owner = house.database.connect().await;
            for _ in 0..WRITES {
                let end = if chance.is(20) { "ROLLBACK" } else { "COMMIT" };
                write(&owner, connection, end).await;
                if chance.is(60) {
                    house.tree.connections.reload_progress().await.unwrap();
                }
            }
        }
    });
    let is_done = AtomicBool::new(false);
    let writing = async {
        join_all(writers).await;
        is_done.store(true, Ordering::SeqCst);
    };
    let reading = async {
        let questions = questions();
        let mut last = false;
        while !last {
            last = is_done.load(Ordering::SeqCst);
            for (question, count) in &questions {
                let answer = house.query(question.clone()).await;
                let (told, counted) = (told(&answer), count(&answer));
                assert!(told <= counted, "{told} told, {counted} in {answer}");
            }
        }
    };
    tokio::join!(writing, reading);
    house.tree.connections.reload_progress().await.unwrap();
    for (question, count) in questions() {
        let answer = house.query(question).await;
        assert_eq!(told(&answer), count(&answer), "{answer}");
    }
}

/// A page without rows has no row to bring the watermark.
#[actix_rt::test]
async fn a_change_cursor_of_an_empty_page_misses_nothing_that_commits_later() {
    let house = House::build().await;
    let connection = house.connect(TARGET, "Bank").await;
    let asked = json!({"target": TARGET, "select": ["id"]});
    let writer = house.database.connect().await;
    writer.batch_execute("BEGIN").await.unwrap();
    writer
        .execute(WRITE, &[&connection, &OPERATOR])
        .await
        .unwrap();
    let before = house.query(asked.clone()).await;
    assert_eq!(before["returned"], 0);
    let mut since = asked.clone();
    since["changed_since"] = before["change_cursor"].clone();
    let still = house.query(since.clone()).await;
    assert_eq!(still["returned"], 0);
    assert_eq!(
        still["empty"]["hint"],
        "nothing has changed since that `change_cursor`"
    );
    since["changed_since"] = still["change_cursor"].clone();
    writer.batch_execute("COMMIT").await.unwrap();
    assert_eq!(house.query(since).await["returned"], 1);
}

#[actix_rt::test]
async fn an_answer_without_rows_is_as_fresh_as_the_last_publication_or_fresher() {
    let house = House::build().await;
    let connection = house.connect(TARGET, "Bank").await;
    let empty = json!({"target": TARGET, "where": {"amount": 99}});
    write(&house.owner, connection, "COMMIT").await;
    house.tree.connections.reload_progress().await.unwrap();
    let answer = house.query(empty).await;
    let fresh = Duration::seconds(told(&answer));
    assert_eq!(fresh, Duration::seconds(1));
    assert_eq!(answer["empty"]["reason"], "no_match");
}

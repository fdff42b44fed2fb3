//! What has changed since: a snapshot with the changes since it equals the present rows, whatever commits when.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;
use uuid::Uuid;

use super::house::{House, rows};
use crate::support::eventually::eventually;

/// Rows that are added and deleted.
const IDS: u64 = 12;
const ROUNDS: usize = 60;

/// A small generator of our own: the seed is in the message of a failure.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn id(number: u64) -> Uuid {
    Uuid::from_u128(u128::from(number) + 1)
}

fn arguments(more: Value) -> Value {
    let mut arguments = json!({"target": "finance.transactions", "select": ["id", "amount"], "where": {"amount": {"lt": 0}}});
    arguments
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    arguments
}

/// An agent's copy of the rows: ids and amounts, and its cursor.
#[derive(Default)]
struct Copy {
    rows: BTreeMap<String, String>,
    change_cursor: Option<Value>,
}

impl Copy {
    /// Reads all rows, or the changes, in pages of `limit`.
    async fn read(&mut self, house: &House, limit: u64) {
        let mut cursor = Value::Null;
        let since = self.change_cursor.clone().unwrap_or_default();
        let mut begun = None;
        loop {
            let answer = house
                .query(arguments(
                    json!({"cursor": cursor, "changed_since": since, "limit": limit}),
                ))
                .await;
            for row in rows(&answer) {
                self.rows
                    .insert(row[0].as_str().unwrap().to_owned(), row[1].to_string());
            }
            for gone in answer["deleted"].as_array().into_iter().flatten() {
                self.rows.remove(gone.as_str().unwrap());
            }
            let change_cursor = begun.get_or_insert_with(|| answer["change_cursor"].clone());
            assert_eq!(
                *change_cursor, answer["change_cursor"],
                "every page answers the first one's"
            );
            cursor = answer["next_cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        self.change_cursor = begun;
    }
}

async fn write(writer: &Client, bank: Uuid, random: &mut Random) {
    let id = id(random.below(IDS));
    let amount = random.below(7) as i64 - 4;
    let sql = match random.below(3) {
        0 => format!(
            "UPDATE finance.transactions SET removed_at = now(), changed_xid = pg_current_xact_id() WHERE id = '{id}'"
        ),
        _ => format!(
            "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on)
             VALUES ('{id}', '{OPERATOR}', '{bank}', '{id}', {amount}, '2026-03-01')
             ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, removed_at = NULL, changed_xid = pg_current_xact_id()"
        ),
    };
    // Another writer may hold the row: then this one writes nothing.
    let _taken_by_another = writer
        .batch_execute(&format!(
            "SET LOCAL lock_timeout = '20ms'; SAVEPOINT s; {sql}"
        ))
        .await;
}

#[actix_rt::test]
async fn a_snapshot_and_its_changes_are_the_present_whatever_commits_when() {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let writers = [
        house.database.connect().await,
        house.database.connect().await,
        house.database.connect().await,
    ];
    for seed in 1..=4 {
        let mut random = Random(seed);
        let mut open = [false; 3];
        let mut copy = Copy::default();
        for round in 0..ROUNDS {
            let place = random.below(3) as usize;
            let writer = &writers[place];
            if !open[place] {
                writer.batch_execute("BEGIN").await.unwrap();
                open[place] = true;
            }
            write(writer, bank, &mut random).await;
            match random.below(4) {
                0 => {}
                1 => {
                    writer.batch_execute("ROLLBACK").await.unwrap();
                    open[place] = false;
                }
                _ => {
                    // For a transaction that has failed, COMMIT is a rollback.
                    writer.batch_execute("COMMIT").await.unwrap();
                    open[place] = false;
                }
            }
            if random.below(3) == 0 {
                copy.read(&house, 1 + random.below(4)).await;
            }
            if round + 1 == ROUNDS {
                for (writer, _) in writers.iter().zip(open).filter(|(_, open)| *open) {
                    writer.batch_execute("COMMIT").await.unwrap();
                }
                open = [false; 3];
            }
        }
        copy.read(&house, 3).await;
        let mut present = Copy::default();
        present.read(&house, 1000).await;
        assert_eq!(copy.rows, present.rows, "seed {seed}");
        assert!(!present.rows.is_empty(), "seed {seed} proves nothing");
    }
}

#[actix_rt::test]
async fn what_does_not_match_any_more_is_told_as_gone_and_nothing_is_told_in_words() {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let user = OPERATOR;
    let insert = format!(
        "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on)
         VALUES ('{}', '{user}', '{bank}', 'a', -1, '2026-03-01'), ('{}', '{user}', '{bank}', 'b', -2, '2026-03-02')",
        id(0), id(1)
    );
    house.owner.batch_execute(&insert).await.unwrap();
    let first = house.query(arguments(json!({}))).await;
    assert_eq!(
        (&first["returned"], &first["deleted"]),
        (&json!(2), &Value::Null)
    );
    let (since, quiet) = unchanged(&house).await;
    assert_eq!(quiet["deleted"], json!([]));
    assert_eq!(quiet["empty"]["reason"], "no_match");
    assert!(
        quiet["empty"]["hint"]
            .as_str()
            .unwrap()
            .contains("nothing has changed")
    );
    let change = format!(
        "UPDATE finance.transactions SET amount = 5, changed_xid = pg_current_xact_id() WHERE id = '{}'",
        id(0)
    );
    house.owner.batch_execute(&change).await.unwrap();
    let told = house
        .query(arguments(json!({"changed_since": since, "count": true})))
        .await;
    assert_eq!(
        (&told["rows"], &told["deleted"], &told["matched"]),
        (&json!([]), &json!([id(0)]), &json!(0))
    );
    assert_eq!(told.get("empty"), None);
}

/// The count is of the rows that have changed and match, on every page, with a search and a label too.
#[actix_rt::test]
async fn changes_that_are_counted_are_those_that_match_on_every_page() {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let insert = |from: i32, to: i32| {
        format!(
            "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on, description)
             SELECT md5(i::text)::uuid, '{OPERATOR}', '{bank}', i::text, i, '2026-03-01',
                CASE WHEN i % 2 = 0 THEN 'tea' ELSE 'coffee' END
             FROM generate_series({from}, {to}) AS i ON CONFLICT (id) DO UPDATE
             SET amount = excluded.amount, changed_xid = pg_current_xact_id()"
        )
    };
    house.owner.batch_execute(&insert(1, 4)).await.unwrap();
    for (more, matched) in [
        (json!({"where": {"amount": {"gt": 6}}}), 14),
        (
            json!({"where": {"amount": {"gt": 6}, "connection": "Bank"}}),
            14,
        ),
        (json!({"search": "tea", "where": {"amount": {"gt": 0}}}), 10),
        (json!({"where": {"amount": {"gt": 900}}}), 0),
    ] {
        let question = |more_yet: Value| {
            let mut question = json!({"target": "finance.transactions", "select": ["amount"], "limit": 3, "count": true});
            for part in [&more, &more_yet] {
                question
                    .as_object_mut()
                    .unwrap()
                    .extend(part.as_object().unwrap().clone());
            }
            question
        };
        let since = house.query(question(json!({}))).await["change_cursor"].clone();
        house.owner.batch_execute(&insert(1, 20)).await.unwrap();
        let (mut rows, mut cursor) = (0, Value::Null);
        loop {
            let page = house
                .query(question(json!({"changed_since": since, "cursor": cursor})))
                .await;
            assert_eq!(page["matched"], matched, "{page}");
            rows += page["returned"].as_i64().unwrap();
            cursor = page["next_cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(rows, matched, "{more}");
        house
            .owner
            .batch_execute("DELETE FROM finance.transactions WHERE amount > 4")
            .await
            .unwrap();
    }
}

/// A cursor since which nothing has changed, and the answer to it. While another transaction runs in the server, rows
/// may be returned twice, so this waits for its end.
async fn unchanged(house: &House) -> (Value, Value) {
    let mut found = (Value::Null, Value::Null);
    eventually("nothing is told twice", async || {
        let since = house.query(arguments(json!({}))).await["change_cursor"].clone();
        let told = house
            .query(arguments(json!({"changed_since": since})))
            .await;
        let is_quiet = told["returned"] == 0;
        found = (since, told);
        is_quiet
    })
    .await;
    found
}

#[actix_rt::test]
async fn erased_rows_begin_a_generation_and_other_querys_cursors_are_refused() {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let first = house.query(arguments(json!({}))).await;
    let since = first["change_cursor"].clone();
    let cases = [
        (
            json!({"changed_since": since, "where": {"amount": {"gt": 0}}}),
            "belongs to another query",
        ),
        (json!({"changed_since": "abc"}), "cannot be read"),
        (
            json!({"changed_since": since, "order_by": ["amount"]}),
            "leave `order_by` out",
        ),
        (
            json!({"changed_since": since, "group_by": ["amount"], "select": null}),
            "no `changed_since`",
        ),
    ];
    for (more, said) in cases {
        let fault = house.fault("query", arguments(more)).await;
        assert!(fault.contains(said), "{fault}");
        let (_, call) = fault
            .split_once("Try: ")
            .unwrap_or_else(|| panic!("{fault}"));
        house.query(serde_json::from_str(call).unwrap()).await;
    }
    let view = json!({"target": "mail.threads", "changed_since": since});
    assert!(
        house
            .fault("query", view)
            .await
            .contains("cannot tell what is gone")
    );
    house
        .query(arguments(json!({"changed_since": since})))
        .await;
    let now = super::house::now();
    let rows = sextant::store::connections::RemovedRows::Delete;
    sextant::store::connections::remove(house.pool(), bank, rows, now)
        .await
        .unwrap();
    let fault = house
        .fault("query", arguments(json!({"changed_since": since})))
        .await;
    assert!(fault.starts_with("cursor_expired: "), "{fault}");
}

#[actix_rt::test]
async fn many_changes_keep_the_budget() {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let since = house.query(arguments(json!({}))).await["change_cursor"].clone();
    let insert = format!(
        "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on)
         SELECT md5(i::text)::uuid, '{OPERATOR}', '{bank}', i::text, i % 2 * 2 - 1, '2026-03-01' FROM generate_series(1, 900) AS i"
    );
    house.owner.batch_execute(&insert).await.unwrap();
    let (mut seen, mut cursor) = (0, Value::Null);
    loop {
        let arguments = arguments(
            json!({"changed_since": since, "cursor": cursor, "limit": 1000, "budget": 600, "format": "records"}),
        );
        let answer = house.query(arguments).await;
        assert!(answer.to_string().len() <= 600 * 4);
        let told =
            answer["rows"].as_array().unwrap().len() + answer["deleted"].as_array().unwrap().len();
        assert!(told > 0);
        seen += told;
        cursor = answer["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(seen, 900);
}

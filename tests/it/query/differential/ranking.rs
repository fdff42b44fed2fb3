//! `order_by: ["-rank"]` against the same in memory. How well a row matches is taken from PostgreSQL as given; which
//! rows are ranked, their order, the cut and the count are computed here.

use std::cmp::{Ordering, Reverse};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::query::chance::{Chance, seeds};
use crate::query::house::{House, rows};

const TARGET: &str = "mail.messages";
/// Hits that are ranked; some searches of these rows have more.
const RANKED_MAX: usize = 2000;
const ROWS: i64 = 2600;
const QUESTIONS: u64 = 60;
/// Of so many questions one has more hits than are ranked, whatever the seed.
const CUT_EVERY: u64 = 10;
const SEARCHES: [&str; 8] = [
    "tea",
    "coffee",
    "tea coffee",
    "tea -rent",
    "rent or market",
    "\"tea tea\"",
    "market rent tea",
    "nothing",
];

/// All contain "tea", some more often than others; few share neither time nor rank with another.
const INSERT: &str = "
    INSERT INTO mail.messages (id, user_id, connection_id, source_id, subject, body_text, received_at, is_read)
    SELECT md5(($3::bigint + i)::text)::uuid, $1, $2, i::text,
        (ARRAY['Tea', 'Coffee', 'Rent', 'Letter'])[1 + seed % 4],
        repeat('tea ', 1 + seed / 4 % 4) || repeat('coffee ', seed / 16 % 3) || repeat('market rent ', seed / 48 % 2) || 'x',
        CASE WHEN seed % 29 > 0 THEN timestamptz '2026-01-01T00:00:00Z' + seed % 1500 * interval '1 minute' END,
        CASE WHEN seed % 7 > 0 THEN seed % 2 = 0 END
    FROM generate_series(1, $4::bigint) AS i,
        LATERAL (SELECT abs(hashint8extended(i, $3::bigint) % 1000000)::int AS seed) AS chance";

const RANKS: &str = "
    SELECT id, received_at, is_read, ts_rank(tsv, websearch_to_tsquery('simple', $1), 1)
    FROM mail.messages WHERE tsv @@ websearch_to_tsquery('simple', $1)";

struct Hit {
    id: Uuid,
    received_at: Option<DateTime<Utc>>,
    is_read: Option<bool>,
    rank: f32,
}

impl From<&Row> for Hit {
    fn from(row: &Row) -> Self {
        Self {
            id: row.get(0),
            received_at: row.get(1),
            is_read: row.get(2),
            rank: row.get(3),
        }
    }
}

/// Newest first, those without a time last; among equals the greatest id first.
fn newest_first(one: &Hit, other: &Hit) -> Ordering {
    let key = |hit: &Hit| {
        (
            hit.received_at.is_none(),
            Reverse((hit.received_at, hit.id)),
        )
    };
    key(one).cmp(&key(other))
}

fn best_first(one: &Hit, other: &Hit) -> Ordering {
    let by_rank = other.rank.total_cmp(&one.rank);
    by_rank.then(newest_first(one, other))
}

/// Whether a filter matches a hit.
type Passes = Box<dyn Fn(&Hit) -> bool>;

fn everything() -> (Value, Passes) {
    (json!({}), Box::new(|_| true))
}

/// A random filter, and the same in memory.
fn filter(chance: &mut Chance) -> (Value, Passes) {
    let turn: DateTime<Utc> = "2026-01-01T12:00:00Z".parse().unwrap();
    match chance.below(5) {
        0 => (
            json!({"is_read": false}),
            Box::new(|hit| hit.is_read == Some(false)),
        ),
        1 => (
            json!({"received_at": {"lt": turn}}),
            Box::new(move |hit| hit.received_at.is_some_and(|at| at < turn)),
        ),
        2 => (
            json!({"not": {"is_read": true}, "received_at": {"is_null": false}}),
            Box::new(|hit| hit.is_read != Some(true) && hit.received_at.is_some()),
        ),
        _ => everything(),
    }
}

#[actix_rt::test]
async fn ranked_hits_are_the_best_of_the_newest_in_order() {
    let house = House::build().await;
    let post = house.connect(TARGET, "Post").await;
    for seed in seeds() {
        let mut chance = Chance::of(seed);
        let salt = i64::try_from(chance.below(1 << 40)).unwrap();
        let furnish = [
            &OPERATOR as &(dyn tokio_postgres::types::ToSql + Sync),
            &post,
            &salt,
            &ROWS,
        ];
        house
            .owner
            .batch_execute("DELETE FROM mail.messages")
            .await
            .unwrap();
        house.owner.execute(INSERT, &furnish).await.unwrap();
        let (mut cut, mut full) = (0, 0);
        for number in 0..QUESTIONS {
            let mut chance = chance.part(number);
            let (search, (filter, lets_through)) = if number % CUT_EVERY == 0 {
                (SEARCHES[0], everything())
            } else {
                (*chance.one_of(&SEARCHES), filter(&mut chance))
            };
            let limit = *chance.one_of(&[1, 7, 60, 1000]);
            let asked = json!({"target": TARGET, "select": ["id"], "search": search, "where": filter, "limit": limit,
                "order_by": ["-rank"], "count": chance.is(50), "budget": 25_000});
            let found = house.owner.query(RANKS, &[&search]).await.unwrap();
            let mut hits: Vec<Hit> = found.iter().map(Hit::from).filter(lets_through).collect();
            let matched = hits.len();
            hits.sort_by(newest_first);
            hits.truncate(RANKED_MAX);
            hits.sort_by(best_first);
            hits.truncate(limit);
            cut += usize::from(matched > RANKED_MAX);
            full += usize::from(hits.len() > 1);
            let answer = house.query(asked.clone()).await;
            let expected: Vec<Value> = hits.iter().map(|hit| json!([hit.id])).collect();
            let told: Vec<Value> = rows(&answer).into_iter().map(Value::from).collect();
            // The longest lists are cut at the budget.
            let told_of = told.len().max(limit.min(100)).min(expected.len());
            assert_eq!(told, expected[..told_of], "seed {seed}: {asked}");
            assert_eq!(answer["next_cursor"], Value::Null, "{asked}");
            if let Some(counted) = answer.get("matched") {
                assert_eq!(counted, &json!(matched), "seed {seed}: {asked}");
            }
            assert!(
                asked["count"] == false || answer["matched"] == matched,
                "{asked}"
            );
        }
        assert!(
            cut > 3 && full > 20,
            "{cut}, {full}: too few answers prove anything"
        );
    }
}

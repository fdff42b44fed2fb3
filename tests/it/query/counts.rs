//! Kept counts: whatever happens to rows, they equal what counting gives, for every table of the catalogue.

use futures_util::future::join_all;
use serde_json::{Value, json};
use sextant::catalog;
use sextant::db::{MIGRATIONS, migrate};
use sextant::query::compile;
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;

use super::chance::{Chance, seeds};
use super::months::store::{self, Store};
use crate::support::{TestApp, TestDatabase};

/// Changes for each seed.
const ACTS: u64 = 30;
/// Devices that push concurrently, and how often each does.
const PUSHERS: usize = 4;
const PUSHES: usize = 8;
/// `evidence.count_parts_max`, and the group's part that is added before it is looked at.
const PARTS_MAX: i64 = 17;

/// What counting gives, for every table of the catalogue, in the columns of `sums.counts`.
fn counted() -> String {
    let stored = catalog::tables().filter(|table| table.is_stored());
    let counts = stored.flat_map(|table| {
        let target = table.target();
        let fields = table.fields.iter().filter(|field| field.is_kind);
        let values = fields.map(|field| {
            let name = field.name;
            format!(
                "SELECT user_id, '{target}', '{name}', \"{name}\", count(*) FROM {target}
                WHERE deleted_at IS NULL AND \"{name}\" <> '' AND length(\"{name}\") <= 40 GROUP BY 1, 4"
            )
        });
        let rows = format!(
            "SELECT user_id, '{target}', '', '', count(*) FROM {target} WHERE deleted_at IS NULL GROUP BY 1"
        );
        values.collect::<Vec<_>>().into_iter().chain([rows])
    });
    counts.collect::<Vec<_>>().join(" UNION ALL ")
}

/// A sum of zero counts as a difference: no value outlives its rows.
async fn assert_exact_in(client: &Client, when: &str) {
    let sql = format!(
        "WITH counted(user_id, target, field, value, n) AS ({}), kept AS (
            SELECT user_id, target, field, value, sum(rows)::bigint AS n FROM sums.counts GROUP BY 1, 2, 3, 4
        )
        SELECT 'missing ' || missing::text FROM (TABLE counted EXCEPT ALL TABLE kept) AS missing
        UNION ALL SELECT 'wrong ' || wrong::text FROM (TABLE kept EXCEPT ALL TABLE counted) AS wrong",
        counted()
    );
    let rows = client.query(&sql, &[]).await.unwrap();
    let differences: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert!(differences.is_empty(), "{when}: {differences:#?}");
}

async fn assert_exact(app: &TestApp, when: &str) {
    assert_exact_in(&app.database.connect().await, when).await;
}

#[actix_web::test]
async fn counts_are_what_counting_gives() {
    for seed in seeds() {
        let chance = Chance::of(seed);
        let mut store = Store::with_rows().await;
        for act in 1..=ACTS {
            let what = store.act(&mut chance.part(act)).await;
            assert_exact(&store.app, &format!("seed {seed}, act {act}: {what}")).await;
        }
        let other = store.moved().await;
        assert_exact(&other, &format!("seed {seed}: imported")).await;
    }
}

#[actix_web::test]
async fn counts_are_exact_after_pushes_at_one_time() {
    let app = TestApp::start().await;
    let connections = [
        store::connection(&app, "finance.transactions", "One").await,
        store::connection(&app, "finance.transactions", "Two").await,
    ];
    let pusher = async |pusher: usize| {
        let connection = &connections[pusher % connections.len()];
        for push in 0..PUSHES {
            let few: Vec<Value> = (0..3)
                .map(|number| store::booking(&format!("{pusher} {number}"), "2026-03-01", -5))
                .collect();
            let body = match push % 3 {
                2 => json!({ "deleted": few.iter().map(|row| &row["id"]).collect::<Vec<_>>() }),
                _ => json!({ "records": few }),
            };
            connection.push(&app, &body).await.expect(200);
        }
    };
    join_all((0..PUSHERS).map(pusher)).await;
    let client = app.database.connect().await;
    // Whoever merges leaves what another is merging to it, so that an empty group may be left behind; it is not read.
    let sql = format!(
        "WITH counted(user_id, target, field, value, n) AS ({}), kept AS (
            SELECT user_id, target, field, value, sum(rows)::bigint AS n FROM sums.counts GROUP BY 1, 2, 3, 4 HAVING sum(rows) <> 0
        )
        SELECT count(*) FROM ((TABLE counted EXCEPT ALL TABLE kept) UNION ALL (TABLE kept EXCEPT ALL TABLE counted)) AS differing",
        counted()
    );
    let differing: i64 = client.query_one(&sql, &[]).await.unwrap().get(0);
    assert_eq!(differing, 0);
}

/// Transactions that change the same groups do not wait for each other, whichever ends first.
#[tokio::test(flavor = "multi_thread")]
async fn transactions_that_meet_in_a_group_do_not_wait() {
    let database = TestDatabase::create().await;
    let (one, other) = (database.connect().await, database.connect().await);
    let connection = "INSERT INTO connections (id, user_id, provider, label, sector, target_table)
        SELECT '00000000-0000-4000-8000-0000000000c1', id, 'push', 'One', 'mail', 'mail.messages' FROM users";
    one.batch_execute(connection).await.unwrap();
    let add = "INSERT INTO mail.messages (id, user_id, connection_id, source_id, importance)
        SELECT gen_random_uuid(), user_id, id, gen_random_uuid(), 'low' FROM connections";
    for _ in 0..40 {
        one.batch_execute(&format!("BEGIN; {add}")).await.unwrap();
        other
            .batch_execute(&format!("SET lock_timeout = '1s'; {add}; {add}"))
            .await
            .unwrap();
        one.batch_execute("COMMIT").await.unwrap();
        assert_exact_in(&one, "met").await;
    }
    let parts = "SELECT max(n) FROM (SELECT count(*) AS n FROM sums.counts GROUP BY user_id, target, field, value) AS parts";
    let parts: i64 = one.query_one(parts, &[]).await.unwrap().get(0);
    assert!(parts <= PARTS_MAX, "{parts}");
}

/// The rows of a store that an earlier version made.
#[actix_web::test]
async fn what_is_there_already_is_counted_when_the_counts_come() {
    let database = TestDatabase::made_with("OWNER sextant").await;
    let mut owner = database.connect().await;
    let place = MIGRATIONS.iter().position(|step| step.name == "counts");
    migrate(&mut owner, &MIGRATIONS[..place.unwrap()])
        .await
        .unwrap();
    owner.batch_execute(store::EARLIER).await.unwrap();
    migrate(&mut owner, MIGRATIONS).await.unwrap();
    assert_exact_in(&owner, "brought forward").await;
    let counts = "SELECT count(*) FROM sums.counts";
    let counts: i64 = owner.query_one(counts, &[]).await.unwrap().get(0);
    assert!(counts > 2, "{counts}");
}

/// Each stored table has the three triggers, with its fields of few values.
#[tokio::test(flavor = "multi_thread")]
async fn every_table_of_the_catalogue_is_counted() {
    let database = TestDatabase::create().await;
    let owner = database.connect().await;
    let sql = "SELECT encode(tgargs, 'escape') FROM pg_trigger
        WHERE tgrelid = $1::text::regclass AND tgname LIKE '%\\_rows\\_count'";
    for table in catalog::tables().filter(|table| table.is_stored()) {
        let fields = table.fields.iter().filter(|field| field.is_kind);
        let fields: String = fields.map(|field| format!("{}\\000", field.name)).collect();
        let rows = owner.query(sql, &[&table.target()]).await.unwrap();
        let counted: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        assert_eq!(counted, vec![fields; 3], "{}", table.target());
    }
}

/// The texts alone: which plan PostgreSQL makes for the first and last time is not held here.
#[test]
fn get_schema_counts_no_rows_of_stored_tables() {
    for table in catalog::tables().filter(|table| table.is_stored()) {
        let counts = compile::counts(OPERATOR, &[table]).sql;
        assert!(!counts.contains("FROM \""), "{counts}");
        if let Some(ends) = compile::coverage(OPERATOR, table) {
            assert!(!ends.sql.contains("count("), "{}", ends.sql);
        }
    }
}

//! Kept counts: whatever happens to rows, they equal what counting gives, for every table of the catalogue.

use reqwest::Method;
use serde_json::{Value, json};
use sextant::catalog::{self, Table};
use sextant::db::{MIGRATIONS, migrate};
use tokio_postgres::Client;

use super::chance::{Chance, seeds};
use super::months::store::{self, Connection, Store};
use super::pushers::after_pushes_at_one_time;
use crate::support::generated::{pushable, record};
use crate::support::{TestApp, TestDatabase};

/// Changes for each seed.
const ACTS: u64 = 30;
/// Records of each table that random pushes name: so few that most pushes change some.
const RECORDS: u64 = 30;
/// Changes of random tables, for each seed.
const ACTS_OF_TABLES: u64 = 60;

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

/// The deleted rows that still have a time, and so lie among those that are there (`query::compile::coverage`).
fn timed_tombstones() -> String {
    let stored = catalog::tables().filter(|table| table.is_stored());
    let tombstones = stored.filter_map(|table| {
        let time = table.default_order.first()?.trim_start_matches('-');
        Some(format!(
            "SELECT '{target}', id FROM {target} WHERE deleted_at IS NOT NULL AND \"{time}\" IS NOT NULL",
            target = table.target(),
        ))
    });
    tombstones.collect::<Vec<_>>().join(" UNION ALL ")
}

/// Asserts that the counts are those of the rows. A count of zero is a difference: no value outlives its rows. Deleted rows have
/// nothing by which rows are ordered.
pub async fn assert_exact_in(client: &Client, when: &str) {
    let sql = format!(
        "WITH counted(user_id, target, field, value, n) AS ({}), kept AS (
            SELECT user_id, target, field, value, rows AS n FROM sums.counts
        )
        SELECT 'missing ' || missing::text FROM (TABLE counted EXCEPT ALL TABLE kept) AS missing
        UNION ALL SELECT 'wrong ' || wrong::text FROM (TABLE kept EXCEPT ALL TABLE counted) AS wrong
        UNION ALL SELECT 'noted ' || noted::text FROM evidence.count_notes AS noted
        UNION ALL SELECT 'timed ' || timed::text FROM ({}) AS timed",
        counted(),
        timed_tombstones()
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
    let app = after_pushes_at_one_time().await;
    assert_exact(&app, "pushed at one time").await;
}

/// A transaction does not wait for another that has changed the same groups and is not committed.
#[tokio::test(flavor = "multi_thread")]
async fn transactions_that_meet_in_a_group_do_not_wait() {
    let database = TestDatabase::create().await;
    let (one, other) = (database.connect().await, database.connect().await);
    let connection = "INSERT INTO connections (id, user_id, provider, label, sector, target_table)
        SELECT '00000000-0000-4000-8000-0000000000c1', id, 'push', 'One', 'mail', 'mail.messages' FROM users";
    one.batch_execute(connection).await.unwrap();
    let add = "INSERT INTO mail.messages (id, user_id, connection_id, source_id, importance)
        SELECT gen_random_uuid(), user_id, id, gen_random_uuid(), 'low' FROM connections";
    for remove in ["", "; DELETE FROM mail.messages WHERE importance = 'low'"] {
        one.batch_execute(&format!("BEGIN; {add}")).await.unwrap();
        other
            .batch_execute(&format!("SET lock_timeout = '1s'; {add}; {add}{remove}"))
            .await
            .unwrap();
        one.batch_execute("COMMIT").await.unwrap();
        assert_exact_in(&one, "met").await;
    }
}

/// Two that each take away the last rows of a value but those that the other takes away.
#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_two_transactions_empty_together_is_gone() {
    let database = TestDatabase::create().await;
    let (one, other) = (database.connect().await, database.connect().await);
    one.batch_execute(&store::present()).await.unwrap();
    let erase = |parity: u8| {
        format!("BEGIN; DELETE FROM finance.transactions WHERE source_id::integer % 2 = {parity}")
    };
    one.batch_execute(&erase(0)).await.unwrap();
    other.batch_execute(&erase(1)).await.unwrap();
    one.batch_execute("COMMIT").await.unwrap();
    other.batch_execute("COMMIT").await.unwrap();
    let left = "SELECT count(*) FROM sums.counts";
    let left: i64 = one.query_one(left, &[]).await.unwrap().get(0);
    assert_eq!(left, 0);
}

/// A device for each table that takes pushes.
struct Devices {
    app: TestApp,
    devices: Vec<(&'static Table, Connection)>,
}

impl Devices {
    async fn start() -> Self {
        let app = TestApp::start().await;
        let mut devices = Vec::new();
        for table in pushable() {
            let target = table.target();
            devices.push((table, store::connection(&app, &target, &target).await));
        }
        Self { app, devices }
    }

    /// Makes one random change; returns what it was.
    async fn act(&self, chance: &mut Chance) -> String {
        let (table, device) = chance.one_of(&self.devices);
        let target = table.target();
        let scope = match chance.below(30) {
            0 => json!({ "scope": "connection", "connectionId": device.id }),
            1 => json!({ "scope": "sector", "sector": table.sector.name() }),
            2 => json!({ "scope": "all" }),
            _ => {
                let body = changes(table, chance);
                device.push(&self.app, &body).await.expect(200);
                return format!("a push of {target}");
            }
        };
        let what = format!("an erase of {scope}, {target}");
        self.app.post("/api/erase", scope).await.expect(200);
        what
    }
}

/// A push of some records, each in one of several versions, and deletions of others.
fn changes(table: &Table, chance: &mut Chance) -> Value {
    let (mut records, mut deleted) = (Vec::new(), Vec::new());
    for number in 0..u32::try_from(RECORDS).unwrap() {
        let named = record(table, number);
        match chance.below(6) {
            0 if named.get("id").is_some() => deleted.push(named["id"].clone()),
            1 | 2 => {
                // Of another version every field differs, its parts' ids too.
                let mut version = record(
                    table,
                    number + 1001 * u32::try_from(chance.below(3)).unwrap(),
                );
                for key in ["id", "day"] {
                    if let Some(value) = named.get(key) {
                        version[key] = value.clone();
                    }
                }
                records.push(version);
            }
            _ => {}
        }
    }
    json!({ "records": records, "deleted": deleted })
}

#[actix_web::test]
async fn counts_of_every_table_that_takes_pushes_are_what_counting_gives() {
    for seed in seeds() {
        let chance = Chance::of(seed);
        let devices = Devices::start().await;
        for act in 1..=ACTS_OF_TABLES {
            let what = devices.act(&mut chance.part(act)).await;
            assert_exact(&devices.app, &format!("seed {seed}, act {act}: {what}")).await;
        }
        let exported = devices.app.request(Method::GET, "/api/export");
        let bundle = exported.send().await.unwrap().bytes().await.unwrap();
        let other = TestApp::start().await;
        let import = other.request(Method::POST, "/api/import");
        let import = import.header("content-type", "application/zip");
        other.send(import.body(bundle)).await.expect(200);
        assert_exact(&other, &format!("seed {seed}: imported")).await;
    }
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

//! What an answer has beside its rows: counts, sources, reasons for emptiness, search, budget, records.

use serde_json::{Value, json};
use std::time::Duration;

use sextant::catalog;
use sextant::db::{Database, DatabaseOptions, Place, PoolLimits};
use sextant::query::compile::{Plan, Statement};
use sextant::query::effort::Effort;
use sextant::query::readers::{CallReader, ReadError, SnapshotMode};
use sextant_actors::domain::{Obstacle, Reply};

use super::house::{House, rows};
use crate::support::TestDatabase;
use crate::support::database::drivers;

const TARGET: &str = "finance.transactions";

async fn house_with_rows(rows: i32) -> House {
    let house = House::build().await;
    let bank = house.connect(TARGET, "Bank").await;
    house
        .fill(bank, catalog::by_target(TARGET).unwrap(), 1, rows)
        .await;
    house
}

async fn reason(house: &House, arguments: Value) -> Value {
    let answer = house.query(arguments).await;
    assert_eq!(answer["rows"], json!([]));
    answer["empty"]["reason"].clone()
}

#[actix_rt::test]
async fn matched_is_exact_when_counted_and_when_everything_fits() {
    let house = house_with_rows(30).await;
    let fits = house
        .query(json!({"target": TARGET, "select": ["id"]}))
        .await;
    assert_eq!(
        (&fits["matched"], &fits["returned"]),
        (&json!(30), &json!(30))
    );
    let cut = house
        .query(json!({"target": TARGET, "select": ["id"], "limit": 10}))
        .await;
    assert!(cut.get("matched").is_none());
    let counted = house
        .query(json!({"target": TARGET, "select": ["id"], "limit": 10, "count": true}))
        .await;
    assert_eq!(
        (&counted["matched"], &counted["returned"]),
        (&json!(30), &json!(10))
    );
    let next = json!({"target": TARGET, "select": ["id"], "limit": 10, "count": true, "cursor": counted["next_cursor"]});
    assert_eq!(house.query(next).await["matched"], 30);
    let exactly = house
        .query(json!({"target": TARGET, "select": ["id"], "limit": 30}))
        .await;
    assert_eq!(
        (&exactly["matched"], &exactly["next_cursor"]),
        (&json!(30), &Value::Null)
    );
}

#[actix_rt::test]
async fn sources_say_how_each_connection_is() {
    let house = house_with_rows(3).await;
    let answer = house.query(json!({"target": TARGET})).await;
    assert_eq!(
        answer["sources"],
        json!([{"connection": "Bank", "state": "active", "as_of": "2026-03-17T08:00:00Z", "stale": false}])
    );
    assert_eq!(answer["as_of"], "2026-03-17T08:00:00Z");
    house.alter_connections("paused_at = now()").await;
    let answer = house.query(json!({"target": TARGET})).await;
    assert_eq!(answer["sources"][0]["state"], "paused");
    assert_eq!(answer["sources"][0]["stale"], true);
    assert_eq!(answer["returned"], 3);
}

#[actix_rt::test]
async fn r073_an_empty_answer_says_why_in_each_of_six_ways() {
    let house = House::build().await;
    let all = || json!({"target": TARGET});
    assert_eq!(reason(&house, all()).await, "no_connection");
    let bank = house.connect(TARGET, "Bank").await;
    assert_eq!(reason(&house, all()).await, "no_match");
    house.alter_connections("last_success_at = NULL").await;
    assert_eq!(reason(&house, all()).await, "never_synced");
    house
        .fill(bank, catalog::by_target(TARGET).unwrap(), 1, 5)
        .await;
    house.alter_connections("last_success_at = now()").await;
    let nothing = || json!({"target": TARGET, "where": {"amount": 12345}});
    assert_eq!(reason(&house, nothing()).await, "no_match");
    for health in ["needs_sign_in", "needs_credentials", "consent_expired"] {
        house
            .alter_connections(&format!("health = '{health}'"))
            .await;
        assert_eq!(reason(&house, nothing()).await, "needs_sign_in");
    }
    house.alter_connections("health = 'backing_off'").await;
    assert_eq!(reason(&house, nothing()).await, "no_match");
    house.alter_connections("paused_at = now()").await;
    assert_eq!(reason(&house, nothing()).await, "paused");
    house
        .alter_connections("paused_at = NULL, health = 'ok'")
        .await;
    let window =
        "INSERT INTO sync_cursors (user_id, connection_id, scope, window_start, window_end)
        SELECT user_id, id, 'all', '2026-01-01', '2027-01-01' FROM connections";
    house.owner.batch_execute(window).await.unwrap();
    let before = json!({"target": TARGET, "where": {"booked_on": {"lt": "2025-01-01"}}});
    assert_eq!(reason(&house, before).await, "outside_window");
    assert_eq!(reason(&house, nothing()).await, "no_match");
}

#[actix_rt::test]
async fn search_finds_words_newest_first_and_takes_the_websearch_syntax() {
    let house = house_with_rows(0).await;
    let insert = "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on, description)
        SELECT md5(d)::uuid, c.user_id, c.id, d, -1, day::date, d FROM connections c,
        (VALUES ('Coffee house', '2026-01-01'), ('Decaf coffee', '2026-02-01'), ('Tea HOUSE', '2026-03-01')) AS v (d, day)";
    house.owner.batch_execute(insert).await.unwrap();
    for (search, expected) in [
        ("coffee", json!([["Decaf coffee"], ["Coffee house"]])),
        ("coffee -decaf", json!([["Coffee house"]])),
        ("\"coffee house\"", json!([["Coffee house"]])),
        ("tea or decaf", json!([["Tea HOUSE"], ["Decaf coffee"]])),
        ("'; DROP TABLE users; --", json!([])),
        ("((", json!(null)),
    ] {
        let arguments = json!({"target": TARGET, "select": ["description"], "search": search});
        if expected.is_null() {
            assert!(
                house
                    .fault("query", arguments)
                    .await
                    .contains("at least one word")
            );
        } else {
            assert_eq!(house.query(arguments).await["rows"], expected, "{search}");
        }
    }
}

#[actix_rt::test]
async fn a_budget_cuts_whole_rows_and_the_cursor_goes_on_to_the_end() {
    let house = house_with_rows(0).await;
    let insert = "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on, description)
        SELECT md5(i::text)::uuid, c.user_id, c.id, i::text, i, date '2026-01-01' + i, repeat('ö ', i * 40)
        FROM connections c, generate_series(1, 60) AS i";
    house.owner.batch_execute(insert).await.unwrap();
    let mut arguments = json!({"target": TARGET, "select": ["amount", "description"], "limit": 1000, "budget": 1000});
    let mut seen = Vec::new();
    loop {
        let answer = house.query(arguments.clone()).await;
        assert!(answer.to_string().len() <= 4000);
        seen.extend(rows(&answer));
        if answer["next_cursor"].is_null() {
            break;
        }
        assert!(answer["notes"].to_string().contains("cut at the budget"));
        arguments["cursor"] = answer["next_cursor"].clone();
    }
    assert_eq!(seen.len(), 60);
}

#[actix_rt::test]
async fn a_value_out_of_range_and_a_database_that_is_away_are_told_in_words() {
    let house = house_with_rows(1).await;
    let huge = json!({"target": TARGET, "where": {"amount": {"lt": 1e300}}});
    assert!(
        house
            .fault("query", huge)
            .await
            .contains("at most 28 digits")
    );
    let admin = house.database.connect_as_superuser().await;
    admin.batch_execute(CUT_OFF).await.unwrap();
    let said = house.fault("query", json!({"target": TARGET})).await;
    assert!(said.starts_with("the database cannot be reached"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_takes_too_long_is_ended_and_told_how_to_narrow() {
    let database = TestDatabase::create().await;
    let options = DatabaseOptions {
        place: Place::Foreign(database.url()),
        reader_role: true,
        limits: PoolLimits {
            reader_statement_timeout: Duration::from_millis(50),
            ..PoolLimits::default()
        },
        drivers: drivers(),
    };
    let open = Database::open(options)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let sleep = Statement {
        sql: "SELECT pg_sleep(3600)".into(),
        params: Vec::new(),
        plan: Plan::Lasting,
    };
    let mut reader = CallReader::open(&open.readers().other, Effort::Other, None)
        .await
        .unwrap();
    let error = reader.run(&sleep).await.unwrap_err();
    assert_eq!(error, ReadError::TooSlow);
    assert!(error.to_string().contains("narrow"));
    let mut next = CallReader::open(&open.readers().other, Effort::Other, None)
        .await
        .unwrap();
    assert_eq!(
        next.run_each(&[sleep], SnapshotMode::Shared)
            .await
            .unwrap_err(),
        ReadError::TooSlow
    );
}

/// A read that waits for another transaction's lock fails with that reason: a narrower query would wait as long.
#[actix_rt::test]
async fn a_read_of_what_other_work_holds_is_told_that_the_database_is_busy() {
    let house = House::within(PoolLimits {
        reader_statement_timeout: Duration::from_secs(3),
        ..PoolLimits::default()
    })
    .await;
    let holder = house.database.connect_as_superuser().await;
    let hold = "BEGIN; LOCK TABLE finance.transactions IN ACCESS EXCLUSIVE MODE";
    holder.batch_execute(hold).await.unwrap();
    for (tool, arguments) in [
        ("query", json!({"target": TARGET})),
        ("query", json!({"target": TARGET, "count": true})),
        (
            "query",
            json!({"target": TARGET, "search": "tea", "count": true}),
        ),
        ("query", json!({"target": TARGET, "group_by": ["category"]})),
        ("get_schema", json!({"target": "finance"})),
        (
            "get_record",
            json!({"target": "finance", "id": uuid::Uuid::nil()}),
        ),
    ] {
        let reply = house.call(tool, arguments.clone()).await.reply;
        let Reply::Failure(Obstacle::Database, said) = reply else {
            panic!("{arguments}: {reply:?}");
        };
        assert!(said.contains("busy") && said.contains("again"), "{said}");
    }
    holder.batch_execute("COMMIT").await.unwrap();
    house.query(json!({"target": TARGET, "count": true})).await;
}

/// After one statement of a transaction has failed, the others fail too: the error is that of the first failure,
/// whichever was sent first.
#[actix_rt::test]
async fn what_failed_first_is_told_and_not_what_failed_with_it() {
    let house = House::within(PoolLimits {
        reader_statement_timeout: Duration::from_secs(3),
        ..PoolLimits::default()
    })
    .await;
    let owner = house.database.connect_as_superuser().await;
    owner.batch_execute(SLOW_DOWN).await.unwrap();
    // The search is sent at once; the count is prepared first, and so is sent after it.
    let asked = json!({"target": TARGET, "search": "tea", "count": true});
    let said = house.fault("query", asked).await;
    owner.batch_execute(SPEED_UP).await.unwrap();
    assert!(said.starts_with("the query took too long"), "{said}");
}

#[actix_rt::test]
async fn a_query_that_costs_too_much_is_told_a_narrower_one_that_runs() {
    let house = House::within(PoolLimits {
        reader_statement_timeout: Duration::from_secs(5),
        ..PoolLimits::default()
    })
    .await;
    let owner = house.database.connect_as_superuser().await;
    owner.batch_execute(SLOW_DOWN).await.unwrap();
    let asked = json!({"target": TARGET, "where": {"amount": {"lt": 0}}, "count": true});
    let said = house.fault("query", asked).await;
    owner.batch_execute(SPEED_UP).await.unwrap();
    assert!(said.starts_with("the query took too long"), "{said}");
    let (_, call) = said.split_once(". Try: ").unwrap();
    let call: Value = serde_json::from_str(call).unwrap();
    let recent = json!({"and": [{"amount": {"lt": 0}}, {"booked_on": {"gte": "today-30d"}}]});
    assert_eq!(call, json!({"target": TARGET, "where": recent}));
    house.query(call).await;
}

/// Replaces the table by a view of it that takes an hour to read.
const SLOW_DOWN: &str = "
    ALTER TABLE finance.transactions RENAME TO kept;
    CREATE VIEW finance.transactions AS SELECT * FROM finance.kept WHERE (SELECT pg_sleep(3600)) IS NOT NULL;
    GRANT SELECT ON finance.transactions TO PUBLIC;";
const SPEED_UP: &str = "
    DROP VIEW finance.transactions;
    ALTER TABLE finance.kept RENAME TO transactions;";

/// Only a superuser may connect any more, and all other connections are ended.
const CUT_OFF: &str = "
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 0', current_database()); END $$;
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();";

//! How `get_schema` finds what is not kept: from the ends of indexes, and of a view from a bounded number of rows.

use serde_json::Value;
use sextant::catalog::{self, Table};
use sextant::query::{column::Column, compile};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;

use crate::support::TestDatabase;

/// Rows of each table: so many that reading all is dearer than an index.
const ROWS: i64 = 3_000;
/// Messages of which most are deleted: so many that walking all is dearer than an index of those without a time.
const MESSAGES: i64 = 20_000;
/// Rows that stay: so few that a view has fewer than it may read.
const LEFT: i64 = 500;
/// The rows that a view's statement may read: all of few, and fewer of many.
const GROUPED_MAX: i64 = LEFT;
/// The pages that the statement of a stored table may read: at either end the levels of an index, and a row.
const END_PAGES_MAX: i64 = 12;

/// The columns of a table that must have a value, with their types.
const REQUIRED: &str = "SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute
    WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        AND (attnotnull AND NOT atthasdef OR attname = ANY($2::text[]))";

/// The tables that are stored and ordered by time.
fn timed() -> impl Iterator<Item = (&'static Table, Column)> {
    catalog::tables().filter_map(|table| {
        let time = table.default_order.first()?.trim_start_matches('-');
        let time = Column::find(table, time)?;
        (table.is_stored() && time.is_time()).then_some((table, time))
    })
}

/// Adds rows of the user `1`, one a day or minute; triggers and references are left out.
async fn fill(owner: &Client, table: &Table, time: &str, count: i64) {
    let required = table.fields.iter().filter(|field| field.required);
    let named: Vec<&str> = required.map(|field| field.name).chain([time]).collect();
    let rows = owner
        .query(REQUIRED, &[&table.target(), &named])
        .await
        .unwrap();
    let (names, values): (Vec<String>, Vec<String>) = rows
        .iter()
        .map(|row| (row.get::<_, String>(0), row.get::<_, String>(1)))
        .map(|(name, kind)| {
            let allowed = table.field(&name).and_then(|field| field.values.first());
            let value = match (name.as_str(), kind.as_str(), allowed) {
                ("user_id", ..) => format!("'{OPERATOR}'"),
                (_, "uuid", _) => "md5(n::text)::uuid".to_owned(),
                (_, _, Some(allowed)) => format!("'{allowed}'"),
                (_, "date", _) => "date '2000-01-01' + n".to_owned(),
                (_, "timestamp with time zone", _) => {
                    "timestamptz '2020-01-01' + n * interval '1 minute'".to_owned()
                }
                (_, "text", _) => "n::text".to_owned(),
                (_, "boolean", _) => "false".to_owned(),
                (_, "xid8", _) => "'1'".to_owned(),
                (_, "jsonb", _) => "'{}'".to_owned(),
                _ => "n".to_owned(),
            };
            (format!("\"{name}\""), value)
        })
        .unzip();
    let sql = format!(
        "SET session_replication_role = replica; INSERT INTO {} ({}) SELECT {} FROM generate_series(1, {count}) AS series(n)",
        table.target(),
        names.join(", "),
        values.join(", ").replace("+ n", "+ n::integer")
    );
    owner
        .batch_execute(&sql)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    keep_count(owner, table, count).await;
}

/// Keeps the number of a table's rows, as its triggers would.
async fn keep_count(owner: &Client, table: &Table, count: i64) {
    let sql =
        "INSERT INTO sums.counts (user_id, target, field, value, rows) VALUES ($1, $2, '', '', $3)
        ON CONFLICT (user_id, target, field, value) DO UPDATE SET rows = excluded.rows";
    owner
        .execute(sql, &[&OPERATOR, &table.target(), &count])
        .await
        .unwrap();
}

/// Deletes all rows but the oldest. Their times go with them, as those of all deleted rows (`counts::assert_exact_in`).
async fn delete_newest(owner: &Client, table: &Table, time: &str) {
    let newest = format!(
        "UPDATE {target} SET \"{time}\" = NULL, {removed_at} = now()
        WHERE id IN (SELECT id FROM {target} ORDER BY \"{time}\" OFFSET {LEFT})",
        removed_at = table.removed_column(),
        target = table.target(),
    );
    owner.batch_execute(&newest).await.unwrap();
    keep_count(owner, table, LEFT).await;
}

/// The plan of a statement, and how many rows and pages it read and rows it left out when it ran.
async fn plan(client: &Client, sql: &str) -> Value {
    let sql = sql.replace("$1", &format!("'{OPERATOR}'::uuid"));
    let explained = format!("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}");
    let row = client.query_one(&explained, &[]).await.unwrap();
    let plan: Value = row.get(0);
    plan[0]["Plan"].clone()
}

/// What reads more rows of a sector than it answers: each scan with rows that is no ordered walk of an index up to a limit.
fn wide_reads(plan: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![(plan, "")];
    while let Some((node, above)) = waiting.pop() {
        let text = |name: &str| node[name].as_str().unwrap_or_default();
        let (kind, relation) = (text("Node Type"), text("Relation Name"));
        let is_ordered = matches!(kind, "Index Scan" | "Index Only Scan") && above == "Limit";
        let has_left_out = node["Rows Removed by Filter"]
            .as_i64()
            .is_some_and(|rows| rows > 0);
        let is_of_sector =
            kind.contains("Scan") && !kind.starts_with("CTE") && !kind.starts_with("Subquery");
        let reads = node["Actual Rows"].as_f64().unwrap_or_default() as i64;
        if is_of_sector
            && relation != "counts"
            && (!is_ordered && reads > 0 || has_left_out || reads > GROUPED_MAX)
        {
            found.push(format!("{kind} of {relation} below {above}, {reads} rows"));
        }
        let below = node["Plans"].as_array().into_iter().flatten();
        waiting.extend(below.map(|plan| (plan, kind)));
    }
    found
}

/// The pages that a statement read, in memory or not.
fn pages(plan: &Value) -> i64 {
    let pages = ["Shared Hit Blocks", "Shared Read Blocks"].map(|name| plan[name].as_i64());
    pages.into_iter().map(Option::unwrap).sum()
}

async fn assert_ends_only(client: &Client, when: &str) {
    for table in catalog::tables() {
        let Some(statement) = compile::coverage(OPERATOR, table) else {
            continue;
        };
        let plan = plan(client, &statement.sql).await;
        assert!(
            !table.is_stored() || pages(&plan) <= END_PAGES_MAX,
            "{} {when}: {plan:#}",
            table.target()
        );
        assert_eq!(
            wide_reads(&plan),
            Vec::<String>::new(),
            "{} {when}: {plan:#}",
            table.target()
        );
    }
}

/// What the planner makes of the plain form of the statement, while it knows nothing of the table.
const PLAIN: &str = "SELECT t.booked_on FROM finance.transactions AS t
    WHERE t.user_id = $1 AND t.deleted_at IS NULL AND t.booked_on IS NOT NULL ORDER BY t.booked_on LIMIT 1";

#[tokio::test(flavor = "multi_thread")]
async fn get_schema_reads_the_ends_of_indexes_whatever_statistics_there_are() {
    let database = TestDatabase::create().await;
    let owner = database.connect_as_superuser().await;
    assert_ends_only(&owner, "without rows").await;
    for (table, time) in timed() {
        fill(&owner, table, time.name, ROWS).await;
    }
    // A push takes statistics as a table grows (`ingest::store::statistics`), and a view's rows come by pushes only.
    owner.batch_execute("ANALYZE mail.messages").await.unwrap();
    let plain = plan(&owner, PLAIN).await;
    assert!(pages(&plain) > END_PAGES_MAX, "{plain:#}");
    assert_ne!(wide_reads(&plain), Vec::<String>::new());
    assert_ends_only(&owner, "without statistics").await;
    owner.batch_execute("ANALYZE").await.unwrap();
    assert_ends_only(&owner, "with statistics").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn get_schema_passes_over_no_deleted_rows() {
    let database = TestDatabase::create().await;
    let owner = database.connect_as_superuser().await;
    for (table, time) in timed() {
        let count = match table.target().as_str() {
            "mail.messages" => MESSAGES,
            _ => ROWS,
        };
        fill(&owner, table, time.name, count).await;
        delete_newest(&owner, table, time.name).await;
    }
    // What an index still leads to of rows before their change, until it is cleaned.
    owner.batch_execute("VACUUM ANALYZE").await.unwrap();
    assert_ends_only(&owner, "with deleted rows").await;
    // A walk in the order of time to the last row that is there.
    let walk = "SELECT t.id FROM mail.messages AS t WHERE t.user_id = $1 AND t.deleted_at IS NULL
        ORDER BY t.received_at DESC NULLS LAST, t.id DESC LIMIT 1001";
    assert_ne!(wide_reads(&plan(&owner, walk).await), Vec::<String>::new());
}

/// What the statement for `mail.threads` answers, and what the view has.
async fn threads(owner: &Client) -> ((i64, bool), (i64, bool)) {
    let table = catalog::by_target("mail.threads").unwrap();
    let statement = compile::coverage(OPERATOR, table).unwrap();
    let found = owner.query_one(&statement.sql, &[&OPERATOR]).await.unwrap();
    let view = "SELECT count(*), min(last_at) IS NOT DISTINCT FROM $2 AND max(last_at) IS NOT DISTINCT FROM $3
        FROM mail.threads WHERE user_id = $1";
    let (first, last): (
        Option<chrono::DateTime<chrono::Utc>>,
        Option<chrono::DateTime<chrono::Utc>>,
    ) = (found.get(2), found.get(3));
    let view = owner
        .query_one(view, &[&OPERATOR, &first, &last])
        .await
        .unwrap();
    ((found.get(0), found.get(1)), (view.get(0), view.get(1)))
}

#[tokio::test(flavor = "multi_thread")]
async fn threads_are_exact_for_a_thousand_messages_and_estimated_for_more() {
    let database = TestDatabase::create().await;
    let owner = database.connect_as_superuser().await;
    let connections = "INSERT INTO connections (id, user_id, provider, label, sector, target_table)
        SELECT md5(n::text)::uuid, id, 'push', n, 'mail', 'mail.messages' FROM users, generate_series(0, 1) AS n";
    owner.batch_execute(connections).await.unwrap();
    let add = |from: i64, to: i64| {
        format!(
            "INSERT INTO mail.messages (id, user_id, connection_id, source_id, thread_id, received_at)
            SELECT gen_random_uuid(), '{OPERATOR}', md5((n % 2)::text)::uuid, n, CASE WHEN n % 7 <> 0 THEN 'thread ' || n / 6 END,
                CASE WHEN n % 11 <> 0 THEN timestamptz '2020-01-01' + n * interval '1 hour' END
            FROM generate_series({from}, {to}) AS n"
        )
    };
    assert_eq!(threads(&owner).await, ((0, false), (0, true)));
    owner.batch_execute(&add(1, 1000)).await.unwrap();
    let ((found, is_estimated), (rows, is_same)) = threads(&owner).await;
    assert_eq!((found, is_estimated, is_same), (rows, false, true));
    owner.batch_execute(&add(1001, 6000)).await.unwrap();
    let ((found, is_estimated), (rows, _)) = threads(&owner).await;
    assert!(is_estimated);
    assert!((found - rows).abs() * 5 < rows, "{found} for {rows}");
}

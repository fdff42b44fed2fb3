//! How the sums are read, with one plan for all values: by index, and of each sign only where the filter asks for it.

use serde_json::{Value, json};
use sextant::query::check::check_groups;
use sextant::query::compile::groups;
use sextant::query::param::Param;
use sextant::query::request::Request;
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;

use super::asked::time;
use crate::support::TestDatabase;

const BY_ACCOUNT: &str = "transactions_by_month_user_id_account_id_booked_on_idx";

/// Bookings of both signs and of zero, of fifty accounts and forty months.
const BOOKINGS: &str = "
    INSERT INTO connections (id, user_id, provider, label, sector, target_table)
    SELECT md5('c')::uuid, id, 'push', 'One', 'finance', 'finance.transactions' FROM users;
    INSERT INTO finance.accounts (id, user_id, connection_id, source_id, name)
    SELECT md5('a' || n)::uuid, c.user_id, c.id, n, n FROM connections AS c, generate_series(0, 49) AS n;
    INSERT INTO finance.transactions (id, user_id, connection_id, source_id, own_account_id, amount, booked_on)
    SELECT md5(n::text)::uuid, c.user_id, c.id, n, md5('a' || n % 50)::uuid, n / 50 % 3 - 1,
        date '2023-01-01' + (n / 150) * 30
    FROM connections AS c, generate_series(0, 5999) AS n;
    ANALYZE;
    SET plan_cache_mode = force_generic_plan";

/// The scans of the sums that were executed, each with its index.
fn scans(plan: &Value) -> Vec<String> {
    let (mut found, mut waiting) = (Vec::new(), vec![plan]);
    while let Some(node) = waiting.pop() {
        let below = node["Plans"].as_array().into_iter().flatten();
        waiting.extend(below.clone());
        let is_read = node["Relation Name"] == "transactions_by_month" && node["Actual Loops"] != 0;
        if is_read {
            let indexes = below
                .chain([node])
                .filter_map(|node| node["Index Name"].as_str());
            found.push(indexes.collect());
        }
    }
    found
}

/// The scans of a query for months whose filter has this condition, and an account. `changed` may change its SQL.
async fn read(
    client: &Client,
    condition: (&str, Value),
    changed: fn(String) -> String,
) -> Vec<String> {
    let account = "md5('a1')::uuid";
    let mut asked = json!({
        "target": "finance.transactions", "group_by": ["booked_on:month"], "aggregate": {"total": "sum(amount)"},
        "where": {"account_id": OPERATOR},
    });
    asked["where"][condition.0] = condition.1;
    let grouped = check_groups(&Request::parse(&asked).unwrap(), OPERATOR, &time()).unwrap();
    let statement = groups(&grouped, 300);
    let types: Vec<String> = statement
        .params
        .iter()
        .map(|param| param.sql_type().to_string())
        .collect();
    let values: Vec<String> = statement
        .params
        .iter()
        .enumerate()
        .map(|(place, param)| match param {
            Param::Id(id) if place == 0 => format!("'{id}'"),
            Param::Id(_) => account.to_owned(),
            Param::Integer(number) => number.to_string(),
            Param::Decimal(number) => number.to_string(),
            Param::Date(day) => format!("'{day}'"),
            other => panic!("{other:?}"),
        })
        .collect();
    let (types, values) = (types.join(", "), values.join(", "));
    let prepare = format!("PREPARE months({types}) AS {}", changed(statement.sql));
    client.batch_execute(&prepare).await.unwrap();
    let explain = format!("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE months({values})");
    let plan: Value = client.query_one(&explain, &[]).await.unwrap().get(0);
    client.batch_execute("DEALLOCATE months").await.unwrap();
    scans(&plan[0]["Plan"])
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_signs_of_the_filter_are_read_and_by_index() {
    let database = TestDatabase::create().await;
    let client = database.connect().await;
    client.batch_execute(BOOKINGS).await.unwrap();
    let as_it_is = |sql: String| sql;
    for condition in [
        ("booked_on", json!({"gte": "2025-01-01"})),
        ("amount", json!({"lt": 0})),
        ("amount", json!({"gt": 0})),
        ("amount", json!({"eq": 0})),
    ] {
        let read = read(&client, condition.clone(), as_it_is).await;
        assert_eq!(read, [BY_ACCOUNT], "{condition:?}");
    }
    // A condition on the amount itself would read all three signs.
    let of_amounts = |sql: String| sql.replace("t.\"sign\"", "t.\"amount\"");
    let read = read(&client, ("amount", json!({"lt": 0})), of_amounts).await;
    assert_eq!(read, [BY_ACCOUNT; 2]);
}

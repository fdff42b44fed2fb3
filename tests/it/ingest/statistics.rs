//! What is read for a push is planned by what the push has stored, not by what was there before.

use chrono::NaiveDate;
use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;
use uuid::Uuid;

use super::{Device, counts, rows};
use crate::support::TestApp;

/// What a push reads last: the bookings of the days that it touched.
const BOOKINGS: &str = include_str!("../../../sql/statements/derived/balance_bookings.sql");
/// Bookings of a push: enough that reading the table whole for each day costs more than following its index.
const BOOKINGS_PUSHED: u32 = 4_000;
const ACCOUNTS: u32 = 5;
const DAYS: u32 = 200;
/// The days that are asked for.
const DAYS_READ: u32 = 20;

fn booking(number: u32) -> Value {
    let day = NaiveDate::default() + chrono::Days::new((number % DAYS).into());
    let account = format!("account {}", number % ACCOUNTS);
    json!({
        "id": number.to_string(), "amount": -1, "currency": "EUR", "booked_on": day, "balance_after": number,
        "account": { "source_id": account, "name": account, "currency": "EUR" },
    })
}

/// The kinds of nodes in the plan of [`BOOKINGS`] for some days of one account, with their indexes.
async fn plan(client: &Client) -> Vec<String> {
    let accounts = client
        .query("SELECT id FROM finance.accounts ORDER BY id", &[])
        .await
        .unwrap();
    let account: Uuid = accounts[0].get(0);
    let days: Vec<NaiveDate> = (0..DAYS_READ)
        .map(|day| NaiveDate::default() + chrono::Days::new(day.into()))
        .collect();
    let accounts = vec![account; days.len()];
    let explain = format!("EXPLAIN (FORMAT JSON) {BOOKINGS}");
    let row = client
        .query_one(&explain, &[&OPERATOR, &accounts, &days])
        .await
        .unwrap();
    let mut waiting = vec![row.get::<_, Value>(0)[0]["Plan"].clone()];
    let mut nodes = Vec::new();
    while let Some(node) = waiting.pop() {
        nodes.push(format!("{} {}", node["Node Type"], node["Index Name"]));
        waiting.extend(node["Plans"].as_array().cloned().unwrap_or_default());
    }
    nodes
}

#[actix_web::test]
async fn what_follows_a_first_push_is_planned_as_on_an_analysed_table() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let records: Vec<Value> = (0..BOOKINGS_PUSHED).map(booking).collect();
    let stored = counts(&device.store(records.into()).await);
    assert_eq!(stored, [BOOKINGS_PUSHED.into(), 0, 0, 0]);
    let client = app.database.connect().await;
    let fresh = plan(&client).await;
    client
        .batch_execute("ANALYZE finance.transactions")
        .await
        .unwrap();
    assert_eq!(fresh, plan(&client).await);
}

#[actix_web::test]
async fn a_small_push_takes_no_statistics() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    device.store(json!([booking(1)])).await;
    let taken = "SELECT 1 AS taken FROM pg_stats WHERE schemaname = 'finance' AND tablename = 'transactions'";
    assert_eq!(rows(&app, taken).await, [Value::Null; 0]);
}

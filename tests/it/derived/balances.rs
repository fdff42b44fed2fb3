//! Balances of accounts over time.

use serde_json::{Value, json};

use super::{Device, agent, rows};
use crate::mcp::support::Client;
use crate::support::TestApp;

async fn balances(client: &Client) -> Vec<Value> {
    rows(
        client,
        "finance.balances",
        &["day", "current", "available", "currency"],
        "day",
    )
    .await
}

fn row(day: &str, current: Value, available: Value) -> Value {
    json!({ "day": day, "current": current, "available": available, "currency": "EUR" })
}

fn plain(rows: &[Value]) -> String {
    serde_json::to_string(rows).unwrap().replace(".0000", "")
}

fn stated(at: &str, current: i64) -> Value {
    json!({ "id": "giro", "name": "Giro", "currency": "EUR", "balance_current": current, "balance_as_of": at })
}

#[actix_web::test]
async fn each_day_keeps_the_balance_that_was_stated_last() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let bank = Device::of(&app, "finance.accounts").await;
    // In Berlin, half past eleven at night and half past midnight are different days.
    bank.push(
        &app,
        json!([
            stated("2026-03-01T22:30:00Z", 100),
            stated("2026-03-01T23:30:00Z", 90)
        ]),
    )
    .await;
    bank.push(&app, json!([stated("2026-03-02T10:00:00Z", 80)]))
        .await;
    bank.push(&app, json!([stated("2026-02-27T10:00:00Z", 70)]))
        .await;
    let expected = [
        row("2026-02-27", json!(70), Value::Null),
        row("2026-03-01", json!(100), Value::Null),
        row("2026-03-02", json!(80), Value::Null),
    ];
    assert_eq!(plain(&balances(&client).await), plain(&expected));
    bank.push(&app, json!([stated("2026-03-02T10:00:00Z", 81)]))
        .await;
    assert_eq!(
        plain(&balances(&client).await[2..]),
        plain(&[row("2026-03-02", json!(81), Value::Null)]),
        "a correction"
    );
    bank.push(&app, json!({ "records": [], "deleted": ["giro"] }))
        .await;
    assert!(balances(&client).await.is_empty());
    bank.push(&app, json!([stated("2026-03-03T10:00:00Z", 60)]))
        .await;
    assert_eq!(
        plain(&balances(&client).await),
        plain(&[row("2026-03-03", json!(60), Value::Null)])
    );
    bank.disconnect(&app).await;
    assert!(balances(&client).await.is_empty());
    let left =
        "SELECT (SELECT count(*) FROM finance.balances) + (SELECT count(*) FROM evidence.balances)
        + (SELECT count(*) FROM evidence.stale_balances) AS rows";
    assert_eq!(app.database.rows(left).await, [json!({ "rows": 0 })]);
}

/// Statements come in any order: the account has the latest, whatever else of it has changed.
#[actix_web::test]
async fn an_older_statement_tells_its_day_and_leaves_the_present_balance() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let bank = Device::of(&app, "finance.accounts").await;
    bank.push(&app, json!([stated("2026-03-02T10:00:00Z", 80)]))
        .await;
    let mut older = stated("2026-02-27T10:00:00Z", 70);
    older["name"] = json!("Current account");
    bank.push(&app, json!([older])).await;
    let present = async || {
        let columns = ["name", "balance_current", "balance_as_of"];
        let accounts = rows(&client, "finance.accounts", &columns, "name").await;
        plain(&accounts)
    };
    let told = json!([{ "name": "Current account", "balance_current": 80, "balance_as_of": "2026-03-02T10:00:00Z" }]);
    assert_eq!(present().await, told.to_string());
    let expected = [
        row("2026-02-27", json!(70), Value::Null),
        row("2026-03-02", json!(80), Value::Null),
    ];
    assert_eq!(plain(&balances(&client).await), plain(&expected));
    // Who says when it was updated says what is true since.
    let mut dated = stated("2026-02-28T10:00:00Z", 75);
    dated["updated_at"] = json!("2026-03-03T00:00:00Z");
    bank.push(&app, json!([dated])).await;
    assert!(present().await.contains("75"), "{}", present().await);
}

#[actix_web::test]
async fn bookings_tell_the_balance_their_day_ended_with_late_accounts_included() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let bank = Device::of(&app, "finance.transactions").await;
    let booked = |id: &str, day: &str, amount: i64, after: i64| json!({ "id": id, "account_id": "giro", "booked_on": day, "amount": amount, "balance_after": after });
    bank.push(
        &app,
        json!([
            booked("c", "2026-03-02", 5, 75),
            booked("b", "2026-03-02", -20, 70),
            booked("a", "2026-03-02", -10, 90),
            booked("d", "2026-03-03", -5, 70),
            booked("e", "2026-03-03", 5, 75),
        ]),
    )
    .await;
    assert!(balances(&client).await.is_empty(), "of no account yet");
    let accounts = Device::of(&app, "finance.accounts").await;
    accounts
        .push(
            &app,
            json!([{ "id": "giro", "name": "Giro", "currency": "EUR" }]),
        )
        .await;
    let expected = [row("2026-03-02", json!(75), Value::Null)];
    assert_eq!(
        plain(&balances(&client).await),
        plain(&expected),
        "the third comes back to where it began"
    );
    accounts
        .push(&app, json!([stated("2026-03-02T10:00:00Z", 11)]))
        .await;
    assert_eq!(
        plain(&balances(&client).await),
        plain(&[row("2026-03-02", json!(11), Value::Null)]),
        "what the bank states goes first"
    );
    bank.push(
        &app,
        json!({ "records": [booked("f", "2026-03-04", -1, 74)], "deleted": ["e"] }),
    )
    .await;
    let expected = [
        row("2026-03-02", json!(11), Value::Null),
        row("2026-03-03", json!(70), Value::Null),
        row("2026-03-04", json!(74), Value::Null),
    ];
    assert_eq!(plain(&balances(&client).await), plain(&expected));
    bank.disconnect(&app).await;
    assert_eq!(
        plain(&balances(&client).await),
        plain(&expected[..1]),
        "what others still tell"
    );
}

#[actix_web::test]
async fn statements_of_one_push_that_nest_the_account_are_each_kept() {
    let app = TestApp::start().await;
    let client = agent(&app).await;
    let bank = Device::of(&app, "finance.transactions").await;
    let nested = |id: &str, at: &str, current: i64| json!({ "id": id, "booked_on": "2026-01-01", "amount": 1, "account": stated(at, current) });
    bank.push(
        &app,
        json!([
            nested("a", "2026-01-31T10:00:00Z", 10),
            nested("b", "2026-02-28T10:00:00Z", 20),
            nested("c", "2026-01-31T10:00:00Z", 10),
        ]),
    )
    .await;
    let expected = [
        row("2026-01-31", json!(10), Value::Null),
        row("2026-02-28", json!(20), Value::Null),
    ];
    assert_eq!(plain(&balances(&client).await), plain(&expected));
}

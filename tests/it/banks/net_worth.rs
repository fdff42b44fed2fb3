//! What a person owns on each day, over accounts that are read and accounts whose statements are pushed.

use std::collections::BTreeMap;

use chrono::{NaiveDate, TimeDelta};
use serde_json::{Value, json};

use super::world::{World, now};
use crate::support::stand_ins::simplefin::Bridge;

fn two_accounts(bridge: &mut Bridge) {
    let dollars = bridge.open("a", "giro", "Checking 1234");
    (dollars.balance, dollars.currency) = ("100.00", "USD".to_owned());
    let euros = bridge.open("b", "save", "Savings 5678");
    (euros.balance, euros.currency) = ("7.00", "EUR".to_owned());
}

/// What is owned on a day in each currency, by the rule that the table's description gives: the last row of each account until then.
fn owned_on(day: NaiveDate, rows: &[Value]) -> BTreeMap<String, f64> {
    let mut last: BTreeMap<&str, (&str, f64)> = BTreeMap::new();
    for row in rows {
        let of: NaiveDate = row[0].as_str().unwrap().parse().unwrap();
        if of <= day {
            let told = (row[2].as_str().unwrap(), row[3].as_f64().unwrap());
            last.insert(row[1].as_str().unwrap(), told);
        }
    }
    let mut owned = BTreeMap::new();
    for (currency, amount) in last.into_values() {
        *owned.entry(currency.to_owned()).or_default() += amount;
    }
    owned
}

#[actix_web::test]
async fn what_is_owned_is_right_on_each_day_over_read_and_pushed_accounts() {
    let test = "what_is_owned_is_right_on_each_day";
    let Some(world) = World::connected(test, two_accounts).await else {
        return;
    };
    let (bank, secret) = world.app.push_connection("finance.accounts").await;
    let stated = |day: i64, amount: &str| {
        let at = now() + TimeDelta::days(day);
        json!([{"id": "depot", "name": "Depot", "currency": "USD", "balance_current": amount, "balance_as_of": at.to_rfc3339()}])
    };
    // On each day one of the read accounts changes; the statement of the first day comes after that of the third.
    for (day, balance) in [(1, "90.00"), (2, "80.00"), (3, "85.50")] {
        world.wait(TimeDelta::days(1));
        world.bridge().account("a").balance = balance;
        world.fetch().await;
        let statement = match day {
            2 => stated(3, "1030.00"),
            3 => stated(1, "1010.00"),
            _ => continue,
        };
        world.app.push((&bank, &secret), &statement).await;
    }
    let key = world.app.key_of("ledger", &["finance"]).await;
    let asked = json!({"target": "finance.balances", "select": ["day", "account_id", "currency", "current"], "order_by": ["day"]});
    let answer = world.ask(&key, &asked).await;
    let rows = answer["rows"].as_array().unwrap();
    let owned = |day: i64| owned_on((now() + TimeDelta::days(day)).date_naive(), rows);
    let expected =
        |dollars: f64| BTreeMap::from([("EUR".to_owned(), 7.0), ("USD".to_owned(), dollars)]);
    assert_eq!(owned(0), expected(100.0), "{answer}");
    assert_eq!(owned(1), expected(1100.0), "{answer}");
    assert_eq!(owned(2), expected(1090.0), "{answer}");
    assert_eq!(owned(3), expected(1115.5), "{answer}");
    // The accounts have what was stated last, and money of two currencies is never added.
    let sums =
        json!({"target": "finance.accounts", "aggregate": {"owned": "sum(balance_current)"}});
    let sums = world.ask(&key, &sums).await;
    assert_eq!(sums["columns"], json!(["currency", "owned"]), "{sums}");
    let of = |row: &Value| (row[0].clone(), row[1].as_f64().unwrap());
    let told: Vec<_> = sums["rows"].as_array().unwrap().iter().map(of).collect();
    assert_eq!(
        told,
        [(json!("EUR"), 7.0), (json!("USD"), 1115.5)],
        "{sums}"
    );
}

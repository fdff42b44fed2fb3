//! An account of three sources, and what is owned: counted once, whichever source tells it.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::world::{Follower, World, now};
use crate::support::stand_ins::simplefin::Bridge;

fn at_both([first, second]: [&mut Bridge; 2]) {
    let giro = first.open("a", "giro", "Checking 1234");
    giro.book("1", "-5", now());
    giro.book("2", "-6", now() - TimeDelta::days(1));
    let same = second.open("x", "giro", "My account 1234");
    same.book("u", "-5", now());
}

/// A statement of the same account, with one payment of both bridges, one of the first alone, and one of its own.
async fn push_statement(world: &World) {
    let device = world.device("finance.transactions").await;
    let account = json!({"id": "giro", "name": "From a file", "currency": "EUR", "mask": "1234", "institution_domain": "giro.test"});
    let booked = |id: &str, amount: i64, day: &str| {
        let described = json!({"description": format!("Payment {amount}"), "account": account});
        let mut booked = json!({"id": id, "amount": amount, "currency": "EUR", "booked_on": day});
        let fields = described.as_object().unwrap().clone();
        booked.as_object_mut().unwrap().extend(fields);
        booked
    };
    let all = json!([
        booked("s1", -5, "2026-11-02"),
        booked("s2", -6, "2026-11-01"),
        booked("s3", -9, "2026-10-20")
    ]);
    device.push(world, all).await;
}

async fn amounts(world: &World) -> Vec<String> {
    let moved = world.moved().await.into_iter();
    moved.map(|(_, amount)| amount).collect()
}

#[actix_web::test]
async fn r124_an_account_of_three_sources_is_served_once() {
    let test = "r124_an_account_of_three_sources_is_served_once";
    let Some(world) = World::connected(test, at_both).await else {
        return;
    };
    let mut follower = Follower::of("finance.transactions", &["amount", "account_id"]);
    follower.catches_up(&world).await;
    assert_eq!(amounts(&world).await, ["-6", "-5"], "two by themselves");
    push_statement(&world).await;
    assert_eq!(amounts(&world).await, ["-9", "-6", "-6", "-5", "-5"]);
    // It may be the account of either; one answer tells it of both.
    let asked = world.pairs("open").await;
    assert_eq!(asked.len(), 2, "{asked:?}");
    world.answer(&asked[0], "confirm").await.expect(200);
    assert_eq!(amounts(&world).await, ["-9", "-6", "-5"]);
    assert_eq!(world.pairs("open").await, [] as [Value; 0]);
    let accounts = world.rows("accounts", &["name"]).await;
    assert_eq!(accounts.as_array().unwrap().len(), 1, "{accounts}");
    world.is_consistent().await;
    follower.catches_up(&world).await;
    // A fetch changes nothing of it, and the answer is taken back.
    world.fetch().await;
    assert_eq!(amounts(&world).await, ["-9", "-6", "-5"]);
    world.answer(&asked[0], "unconfirm").await.expect(200);
    assert_eq!(amounts(&world).await, ["-9", "-6", "-6", "-5", "-5"]);
    world.is_consistent().await;
    follower.catches_up(&world).await;
}

#[actix_web::test]
async fn r124_what_is_owned_is_counted_once_on_each_day() {
    let test = "r124_what_is_owned_is_counted_once_on_each_day";
    let share =
        |value: &str| json!({"id": "h", "symbol": "ABC", "shares": "1", "market_value": value});
    let fill = |[first, second]: [&mut Bridge; 2]| {
        let depot = first.open("a", "giro", "Depot 1234");
        (depot.balance, depot.holdings) = ("10.00", vec![share("5.00")]);
        let same = second.open("x", "giro", "Depot 1234");
        (same.balance, same.holdings) = ("10.00", vec![share("5.00")]);
        second.open("y", "save", "Savings 9999").balance = "7.00";
    };
    let Some(world) = World::connected(test, fill).await else {
        return;
    };
    // On the next day one bridge alone tells what is held.
    world.clock.advance(TimeDelta::days(1));
    world.bridge(0).account("a").holdings = Vec::new();
    world.bridge(1).account("x").holdings = vec![share("6.50")];
    world.fetch().await;
    let by_day = async |table: &str, column: &str| {
        let asked = json!({
            "target": table, "group_by": ["day"], "aggregate": {"owned": format!("sum({column})"), "n": "count"}, "order_by": ["day"],
        });
        let rows = world.ask(asked).await["rows"].to_string();
        rows.replace(".0000", "")
    };
    assert_eq!(
        by_day("holdings", "market_value").await.replace("000", ""),
        r#"[["2026-11-02","EUR",1,5],["2026-11-03","EUR",1,6.5]]"#
    );
    let told = by_day("balances", "current").await;
    assert_eq!(
        told,
        r#"[["2026-11-02","EUR",2,17],["2026-11-03","EUR",2,17]]"#
    );
    world.is_consistent().await;
}

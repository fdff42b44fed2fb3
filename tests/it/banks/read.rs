//! Accounts, payments and what their banks complain of, as agents are told of them.

use chrono::TimeDelta;
use serde_json::json;

use super::world::{World, now};
use crate::support::cursors;
use crate::support::stand_ins::simplefin::Bridge;

fn one_account(bridge: &mut Bridge) {
    let account = bridge.open("a", "giro", "Checking 1234");
    account.book("1", "-33.29", now() - TimeDelta::days(1));
    account.hold("p", "-4.50", now());
}

/// The booked row has an id of its own and names the pending one, which is deleted with the same change.
#[actix_web::test]
async fn a_pending_payment_becomes_a_posted_one_in_one_change() {
    let test = "a_pending_payment_becomes_a_posted_one_in_one_change";
    let Some(world) = World::connected(test, one_account).await else {
        return;
    };
    let asked = json!({"target": "transactions", "select": ["id"], "where": {"status": "pending"}});
    let pending = world.app.post("/api/data/finance", asked).await.expect(200);
    let [row] = pending["rows"].as_array().unwrap().as_slice() else {
        panic!("{pending}");
    };
    let id = row[0].clone();
    let cursor = cursors::settled(&world.app, "finance.transactions").await;
    let days = world
        .rows(
            "transactions",
            &["description", "booked_on", "booked_on_from"],
        )
        .await;
    assert_eq!(
        days[1],
        json!(["Payment -4.50", "2026-11-02", "transacted_at"])
    );

    world.wait(TimeDelta::days(2));
    world
        .bridge()
        .account("a")
        .settle("p", "b", now() + TimeDelta::days(2));
    assert_eq!(world.fetch().await["outcome"], "fetched");
    let rows = world
        .rows(
            "transactions",
            &["description", "status", "booked_on", "replaces_id"],
        )
        .await;
    let expected = json!([
        ["Payment -33.29", "posted", "2026-11-01", null],
        ["Payment -4.50", "posted", "2026-11-04", id]
    ]);
    assert_eq!(json!(rows), expected);
    let asked = json!({"target": "transactions", "select": ["status"], "changed_since": cursor});
    let changed = world.app.post("/api/data/finance", asked).await.expect(200);
    assert_eq!(changed["rows"], json!([["posted"]]), "{changed}");
    assert_eq!(changed["deleted"], json!([id]), "{changed}");

    // A round that reads it anew changes nothing of it.
    let cursor = cursors::settled(&world.app, "finance.transactions").await;
    world.wait(TimeDelta::hours(3));
    world.fetch().await;
    let asked = json!({"target": "transactions", "select": ["status"], "changed_since": cursor});
    let changed = world.app.post("/api/data/finance", asked).await.expect(200);
    assert_eq!(changed["rows"], json!([]), "{changed}");
}

#[actix_web::test]
async fn a_bank_that_needs_the_person_is_told_beside_the_rows_of_the_others() {
    let test = "a_bank_that_needs_the_person_is_told";
    let Some(world) = World::connected(test, one_account).await else {
        return;
    };
    {
        let mut bridge = world.bridge();
        let says = ("con.auth", "You must sign in at Bank save again.");
        bridge
            .open("b", "save", "Savings 5678")
            .book("1", "-7", now());
        bridge.banks.get_mut("save").unwrap().trouble = Some(says);
    }
    world.wait(TimeDelta::hours(3));
    assert_eq!(world.fetch().await["outcome"], "fetched");
    let accounts = world
        .rows("accounts", &["name", "status", "bank_error_code"])
        .await;
    let expected = json!([
        ["Checking 1234", "ok", null],
        ["Savings 5678", "needs_sign_in", "con.auth"]
    ]);
    assert_eq!(json!(accounts), expected);
    // The connection is well: the others are read.
    let shown = world.connection().await;
    assert_eq!(shown["health"], "ok", "{shown}");
    assert_eq!(shown["error"]["code"], "source_warning", "{shown}");
    assert!(
        shown["error"]["message"]
            .as_str()
            .unwrap()
            .contains("Bank save"),
        "{shown}"
    );
    assert_eq!(world.rows("transactions", &["amount"]).await.len(), 3);
    let runs = format!(
        "/api/connections/{}/runs?limit=1",
        shown["id"].as_str().unwrap()
    );
    let run = world.app.get(&runs).await.expect(200)["rows"][0].clone();
    assert_eq!(run["outcome"], "ok", "nothing was left out: {run}");
    assert!(
        run["message"].as_str().unwrap().contains("Bank save"),
        "{run}"
    );
    // The person is told at the first place they look at, and agents beside the rows.
    let status = world.app.get("/api/status").await.expect(200);
    let needs = status["attention"].as_array().unwrap().iter();
    let kinds: Vec<_> = needs.map(|one| one["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"connection_warned"), "{status}");
    let asked = world.app.get("/api/operator/context").await.expect(200);
    assert!(
        asked.to_string().contains("sign in at Bank save again"),
        "{asked}"
    );
}

/// What is owned on each day: the balance that the bank stated last on it.
#[actix_web::test]
async fn balances_and_holdings_are_kept_day_by_day() {
    let test = "balances_and_holdings_are_kept_day_by_day";
    let Some(world) = World::connected(test, one_account).await else {
        return;
    };
    for (balance, value) in [("90.00", "5.00"), ("85.50", "6.25")] {
        world.wait(TimeDelta::days(1));
        {
            let mut bridge = world.bridge();
            let account = bridge.account("a");
            account.balance = balance;
            account.holdings =
                vec![json!({"id": "h", "symbol": "ABC", "shares": "1", "market_value": value})];
        }
        world.fetch().await;
    }
    let told = async |table, column| {
        let rows = world.rows(table, &["day", column]).await;
        serde_json::to_string(&rows).unwrap()
    };
    let balances = r#"[["2026-11-02",100.0000],["2026-11-03",90.0000],["2026-11-04",85.5000]]"#;
    assert_eq!(told("balances", "current").await, balances);
    let holdings = r#"[["2026-11-03",5.0000],["2026-11-04",6.2500]]"#;
    assert_eq!(told("holdings", "market_value").await, holdings);
}

#[actix_web::test]
async fn r123_a_bank_that_is_dropped_goes_with_its_rows_at_the_next_sync() {
    let test = "r123_a_bank_that_is_dropped_goes_with_its_rows";
    let many = |bridge: &mut Bridge| {
        one_account(bridge);
        let account = bridge.open("b", "save", "Savings 5678");
        for number in 0..60 {
            let at = now() - TimeDelta::days(number);
            account.book(&format!("{number}"), "-1", at);
        }
        account.holdings =
            vec![json!({"id": "h", "symbol": "ABC", "shares": "1", "market_value": "5"})];
    };
    let Some(world) = World::connected(test, many).await else {
        return;
    };
    assert_eq!(world.rows("transactions", &["id"]).await.len(), 62);
    assert_eq!(world.rows("holdings", &["symbol"]).await, [json!(["ABC"])]);
    world.wait(TimeDelta::hours(3));
    world.bridge().unlink("save");
    world.bridge().open("c", "card", "Card 9999");
    world.fetch().await;
    let accounts = world.rows("accounts", &["name"]).await;
    assert_eq!(json!(accounts), json!([["Card 9999"], ["Checking 1234"]]));
    assert_eq!(world.rows("transactions", &["id"]).await.len(), 2);
    assert_eq!(world.rows("holdings", &["symbol"]).await.len(), 0);
}

//! What devices push of an account that a bridge has.

use serde_json::{Value, json};

use super::world::{Device, World, now};
use crate::support::stand_ins::simplefin::Bridge;

fn one_account([first, _]: [&mut Bridge; 2]) {
    first
        .open("a", "giro", "Checking 1234")
        .book("1", "-5", now());
}

/// A statement of the same account, pushed with its payments.
async fn statement(world: &World) -> Device {
    let device = world.device("finance.transactions").await;
    let account = json!({
        "id": "giro", "name": "From a file", "currency": "EUR", "mask": "1234", "institution_domain": "www.giro.test",
    });
    let payment = |id: &str, amount: i64| {
        json!({
            "id": id, "account": account, "amount": amount, "currency": "EUR", "booked_on": "2026-11-02",
            "description": "As the file tells it", "counterparty_name": "Payee", "reference": "r1", "category": "food",
            "balance_after": 95, "value_on": "2026-11-02", "mcc": "5411", "merchant_name": "Shop",
        })
    };
    device
        .push(world, json!([payment("s1", -5), payment("s2", -7)]))
        .await;
    device
}

async fn amounts(world: &World) -> Vec<String> {
    world
        .moved()
        .await
        .into_iter()
        .map(|(_, amount)| amount)
        .collect()
}

#[actix_web::test]
async fn r124_a_statement_is_asked_about_and_answers_are_erased_with_its_rows() {
    let test = "r124_a_statement_is_asked_about";
    let Some(world) = World::connected(test, one_account).await else {
        return;
    };
    let device = statement(&world).await;
    assert_eq!(amounts(&world).await, ["-7", "-5", "-5"]);
    let [pair] = world.pairs("open").await.try_into().unwrap();
    assert_eq!(
        pair["reason"], "domain_and_last_four",
        "and yet it is asked about"
    );
    world.answer(&pair, "confirm").await.expect(200);
    assert_eq!(amounts(&world).await, ["-7", "-5"]);
    let names = world.rows("accounts", &["name"]).await;
    assert_eq!(names, json!([["Checking 1234"]]), "a source before a push");
    let rows = world
        .rows("transactions", &["amount", "description", "account_id"])
        .await;
    assert_eq!(
        rows[1][1], "As the file tells it",
        "the one with more fields: {rows}"
    );
    assert_eq!(rows[0][2], rows[1][2]);
    world.is_consistent().await;
    is_explained(&world, &pair).await;
    // What is pushed later is matched too, and a deletion gives the other one back.
    let deleted = json!({"records": [], "deleted": ["s1"]});
    device.push(&world, deleted).await;
    let rows = world.rows("transactions", &["amount", "description"]).await;
    assert_eq!(rows[1][1], "Payment -5", "{rows}");
    world.is_consistent().await;
    world
        .app
        .disconnect(&device.id, json!({"rows": "delete"}))
        .await
        .expect(200);
    assert_eq!(amounts(&world).await, ["-5"]);
    assert_eq!(world.pairs("answered").await, [] as [Value; 0]);
    world.is_consistent().await;
}

/// A record tells what stands behind it and why, and a row behind it leads to it.
async fn is_explained(world: &World, pair: &Value) {
    let raw = async |id: &str| {
        let path = format!("/api/data/finance/{id}?raw=true");
        world.app.get(&path).await.expect(200)
    };
    let ids = world.rows("transactions", &["amount", "id"]).await;
    let served = raw(ids[1][1].as_str().unwrap()).await;
    let [hidden] = served["behind"].as_array().unwrap().as_slice() else {
        panic!("{served}");
    };
    assert_eq!(hidden["because"], "the one served has more fields");
    assert_eq!(hidden["connection"], "Banks by SimpleFIN", "{served}");
    assert_eq!(hidden["raw"]["amount"], "-5", "{served}");
    assert!(
        served["untrusted"]
            .as_array()
            .unwrap()
            .contains(&json!("behind"))
    );
    let through = raw(hidden["id"].as_str().unwrap()).await;
    assert_eq!(through["record"]["id"], ids[1][1]);
    let note = through["notes"][0].as_str().unwrap();
    assert!(note.contains(hidden["id"].as_str().unwrap()), "{note}");
    let unasked = format!("/api/data/finance/{}", ids[1][1].as_str().unwrap());
    let unasked = world.app.get(&unasked).await.expect(200);
    assert!(unasked.get("behind").is_none(), "{unasked}");
    let account = world.rows("accounts", &["id"]).await[0][0].clone();
    let account = raw(account.as_str().unwrap()).await;
    let behind = account["behind"][0]["id"].clone();
    assert!(
        [&pair["a"]["id"], &pair["b"]["id"]].contains(&&behind),
        "{account}"
    );
}

#[actix_web::test]
async fn r124_when_the_account_that_is_served_is_erased_the_other_is() {
    let test = "r124_when_the_account_that_is_served_is_erased_the_other_is";
    let Some(world) = World::connected(test, one_account).await else {
        return;
    };
    statement(&world).await;
    let [pair] = world.pairs("open").await.try_into().unwrap();
    world.answer(&pair, "confirm").await.expect(200);
    let erased = json!({"scope": "connection", "connectionId": world.connections[0]});
    world.app.post("/api/erase", erased).await.expect(200);
    assert_eq!(amounts(&world).await, ["-7", "-5"]);
    assert_eq!(
        world.rows("accounts", &["name"]).await,
        json!([["From a file"]])
    );
    let of = world.rows("transactions", &["account_id"]).await;
    let account = world.rows("accounts", &["id"]).await[0][0].clone();
    assert!(
        of.as_array().unwrap().iter().all(|row| row[0] == account),
        "{of}"
    );
    world.is_consistent().await;
}

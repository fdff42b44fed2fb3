//! One account that an aggregator and a bridge both have.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::world::{World, now};
use crate::support::eventually::eventually;
use crate::support::stand_ins::enable_banking::Aggregator;
use crate::support::stand_ins::simplefin::Bridge;

/// The aggregator names no institution's domain, so the operator is asked, and the answer outlives the consent.
#[actix_web::test]
async fn r124_a_linked_bank_and_a_bridge_are_asked_about_and_served_once() {
    let test = "r124_a_linked_bank_and_a_bridge_are_asked_about";
    let mut bridge = Bridge::new(now());
    let account = bridge.open("x", "giro", "Checking 1000");
    account.book("1", "-5.00", now() - TimeDelta::days(1));
    account.book("2", "-7.00", now() - TimeDelta::days(200));
    let Some(world) = World::start_linking_beside(test, Some(bridge)).await else {
        return;
    };
    {
        let mut aggregator = world.aggregator();
        let account = aggregator.open("a");
        account.book("r1", "-5.00", (now() - TimeDelta::days(1)).date_naive());
        account.book("r2", "-6.00", now().date_naive());
    }
    let linked = world.link(&["a"], None).await;
    assert_eq!(linked["outcome"], "connected", "{linked}");
    let entered = json!({"provider": "simplefin", "credentials": {"token": Bridge::setup_token()}});
    world.app.create_connection(entered).await.expect(201);
    eventually("both are read", async || {
        let all = world.app.connections().await;
        let all = all.as_array().unwrap();
        all.len() == 2 && all.iter().all(|one| one["health"] == "ok")
    })
    .await;
    let amounts = async || {
        let rows = world.rows("transactions", &["amount", "id"]).await;
        let amounts = rows.iter().map(|row| row[0].as_f64().unwrap());
        amounts.collect::<Vec<_>>()
    };
    assert_eq!(amounts().await, [-7.0, -6.0, -5.0, -5.0]);
    let asked = open(&world).await;
    let [pair] = asked.as_array().unwrap().as_slice() else {
        panic!("{asked}");
    };
    assert_eq!(pair["reason"], "last_four", "{pair}");
    let path = format!(
        "/api/finance/duplicates/{}/confirm",
        pair["id"].as_str().unwrap()
    );
    world.app.post(&path, json!({})).await.expect(200);
    assert_eq!(amounts().await, [-7.0, -6.0, -5.0]);
    assert_eq!(world.rows("accounts", &["id"]).await.len(), 1);

    // Another consent gives the account another id at the aggregator; here it stays the one that was answered for.
    world.aggregator().end_sessions("EXPIRED");
    let sign_in = linked["signInId"].as_str().unwrap();
    world.go_on(TimeDelta::days(1));
    let asked = json!({"target": "finance", "timeout_s": 60});
    let fetched = world.app.post("/api/operator/fetch_live", asked).await;
    assert!(fetched.expect(200).to_string().contains("needs_sign_in"));
    world.link(&["a"], Some(sign_in)).await;
    eventually("the bank is read again", async || {
        let all = world.app.connections().await;
        let mut all = all.as_array().unwrap().iter();
        all.all(|one| one["health"] == "ok")
    })
    .await;
    assert_eq!(amounts().await, [-7.0, -6.0, -5.0]);
    assert_eq!(open(&world).await, json!([]));
    let undone = path.replace("/confirm", "/unconfirm");
    world.app.post(&undone, json!({})).await.expect(200);
    assert_eq!(amounts().await, [-7.0, -6.0, -5.0, -5.0]);
}

/// The questions that wait for an answer.
async fn open(world: &World<Aggregator>) -> Value {
    let path = "/api/finance/duplicates?state=open";
    world.app.get(path).await.expect(200)["rows"].clone()
}

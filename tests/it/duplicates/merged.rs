//! What is served of an account that two bridges have.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::world::{Follower, World, now};
use crate::support::stand_ins::simplefin::Bridge;

/// One account of both bridges, with three payments of which the second bridge has two and one of its own.
fn one_account([first, second]: [&mut Bridge; 2]) {
    let giro = first.open("a", "giro", "Checking 1234");
    giro.book("1", "-5", now());
    giro.book("2", "-6", now() - TimeDelta::days(1));
    giro.book("3", "-7", now() - TimeDelta::days(2));
    let same = second.open("x", "giro", "My account 1234");
    same.book("u", "-5", now());
    same.book("v", "-6", now() - TimeDelta::days(1));
    same.book("w", "-9", now() - TimeDelta::days(40));
}

fn amounts(moved: &[(String, String)]) -> Vec<&str> {
    moved.iter().map(|(_, amount)| amount.as_str()).collect()
}

#[actix_web::test]
async fn r124_an_account_of_two_sources_is_served_once_by_itself() {
    let test = "r124_an_account_of_two_sources_is_served_once_by_itself";
    let Some(world) = World::connected(test, one_account).await else {
        return;
    };
    let accounts = world.rows("accounts", &["id"]).await;
    assert_eq!(accounts.as_array().unwrap().len(), 1, "{accounts}");
    assert_eq!(amounts(&world.moved().await), ["-9", "-7", "-6", "-5"]);
    let of = world.rows("transactions", &["account_id", "amount"]).await;
    assert!(
        of.as_array()
            .unwrap()
            .iter()
            .all(|row| row[0] == accounts[0][0]),
        "{of}"
    );
    let months = json!({
        "target": "transactions", "group_by": ["booked_on:month"],
        "aggregate": {"moved": "sum(amount)", "n": "count"},
    });
    let months = world.ask(months).await["rows"].to_string();
    assert_eq!(
        months.replace(".0000", ""),
        r#"[["2026-09-01","EUR",-9,1],["2026-10-01","EUR",-7,1],["2026-11-01","EUR",-11,2]]"#
    );
    world.is_consistent().await;
    let [pair] = world.pairs("answered").await.try_into().unwrap();
    assert_eq!(
        (&pair["state"], &pair["answeredBy"]),
        (&json!("same"), &json!("automatic")),
        "{pair}"
    );
    assert_eq!(pair["reason"], "domain_and_last_four");
    assert_eq!(pair["a"]["last4"], "1234");
    assert_eq!(pair["a"]["transactions"], 3);
    assert_eq!(world.pairs("open").await.len(), 0);
}

#[actix_web::test]
async fn r124_a_merge_is_undone_and_made_again_with_all_that_follows_from_it() {
    let test = "r124_a_merge_is_undone_and_made_again";
    let Some(world) = World::connected(test, one_account).await else {
        return;
    };
    let mut followers = [
        Follower::of("transactions", &["account_id", "amount", "booked_on"]),
        Follower::of("accounts", &["name", "balance_current"]),
        Follower::of("balances", &["account_id", "day", "current"]),
    ];
    let mut looks = async |world: &World| {
        for follower in &mut followers {
            follower.catches_up(world).await;
        }
        world.is_consistent().await;
    };
    looks(&world).await;
    let [pair] = world.pairs("answered").await.try_into().unwrap();
    let undone = world.answer(&pair, "unconfirm").await.expect(200);
    assert_eq!(undone["state"], "separate", "{undone}");
    assert_eq!(
        world
            .rows("accounts", &["id"])
            .await
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        amounts(&world.moved().await),
        ["-9", "-7", "-6", "-6", "-5", "-5"]
    );
    assert_eq!(
        world
            .rows("balances", &["account_id"])
            .await
            .as_array()
            .unwrap()
            .len(),
        2
    );
    looks(&world).await;

    // It stays so, whatever the sources say again, and over a restart.
    world.bridge(0).account("a").book("4", "-8", now());
    world.bridge(1).account("x").name = "Renamed 1234".to_owned();
    world.fetch().await;
    let world = world.restart().await;
    world.fetch().await;
    assert_eq!(
        world
            .rows("accounts", &["id"])
            .await
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(amounts(&world.moved().await).len(), 7);

    for _ in 0..2 {
        let again = world.answer(&pair, "confirm").await.expect(200);
        assert_eq!(
            (&again["state"], &again["answeredBy"]),
            (&json!("same"), &json!("operator"))
        );
        assert_eq!(
            amounts(&world.moved().await),
            ["-9", "-7", "-6", "-8", "-5"]
        );
        looks(&world).await;
    }
    world.fetch().await;
    looks(&world).await;
    let rows = world
        .app
        .audit("?tool=finance.dedup.confirm")
        .await
        .expect(200);
    let rows = rows["rows"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 2, "{rows:?}");
    let args = &rows[0]["args"];
    assert_eq!(
        args["accountIds"],
        json!([pair["a"]["id"], pair["b"]["id"]]),
        "{args}"
    );
    assert!(!rows[0].to_string().contains("1234"), "{rows:?}");
    let undone = world
        .app
        .audit("?tool=finance.dedup.unconfirm")
        .await
        .expect(200);
    assert_eq!(undone["rows"].as_array().unwrap().len(), 1, "{undone}");
}

#[actix_web::test]
async fn r124_among_equal_payments_the_larger_count_is_served() {
    let test = "r124_among_equal_payments_the_larger_count_is_served";
    let fill = |[first, second]: [&mut Bridge; 2]| {
        let giro = first.open("a", "giro", "Checking 1234");
        for id in ["1", "2"] {
            giro.book(id, "-5", now());
        }
        let same = second.open("x", "giro", "Checking 1234");
        for id in ["1", "2", "3"] {
            same.book(id, "-5", now());
        }
        for account in [&mut *giro, &mut *same] {
            account.book("first", "-1", now() - TimeDelta::days(9));
        }
        // Two coffees on two days are two.
        giro.book("4", "-2", now() - TimeDelta::days(3));
        same.book("5", "-2", now() - TimeDelta::days(4));
    };
    let Some(world) = World::connected(test, fill).await else {
        return;
    };
    assert_eq!(
        amounts(&world.moved().await),
        ["-1", "-2", "-2", "-5", "-5", "-5"]
    );
    world.bridge(1).account("x").payments.remove("3");
    world.bridge(1).account("x").payments.remove("5");
    world.fetch().await;
    assert_eq!(amounts(&world.moved().await), ["-1", "-2", "-5", "-5"]);
    world.is_consistent().await;
}

#[actix_web::test]
async fn r124_a_pending_payment_is_the_posted_one_of_the_other_source() {
    let test = "r124_a_pending_payment_is_the_posted_one_of_the_other_source";
    let fill = |[first, second]: [&mut Bridge; 2]| {
        first
            .open("a", "giro", "Checking 1234")
            .hold("p", "-5", now());
        let same = second.open("x", "giro", "Checking 1234");
        same.hold("b", "-5", now());
        same.settle("b", "c", now() + TimeDelta::hours(2));
    };
    let Some(world) = World::connected(test, fill).await else {
        return;
    };
    world.fetch().await;
    let told = world
        .rows("transactions", &["status", "amount"])
        .await
        .to_string();
    assert_eq!(told.replace(".0000", ""), r#"[["posted",-5]]"#);
    world
        .bridge(0)
        .account("a")
        .settle("p", "q", now() + TimeDelta::hours(2));
    world.fetch().await;
    assert_eq!(amounts(&world.moved().await), ["-5"]);
    world.is_consistent().await;
}

#[actix_web::test]
async fn r124_what_one_source_drops_the_other_serves_at_once() {
    let test = "r124_what_one_source_drops_the_other_serves_at_once";
    let Some(world) = World::connected(test, one_account).await else {
        return;
    };
    let mut follower = Follower::of("transactions", &["account_id", "amount"]);
    follower.catches_up(&world).await;
    world.bridge(0).unlink("giro");
    world.fetch().await;
    assert_eq!(amounts(&world.moved().await), ["-9", "-6", "-5"]);
    let accounts = world.rows("accounts", &["name"]).await;
    assert_eq!(accounts, json!([["My account 1234"]]));
    follower.catches_up(&world).await;
    world.is_consistent().await;

    // Linked again, under another id: it is one of the two again.
    {
        let mut first = world.bridge(0);
        let again = first.open("new", "giro", "Checking 1234");
        again.book("9", "-7", now());
    }
    world.fetch().await;
    assert_eq!(
        world.rows("accounts", &["name"]).await,
        json!([["My account 1234"]])
    );
    assert_eq!(amounts(&world.moved().await), ["-9", "-6", "-7", "-5"]);
    follower.catches_up(&world).await;
    world.is_consistent().await;
}

#[actix_web::test]
async fn a_hidden_row_that_its_source_sends_again_stays_hidden_and_nothing_moves() {
    let test = "a_hidden_row_that_its_source_sends_again_stays_hidden";
    let Some(world) = World::connected(test, one_account).await else {
        return;
    };
    world.fetch().await;
    let xids = "SELECT id::text || changed_xid::text AS row FROM finance.transactions ORDER BY id";
    let before = world.app.database.rows(xids).await;
    world.fetch().await;
    assert_eq!(world.app.database.rows(xids).await, before);
    let hidden = "SELECT count(*) FROM finance.transactions WHERE hidden_by IS NOT NULL AND amount IS NOT NULL";
    assert_eq!(
        world.app.database.rows(hidden).await,
        [json!({"count": 2})],
        "content is kept"
    );
}

#[actix_web::test]
async fn r124_balances_are_those_of_the_account_and_else_of_those_behind_it() {
    let test = "r124_balances_are_those_of_the_account";
    let fill = |[first, second]: [&mut Bridge; 2]| {
        first.open("a", "giro", "Checking 1234").balance = "10.00";
        second.open("x", "giro", "Checking 1234").balance = "20.00";
    };
    let Some(world) = World::connected(test, fill).await else {
        return;
    };
    let told = async || {
        let rows = world
            .rows("balances", &["day", "current"])
            .await
            .to_string();
        rows.replace(".0000", "")
    };
    let served = told().await;
    assert!(
        [r#"[["2026-11-02",10]]"#, r#"[["2026-11-02",20]]"#].contains(&&*served),
        "{served}"
    );
    // The served bridge stands still; after three days the other one is served.
    let place = usize::from(served.contains(",20]"));
    let (still, other) = (["a", "x"][place], ["a", "x"][1 - place]);
    world.bridge(place).account(still).balance_at = Some(now());
    world.bridge(1 - place).account(other).balance = "30.00";
    world.clock.advance(TimeDelta::days(2));
    world.fetch().await;
    let first = served.trim_end_matches(']');
    assert_eq!(
        told().await,
        format!("{first}],[\"2026-11-04\",30]]"),
        "heard behind it"
    );
    let of = |value: &Value| value[0][0].clone();
    let before = of(&world.rows("accounts", &["id"]).await);
    world.clock.advance(TimeDelta::days(2));
    world.fetch().await;
    let after = of(&world.rows("accounts", &["id"]).await);
    assert_ne!(before, after, "its balance does not freeze");
    world.is_consistent().await;
}

//! What the operator is asked, and what is refused.

use reqwest::Method;
use serde_json::{Value, json};

use super::world::{World, now};
use crate::support::stand_ins::simplefin::Bridge;

fn unnamed([first, second]: [&mut Bridge; 2]) {
    first
        .open("a", "giro", "Checking 1234")
        .book("1", "-5", now());
    second.open("x", "giro", "Checking").book("u", "-5", now());
}

async fn accounts(world: &World) -> usize {
    world
        .rows("accounts", &["id"])
        .await
        .as_array()
        .unwrap()
        .len()
}

#[actix_web::test]
async fn r124_where_one_reports_no_last_four_the_operator_is_asked() {
    let test = "r124_where_one_reports_no_last_four_the_operator_is_asked";
    let Some(world) = World::connected(test, unnamed).await else {
        return;
    };
    assert_eq!(accounts(&world).await, 2);
    assert_eq!(
        world.moved().await.len(),
        2,
        "once per account while it is asked"
    );
    let [pair] = world.pairs("open").await.try_into().unwrap();
    assert_eq!(pair["reason"], "domain");
    let shown = [&pair["a"], &pair["b"]].map(|side| {
        json!([
            side["name"],
            side["last4"],
            side["institution"],
            side["domain"],
            side["balance"],
            side["currency"]
        ])
    });
    let expected = [
        json!([
            "Checking 1234",
            "1234",
            "Bank giro",
            "giro.test",
            "100",
            "EUR"
        ]),
        json!(["Checking", null, "Bank giro", "giro.test", "100", "EUR"]),
    ];
    assert!(expected.iter().all(|side| shown.contains(side)), "{pair}");
    let status = world.app.get("/api/status").await.expect(200);
    let needs = status["attention"].as_array().unwrap().iter();
    let kinds: Vec<&Value> = needs.map(|one| &one["kind"]).collect();
    assert!(kinds.contains(&&json!("duplicates_open")), "{status}");

    world.answer(&pair, "confirm").await.expect(200);
    assert_eq!((accounts(&world).await, world.moved().await.len()), (1, 1));
    let world = world.restart().await;
    world.fetch().await;
    assert_eq!((accounts(&world).await, world.moved().await.len()), (1, 1));
    let status = world.app.get("/api/status").await.expect(200);
    assert!(!status.to_string().contains("duplicates_open"), "{status}");

    // Its source brings it under another id.
    {
        let mut second = world.bridge(1);
        second.accounts.clear();
        second.open("y", "giro", "Checking").book("w", "-5", now());
    }
    world.fetch().await;
    assert_eq!((accounts(&world).await, world.moved().await.len()), (1, 1));
    assert_eq!(world.pairs("open").await, [] as [Value; 0]);
    world.is_consistent().await;
}

#[actix_web::test]
async fn r124_two_that_look_like_one_at_one_source_are_asked_about_and_never_both() {
    let test = "r124_two_that_look_like_one_at_one_source_are_asked_about";
    let fill = |[first, second]: [&mut Bridge; 2]| {
        first.open("a", "giro", "Checking 1234");
        first.open("b", "giro", "Card 1234");
        second.open("x", "giro", "Checking 1234");
    };
    let Some(world) = World::connected(test, fill).await else {
        return;
    };
    assert_eq!(accounts(&world).await, 3);
    let pairs = world.pairs("open").await;
    let [one, other] = pairs.as_slice() else {
        panic!("{pairs:?}");
    };
    world.answer(one, "confirm").await.expect(200);
    assert_eq!(accounts(&world).await, 2);
    let refused = world.answer(other, "confirm").await;
    assert!(
        refused.text.contains("of one connection would become one"),
        "{refused:?}"
    );
    refused.expect_problem(409, "conflict", None);
    assert_eq!(accounts(&world).await, 2, "nothing has changed");
    world.answer(one, "unconfirm").await.expect(200);
    world.answer(other, "confirm").await.expect(200);
    assert_eq!(accounts(&world).await, 2);
    world.is_consistent().await;
    let failed = world
        .app
        .audit("?tool=finance.dedup.confirm&outcome=error")
        .await;
    assert_eq!(failed.expect(200)["rows"].as_array().unwrap().len(), 1);
    let nobody = "/api/finance/duplicates/8b8a7f9e-0000-4000-8000-000000000000/confirm";
    world
        .app
        .post(nobody, json!({}))
        .await
        .expect_problem(404, "not_found", None);
}

#[actix_web::test]
async fn the_page_is_told_of_questions() {
    let test = "the_page_is_told_of_questions";
    let Some(world) = World::connected(test, unnamed).await else {
        return;
    };
    let events = world.app.request(Method::GET, "/api/events");
    let mut response = events.send().await.unwrap();
    let [pair] = world.pairs("open").await.try_into().unwrap();
    world.answer(&pair, "unconfirm").await.expect(200);
    let mut told = String::new();
    while let Some(bytes) = response.chunk().await.unwrap() {
        told.push_str(&String::from_utf8_lossy(&bytes));
        if told.contains("event: duplicates\ndata: {\"open\":0}") {
            break;
        }
    }
}

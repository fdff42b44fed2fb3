//! Banks that are linked by an application of the operator's: the application, a link, its consent's end, and the link made again.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use super::world::{World, now};
use crate::support::app::Answer;
use crate::support::stand_ins::enable_banking::keys::keys;
use crate::support::stand_ins::enable_banking::{APPLICATION, Aggregator};
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire;

const APP: &str = "/api/aggregator-apps/bank_app";

/// With one account of a few payments, linked and read.
async fn linked(test: &str) -> Option<World<Aggregator>> {
    let world = World::start_linking(test).await?;
    {
        let mut aggregator = world.aggregator();
        let account = aggregator.open("a");
        for number in 1..=3 {
            let on = (now() - TimeDelta::days(number)).date_naive();
            account.book(&format!("r{number}"), &format!("-{number}.50"), on);
        }
    }
    let outcome = world.link(&["a"], None).await;
    assert_eq!(outcome["outcome"], "connected", "{outcome}");
    world.until_health("ok").await;
    Some(world)
}

/// The bank, as it is named.
fn bank() -> Value {
    json!({"country": "FI", "bank": "Bank of Test"})
}

/// An application with this key, as it is entered.
async fn set(world: &World<Aggregator>, key: &str) -> Answer {
    let app = json!({"clientId": APPLICATION, "clientSecret": key});
    let request = world.app.request(Method::PUT, APP).json(&app);
    world.app.send(request).await
}

async fn remove(world: &World<Aggregator>) {
    let removed = world.app.request(Method::DELETE, APP).json(&json!({}));
    assert_eq!(world.app.send(removed).await.status, 204);
}

#[actix_web::test]
async fn r039_an_application_is_tried_set_and_removed_with_a_row_each() {
    let test = "r039_an_application_is_tried_set_and_removed_with_a_row_each";
    let Some(world) = World::start_linking(test).await else {
        return;
    };
    let other = set(&world, &keys().other).await;
    assert!(!other.text.contains("PRIVATE"), "{other:?}");
    other.expect_problem(400, "invalid", Some("clientSecret"));
    world.aggregator().redirects = vec!["https://elsewhere.test/".to_owned()];
    let nowhere = set(&world, &keys().private).await;
    assert!(
        nowhere.text.contains("/oauth/bank_app/callback"),
        "{nowhere:?}"
    );
    nowhere.expect_problem(400, "invalid", Some("clientId"));
    world.aggregator().redirects = vec![world.callback()];
    let sandbox =
        json!({"clientId": APPLICATION, "clientSecret": keys().private, "environment": "sandbox"});
    let request = world.app.request(Method::PUT, APP).json(&sandbox);
    let sandbox = world.app.send(request).await;
    sandbox.expect_problem(400, "invalid", Some("environment"));
    let listed = world.app.get("/api/aggregator-apps").await.expect(200);
    assert_eq!(listed["apps"][0]["configured"], true);
    assert!(!listed.to_string().contains("PRIVATE"));
    remove(&world).await;
    let listed = world.app.get("/api/aggregator-apps").await.expect(200);
    assert_eq!(listed["apps"][0]["configured"], false);
    let rows = world.app.audit_rows(5).await;
    let acts: Vec<_> = rows
        .iter()
        .map(|row| (row["tool"].as_str().unwrap(), &row["outcome"], &row["args"]))
        .collect();
    let of = json!({"provider": "bank_app"});
    let (ok, error) = (json!("ok"), json!("error"));
    assert_eq!(
        acts,
        [
            ("set_aggregator_app", &ok, &of),
            ("set_aggregator_app", &error, &of),
            ("set_aggregator_app", &error, &of),
            ("set_aggregator_app", &error, &of),
            ("delete_aggregator_app", &ok, &of),
        ]
    );
}

/// One that has refused nothing is no reason not to keep an application; what is no key is none, whoever answers.
#[actix_web::test]
async fn an_application_is_set_while_its_aggregator_does_not_answer() {
    let test = "an_application_is_set_while_its_aggregator_does_not_answer";
    let Some(world) = World::start_linking(test).await else {
        return;
    };
    remove(&world).await;
    let away = |_: &str| wire::raw(503, "", "");
    world.aggregator().faults.always("/", Law::Broken, away);
    assert_eq!(set(&world, &keys().private).await.status, 204);
    let listed = world.app.get("/api/aggregator-apps").await.expect(200);
    assert_eq!(listed["apps"][0]["configured"], true);
    set(&world, "no key")
        .await
        .expect_problem(400, "invalid", Some("clientSecret"));
    let banks = format!("{APP}/banks?country=FI");
    let banks = world.app.get(&banks).await;
    banks.expect_problem(502, "provider_error", None);
}

/// Where an aggregator takes https addresses alone, nothing answers at the one of this computer.
#[actix_web::test]
async fn a_bank_is_linked_by_the_address_that_the_person_pastes() {
    let test = "a_bank_is_linked_by_the_address_that_the_person_pastes";
    let Some(world) = World::start_linking(test).await else {
        return;
    };
    let listed = world.app.get("/api/aggregator-apps").await.expect(200);
    let pasted = listed["apps"][0]["pastedRedirectUri"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(pasted.starts_with("https://localhost:"), "{pasted}");
    world.aggregator().open("a");
    world.aggregator().redirects = vec![pasted.clone()];
    let (begun, back) = world.begin_link(&["a"], bank()).await;
    assert_eq!(begun["returnWay"], "paste", "{begun}");
    assert_eq!(begun["redirectUri"], pasted.as_str());
    let address = json!({"address": format!("{pasted}?{}", back.query().unwrap())});
    let done = world
        .browser
        .post("/api/oauth/bank_app/paste", address)
        .await;
    assert_eq!(done.expect(200)["outcome"], "connected");
    world.until_health("ok").await;
}

#[actix_web::test]
async fn r125_a_bank_is_linked_and_its_consents_end_is_told() {
    let test = "r125_a_bank_is_linked_and_its_consents_end_is_told";
    let Some(world) = linked(test).await else {
        return;
    };
    let banks = "/api/aggregator-apps/bank_app/banks?country=FI";
    let banks = world.app.get(banks).await.expect(200);
    assert_eq!(banks["banks"][0]["name"], "Bank of Test", "{banks}");
    let shown = world.connection().await;
    assert_eq!(shown["label"], "Bank of Test", "{shown}");
    let ends = shown["consentExpiresAt"].as_str().unwrap().to_owned();
    let rows = world
        .rows("accounts", &["name", "consent_expires_at"])
        .await;
    assert_eq!(rows.len(), 1);
    assert!(rows[0][1].is_string(), "{rows:?}");
    assert_eq!(world.rows("transactions", &["amount"]).await.len(), 3);
    let key = keys().private.lines().nth(1).unwrap();
    let sessions: Vec<_> = world.aggregator().sessions.keys().cloned().collect();
    let session = sessions.first().unwrap();
    world.assert_nowhere_stored(&[key, session]).await;
    // It is warned of fourteen days before, and then with the days that are left.
    let attention = async || {
        let status = world.app.get("/api/status").await.expect(200);
        status["attention"].to_string()
    };
    assert!(!attention().await.contains("consent"), "{ends}");
    let key = world.app.key_of("ledger", &["finance"]).await;
    let asked = json!({"target": "finance.accounts", "select": ["name", "consent_expires_at"]});
    let ask = async || world.ask(&key, &asked).await;
    let answer = ask().await;
    assert_eq!(answer["rows"][0][1], ends.as_str(), "{answer}");
    assert_eq!(answer["sources"][0]["state"], "active");
    assert_eq!(answer["sources"][0].get("ends_at"), None);
    for (wait, left) in [(76, "in 13 days"), (6, "in 7 days"), (6, "in 1 day")] {
        world.go_on(TimeDelta::days(wait));
        let told = attention().await;
        assert!(told.contains("consent") && told.contains(left), "{told}");
        assert_eq!(ask().await["sources"][0]["ends_at"], ends.as_str());
    }
}

/// A link made again gives other ids, and keeps every row.
#[actix_web::test]
async fn r125_an_ended_consent_keeps_its_rows_and_is_given_again() {
    let test = "r125_an_ended_consent_keeps_its_rows_and_is_given_again";
    let Some(world) = linked(test).await else {
        return;
    };
    let ids = world.rows("transactions", &["id"]).await;
    world.aggregator().end_sessions("EXPIRED");
    world.go_on(TimeDelta::days(1));
    assert_eq!(world.fetch().await["outcome"], "needs_sign_in");
    let shown = world.connection().await;
    assert_eq!(shown["health"], "consent_expired", "{shown}");
    let key = world.app.key_of("ledger", &["finance"]).await;
    let asked = json!({"target": "finance.transactions"});
    let answer = world.ask(&key, &asked).await;
    assert_eq!(answer["sources"][0]["state"], "consent_expired", "{answer}");
    assert_eq!(world.rows("transactions", &["id"]).await, ids);
    let sign_in = shown["signInId"].as_str().unwrap().to_owned();
    // Which bank it is need not be said again.
    let again = world.link(&["a"], Some(&sign_in)).await;
    assert_eq!(again["outcome"], "connected", "{again}");
    world.until_health("ok").await;
    assert_eq!(world.rows("transactions", &["id"]).await, ids);
    assert_eq!(world.rows("accounts", &["id"]).await.len(), 1);
}

/// Without the application nothing is read; with it again all goes on.
#[actix_web::test]
async fn a_removed_application_stops_the_reading_and_takes_nothing_away() {
    let test = "a_removed_application_stops_the_reading_and_takes_nothing_away";
    let Some(world) = linked(test).await else {
        return;
    };
    remove(&world).await;
    world.go_on(TimeDelta::days(1));
    world.fetch().await;
    assert_eq!(world.connection().await["health"], "needs_credentials");
    assert_eq!(world.rows("transactions", &["id"]).await.len(), 3);
    assert_eq!(set(&world, &keys().private).await.status, 204);
    world.until_health("ok").await;
}

/// A disconnect ends the consent at the bank.
#[actix_web::test]
async fn a_disconnect_ends_the_consent_where_it_was_given() {
    let test = "a_disconnect_ends_the_consent_where_it_was_given";
    let Some(world) = linked(test).await else {
        return;
    };
    let id = world.connection().await["id"].as_str().unwrap().to_owned();
    let path = format!("/api/connections/{id}/disconnect");
    let done = world
        .app
        .post(&path, json!({"rows": "keep"}))
        .await
        .expect(200);
    assert_eq!(done["consent"]["ended"], true, "{done}");
    let mut aggregator = world.aggregator();
    let statuses: Vec<_> = aggregator.sessions.values().map(|own| own.status).collect();
    assert!(
        statuses.iter().all(|status| *status != "AUTHORIZED"),
        "{statuses:?}"
    );
    aggregator.take_asked();
}

//! Banks that are linked by an application of the operator's: the application, a link, its consent's end, and the link made again.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use super::world::{World, now};
use crate::support::stand_ins::enable_banking::keys::keys;
use crate::support::stand_ins::enable_banking::{APPLICATION, Aggregator};

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

async fn acts(world: &World<Aggregator>, verb: &str) -> Vec<Value> {
    let rows = world
        .app
        .get(&format!("/api/audit?tool={verb}"))
        .await
        .expect(200);
    rows["rows"].as_array().unwrap().clone()
}

#[actix_web::test]
async fn r039_an_application_is_tried_set_and_removed_with_a_row_each() {
    let test = "r039_an_application_is_tried_set_and_removed_with_a_row_each";
    let Some(world) = World::start_linking(test).await else {
        return;
    };
    let path = "/api/aggregator-apps/bank_app";
    let set = async |id: &str, key: &str| {
        let app = json!({"clientId": id, "clientSecret": key});
        let request = world.app.request(Method::PUT, path).json(&app);
        world.app.send(request).await
    };
    let other = set(APPLICATION, &keys().other).await;
    assert!(!other.text.contains("PRIVATE"), "{other:?}");
    other.expect_problem(400, "invalid", Some("clientSecret"));
    world.aggregator().redirects = vec!["https://elsewhere.test/".to_owned()];
    let nowhere = set(APPLICATION, &keys().private).await;
    assert!(
        nowhere.text.contains("/oauth/bank_app/callback"),
        "{nowhere:?}"
    );
    nowhere.expect_problem(400, "invalid", Some("clientId"));
    let listed = world.app.get("/api/aggregator-apps").await.expect(200);
    assert_eq!(listed["apps"][0]["configured"], true);
    assert!(!listed.to_string().contains("PRIVATE"));
    let removed = world.app.request(Method::DELETE, path).json(&json!({}));
    assert_eq!(world.app.send(removed).await.status, 204);
    let listed = world.app.get("/api/aggregator-apps").await.expect(200);
    assert_eq!(listed["apps"][0]["configured"], false);
    let outcomes: Vec<_> = acts(&world, "set_aggregator_app").await;
    let outcomes: Vec<_> = outcomes.iter().map(|row| row["outcome"].clone()).collect();
    assert_eq!(outcomes, ["error", "error", "ok"]);
    assert_eq!(acts(&world, "delete_aggregator_app").await.len(), 1);
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
    // It is warned of fourteen days before, and then with the days that are left.
    let attention = async || {
        let status = world.app.get("/api/status").await.expect(200);
        status["attention"].to_string()
    };
    assert!(!attention().await.contains("consent"), "{ends}");
    for (wait, left) in [(77, "in 13 days"), (6, "in 7 days"), (6, "in 1 day")] {
        world.go_on(TimeDelta::days(wait));
        let told = attention().await;
        assert!(told.contains("consent") && told.contains(left), "{told}");
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
    assert_eq!(world.rows("transactions", &["id"]).await, ids);
    let sign_in = shown["signInId"].as_str().unwrap().to_owned();
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
    let path = "/api/aggregator-apps/bank_app";
    let removed = world.app.request(Method::DELETE, path).json(&json!({}));
    assert_eq!(world.app.send(removed).await.status, 204);
    world.go_on(TimeDelta::days(1));
    world.fetch().await;
    assert_eq!(world.connection().await["health"], "needs_credentials");
    assert_eq!(world.rows("transactions", &["id"]).await.len(), 3);
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

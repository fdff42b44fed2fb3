//! A month of a linked bank by the clock alone: rounds as they fall due, the aggregator away for hours and busy at times, and a consent
//! that ends and is given again.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::world::World;
use crate::support::stand_ins::enable_banking::Aggregator;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire;

const DAYS: i64 = 30;
/// A little more than a round and its jitter, a tenth of six hours.
const STEP: TimeDelta = TimeDelta::minutes(400);
/// How long the bank's consent lasts.
const CONSENT: TimeDelta = TimeDelta::days(20);
/// The person links the bank again so long after it has ended.
const LINKED_AGAIN_AFTER: TimeDelta = TimeDelta::days(2);
/// A payment is made each so many steps, and booked as many steps later.
const STEPS_A_PAYMENT: i64 = 4;

/// Payments of both accounts, pending at first; no two amounts are alike. A consent whose time has come is over.
fn live(aggregator: &mut Aggregator, step: i64) {
    let now = aggregator.now;
    for session in aggregator.sessions.values_mut() {
        if session.ends_at <= now {
            session.status = "EXPIRED";
        }
    }
    if step % STEPS_A_PAYMENT != 0 {
        return;
    }
    for (place, hash) in ["a", "b"].into_iter().enumerate() {
        let account = aggregator.account(hash);
        let earlier = step - STEPS_A_PAYMENT;
        if earlier >= 0 {
            account.settle(
                &format!("p{earlier}"),
                &format!("b{earlier}"),
                now.date_naive(),
            );
        }
        account.hold(
            &format!("p{step}"),
            &format!("-{step}.{place}"),
            now.date_naive(),
        );
    }
}

/// What goes wrong, and is over again.
fn fail(aggregator: &mut Aggregator, step: i64) {
    match step {
        20 => {
            let away = |_: &str| wire::raw(503, "", "");
            aggregator.faults.always("/accounts", Law::Broken, away);
        }
        24 => aggregator.faults.clear(),
        _ => {}
    }
}

/// No account was asked for what is booked more than four times within 24 hours: the fifth is refused while the person is not there.
fn assert_within_a_day(asked: &[(DateTime<Utc>, String)]) {
    for (first, path) in asked {
        let day = asked
            .iter()
            .filter(|(at, own)| own == path && at >= first && *at < *first + TimeDelta::days(1));
        assert!(day.count() <= 4, "{path} after {first}");
    }
}

/// First pages of what is booked, by account.
fn reads(aggregator: &mut Aggregator) -> Vec<(DateTime<Utc>, String)> {
    let asked = std::mem::take(&mut aggregator.asked).into_iter();
    let of = asked.filter(|one| {
        one.path.ends_with("/transactions")
            && one.query["transaction_status"] == "BOOK"
            && !one.query.contains_key("continuation_key")
    });
    of.map(|one| (one.at, one.path)).collect()
}

/// What Overview says of the consent.
async fn warning(world: &World<Aggregator>) -> Option<String> {
    let status = world.app.get("/api/status").await.expect(200);
    let needs = status["attention"].as_array().unwrap().iter();
    let mut ending = needs.filter(|one| one["kind"] == "credential_ending");
    ending
        .next()
        .map(|one| one["text"].as_str().unwrap().to_owned())
}

#[actix_web::test]
async fn r125_a_month_of_rounds_outlives_a_consent_and_ends_equal_to_the_bank() {
    let test = "r125_a_month_of_rounds_outlives_a_consent";
    let Some(world) = World::start_linking(test).await else {
        return;
    };
    {
        let mut aggregator = world.aggregator();
        aggregator.banks[0].consent_max = CONSENT.num_seconds();
        aggregator.open("a");
        aggregator.open("b");
    }
    let linked = world.link(&["a", "b"], None).await;
    let sign_in = linked["signInId"].as_str().unwrap().to_owned();
    world.until_health("ok").await;
    let (mut asked, mut healths, mut warned) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let again = (CONSENT + LINKED_AGAIN_AFTER).num_minutes() / STEP.num_minutes();
    for step in 0..DAYS * 24 * 60 / STEP.num_minutes() {
        {
            let mut aggregator = world.aggregator();
            live(&mut aggregator, step);
            fail(&mut aggregator, step);
        }
        if step == again {
            assert_eq!(
                world.link(&["a", "b"], Some(&sign_in)).await["outcome"],
                "connected"
            );
            world.until_health("ok").await;
        }
        world.go_on(STEP);
        let shown = world.until_read().await;
        healths.insert(shown["health"].as_str().unwrap().to_owned());
        let told = warning(&world).await.unwrap_or_default();
        warned.extend(told.rsplit_once(", ").map(|(_, left)| left.to_owned()));
        asked.extend(reads(&mut world.aggregator()));
    }
    assert!(asked.len() > 150, "{} reads in a month", asked.len());
    assert_within_a_day(&asked);
    let expected = ["backing_off", "consent_expired", "ok"].map(str::to_owned);
    assert_eq!(healths, BTreeSet::from(expected));
    for left in [13, 7, 1] {
        let days = if left == 1 { "day" } else { "days" };
        assert!(
            warned
                .iter()
                .any(|own| own.starts_with(&format!("in {left} {days}."))),
            "{warned:?}"
        );
    }

    // Each payment is served once, under one account each, and a booked one names the row that it took over.
    let mut told: Vec<_> = {
        let aggregator = world.aggregator();
        let payments = aggregator.accounts.values().flat_map(|own| &own.payments);
        let told = payments.map(|own| match own.booked_on {
            Some(_) => json!([own.words, "posted"]),
            None => json!([own.words, "pending"]),
        });
        told.collect()
    };
    told.sort_by_key(Value::to_string);
    let rows = world
        .rows("transactions", &["description", "status", "replaces_id"])
        .await;
    let mut stored: Vec<_> = rows.iter().map(|row| json!([row[0], row[1]])).collect();
    stored.sort_by_key(Value::to_string);
    assert_eq!(stored, told);
    assert_eq!(world.rows("accounts", &["id"]).await.len(), 2);
    let replacing = rows.iter().filter(|row| row[2].is_string()).count();
    assert!(replacing > told.len() / 2, "{replacing} of {}", told.len());
}

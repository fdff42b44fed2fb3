//! A month by the clock alone: rounds as they fall due, while banks are late, fail and come back, and the bridge is away for hours.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::world::World;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::simplefin::Bridge;
use crate::support::stand_ins::wire;

const DAYS: i64 = 30;
/// A little more than a round and its jitter, a tenth of three hours.
const STEP: TimeDelta = TimeDelta::minutes(200);
/// A payment is made each so many steps.
const STEPS_A_PAYMENT: i64 = 7;
/// Payments that are booked so many days after they were made.
const BOOKED_AFTER: TimeDelta = TimeDelta::days(2);

/// Payments at each bank, pending at first; no two amounts are alike.
fn live(bridge: &mut Bridge, step: i64, settled: &mut BTreeMap<String, String>) {
    let now = bridge.now;
    for (place, id) in ["a", "b"].into_iter().enumerate() {
        let account = bridge.account(id);
        let pending = account.payments.iter();
        let due: Vec<_> = pending
            .filter(|(_, own)| {
                own.booked_at.is_none() && own.made_at.unwrap() + BOOKED_AFTER <= now
            })
            .map(|(own, _)| own.clone())
            .collect();
        for own in due {
            let booked = own.replace('p', "b");
            account.settle(&own, &booked, now);
            let amount = account.payments[&booked].description.clone();
            settled.insert(amount, own);
        }
        if step % STEPS_A_PAYMENT == 0 {
            account.hold(&format!("p{step}"), &format!("-{step}.{place}"), now);
        }
    }
}

/// What goes wrong, and is over again.
fn fail(bridge: &mut Bridge, step: i64) {
    let bank = bridge.banks.get_mut("save").unwrap();
    bank.trouble = (40..72)
        .contains(&step)
        .then_some(("con.auth", "sign in at Bank save again"));
    match step {
        80 => {
            let away = |_: &str| wire::raw(503, "", "");
            bridge.faults.always("/accounts", Law::Kept, away);
        }
        84 => bridge.faults.clear(),
        120 => {
            let busy = |_: &str| wire::raw(429, "retry-after: 30000\r\n", "");
            bridge.faults.once("/accounts", Law::Kept, busy);
        }
        _ => {}
    }
}

/// No 24 hours have more requests than a bridge allows.
fn assert_within_a_day(asked: &[DateTime<Utc>]) {
    for first in asked {
        let day = asked
            .iter()
            .filter(|at| *at >= first && **at < *first + TimeDelta::days(1));
        assert!(day.count() <= 20, "after {first}");
    }
}

#[actix_web::test]
async fn a_month_of_rounds_keeps_to_the_quota_and_ends_equal_to_the_banks() {
    let test = "a_month_of_rounds_keeps_to_the_quota_and_ends_equal_to_the_banks";
    let filled = |bridge: &mut Bridge| {
        bridge.open("a", "giro", "Checking 1234");
        bridge.open("b", "save", "Savings 5678");
    };
    let Some(world) = World::connected(test, filled).await else {
        return;
    };
    let (mut settled, mut asked, mut healths) = (BTreeMap::new(), Vec::new(), Vec::new());
    for step in 0..DAYS * 24 * 60 / STEP.num_minutes() {
        {
            let mut bridge = world.bridge();
            live(&mut bridge, step, &mut settled);
            fail(&mut bridge, step);
        }
        world.wait(STEP);
        let now = world.bridge().now;
        let shown = world.until_read().await;
        healths.push(shown["health"].as_str().unwrap().to_owned());
        asked.extend(world.bridge().take_asked().iter().map(|_| now));
    }
    assert!(asked.len() > 150, "{} requests in a month", asked.len());
    assert_within_a_day(&asked);
    assert!(healths.iter().any(|health| health == "backing_off"));
    assert_eq!(healths.last().unwrap(), "ok", "{healths:?}");

    // Each payment is served once, and each that was seen pending names the row that it took over.
    world.wait(STEP);
    world.fetch().await;
    let mut told: Vec<_> = {
        let bridge = world.bridge();
        let payments = bridge
            .accounts
            .values()
            .flat_map(|own| own.payments.values());
        let told = payments.map(|own| {
            let status = if own.booked_at.is_some() {
                "posted"
            } else {
                "pending"
            };
            json!([own.description, status])
        });
        told.collect()
    };
    told.sort_by_key(Value::to_string);
    let mut stored = world.rows("transactions", &["description", "status"]).await;
    stored.sort_by_key(Value::to_string);
    assert_eq!(stored, told);
    let replacing = world
        .rows("transactions", &["description", "status", "replaces_id"])
        .await;
    for row in replacing.iter().filter(|row| row[1] == "posted") {
        assert_eq!(
            row[2].is_string(),
            settled.contains_key(row[0].as_str().unwrap()),
            "{row}"
        );
    }
}

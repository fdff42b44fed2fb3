//! Rounds that are cut off anywhere while a person pays, consents anew, and banks fail: in the end the store equals the bank, and each
//! pending payment was taken over by the booked one that it became.

use std::collections::BTreeMap;

use chrono::Duration;
use serde_json::Value;

use super::{World, date};
use crate::support::chance::Chance;
use crate::support::stand_ins::enable_banking::Aggregator;
use crate::support::stand_ins::enable_banking::answers::refusal;
use crate::support::stand_ins::faults::Law;

const STEPS: usize = 30;

/// What happens between two rounds. Every amount is another one, so that each booked payment has one that it can have been.
fn live(
    aggregator: &mut Aggregator,
    step: usize,
    chance: &mut Chance,
    settled: &mut BTreeMap<String, String>,
) {
    aggregator.now += Duration::minutes(30 + i64::try_from(chance.below(1_200)).unwrap());
    aggregator.fails_pending = chance.below(5) == 0;
    aggregator.has_empty_pages = chance.below(2) == 0;
    let today = aggregator.now.date_naive();
    for id in ["a", "b"] {
        let account = aggregator.account(id);
        let pending = account.payments.iter().filter(|own| own.is_pending());
        let pending: Vec<_> = pending.filter_map(|own| own.reference.clone()).collect();
        for own in pending {
            match chance.below(6) {
                0 => account.remove(&own),
                1 | 2 => {
                    let booked = format!("b{own}");
                    account.settle(&own, &booked, today);
                    settled.insert(format!("{id}/{booked}"), format!("{id}/{own}"));
                }
                _ => {}
            }
        }
        let cents = if id == "a" { 25 } else { 75 };
        match chance.below(4) {
            0 => account.hold(&format!("p{step}"), &format!("-{step}.{cents}"), today),
            1 => account.book(&format!("d{step}"), &format!("{step}.{cents}"), today),
            _ => {}
        }
    }
}

impl World {
    /// A payment that another replaces went when that one came.
    fn assert_replaced_are_gone(&self) {
        let replaced = self.field("finance.transactions", "replaces_id");
        for one in replaced.values().filter_map(Value::as_str) {
            assert!(!replaced.contains_key(one), "{one}");
        }
    }
}

async fn run(mut world: World, seed: u64) {
    let mut chance = Chance(seed);
    let mut settled = BTreeMap::new();
    world
        .aggregator()
        .account("b")
        .book("first", "1.00", date(-80));
    for step in 0..STEPS {
        live(&mut world.aggregator(), step, &mut chance, &mut settled);
        if chance.below(10) == 0 {
            world.link(&["a", "b"]).await.unwrap();
        }
        if chance.below(6) == 0 {
            let failing = refusal(400, "ASPSP_ERROR", &Value::Null);
            let answer = move |_: &str| failing.clone();
            world.aggregator().faults.once("BOOK", Law::Kept, answer);
        }
        let pages = 1 + chance.below(8);
        world.try_sync(pages).await.unwrap();
        world.assert_replaced_are_gone();
    }
    world.aggregator().fails_pending = false;
    world.aggregator().faults.clear();
    world.wait(Duration::minutes(1));
    world.sync().await;
    world.assert_equal();
    for (booked, replaced) in world.field("finance.transactions", "replaces_id") {
        if let Some(replaced) = replaced.as_str() {
            let expected = settled.get(&booked).map(String::as_str);
            assert_eq!(expected, Some(replaced), "{seed}");
        }
    }
    // Everything anew changes nothing.
    world.sync().await;
    assert_eq!(world.store.changed, [""; 0], "{seed}");
}

#[tokio::test]
async fn rounds_that_are_cut_off_anywhere_lose_nothing() {
    for seed in 0..4 {
        let Some(world) = World::start("enable_banking_cut_off").await else {
            return;
        };
        run(world, seed).await;
    }
}

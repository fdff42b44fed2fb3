//! Rounds that are cut off anywhere while a person pays, banks are late and fail, and links come and go: in the end the store equals
//! the bridge, and each pending payment was taken over by the booked one that it became.

use std::collections::BTreeMap;

use chrono::Duration;

use super::{World, day};
use crate::support::chance::Chance;
use crate::support::stand_ins::simplefin::Bridge;

const STEPS: usize = 40;

/// What happens between two rounds. Every amount is another one, so that each booked payment has one that it can have been.
fn live(
    bridge: &mut Bridge,
    step: usize,
    chance: &mut Chance,
    settled: &mut BTreeMap<String, String>,
) {
    bridge.now += Duration::minutes(30 + i64::try_from(chance.below(1200)).unwrap());
    let now = bridge.now;
    let ids: Vec<_> = bridge.accounts.keys().cloned().collect();
    for id in ids {
        let account = bridge.account(&id);
        let pending: Vec<_> = account
            .payments
            .iter()
            .filter(|(_, payment)| payment.booked_at.is_none())
            .map(|(own, _)| own.clone())
            .collect();
        for own in pending {
            match chance.below(6) {
                0 => drop(account.payments.remove(&own)),
                1 | 2 => {
                    let booked = format!("b{own}");
                    account.settle(&own, &booked, now);
                    settled.insert(format!("{id}/{booked}"), format!("{id}/{own}"));
                }
                _ => {}
            }
        }
        match chance.below(4) {
            0 => account.hold(&format!("p{step}"), &format!("-{step}.{}", id.len()), now),
            1 => account.book(&format!("d{step}"), &format!("{step}.00"), now),
            _ => {}
        }
    }
    match chance.below(12) {
        0 => bridge.banks.get_mut("giro").unwrap().trouble = Some(("con.auth", "again")),
        1..4 => bridge.banks.get_mut("giro").unwrap().trouble = None,
        4 => drop(bridge.open(
            &format!("x{step}"),
            "more",
            &format!("More {}", 1000 + step),
        )),
        5 => bridge.unlink("more"),
        _ => {}
    }
}

async fn run(mut world: World, seed: u64) {
    let mut chance = Chance(seed);
    let mut settled = BTreeMap::new();
    {
        let mut bridge = world.bridge();
        for id in ["a", "bb"] {
            let account = bridge.open(id, "giro", &format!("Account {id}"));
            for month in 0..9 {
                account.book(&format!("m{month}"), "-1", day(-month * 30));
            }
        }
    }
    for step in 0..STEPS {
        live(&mut world.bridge(), step, &mut chance, &mut settled);
        let pages = 1 + chance.below(8);
        world.try_sync(pages).await.unwrap();
    }
    world.bridge().banks.get_mut("giro").unwrap().trouble = None;
    world.wait(Duration::minutes(1));
    world.sync().await;
    world.assert_equal();
    for (booked, replaced) in world.field("finance.transactions", "replaces_id") {
        if let Some(replaced) = replaced.as_str() {
            assert_eq!(
                settled.get(&booked).map(String::as_str),
                Some(replaced),
                "{seed}"
            );
        }
    }
    // Everything anew changes nothing but the time of balances.
    let before = world.stored();
    world.sync().await;
    assert_eq!(world.stored(), before);
}

#[tokio::test]
async fn rounds_that_are_cut_off_anywhere_lose_nothing() {
    for seed in 0..6 {
        let Some(world) = World::claimed("simplefin_rounds_that_are_cut_off").await else {
            return;
        };
        run(world, seed).await;
    }
}

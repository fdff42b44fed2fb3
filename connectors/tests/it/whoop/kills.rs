//! Rounds that are cut off anywhere, while the person sleeps, trains and deletes: in the end the store equals the stand-in.

use chrono::Duration;
use sextant_connectors::failure::FailureKind;

use super::{World, day};
use crate::support::chance::Chance;
use crate::support::stand_ins::whoop::Whoop;
use crate::support::stand_ins::whoop::records::{Kind, uuid};

const NIGHTS: i64 = 80;
const STEPS: i64 = 20;

/// What a person and their strap do between two rounds, in the days that are judged.
fn live(world: &World, step: i64, chance: &mut Chance) {
    let mut state = world.whoop();
    state.now += Duration::minutes(1 + i64::try_from(chance.below(600)).unwrap());
    let recent = |state: &Whoop, kind: Kind| -> Vec<String> {
        let from = state.now - Duration::days(6);
        let of_kind = state.records.iter().filter(|((own, _), _)| *own == kind);
        let recent = of_kind.filter(|(_, record)| state.span_of(kind, record).0 > from);
        recent.map(|((_, id), _)| id.clone()).collect()
    };
    for _ in 0..chance.below(4) {
        let kind = Kind::ALL[chance.below(4)];
        let ids = recent(&state, kind);
        let Some(id) = ids.get(chance.below(20)) else {
            continue;
        };
        match chance.below(3) {
            0 if kind != Kind::Sleep => state.remove(kind, id),
            1 => state.unscore(kind, id),
            _ => state.change(kind, id, |record| {
                record["score_state"] = "UNSCORABLE".into()
            }),
        }
    }
    let start = state.now - Duration::hours(9);
    match chance.below(3) {
        0 => state.add_night(20_000 + step, start),
        1 => state.add_workout(20_000 + step, start),
        _ => {}
    }
    drop(state);
    // A token that dies in mid-round is none of the person's trouble.
    if chance.below(5) == 0 {
        world.rotate();
    }
}

async fn run(mut world: World, seed: u64) {
    let mut chance = Chance(seed);
    {
        let mut state = world.whoop();
        state.counts_from_start = seed.is_multiple_of(2);
        state.limits = (40, 10_000);
        state.add_workout(1, day(-900));
    }
    for step in 0..STEPS {
        let pages = 1 + chance.below(12);
        if let Err(failure) = world.try_sync(pages).await {
            assert_eq!(failure.kind, FailureKind::RateLimited, "{seed} {failure}");
            world.wait(Duration::minutes(1));
        }
        live(&world, step, &mut chance);
    }
    while let Err(failure) = world.try_sync(usize::MAX).await {
        assert_eq!(failure.kind, FailureKind::RateLimited, "{seed} {failure}");
        world.wait(Duration::minutes(1));
    }
    world.assert_equal();
    let oldest = uuid(Kind::Workout, 1);
    assert!(world.store.keys("workouts").contains(&&*oldest), "{seed}");

    // Everything anew changes nothing.
    world.wait(Duration::minutes(1));
    world.whoop().limits = (1000, 10_000);
    world.store.positions.clear();
    assert_eq!(world.sync().await, [""; 0], "{seed}");
}

#[tokio::test]
async fn rounds_that_are_cut_off_anywhere_lose_nothing() {
    for seed in 0..4 {
        let test = "whoop_rounds_that_are_cut_off";
        let Some(world) = World::with_nights(test, NIGHTS).await else {
            return;
        };
        run(world, seed).await;
    }
}

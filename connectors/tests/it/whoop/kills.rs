//! Rounds that are cut off anywhere, while the person sleeps, trains and deletes: in the end the store equals the stand-in.

use chrono::Duration;
use sextant_connectors::failure::FailureKind;

use super::stand_in::{Kind, StandIn, uuid};
use super::{World, day};

const NIGHTS: i64 = 80;
const STEPS: i64 = 20;

/// Numbers that look like chance, the same for the same seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % end
    }
}

/// What a person and their strap do between two rounds, in the days that are judged.
fn live(stand_in: &StandIn, step: i64, chance: &mut Chance) {
    let mut state = stand_in.state();
    state.now += Duration::minutes(1 + chance.below(600));
    let recent = |state: &super::stand_in::State, kind: Kind| -> Vec<String> {
        let from = state.now - Duration::days(6);
        let of_kind = state.records.iter().filter(|((own, _), _)| *own == kind);
        let recent = of_kind.filter(|(_, record)| state.span_of(kind, record).0 > from);
        recent.map(|((_, id), _)| id.clone()).collect()
    };
    for _ in 0..chance.below(4) {
        let kind = Kind::ALL[usize::try_from(chance.below(4)).unwrap()];
        let ids = recent(&state, kind);
        let Some(id) = ids.get(usize::try_from(chance.below(20)).unwrap()) else {
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
    // A token that dies in mid-round is none of the person's trouble.
    if chance.below(5) == 0 {
        state.rotate();
    }
}

async fn run(seed: u64) -> Option<()> {
    let mut world = World::with_nights("rounds_that_are_cut_off", NIGHTS).await?;
    let mut chance = Chance(seed);
    {
        let mut state = world.stand_in.state();
        state.counts_from_start = seed.is_multiple_of(2);
        state.limits = (40, 10_000);
        state.add_workout(1, day(-900));
    }
    for step in 0..STEPS {
        let pages = usize::try_from(1 + chance.below(12)).unwrap();
        if let Err(failure) = world.try_sync(pages).await {
            assert_eq!(failure.kind, FailureKind::RateLimited, "{seed} {failure}");
            world.wait(Duration::minutes(1));
        }
        live(&world.stand_in, step, &mut chance);
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
    world.stand_in.state().limits = (1000, 10_000);
    world.store.positions.clear();
    assert_eq!(world.sync().await, [""; 0], "{seed}");
    Some(())
}

#[tokio::test]
async fn rounds_that_are_cut_off_anywhere_lose_nothing() {
    for seed in 0..4 {
        if run(seed).await.is_none() {
            return;
        }
    }
}

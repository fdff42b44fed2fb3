//! The actors of the connections that are read: who has one, what is fetched, begun and restarted through the connections' handle.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::{join, join5};
use sextant_actors::connections::{Fetched, NotBegun, PUSH_ONLY};
use sextant_actors::domain::{ConnectionState, KnownConnection, Sector};
use sextant_actors::ports::RoundEnd;
use sextant_actors::supervise::ActorState;
use sextant_actors::sync::{RoundStart, SyncHandle};
use sextant_actors::tree::ActorTree;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::support::{
    LONG, Play, World, connection, noon, on_board, pulled, run, start_of, status, until,
};

const ONE: Uuid = Uuid::from_u128(1);
const TWO: Uuid = Uuid::from_u128(2);

fn one() -> KnownConnection {
    pulled(1, "one", Sector::Mail)
}

fn paused(row: KnownConnection) -> KnownConnection {
    KnownConnection {
        state: ConnectionState::Paused,
        ..row
    }
}

/// Two connections that are read and have been once, and one that is pushed to.
async fn begin(plays: impl IntoIterator<Item = Play>) -> (World, ActorTree) {
    let world = World::new();
    world.connections.put(one());
    world.connections.put(pulled(2, "two", Sector::Mail));
    world.connections.put(connection(3, "phone", Sector::Mail));
    world.rounds.play(ONE, plays);
    let tree = world.start().await;
    until(|| count(&world, ONE) == 1 && count(&world, TWO) == 1).await;
    (world, tree)
}

fn count(world: &World, id: Uuid) -> usize {
    world.rounds.begun(id).len()
}

fn has_actor(tree: &ActorTree, id: Uuid) -> bool {
    let rows = tree.board.read();
    rows.iter().any(|row| row.name == SyncHandle::name_of(id))
}

async fn change(world: &World, tree: &ActorTree, row: KnownConnection) {
    let id = row.id;
    world.connections.put(row);
    tree.connections.reload(id).await.unwrap();
}

async fn pass(world: &World, seconds: i64) {
    world.clock.time.advance(TimeDelta::seconds(seconds));
    tokio::time::sleep(Duration::from_millis(50)).await;
}

fn outcomes(fetched: &[Fetched]) -> Vec<(&str, &str)> {
    let outcome = |one: &Fetched| one.outcome;
    let labels = fetched.iter().map(|one| one.connection.as_str());
    labels.zip(fetched.iter().map(outcome)).collect()
}

#[test]
fn each_connection_that_is_read_has_an_actor_while_it_is_active() {
    run(async {
        let (world, tree) = begin([]).await;
        assert!(!has_actor(&tree, Uuid::from_u128(3)), "it is pushed to");
        change(&world, &tree, paused(one())).await;
        until(|| !has_actor(&tree, ONE)).await;
        until(|| world.rounds.settled(TWO).len() == 1).await;
        pass(&world, 100_000).await;
        assert_eq!((count(&world, ONE), count(&world, TWO)), (1, 2));
        change(&world, &tree, one()).await;
        pass(&world, 1000).await;
        assert_eq!(count(&world, ONE), 2);
        world.connections.remove(ONE);
        tree.connections.reload(ONE).await.unwrap();
        until(|| !has_actor(&tree, ONE)).await;
        let refused = tree.connections.sync_now(ONE).await;
        assert_eq!(refused, Err(NotBegun::Unknown));
    });
}

#[test]
fn a_pause_ends_the_round_and_a_resume_meanwhile_begins_no_second_one() {
    run(async {
        let world = World::new();
        let released = Arc::new(Notify::new());
        world.connections.put(one());
        // It does not end when it is told to.
        world.rounds.play(ONE, [Play::Deaf(Arc::clone(&released))]);
        let tree = world.start().await;
        until(|| count(&world, ONE) == 1).await;
        for row in [paused(one()), one(), paused(one()), one()] {
            change(&world, &tree, row).await;
        }
        pass(&world, 5000).await;
        assert_eq!(count(&world, ONE), 1, "its round is not over");
        released.notify_one();
        until(|| world.rounds.settled(ONE).len() == 1).await;
        pass(&world, 1000).await;
        assert_eq!(count(&world, ONE), 2);
        assert!(has_actor(&tree, ONE));
        assert_eq!(
            start_of(tree.connections.sync_now(ONE).await),
            Ok(RoundStart::Begun)
        );
    });
}

#[test]
fn a_crash_of_the_connections_leaves_their_actors_alone() {
    run(async {
        let released = Arc::new(Notify::new());
        let (world, tree) = begin([Play::Hold(Arc::clone(&released))]).await;
        tree.board.restart("connections").await.unwrap();
        change(&world, &tree, pulled(2, "other", Sector::Mail)).await;
        released.notify_one();
        until(|| world.rounds.settled(ONE).len() == 1).await;
        assert_eq!((count(&world, ONE), count(&world, TWO)), (1, 1));
        change(&world, &tree, paused(one())).await;
        until(|| !has_actor(&tree, ONE)).await;
    });
}

#[test]
fn how_a_round_ended_is_published() {
    run(async {
        let released = Arc::new(Notify::new());
        let (world, tree) = begin([Play::Hold(Arc::clone(&released))]).await;
        world.connections.put(KnownConnection {
            last_success_at: Some(noon()),
            ..one()
        });
        released.notify_one();
        let snapshot = || tree.connections.snapshot();
        until(|| snapshot().get(&ONE).unwrap().last_success_at.is_some()).await;
    });
}

#[test]
fn a_change_of_one_connection_has_its_plan_read_again() {
    run(async {
        let (world, tree) = begin([Play::End(RoundEnd::NeedsPerson)]).await;
        until(|| world.rounds.settled(ONE).len() == 1).await;
        let refused = tree.connections.sync_now(ONE).await;
        assert_eq!(refused, Err(NotBegun::NeedsPerson));
        world
            .rounds
            .change_plan(ONE, |plan| plan.needs_person = false);
        change(&world, &tree, one()).await;
        until(|| count(&world, ONE) == 2).await;
        assert_eq!(count(&world, TWO), 1);
    });
}

#[test]
fn what_a_source_wishes_holds_for_all_of_its_sign_in() {
    run(async {
        let until_later = noon() + TimeDelta::hours(2);
        let wish = RoundEnd::Failed {
            retry_at: Some(until_later),
        };
        let released = Arc::new(Notify::new());
        let plays = [Play::Hold(Arc::clone(&released)), Play::End(wish)];
        let (world, tree) = begin(plays).await;
        world.rounds.has_siblings(ONE, [TWO]);
        released.notify_one();
        until(|| world.rounds.settled(ONE).len() == 1).await;
        // What is stored of the other with it.
        world.rounds.change_plan(TWO, |plan| {
            plan.retry_at = Some(until_later);
            plan.wished_until = Some(until_later);
        });
        let read = world.rounds.plans_read(TWO);
        assert_eq!(
            start_of(tree.connections.sync_now(ONE).await),
            Ok(RoundStart::Begun)
        );
        until(|| world.rounds.plans_read(TWO) > read).await;
        let refused = tree.connections.sync_now(TWO).await;
        assert_eq!(refused, Err(NotBegun::Waiting(until_later)));
        pass(&world, 3600).await;
        assert_eq!(count(&world, TWO), 1);
        pass(&world, 3600).await;
        until(|| count(&world, TWO) == 2).await;
    });
}

#[test]
fn r042_a_fetch_asks_all_sources_of_the_sector_at_once_within_its_time() {
    run(async {
        let (world, tree) = begin([]).await;
        let asked = RoundEnd::Failed {
            retry_at: Some(noon() + TimeDelta::hours(2)),
        };
        for (number, play) in (10..).zip([
            Play::End(RoundEnd::Failed { retry_at: None }),
            Play::End(asked),
            Play::End(RoundEnd::NeedsPerson),
            Play::Hang,
        ]) {
            let id = Uuid::from_u128(number);
            world.rounds.play(id, [play]);
            change(
                &world,
                &tree,
                pulled(number, &format!("{number}"), Sector::Mail),
            )
            .await;
            until(|| count(&world, id) == 1).await;
        }
        change(&world, &tree, pulled(20, "other", Sector::Home)).await;
        until(|| count(&world, Uuid::from_u128(20)) == 1).await;
        let begun = tokio::time::Instant::now();
        let patience = Duration::from_secs(10);
        let fetched = tree.connections.fetch(Sector::Mail, patience).await;
        assert!(begun.elapsed() < Duration::from_secs(11));
        let expected = [
            ("10", "waiting"),
            ("11", "waiting"),
            ("12", "needs_sign_in"),
            ("13", "running"),
            ("one", "fetched"),
            ("phone", PUSH_ONLY),
            ("two", "fetched"),
        ];
        assert_eq!(outcomes(&fetched), expected);
        assert!(
            fetched[1].message.contains("2027-01-15T10:00:00Z"),
            "{fetched:?}"
        );
        assert_eq!(count(&world, Uuid::from_u128(20)), 1, "another sector");
        assert_eq!(count(&world, Uuid::from_u128(13)), 1, "it goes on");
    });
}

#[test]
fn what_a_fetch_meets_is_told_whatever_it_is() {
    run(async {
        let (world, tree) = begin([]).await;
        let ends = [
            (RoundEnd::Failed { retry_at: None }, "failed"),
            (RoundEnd::NeedsPerson, "needs_sign_in"),
            (RoundEnd::StoreAway, "failed"),
            (RoundEnd::Halted, "failed"),
            (RoundEnd::Listening, "fetched"),
        ];
        for (end, outcome) in ends {
            until(|| world.rounds.settled(ONE).len() == count(&world, ONE)).await;
            world.rounds.change_plan(ONE, |plan| {
                plan.retry_at = None;
                plan.needs_person = false;
                plan.last_success_at = Some(noon());
            });
            change(&world, &tree, one()).await;
            world.rounds.play(ONE, [Play::End(end.clone())]);
            let fetched = tree.connections.fetch(Sector::Mail, LONG).await;
            assert_eq!(outcomes(&fetched)[0], ("one", outcome), "{end:?}");
        }
    });
}

/// Whatever asks at one instant, the source meets one round.
#[test]
fn tick_sync_now_fetch_and_restart_at_one_instant_are_one_round() {
    run(async {
        let released = Arc::new(Notify::new());
        let (world, tree) = begin([]).await;
        until(|| world.rounds.settled(ONE).len() == 1).await;
        let hold = || Play::Hold(Arc::clone(&released));
        world.rounds.play(ONE, [hold()]);
        let tick = async { world.clock.time.advance(TimeDelta::seconds(1000)) };
        let calls = &tree.connections;
        let (_, _, _, fetched, ()) = join5(
            tick,
            calls.sync_now(ONE),
            calls.sync_now(ONE),
            calls.fetch(Sector::Mail, Duration::from_secs(5)),
            async {
                calls.reload(ONE).await.unwrap();
            },
        )
        .await;
        assert_eq!(outcomes(&fetched)[0], ("one", "running"));
        assert_eq!(count(&world, ONE), 2);
        // A restart drops the round, and begins it anew when it is due: never beside it, which the rounds assert.
        world.rounds.play(ONE, [hold(), hold()]);
        let (restarted, begun) = join(calls.restart(ONE), calls.sync_now(ONE)).await;
        assert_eq!(restarted, Ok(()));
        assert!(begun.is_ok(), "{begun:?}");
        pass(&world, 10).await;
        assert_eq!(count(&world, ONE), 3);
    });
}

#[test]
fn r506_a_restart_of_one_leaves_the_others_alone() {
    run(async {
        let released = Arc::new(Notify::new());
        let (world, tree) = begin([Play::Hang]).await;
        until(|| world.rounds.settled(TWO).len() == 1).await;
        world.rounds.play(TWO, [Play::Hold(Arc::clone(&released))]);
        assert_eq!(
            start_of(tree.connections.sync_now(TWO).await),
            Ok(RoundStart::Begun)
        );
        assert_eq!(tree.connections.restart(ONE).await, Ok(()));
        until(|| world.rounds.settled(ONE).len() == 1).await;
        assert_eq!(count(&world, ONE), 2, "it was begun anew");
        // One that is not due, and one that failed a moment ago, are read too: who restarts wants to see it work.
        let failed = Play::End(RoundEnd::Failed { retry_at: None });
        world.rounds.play(ONE, [failed]);
        for rounds in [2, 3] {
            assert_eq!(tree.connections.restart(ONE).await, Ok(()));
            until(|| world.rounds.settled(ONE).len() == rounds).await;
        }
        assert_eq!(
            start_of(tree.connections.sync_now(TWO).await),
            Ok(RoundStart::Joined)
        );
        let row = |id| on_board(&tree.board, &SyncHandle::name_of(id));
        assert_eq!((row(ONE).restarts, row(TWO).restarts), (3, 0));
        assert_eq!(status(&tree, "connections").restarts, 0);
        released.notify_one();
        until(|| world.rounds.settled(TWO).len() == 2).await;
        let phone = Uuid::from_u128(3);
        assert_eq!(
            tree.connections.restart(phone).await,
            Err(NotBegun::IsPushed)
        );
    });
}

#[test]
fn one_that_crashes_too_often_is_parked_and_a_restart_ends_that() {
    run(async {
        let (world, tree) = begin(std::iter::repeat_n(Play::Panic, 5)).await;
        let row = || on_board(&tree.board, &SyncHandle::name_of(ONE));
        until(|| row().state == ActorState::Parked).await;
        assert!(tree.connections.is_parked(ONE) && !tree.connections.is_parked(TWO));
        let refused = tree.connections.sync_now(ONE).await;
        assert_eq!(refused, Err(NotBegun::Resting));
        let fetched = tree.connections.fetch(Sector::Mail, LONG).await;
        assert_eq!(outcomes(&fetched)[0], ("one", "failed"));
        let begun = tokio::time::Instant::now();
        assert_eq!(tree.connections.restart(ONE).await, Ok(()));
        until(|| world.rounds.settled(ONE).len() == 1).await;
        assert!(begun.elapsed() < Duration::from_secs(60));
        assert!(!tree.connections.is_parked(ONE));
    });
}

#[test]
fn all_halt_at_the_end_of_their_pages_and_none_begins_any_more() {
    run(async {
        let never = Arc::new(Notify::new());
        let (world, tree) = begin([Play::Hold(Arc::clone(&never))]).await;
        tree.halt_connections().await;
        let ends = |id| world.rounds.settled(id).last().unwrap().report.end.clone();
        assert_eq!(ends(ONE), RoundEnd::Halted);
        change(&world, &tree, one()).await;
        change(&world, &tree, pulled(5, "five", Sector::Mail)).await;
        pass(&world, 100_000).await;
        let all = [ONE, TWO, Uuid::from_u128(5)];
        let counts = all.map(|id| count(&world, id));
        assert_eq!(counts, [1, 1, 0]);
    });
}

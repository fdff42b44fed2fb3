//! An actor that crashes too often, one that stops on purpose, and a stop while one is being restarted.

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt as _, future::join};
use sextant_actors::grants::EditError;
use sextant_actors::sessions::{CallError, CloseReason, Era, OpenError};
use sextant_actors::supervise::ActorState;
use sextant_actors::tree::ActorTree;
use uuid::Uuid;

use crate::support::{
    Fault, World, amend, client, entry, hang, legacy, name, noon, on_board, query, run, status,
    ticket, uncancelled, until,
};

/// Makes one actor crash once.
type Crash = for<'a> fn(&'a World, &'a ActorTree) -> LocalBoxFuture<'a, ()>;

/// How each actor is made to crash.
const CRASHES: [(&str, Crash); 4] = [
    ("audit", |world, tree| {
        world.audit.on_append.add([Fault::Panic]);
        drop(tree.audit.record(entry(0)));
        std::future::ready(()).boxed_local()
    }),
    ("session registry", |world, _| {
        world.clock.break_once();
        std::future::ready(()).boxed_local()
    }),
    ("grants", |world, tree| {
        async {
            world.grants.on_apply.add([Fault::Panic]);
            let edited = tree.grants.edit(name("bob"), amend(&["home"])).await;
            assert_eq!(edited.unwrap_err(), EditError::FateUnknown);
        }
        .boxed_local()
    }),
    ("connections", |world, tree| {
        async {
            world.connections.on_load.add([Fault::PanicWhenCalled]);
            let changed = tree.connections.reload(Uuid::from_u128(1)).await;
            assert!(changed.is_err());
        }
        .boxed_local()
    }),
];

async fn crash_once(world: &World, tree: &ActorTree, actor: &str, crash: Crash) {
    let before = status(tree, actor).crashes;
    crash(world, tree).await;
    until(|| status(tree, actor).crashes > before).await;
}

async fn is_back(tree: &ActorTree, actor: &str) {
    until(|| status(tree, actor).state == ActorState::Running).await;
}

#[test]
fn five_crashes_within_a_minute_end_the_service_and_it_is_told_whose() {
    for (actor, crash) in CRASHES {
        run(async {
            let world = World::new();
            let tree = world.start().await;
            let lease = legacy(&tree, "amy").await;
            for crashes in 1..=5 {
                assert_eq!(tree.failed().now_or_never(), None, "{actor}: {crashes}");
                crash_once(&world, &tree, actor, crash).await;
                if crashes < 5 {
                    is_back(&tree, actor).await;
                }
            }
            let told = tree.failed().await;
            assert!(
                told.starts_with(&format!("{actor} crashed too often")),
                "{told}"
            );
            let status = status(&tree, actor);
            assert_eq!((status.state, status.restarts), (ActorState::Failed, 4));
            tree.close_sessions().await;
            tree.halt_connections().await;
            let left = tree.drain().await;
            assert_eq!(left > 0, actor == "audit", "only its own rows are left");
            until(|| lease.gate().state().is_some()).await;
        });
    }
}

#[test]
fn five_crashes_that_lie_further_apart_end_nothing() {
    for (actor, crash) in CRASHES {
        run(async {
            let world = World::new();
            let tree = world.start().await;
            for _ in 0..8 {
                crash_once(&world, &tree, actor, crash).await;
                is_back(&tree, actor).await;
                tokio::time::advance(Duration::from_secs(16)).await;
            }
            assert_eq!(tree.failed().now_or_never(), None, "{actor}");
        });
    }
}

#[test]
fn a_registry_that_gave_up_leaves_no_session_that_nobody_could_end() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        for _ in 0..4 {
            world.clock.break_once();
            let before = status(&tree, "session registry").restarts;
            until(|| status(&tree, "session registry").restarts > before).await;
            is_back(&tree, "session registry").await;
        }
        let lease = legacy(&tree, "amy").await;
        let last = async {
            world.tool_service.begun.times(1).await;
            world.clock.break_once();
        };
        let (served, ()) = join(lease.call(hang(), uncancelled()), last).await;
        assert_eq!(served.unwrap_err(), CallError::Closed(CloseReason::Stopped));
        tree.failed().await;
        let refused = tree
            .sessions
            .open(ticket(&tree, "amy"), client("c"), Era::Modern)
            .await;
        assert_eq!(refused.err(), Some(OpenError::Unavailable));
        let edited = tree.grants.edit(name("amy"), amend(&["home"])).await;
        assert_eq!(
            edited.unwrap_err(),
            EditError::FateUnknown,
            "nobody can tell any more"
        );
        assert!(tree.grants.resolve(&crate::support::key("amy")).is_err());
    });
}

#[test]
fn the_board_says_since_when_by_the_injected_clock() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        assert_eq!(status(&tree, "grants").since, noon());
        world.clock.time.advance(TimeDelta::minutes(3));
        legacy(&tree, "amy").await;
        assert_eq!(
            status(&tree, "grants").since,
            noon(),
            "nothing has happened to it"
        );
        let (hold, held) = Fault::hold();
        world.grants.on_load.add([hold]);
        let (_, crash) = CRASHES[2];
        crash_once(&world, &tree, "grants", crash).await;
        is_back(&tree, "grants").await;
        world.clock.time.advance(TimeDelta::minutes(4));
        held.notify_one();
        assert_eq!(
            status(&tree, "grants").since,
            noon() + TimeDelta::minutes(3)
        );
    });
}

#[test]
fn a_clock_that_breaks_as_the_board_is_written_takes_nobody_down() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let registry = || status(&tree, "session registry");
        world.clock.break_once();
        until(|| registry().state == ActorState::Restarting).await;
        world.clock.break_once();
        until(|| registry().state == ActorState::Running).await;
        legacy(&tree, "amy").await;
        assert_eq!(registry().crashes, 1);
    });
}

#[test]
fn one_that_stops_on_purpose_is_not_restarted() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        lease.end().await;
        let late = lease.call(query(), uncancelled()).await.unwrap_err();
        assert_eq!(late, CallError::Closed(CloseReason::Ended));
        let sessions = status(&tree, "session");
        assert_eq!((sessions.crashes, sessions.restarts), (0, 0));
        // Grants and connections end when their last handle is dropped; the tree's threads end the others.
        let board = tree.board.clone();
        drop((lease, tree));
        let state = |actor| on_board(&board, actor).state;
        for actor in ["grants", "connections"] {
            until(|| state(actor) == ActorState::Stopped).await;
        }
        tokio::time::advance(Duration::from_secs(600)).await;
        assert!(board.read().iter().all(|row| row.restarts == 0));
        assert_eq!(state("grants"), ActorState::Stopped);
    });
}

#[test]
fn one_that_nobody_reaches_any_more_is_not_restarted_after_its_crash() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.connections.on_load.add([Fault::PanicWhenCalled]);
        let board = tree.board.clone();
        {
            let changed = tree.connections.reload(Uuid::from_u128(1));
            let resting = until(|| status(&tree, "connections").state == ActorState::Restarting);
            futures_util::future::select(Box::pin(changed), Box::pin(resting)).await;
        }
        drop(tree);
        until(|| on_board(&board, "connections").state == ActorState::Stopped).await;
    });
}

#[test]
fn a_stop_while_an_actor_waits_to_be_restarted_is_carried_out() {
    for (actor, crash) in CRASHES {
        run(async {
            let world = World::new();
            let tree = world.start().await;
            let lease = legacy(&tree, "amy").await;
            (0..3).for_each(|number| drop(tree.audit.record(entry(number))));
            let before = status(&tree, actor).crashes;
            let stop = async {
                until(|| status(&tree, actor).crashes > before).await;
                tree.close_sessions().await;
                tree.halt_connections().await;
                tree.drain().await
            };
            let ((), left) = join(crash(&world, &tree), stop).await;
            assert_eq!(left, 0, "{actor}");
            assert!(lease.gate().state().is_some());
            let late = tree
                .sessions
                .open(ticket(&tree, "amy"), client("c"), Era::Modern)
                .await;
            assert_eq!(late.err(), Some(OpenError::Unavailable));
            assert_eq!(tree.audit.stats().waiting_rows, 0);
        });
    }
}

//! Each actor restarted because somebody asked for it, with something of its own under way.

use futures_util::future::join;
use sextant_actors::domain::Sector;
use sextant_actors::grants::EditError;
use sextant_actors::sessions::CloseReason;
use sextant_actors::supervise::{ActorState, RestartRefusal};
use sextant_actors::tree::ActorTree;
use uuid::Uuid;

use crate::support::{
    Fault, World, amend, connection, entry, key, legacy, name, numbers, query, run, set, status,
    ticket, uncancelled, until,
};

/// That the actor has restarted this often, and has not crashed.
fn assert_restarted(tree: &ActorTree, actor: &str, restarts: u64) {
    let row = status(tree, actor);
    assert_eq!(row.state, ActorState::Running, "{actor}");
    assert_eq!((row.restarts, row.crashes), (restarts, 0), "{actor}");
    assert_eq!(row.last_error, None, "{actor}");
}

#[test]
fn r506_every_actor_restarts_again_and_again_and_sessions_do_not() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        for id in ["audit", "connections", "grants"] {
            for _ in 0..20 {
                assert_eq!(tree.board.restart(id).await, Ok(None));
            }
            assert_restarted(&tree, id, 20);
        }
        lease.call(query(), uncancelled()).await.unwrap();
        let refused = Err(RestartRefusal::Temporary);
        assert_eq!(tree.board.restart("session").await, refused);
        for id in ["session registry", "sessions", ""] {
            let refused = Err(RestartRefusal::Unknown);
            assert_eq!(tree.board.restart(id).await, refused);
        }
        assert_eq!(lease.gate().state(), None);
    });
}

#[test]
fn r506_a_restarted_registry_says_how_many_live_sessions_it_ends() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let live = [legacy(&tree, "amy").await, legacy(&tree, "bob").await];
        let ended = legacy(&tree, "amy").await;
        ended.end().await;
        assert_eq!(tree.board.restart("session-registry").await, Ok(Some(2)));
        for lease in live {
            assert_eq!(lease.gate().state(), Some(CloseReason::Stopped));
        }
        assert!(tree.sessions.list(None).await.is_empty());
        assert_eq!(tree.board.restart("session-registry").await, Ok(Some(0)));
        assert_restarted(&tree, "session registry", 2);
        let again = legacy(&tree, "amy").await;
        again.call(query(), uncancelled()).await.unwrap();
    });
}

#[test]
fn r506_an_edit_under_way_has_an_unknown_fate_until_the_grants_are_read_again() {
    let (answer_held, _never) = Fault::hold_answer();
    for (fault, stored) in [(Fault::Hang, "mail"), (answer_held, "home")] {
        run(async {
            let world = World::new();
            let tree = world.start().await;
            let (cut, other) = (legacy(&tree, "amy").await, legacy(&tree, "bob").await);
            world.grants.on_apply.add([fault]);
            let restart = async {
                world.grants.applying.times(1).await;
                tree.board.restart("grants").await
            };
            let edit = tree.grants.edit(name("amy"), amend(&["home"]));
            let (edited, restarted) = join(edit, restart).await;
            assert_eq!(edited.unwrap_err(), EditError::FateUnknown);
            assert_eq!(restarted, Ok(None));
            assert_eq!(cut.gate().state(), Some(CloseReason::GrantChanged));
            until(|| tree.grants.resolve(&key("amy")).is_ok()).await;
            assert_eq!(ticket(&tree, "amy").sectors, set(&[stored]));
            other.call(query(), uncancelled()).await.unwrap();
            let edited = tree.grants.edit(name("amy"), amend(&["home"])).await;
            assert_eq!(edited.unwrap().sessions_ended, 0);
            assert_restarted(&tree, "grants", 1);
        });
    }
}

#[test]
fn r506_rows_of_a_flush_under_way_are_written_once() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let (held, _never) = Fault::hold_answer();
        let faults = [Fault::LoseAnswer, Fault::Hang, held];
        for (number, fault) in faults.into_iter().enumerate() {
            let rows = number * 100..(number + 1) * 100;
            world.audit.on_append.add([fault]);
            rows.for_each(|number| drop(tree.audit.record(entry(number))));
            until(|| world.audit.on_append.is_used_up()).await;
            assert_eq!(tree.board.restart("audit").await, Ok(None));
        }
        assert_eq!(tree.drain().await, 0);
        let rows = world.audit.rows(300).await;
        assert_eq!(numbers(&rows), (0..300).collect::<Vec<u64>>());
        assert_restarted(&tree, "audit", 3);
    });
}

#[test]
fn r506_a_change_of_a_connection_under_way_is_refused_until_it_has_been_read() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.connections.put(connection(1, "ring", Sector::Health));
        world.connections.on_load.add([Fault::Hang]);
        let changed = Uuid::from_u128(1);
        let restart = async {
            until(|| world.connections.on_load.is_used_up()).await;
            tree.board.restart("connections").await
        };
        let (reloaded, restarted) = join(tree.connections.reload(changed), restart).await;
        assert!(reloaded.is_err());
        assert_eq!(restarted, Ok(None));
        until(|| tree.connections.snapshot().is_current()).await;
        assert!(tree.connections.snapshot().get(&changed).is_some());
        assert_restarted(&tree, "connections", 1);
    });
}

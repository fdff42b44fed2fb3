//! `Reload`, a fetch of what is only pushed, the published snapshot, and what is not in it.

use futures_util::future::join_all;
use sextant_actors::connections::PUSH_ONLY;
use sextant_actors::domain::{ConnectionState, KnownConnection, Sector};
use sextant_actors::tree::ActorTree;
use uuid::Uuid;

use crate::support::{Fault, LONG, World, connection, run, until};

fn label(tree: &ActorTree, number: u128) -> Option<String> {
    let snapshot = tree.connections.snapshot();
    snapshot
        .get(&Uuid::from_u128(number))
        .map(|row| row.label.clone())
}

async fn read_again(tree: &ActorTree, number: u128) {
    until(|| label(tree, number).is_some()).await;
}

#[test]
fn a_change_stands_in_the_snapshot_when_it_has_been_answered() {
    run(async {
        let world = World::new();
        world.connections.put(connection(1, "old", Sector::Mail));
        let tree = world.start().await;
        assert_eq!(label(&tree, 1).as_deref(), Some("old"));
        world.connections.put(connection(1, "new", Sector::Mail));
        world.connections.put(connection(2, "two", Sector::Home));
        assert_eq!(
            label(&tree, 1).as_deref(),
            Some("old"),
            "nothing is read unasked"
        );
        tree.connections.reload(Uuid::from_u128(1)).await.unwrap();
        assert_eq!(label(&tree, 1).as_deref(), Some("new"));
        assert_eq!(label(&tree, 2).as_deref(), Some("two"));
    });
}

#[test]
fn a_changed_connection_that_cannot_be_read_is_refused_until_it_has_been() {
    for fault in [Fault::away(), Fault::Panic] {
        run(async {
            let world = World::new();
            world.connections.put(connection(1, "old", Sector::Mail));
            world.connections.put(connection(2, "two", Sector::Mail));
            let tree = world.start().await;
            world.connections.put(connection(1, "new", Sector::Mail));
            let (hold, held) = Fault::hold();
            world
                .connections
                .on_load
                .add([fault.clone(), Fault::away(), hold]);
            assert!(tree.connections.reload(Uuid::from_u128(1)).await.is_err());
            assert_eq!(label(&tree, 1), None, "its old secret must open nothing");
            assert_eq!(
                label(&tree, 2).as_deref(),
                Some("two"),
                "the others serve on"
            );
            held.notify_one();
            read_again(&tree, 1).await;
            assert_eq!(label(&tree, 1).as_deref(), Some("new"));
        });
    }
}

#[test]
fn a_slow_reading_never_replaces_a_younger_one() {
    run(async {
        let world = World::new();
        world.connections.put(connection(1, "old", Sector::Mail));
        let tree = world.start().await;
        let (hold, held) = Fault::hold();
        world.connections.on_load.add([hold]);
        let slow = tree.connections.reload(Uuid::from_u128(1));
        let fast = async {
            world.connections.loading.times(2).await;
            world.connections.put(connection(1, "new", Sector::Mail));
            tree.connections.reload(Uuid::from_u128(1)).await.unwrap();
            held.notify_one();
        };
        let (slow, ()) = tokio::join!(slow, fast);
        slow.unwrap();
        assert_eq!(label(&tree, 1).as_deref(), Some("new"));
    });
}

#[test]
fn r071_a_fetch_names_every_active_connection_of_the_sector_as_push_only() {
    run(async {
        let world = World::new();
        world
            .connections
            .put(connection(1, "phone", Sector::Health));
        world.connections.put(connection(2, "band", Sector::Health));
        world
            .connections
            .put(connection(3, "bank", Sector::Finance));
        world.connections.put(KnownConnection {
            state: ConnectionState::Paused,
            ..connection(4, "scale", Sector::Health)
        });
        let tree = world.start().await;
        let fetched = tree.connections.fetch(Sector::Health, LONG).await;
        let seen: Vec<(&str, &str)> = fetched
            .iter()
            .map(|one| (one.connection.as_str(), one.outcome))
            .collect();
        assert_eq!(seen, [("band", PUSH_ONLY), ("phone", PUSH_ONLY)]);
        assert!(
            fetched
                .iter()
                .all(|one| (one.upserted, one.deleted) == (0, 0))
        );
        assert!(tree.connections.fetch(Sector::Home, LONG).await.is_empty());
    });
}

#[test]
fn a_load_that_fails_at_the_start_is_waited_for() {
    run(async {
        let world = World::new();
        world.connections.put(connection(1, "old", Sector::Mail));
        world
            .connections
            .on_load
            .add([Fault::away(), Fault::Panic, Fault::Hang]);
        let tree = world.start().await;
        assert_eq!(label(&tree, 1).as_deref(), Some("old"));
        tree.halt_connections().await;
    });
}

/// Two reads may be under way; those who come meanwhile are served by one that begins after them.
#[test]
fn many_changes_at_once_are_read_together() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let (first, first_held) = Fault::hold();
        let (second, second_held) = Fault::hold();
        world.connections.on_load.add([first, second]);
        let before = world.connections.loading.count();
        let reload = || tree.connections.reload_progress();
        let many = join_all((0..20).map(|_| reload()));
        let write = async {
            world.connections.loading.times(before + 2).await;
            world.connections.put(connection(1, "new", Sector::Mail));
            first_held.notify_one();
            second_held.notify_one();
        };
        let (outcomes, ()) = tokio::join!(many, write);
        assert!(outcomes.iter().all(Result::is_ok));
        assert_eq!(world.connections.loading.count(), before + 3);
        assert_eq!(label(&tree, 1).as_deref(), Some("new"));
    });
}

/// What only agents are told of is no reason to refuse a device.
#[test]
fn progress_that_cannot_be_read_leaves_a_snapshot_that_says_so() {
    for fault in [Fault::away(), Fault::Panic] {
        run(async {
            let world = World::new();
            world.connections.put(connection(1, "old", Sector::Mail));
            let tree = world.start().await;
            assert!(tree.connections.snapshot().is_current());
            let (hold, held) = Fault::hold();
            world
                .connections
                .on_load
                .add([fault.clone(), Fault::away(), hold]);
            assert!(tree.connections.reload_progress().await.is_err());
            assert!(!tree.connections.snapshot().is_current());
            assert_eq!(label(&tree, 1).as_deref(), Some("old"));
            held.notify_one();
            until(|| tree.connections.snapshot().is_current()).await;
        });
    }
}

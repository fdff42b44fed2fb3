//! `Restore` and every reload: how grants are handled after a lost answer, a crash or an unreachable database.

use std::pin::pin;

use futures_util::future::{Either, select};
use sextant_actors::domain::KeyRefusal;
use sextant_actors::grants::EditError;
use sextant_actors::ports::GrantChange;
use sextant_actors::sessions::CloseReason;
use sextant_actors::tree::ActorTree;

use crate::support::{Fault, World, amend, grant, key, legacy, name, run, set, ticket, until};

/// Returns once the agent's key is accepted again.
async fn restored(tree: &ActorTree, agent: &str) {
    until(|| tree.grants.resolve(&key(agent)).is_ok()).await;
}

#[test]
fn an_agent_whose_edit_has_an_unknown_fate_is_refused_until_it_has_been_read() {
    for fault in [Fault::LoseAnswer, Fault::Hang] {
        run(async {
            let world = World::new();
            let tree = world.start().await;
            let (hold, held) = Fault::hold();
            world.grants.on_apply.add([fault.clone()]);
            world.grants.on_read.add([Fault::away(), hold]);
            let lease = legacy(&tree, "amy").await;
            let edited = tree.grants.edit(name("amy"), amend(&["home"])).await;
            assert_eq!(edited.unwrap_err(), EditError::FateUnknown);
            assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
            assert_eq!(
                tree.grants.resolve(&key("amy")).unwrap_err(),
                KeyRefusal::UnknownAgent
            );
            assert!(tree.grants.resolve(&key("bob")).is_ok());
            held.notify_one();
            restored(&tree, "amy").await;
            assert_eq!(
                ticket(&tree, "amy").sectors,
                world.grants.get(&name("amy")).unwrap().granted()
            );
            legacy(&tree, "amy").await;
        });
    }
}

#[test]
fn a_crash_in_mid_edit_leaves_the_agent_in_doubt_until_all_grants_have_been_read() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let other = legacy(&tree, "bob").await;
        let (hold, held) = Fault::hold();
        world.grants.on_apply.add([Fault::Panic]);
        world.grants.on_load.add([hold]);
        let edited = tree.grants.edit(name("amy"), amend(&["home"])).await;
        assert_eq!(edited.unwrap_err(), EditError::FateUnknown);
        assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
        assert!(tree.grants.resolve(&key("amy")).is_err());
        assert!(
            tree.grants.resolve(&key("bob")).is_ok(),
            "the last snapshot serves"
        );
        held.notify_one();
        restored(&tree, "amy").await;
        assert_eq!(ticket(&tree, "amy").sectors, set(&["mail"]));
        assert_eq!(other.gate().state(), None, "nobody else notices");
        let edited = tree
            .grants
            .edit(name("amy"), amend(&["home"]))
            .await
            .unwrap();
        assert_eq!(edited.sessions_ended, 0);
    });
}

#[test]
fn a_crash_in_mid_edit_ends_the_agents_sessions_though_nobody_waits_and_the_database_is_away() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let (hold, held) = Fault::hold();
        world.grants.on_apply.add([hold, Fault::Panic]);
        world.grants.on_load.add([Fault::Hang]);
        let (amy, bob) = (name("amy"), name("bob"));
        let revoke = Box::pin(tree.grants.edit(amy, GrantChange::Revoke));
        let begun = pin!(world.grants.applying.times(1));
        // The operator disconnects as soon as the edit has reached the database.
        let gone = matches!(select(revoke, begun).await, Either::Right(_));
        assert!(gone);
        let crashed = tree.grants.edit(bob, GrantChange::Revoke).await;
        assert_eq!(crashed.unwrap_err(), EditError::FateUnknown);
        until(|| lease.gate().state().is_some()).await;
        assert_eq!(world.grants.loading.count(), 2, "the load has no answer");
        assert!(tree.grants.resolve(&key("amy")).is_err());
        held.notify_one();
        restored(&tree, "amy").await;
    });
}

#[test]
fn a_reload_ends_the_sessions_of_agents_that_differ_and_of_no_others() {
    run(async {
        let world = World::new();
        world.grants.put(grant("eve", &["mail"]));
        let tree = world.start().await;
        let (amy, bob) = (legacy(&tree, "amy").await, legacy(&tree, "bob").await);
        let epoch = ticket(&tree, "bob").epoch;
        world.grants.put(grant("amy", &["home"]));
        world.grants.on_apply.add([Fault::Panic]);
        tree.grants
            .edit(name("eve"), GrantChange::Revoke)
            .await
            .unwrap_err();
        restored(&tree, "eve").await;
        assert_eq!(amy.gate().state(), Some(CloseReason::GrantChanged));
        assert_eq!(ticket(&tree, "amy").sectors, set(&["home"]));
        assert_eq!(
            (bob.gate().state(), ticket(&tree, "bob").epoch),
            (None, epoch)
        );
    });
}

#[test]
fn a_load_that_fails_for_want_of_a_database_is_retried_and_is_no_crash() {
    run(async {
        let world = World::new();
        world
            .grants
            .on_load
            .add([Fault::away(), Fault::Hang, Fault::away()]);
        let tree = world.start().await;
        assert!(tree.grants.resolve(&key("amy")).is_ok());
        assert_eq!(world.grants.loading.count(), 4);
        assert!(tree.board.read().iter().all(|row| row.restarts == 0));
    });
}

#[test]
fn an_edit_that_gets_no_turn_in_time_is_withdrawn_and_never_happens() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.grants.on_apply.add([Fault::Panic]);
        let away = vec![Fault::away(); 20];
        world.grants.on_load.add(away);
        tree.grants
            .edit(name("bob"), GrantChange::Revoke)
            .await
            .unwrap_err();
        let edited = tree.grants.edit(name("amy"), amend(&["home"])).await;
        assert_eq!(edited.unwrap_err(), EditError::Unavailable);
        restored(&tree, "bob").await;
        tree.grants
            .edit(name("bob"), amend(&["home"]))
            .await
            .unwrap();
        assert_eq!(
            world.grants.get(&name("amy")),
            Some(grant("amy", &["mail"]))
        );
    });
}

#[test]
fn an_edit_that_waits_too_long_for_its_turn_is_withdrawn() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.grants.on_apply.add(vec![Fault::Hang; 3]);
        let edit = |words| tree.grants.edit(name("amy"), amend(words));
        let (one, two, three, four) = tokio::join!(
            edit(&["home"]),
            edit(&["home"]),
            edit(&["home"]),
            edit(&["health"])
        );
        assert_eq!(one.unwrap_err(), EditError::FateUnknown);
        assert_eq!(two.unwrap_err(), EditError::FateUnknown);
        assert_eq!(three.unwrap_err(), EditError::FateUnknown);
        assert_eq!(four.unwrap_err(), EditError::Unavailable);
        restored(&tree, "amy").await;
        tree.grants
            .edit(name("amy"), amend(&["finance"]))
            .await
            .unwrap();
        assert_eq!(
            world.grants.applying.count(),
            4,
            "the withdrawn one never began"
        );
    });
}

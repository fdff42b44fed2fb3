//! The tree as a whole: real threads, the ordered stop, and an actor that crashes too often.

use futures_util::future::join_all;
use sextant_actors::domain::{Outcome, Sector};
use sextant_actors::limits::TreeLimits;
use sextant_actors::sessions::Era;
use sextant_actors::supervise::{ActorState, Threads};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::support::{Fault, LONG, World, amend, client, legacy, name, query, run, status, ticket};

#[test]
fn on_threads_of_its_own_it_serves_edits_and_stops_in_order() {
    actix_rt::System::new().block_on(async {
        let world = World::new();
        let tree = world
            .start_on(Threads::own().unwrap(), TreeLimits::default())
            .await;
        let leases = join_all((0..16).map(|_| legacy(&tree, "amy"))).await;
        let calls = leases
            .iter()
            .map(|lease| lease.call(query(), CancellationToken::new()));
        assert!(join_all(calls).await.iter().all(Result::is_ok));
        let edited = tree
            .grants
            .edit(name("amy"), amend(&["home"]))
            .await
            .unwrap();
        assert_eq!(edited.sessions_ended, 16);
        tree.close_sessions().await;
        tree.halt_connections().await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(world.audit.stored(), 16);
        let states: Vec<ActorState> = tree.board.read().iter().map(|row| row.state).collect();
        assert!(
            states
                .iter()
                .all(|state| matches!(state, ActorState::Running | ActorState::Stopped))
        );
    });
}

#[test]
fn the_fifth_crash_within_a_minute_is_reported_as_the_services_end() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.audit.on_append.add(vec![Fault::Panic; 5]);
        tree.audit
            .record_operator("pause", None, None, Outcome::Ok, None)
            .await;
        let failure = tree.failed().await;
        assert!(failure.starts_with("audit crashed too often"), "{failure}");
        let audit = status(&tree, "audit");
        assert_eq!((audit.state, audit.restarts), (ActorState::Failed, 4));
        assert_eq!(tree.drain().await, 1, "what it could not write is told");
        let lease = legacy(&tree, "amy").await;
        assert!(
            lease.call(query(), CancellationToken::new()).await.is_ok(),
            "r024"
        );
    });
}

#[test]
fn an_actor_that_gives_up_while_it_loads_does_not_hang_the_start() {
    run(async {
        let world = World::new();
        world.grants.on_load.add(vec![Fault::Panic; 5]);
        let tree = world.start().await;
        assert!(tree.failed().await.starts_with("grants crashed too often"));
    });
}

#[test]
fn crashes_that_lie_further_apart_are_forgiven() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        for _ in 0..12 {
            world.audit.on_append.add([Fault::Panic]);
            tree.audit
                .record_operator("pause", None, None, Outcome::Ok, None)
                .await;
            assert_eq!(tree.drain().await, 0);
            tokio::time::advance(std::time::Duration::from_secs(20)).await;
        }
        assert_eq!(world.audit.stored(), 12);
    });
}

#[test]
fn what_the_handles_answer_with_may_cross_threads() {
    fn crosses<T: Send>(_: &T) {}
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        crosses(&tree.grants.edit(name("amy"), amend(&[])));
        crosses(
            &tree
                .sessions
                .open(ticket(&tree, "amy"), client("c"), Era::Modern),
        );
        crosses(
            &tree
                .sessions
                .find(lease.id().clone(), &ticket(&tree, "amy")),
        );
        crosses(&tree.sessions.list(None));
        crosses(&tree.connections.fetch(Sector::Mail, LONG));
        let sign_ins = tree.sign_ins.as_ref().unwrap();
        crosses(&sign_ins.access_token(Uuid::nil()));
        crosses(&sign_ins.forget(Uuid::nil()));
        crosses(&lease.call(query(), CancellationToken::new()));
        crosses(&lease.gate().closed());
        crosses(&lease.end());
        crosses(&tree);
    });
}

//! `Open`, `Find`, `KillAgents`, `KillAll`, `List` and the sweep.

use std::time::Duration;

use chrono::TimeDelta;
use sextant_actors::domain::Grant;
use sextant_actors::limits::TreeLimits;
use sextant_actors::sessions::{CallError, CloseReason, Era, Lease, OpenError, SessionId};
use sextant_actors::tree::ActorTree;
use tokio_util::sync::CancellationToken;

use crate::support::{
    World, amend, client, grant, hang, legacy, name, noon, query, run, status, ticket, uncancelled,
};

async fn open(tree: &ActorTree, who: &str, with: &str, era: Era) -> Result<Lease, OpenError> {
    tree.sessions
        .open(ticket(tree, who), client(with), era)
        .await
}

fn two_sessions() -> TreeLimits {
    TreeLimits {
        sessions_per_agent_max: 2,
        ..TreeLimits::default()
    }
}

#[test]
fn a_legacy_session_has_an_unguessable_id_and_is_nobody_elses() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let (one, two) = (legacy(&tree, "amy").await, legacy(&tree, "amy").await);
        assert_ne!(one.id(), two.id());
        let drawn = one.id().as_str();
        assert!(
            drawn.len() > 43 && drawn.bytes().all(|byte| byte.is_ascii_graphic()),
            "{drawn}"
        );
        let find = async |who: &str| {
            tree.sessions
                .find(one.id().clone(), &ticket(&tree, who))
                .await
        };
        assert_eq!(find("amy").await.unwrap().id(), one.id());
        assert!(find("bob").await.is_none());
        let unknown = SessionId::from("made-up");
        assert!(
            tree.sessions
                .find(unknown, &ticket(&tree, "amy"))
                .await
                .is_none()
        );
        let old = ticket(&tree, "amy");
        tree.grants
            .edit(name("amy"), amend(&["mail"]))
            .await
            .unwrap();
        assert!(tree.sessions.find(one.id().clone(), &old).await.is_none());
        assert!(find("amy").await.is_none());
    });
}

#[test]
fn a_later_run_takes_a_session_up_once_and_only_so_many_of_one_agent() {
    run(async {
        let world = World::new();
        let earlier = world.start().await;
        let mut ids = Vec::new();
        for _ in 0..257 {
            ids.push(legacy(&earlier, "amy").await.id().clone());
            // The one idle for the longest makes room for the next, so the times must differ.
            world.clock.time.advance(TimeDelta::milliseconds(1));
        }
        earlier.close_sessions().await;
        let later = world.start().await;
        let find = async |id: &SessionId| {
            later
                .sessions
                .find(id.clone(), &ticket(&later, "amy"))
                .await
        };
        assert_eq!(find(&ids[0]).await.unwrap().client(), &client("c"));
        find(&ids[0]).await.unwrap().end().await;
        assert!(find(&ids[0]).await.is_none(), "it was taken up before");
        for id in &ids[1..256] {
            assert!(find(id).await.is_some());
        }
        assert!(find(&ids[256]).await.is_none(), "there is a bound");
    });
}

#[test]
fn what_was_only_idle_is_taken_up_again_and_what_was_ended_is_not() {
    run(async {
        let world = World::new();
        let tree = world.start_with(two_sessions()).await;
        let find = async |id: &SessionId, who: &str| {
            let ticket = ticket(&tree, who);
            let found = tree.sessions.find(id.clone(), &ticket);
            found.await
        };
        let (one, two) = (legacy(&tree, "amy").await, legacy(&tree, "amy").await);
        two.end().await;
        world.clock.time.advance(TimeDelta::seconds(300));
        assert_eq!(one.gate().closed().await, CloseReason::Idle);
        assert!(find(one.id(), "bob").await.is_none());
        let again = find(one.id(), "amy").await.unwrap();
        assert_eq!((again.id(), again.client()), (one.id(), one.client()));
        assert_ne!(again.life(), one.life());
        assert!(again.call(query(), uncancelled()).await.is_ok());
        assert!(find(two.id(), "amy").await.is_none(), "its client ended it");
        again.end().await;
        assert!(find(one.id(), "amy").await.is_none(), "and then this one");

        // Those that have rested for the longest are forgotten first.
        let mut ids = Vec::new();
        for _ in 0..259 {
            ids.push(legacy(&tree, "amy").await.id().clone());
            world.clock.time.advance(TimeDelta::milliseconds(1));
        }
        assert!(find(&ids[0], "amy").await.is_none(), "there is a bound");
        assert!(find(&ids[1], "amy").await.is_some());
        let edited = tree.grants.edit(name("amy"), amend(&["mail"])).await;
        assert!(edited.is_ok() && find(&ids[200], "amy").await.is_none());
    });
}

#[test]
fn modern_requests_share_a_session_per_agent_and_client_and_the_mirror_one_per_agent() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let id = async |who, with, era| open(&tree, who, with, era).await.unwrap().id().clone();
        let modern = id("amy", "one", Era::Modern).await;
        assert_eq!(id("amy", "one", Era::Modern).await, modern);
        assert_ne!(id("amy", "two", Era::Modern).await, modern);
        assert_ne!(id("bob", "one", Era::Modern).await, modern);
        let mirror = id("amy", "one", Era::Mirror).await;
        assert_ne!(mirror, modern);
        assert_eq!(id("amy", "two", Era::Mirror).await, mirror);
        assert!(
            tree.sessions
                .find(modern, &ticket(&tree, "amy"))
                .await
                .is_none(),
            "not a legacy one"
        );
    });
}

#[test]
fn the_oldest_idle_session_makes_room_and_without_one_the_agent_is_full() {
    run(async {
        let world = World::new();
        let tree = world.start_with(two_sessions()).await;
        let first = legacy(&tree, "amy").await;
        world.clock.time.advance(TimeDelta::seconds(1));
        let second = legacy(&tree, "amy").await;
        world.clock.time.advance(TimeDelta::seconds(1));
        first.call(query(), uncancelled()).await.unwrap();
        let third = legacy(&tree, "amy").await;
        assert_eq!(second.gate().state(), Some(CloseReason::Idle));
        assert_eq!(first.gate().state(), None);
        let busy = async {
            world.tool_service.begun.times(3).await;
            let full = open(&tree, "amy", "c", Era::Modern).await;
            assert_eq!(full.err(), Some(OpenError::Full));
            assert!(
                open(&tree, "bob", "c", Era::Modern).await.is_ok(),
                "the cap is per agent"
            );
            tree.close_sessions().await;
        };
        let (one, two, ()) = tokio::join!(
            first.call(hang(), uncancelled()),
            third.call(hang(), uncancelled()),
            busy
        );
        assert_eq!(one.unwrap_err(), CallError::Closed(CloseReason::Stopped));
        assert_eq!(two.unwrap_err(), CallError::Closed(CloseReason::Stopped));
    });
}

#[test]
fn the_sweep_ends_idle_sessions_but_no_busy_one() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let (idle, busy) = (legacy(&tree, "amy").await, legacy(&tree, "amy").await);
        let cancel = CancellationToken::new();
        let sweep = async {
            world.tool_service.begun.times(1).await;
            world.clock.time.advance(TimeDelta::seconds(300));
            assert_eq!(idle.gate().closed().await, CloseReason::Idle);
            tokio::time::advance(Duration::from_secs(3)).await;
            assert_eq!(busy.gate().state(), None);
            cancel.cancel();
        };
        let (served, ()) = tokio::join!(busy.call(hang(), cancel.clone()), sweep);
        assert_eq!(served.unwrap_err(), CallError::Cancelled);
        assert_eq!(tree.sessions.list(None).await.len(), 1);
    });
}

#[test]
fn r503_a_session_ends_when_its_keys_deadline_passes() {
    run(async {
        let world = World::new();
        world.grants.put(Grant {
            expires_at: Some(noon() + TimeDelta::days(1)),
            ..grant("late", &["mail"])
        });
        let tree = world.start().await;
        let lease = legacy(&tree, "late").await;
        let other = legacy(&tree, "amy").await;
        let passing = async {
            world.tool_service.begun.times(1).await;
            other.call(query(), uncancelled()).await.unwrap();
            world.clock.time.advance(TimeDelta::days(1));
        };
        let (served, ()) = tokio::join!(lease.call(hang(), uncancelled()), passing);
        assert_eq!(
            served.unwrap_err(),
            CallError::Closed(CloseReason::GrantChanged)
        );
    });
}

#[test]
fn the_list_shows_what_the_console_needs() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = open(&tree, "amy", &"n".repeat(5_000), Era::Modern)
            .await
            .unwrap();
        world.clock.time.advance(TimeDelta::seconds(9));
        lease.call(query(), uncancelled()).await.unwrap();
        legacy(&tree, "bob").await;
        let all = tree.sessions.list(None).await;
        assert_eq!(all.len(), 2);
        let row = &tree.sessions.list(Some(name("amy"))).await[0];
        assert_eq!(
            (&row.id, row.agent.as_str(), row.era),
            (lease.id(), "amy", Era::Modern)
        );
        assert_eq!(row.client.name.len(), 128, "cut to its bound");
        assert_eq!((row.started_at, row.calls), (noon(), 1));
        assert_eq!(row.last_call_at, Some(noon() + TimeDelta::seconds(9)));
        lease.end().await;
        lease.end().await;
        assert_eq!(lease.gate().state(), Some(CloseReason::Ended));
        assert!(tree.sessions.list(Some(name("amy"))).await.is_empty());
    });
}

#[test]
fn after_close_sessions_none_is_left_and_none_is_opened() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        tree.close_sessions().await;
        assert_eq!(lease.gate().state(), Some(CloseReason::Stopped));
        assert!(tree.sessions.list(None).await.is_empty());
        let refused = open(&tree, "amy", "c", Era::Modern).await;
        assert_eq!(refused.err(), Some(OpenError::Unavailable));
    });
}

#[test]
fn a_registry_that_crashed_ends_every_session_it_held_and_goes_on() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        world.clock.break_once();
        let crashed = tree.sessions.list(None).await;
        assert_eq!(crashed.len(), 1, "listing needs no clock");
        assert_eq!(lease.gate().closed().await, CloseReason::Stopped);
        let registry = status(&tree, "session registry");
        assert_eq!(registry.restarts, 1);
        let lease = legacy(&tree, "amy").await;
        assert!(lease.call(query(), uncancelled()).await.is_ok());
    });
}

#[test]
fn an_edit_outlasts_a_crash_of_the_registry() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        world.clock.break_once();
        lease.gate().closed().await;
        let edited = tree
            .grants
            .edit(name("amy"), amend(&["home"]))
            .await
            .unwrap();
        assert_eq!(edited.sessions_ended, 0, "they had ended already");
    });
}

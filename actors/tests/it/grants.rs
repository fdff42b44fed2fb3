//! `Edit` and the published snapshot.

use chrono::TimeDelta;
use futures_util::FutureExt as _;
use futures_util::future::Either;
use sextant_actors::domain::{Digest, Grant, KeyRefusal, PresentedAs};
use sextant_actors::grants::{AllRevoked, EditError, IssuedAccess};
use sextant_actors::ports::{GrantChange, PortError};
use sextant_actors::sessions::{CloseReason, Era, OpenError};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::support::{
    Fault, World, amend, client, grant, key, legacy, name, noon, query, run, sectors, set, ticket,
    until,
};

#[test]
fn a_key_resolves_from_the_snapshot() {
    run(async {
        let world = World::new();
        world.grants.put(grant("none", &[]));
        world.grants.put(Grant {
            revoked_at: Some(noon()),
            ..grant("gone", &["mail"])
        });
        world.grants.put(Grant {
            expires_at: Some(noon() + TimeDelta::seconds(1)),
            ..grant("late", &["mail"])
        });
        let tree = world.start().await;
        assert_eq!(ticket(&tree, "amy").sectors, set(&["mail"]));
        assert_eq!(ticket(&tree, "none").sectors, set(&[]), "r064 it resolves");
        let refusal = |agent: &str| tree.grants.resolve(&key(agent)).unwrap_err();
        assert_eq!(refusal("nobody"), KeyRefusal::UnknownAgent);
        assert_eq!(refusal("gone"), KeyRefusal::Revoked);
        assert!(tree.grants.resolve(&key("late")).is_ok());
        world.clock.time.advance(TimeDelta::seconds(1));
        assert_eq!(refusal("late"), KeyRefusal::Expired);
        assert_eq!(tree.grants.list().len(), 5);
        assert_eq!(tree.grants.get(&name("amy")), Some(grant("amy", &["mail"])));
    });
}

#[test]
fn r067_every_edit_ends_the_agents_live_sessions_and_only_that_agents() {
    let changes: [(&str, GrantChange); 6] = [
        (
            "create",
            GrantChange::Create {
                key: key("amy"),
                sectors: sectors(&["home"]),
                expires_at: None,
            },
        ),
        (
            "rotate",
            GrantChange::Rotate {
                key: Digest::of("new"),
            },
        ),
        ("sectors", amend(&["home"])),
        (
            "deadline",
            GrantChange::Amend {
                sectors: None,
                expires_at: Some(Some(noon() + TimeDelta::days(1))),
            },
        ),
        ("revoke", GrantChange::Revoke),
        ("remove", GrantChange::Remove),
    ];
    for (what, change) in changes {
        run(async {
            let world = World::new();
            let tree = world.start().await;
            let leases = [legacy(&tree, "amy").await, legacy(&tree, "amy").await];
            let other = legacy(&tree, "bob").await;
            let edited = tree.grants.edit(name("amy"), change).await.unwrap();
            assert_eq!(
                (edited.sessions_ended, edited.replaced),
                (2, true),
                "{what}"
            );
            for lease in &leases {
                assert_eq!(
                    lease.gate().state(),
                    Some(CloseReason::GrantChanged),
                    "{what}"
                );
            }
            assert_eq!(other.gate().state(), None, "{what}");
            assert!(other.call(query(), CancellationToken::new()).await.is_ok());
            assert_eq!(tree.grants.get(&name("amy")), edited.grant, "{what}");
            assert_eq!(world.grants.get(&name("amy")), edited.grant, "{what}");
            assert_eq!(tree.sessions.list(Some(name("amy"))).await.len(), 0);
        });
    }
}

#[test]
fn r060_a_rotated_key_replaces_the_old_one_at_once() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let new = Digest::of("new");
        tree.grants
            .edit(name("amy"), GrantChange::Rotate { key: new })
            .await
            .unwrap();
        assert_eq!(
            tree.grants.resolve(&key("amy")).unwrap_err(),
            KeyRefusal::UnknownAgent
        );
        assert_eq!(tree.grants.resolve(&new).unwrap().agent, name("amy"));
    });
}

#[test]
fn an_edit_that_changes_nothing_ends_nothing() {
    let away = || Fault::Fail(PortError::Unavailable("away".to_owned()));
    let refused = || Fault::Fail(PortError::Rejected("23505".to_owned()));
    run(async {
        let world = World::new();
        world.grants.put(Grant {
            expires_at: Some(noon() + TimeDelta::seconds(1)),
            ..grant("late", &["mail"])
        });
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        world.clock.time.advance(TimeDelta::seconds(2));
        let edit =
            async |agent: &str, change| tree.grants.edit(name(agent), change).await.unwrap_err();
        assert_eq!(
            edit("nobody", GrantChange::Revoke).await,
            EditError::NotFound
        );
        let rotate = GrantChange::Rotate {
            key: Digest::of("new"),
        };
        assert_eq!(edit("late", rotate).await, EditError::DeadlinePassed);
        world.grants.on_apply.add([away(), refused()]);
        assert_eq!(edit("amy", amend(&["home"])).await, EditError::Unavailable);
        assert_eq!(edit("amy", amend(&["home"])).await, EditError::Unavailable);
        assert_eq!(lease.gate().state(), None);
        assert_eq!(ticket(&tree, "amy").sectors, set(&["mail"]));
    });
}

#[test]
fn edits_of_one_agent_wait_for_one_another_and_for_nobody_else() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let (hold, held) = Fault::hold();
        world.grants.on_apply.add([hold]);
        let first = tree.grants.edit(name("amy"), amend(&["home"]));
        let second = tree.grants.edit(name("amy"), amend(&["finance"]));
        let other = async {
            world.grants.applying.times(1).await;
            tree.grants
                .edit(name("bob"), amend(&["health"]))
                .await
                .unwrap();
            assert_eq!(
                world.grants.applying.count(),
                2,
                "amy's second edit has not begun"
            );
            held.notify_one();
        };
        let (first, second, ()) = tokio::join!(first, second, other);
        assert_eq!(first.unwrap().grant.unwrap().sectors, ["home"]);
        assert_eq!(second.unwrap().grant.unwrap().sectors, ["finance"]);
        assert_eq!(ticket(&tree, "amy").sectors, set(&["finance"]));
    });
}

#[test]
fn r067_the_revocation_of_all_ends_every_session_and_leaves_who_was_revoked() {
    run(async {
        let world = World::new();
        let long_gone = Grant {
            revoked_at: Some(noon() - TimeDelta::days(1)),
            ..grant("gone", &["mail"])
        };
        world.grants.put(long_gone.clone());
        let tree = world.start().await;
        let before = tree.grants.list().len();
        let leases = [legacy(&tree, "amy").await, legacy(&tree, "bob").await];
        let stale = ticket(&tree, "amy");
        let revoked = tree.grants.revoke_all().await.unwrap();
        assert_eq!((revoked.agents, revoked.sessions_ended), (before - 1, 2));
        for lease in &leases {
            assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
        }
        let refusal = |agent: &str| tree.grants.resolve(&key(agent)).unwrap_err();
        assert_eq!(refusal("amy"), KeyRefusal::Revoked);
        assert_eq!(refusal("bob"), KeyRefusal::Revoked);
        assert_eq!(tree.grants.get(&name("gone")), Some(long_gone));
        let opened = tree.sessions.open(stale, client("c"), Era::Modern).await;
        assert_eq!(opened.err(), Some(OpenError::GrantChanged));
        assert_eq!(world.outlets.cleared().len(), revoked.agents);

        let again = tree.grants.revoke_all().await.unwrap();
        assert_eq!(again, AllRevoked::default());
        let rotate = GrantChange::Rotate { key: key("amy") };
        tree.grants.edit(name("amy"), rotate).await.unwrap();
        assert!(tree.grants.resolve(&key("amy")).is_ok());
        assert_eq!(refusal("bob"), KeyRefusal::Revoked);
    });
}

#[test]
fn the_revocation_of_all_and_an_edit_wait_for_one_another() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let (hold, held) = Fault::hold();
        world.grants.on_apply.add([hold]);
        let edit = tree.grants.edit(name("amy"), amend(&["home"]));
        let all = async {
            world.grants.applying.times(1).await;
            let mut all = std::pin::pin!(tree.grants.revoke_all());
            assert!(all.as_mut().now_or_never().is_none());
            assert_eq!(world.grants.applying.count(), 1, "it has not begun");
            held.notify_one();
            all.await.unwrap()
        };
        let (edited, _) = tokio::join!(edit, all);
        assert_eq!(edited.unwrap().grant.unwrap().revoked_at, None);
        let refused = tree.grants.resolve(&key("amy")).unwrap_err();
        assert_eq!(refused, KeyRefusal::Revoked, "the later one stands");
    });
}

#[test]
fn nobody_is_served_while_it_is_not_known_whether_all_were_revoked() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        world.grants.on_apply.add([Fault::LoseAnswer]);
        let unknown = tree.grants.revoke_all().await.unwrap_err();
        assert_eq!(unknown, EditError::FateUnknown);
        assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
        let refusal = || tree.grants.resolve(&key("amy")).err();
        assert!(refusal().is_some());
        // It is read again what became of it: it was committed.
        until(|| refusal() == Some(KeyRefusal::Revoked)).await;
    });
}

#[test]
fn r504_an_edit_is_answered_when_its_gates_are_closed_and_then_what_had_passed_them_is_cleared() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let (hold, held) = Fault::hold();
        world.outlets.on_clear.add([hold]);
        let mut edit = std::pin::pin!(tree.grants.edit(name("amy"), amend(&["home"])));
        {
            let clearing = std::pin::pin!(world.outlets.clearing.times(1));
            let first = futures_util::future::select(edit.as_mut(), clearing).await;
            assert!(matches!(first, Either::Right(_)), "answered before");
        }
        assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
        assert_eq!(world.outlets.cleared(), []);
        let unanswered = edit.as_mut().now_or_never();
        assert!(unanswered.is_none(), "{unanswered:?}");
        held.notify_one();
        assert_eq!(edit.await.unwrap().sessions_ended, 1);
        // The new grant's epoch: what was sent under that session's grant and earlier ones is cleared, and nothing later.
        let present = ticket(&tree, "amy").epoch;
        assert_eq!(world.outlets.cleared(), [(name("amy"), present)]);
        assert!(lease.ticket().epoch < present);
    });
}

#[test]
fn r503_what_had_passed_before_a_deadline_is_cleared_when_it_has_passed() {
    run(async {
        let world = World::new();
        world.grants.put(Grant {
            expires_at: Some(noon() + TimeDelta::seconds(1)),
            ..grant("amy", &["mail"])
        });
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        world.clock.time.advance(TimeDelta::seconds(1));
        world.outlets.clearing.times(1).await;
        assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
        let after = lease.ticket().epoch + 1;
        assert_eq!(world.outlets.cleared(), [(name("amy"), after)]);
    });
}

#[test]
fn an_edit_that_has_begun_is_carried_through_when_nobody_waits_for_it() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let (hold, held) = Fault::hold();
        world.grants.on_apply.add([hold]);
        {
            let edit = std::pin::pin!(tree.grants.edit(name("amy"), amend(&["home"])));
            let begun = std::pin::pin!(world.grants.applying.times(1));
            futures_util::future::select(edit, begun).await;
        }
        held.notify_one();
        assert_eq!(lease.gate().closed().await, CloseReason::GrantChanged);
        assert_eq!(ticket(&tree, "amy").sectors, set(&["home"]));
    });
}

#[test]
fn a_ticket_from_before_an_edit_opens_nothing() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let stale = ticket(&tree, "amy");
        tree.grants
            .edit(name("amy"), amend(&["mail"]))
            .await
            .unwrap();
        let opened = tree
            .sessions
            .open(stale, client("c"), sextant_actors::sessions::Era::Modern)
            .await;
        assert_eq!(
            opened.err(),
            Some(sextant_actors::sessions::OpenError::GrantChanged)
        );
    });
}

#[test]
fn an_access_token_opens_what_its_key_opens_and_ends_with_it() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let token = Digest::of("amy-token");
        let refusal = || tree.grants.resolve_bearer(&token).unwrap_err();
        assert_eq!(refusal(), KeyRefusal::UnknownAgent);
        let access = IssuedAccess {
            token,
            key: key("amy"),
            sign_in: Uuid::from_u128(1),
            expires_at: noon() + TimeDelta::hours(1),
        };
        tree.grants.publish_tokens(&[access]);
        let ticket = tree.grants.resolve_bearer(&token).unwrap();
        assert_eq!(ticket.agent, name("amy"));
        assert_eq!(ticket.presented, PresentedAs::Token);
        let lease = tree.sessions.open(ticket, client("c"), Era::Legacy).await;
        let lease = lease.unwrap();
        let by_key = tree.grants.resolve_bearer(&key("amy")).unwrap();
        assert_eq!(by_key.presented, PresentedAs::Key);
        let alone = tree.grants.resolve(&token).unwrap_err();
        assert_eq!(alone, KeyRefusal::UnknownAgent, "it is no key");

        tree.grants
            .edit(name("amy"), amend(&["home"]))
            .await
            .unwrap();
        assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
        let edited = tree.grants.resolve_bearer(&token).unwrap();
        assert_eq!(edited.sectors, set(&["home"]));
        tree.grants
            .edit(name("amy"), GrantChange::Revoke)
            .await
            .unwrap();
        assert_eq!(refusal(), KeyRefusal::Revoked);
        let rotate = GrantChange::Rotate {
            key: Digest::of("new"),
        };
        tree.grants.edit(name("amy"), rotate).await.unwrap();
        assert_eq!(refusal(), KeyRefusal::UnknownAgent);
    });
}

#[test]
fn an_access_token_ends_by_itself_or_with_its_sign_in() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let expires_at = noon() + TimeDelta::hours(1);
        let issued = |token: &str, sign_in| IssuedAccess {
            token: Digest::of(token),
            key: key("amy"),
            sign_in: Uuid::from_u128(sign_in),
            expires_at,
        };
        let all = [
            issued("before", 1),
            issued("present", 1),
            issued("other", 2),
        ];
        tree.grants.publish_tokens(&all);
        tree.grants.withdraw_tokens(&[Digest::of("present")]);
        let refusal = |token| tree.grants.resolve_bearer(&Digest::of(token)).unwrap_err();
        assert_eq!(refusal("present"), KeyRefusal::UnknownAgent);
        assert_eq!(
            refusal("before"),
            KeyRefusal::UnknownAgent,
            "of one sign-in"
        );
        assert!(tree.grants.resolve_bearer(&Digest::of("other")).is_ok());
        world.clock.time.advance(TimeDelta::hours(1));
        assert_eq!(refusal("other"), KeyRefusal::Expired);
        tree.grants.forget_tokens(expires_at);
        assert_eq!(refusal("other"), KeyRefusal::UnknownAgent);
    });
}

#[test]
fn the_end_of_all_sessions_leaves_every_grant_as_it_is() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let leases = [legacy(&tree, "amy").await, legacy(&tree, "bob").await];
        let stale = ticket(&tree, "amy");
        let before = tree.grants.list();
        assert_eq!(tree.grants.end_sessions().await, Ok(2));
        for lease in &leases {
            assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
        }
        let opened = tree.sessions.open(stale, client("c"), Era::Modern).await;
        assert_eq!(opened.err(), Some(OpenError::GrantChanged));
        assert_eq!(tree.grants.list(), before);
        legacy(&tree, "amy").await;
    });
}

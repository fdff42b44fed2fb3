//! Calls and `Kill`: the outcome of a call, and its audit row.

use futures_util::FutureExt as _;
use serde_json::json;
use sextant_actors::audit::AuditEntry;
use sextant_actors::domain::{Decision, EscapedText, Outcome, Reply, Sector};
use sextant_actors::sessions::{CallError, CloseReason};
use tokio_util::sync::CancellationToken;

use crate::support::{World, amend, args, call, hang, legacy, name, query, run, uncancelled};

/// Whether this is the row of a call that failed.
fn is_error(row: &AuditEntry) -> bool {
    row.decision == Decision::Allow
        && row.outcome == Some(Outcome::Error)
        && row.result_count.is_none()
}

#[test]
fn r043_each_call_leaves_one_row_of_what_became_of_it() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let target = |what: &str| json!({"target": "mail.messages", "do": what, "api_key": "x"});
        let served = lease
            .call(call("query", target("answer")), uncancelled())
            .await
            .unwrap();
        assert_eq!(served.reply, Reply::Answer(EscapedText::of("mail")));
        lease
            .call(call("get_record", target("deny")), uncancelled())
            .await
            .unwrap();
        lease
            .call(call("query", target("fail")), uncancelled())
            .await
            .unwrap();
        lease
            .call(call("rm -rf", json!({"do": "fail"})), uncancelled())
            .await
            .unwrap();
        tree.drain().await;
        let rows = world.audit.rows(4).await;
        assert_eq!(rows.len(), 4);
        assert_eq!(
            (rows[0].tool.as_str(), rows[0].sector),
            ("query", Some(Sector::Mail))
        );
        assert_eq!(
            (rows[0].outcome, rows[0].result_count),
            (Some(Outcome::Ok), Some(2))
        );
        assert_eq!(
            rows[0].args,
            args(json!({"target": "mail.messages", "do": "answer", "api_key": "[redacted]"}))
        );
        assert_eq!(
            rows[1].decision,
            Decision::Deny("access denied: mail".into())
        );
        assert_eq!((rows[1].outcome, rows[1].result_count), (None, None));
        assert!(is_error(&rows[2]));
        assert_eq!(
            (rows[3].tool.as_str(), rows[3].sector),
            ("tools/call", None),
            "no verb of its own making"
        );
        assert!(
            rows.iter()
                .all(|row| row.agent_id.as_deref() == Some("amy"))
        );
        assert!(
            rows.iter()
                .all(|row| row.request_id.as_deref() == Some("7"))
        );
    });
}

#[test]
fn a_cancelled_or_dropped_call_abandons_the_work_and_leaves_its_row() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let cancel = CancellationToken::new();
        let cancelling = async {
            world.tool_service.begun.times(1).await;
            cancel.cancel();
        };
        let (served, ()) = tokio::join!(lease.call(hang(), cancel.clone()), cancelling);
        assert_eq!(served.unwrap_err(), CallError::Cancelled);
        world.tool_service.abandoned.times(1).await;
        {
            let call = std::pin::pin!(lease.call(hang(), uncancelled()));
            let begun = std::pin::pin!(world.tool_service.begun.times(2));
            futures_util::future::select(call, begun).await;
        }
        world.tool_service.abandoned.times(2).await;
        tree.drain().await;
        let rows = world.audit.rows(2).await;
        assert!(rows.len() == 2 && rows.iter().all(is_error));
        assert!(
            lease.call(query(), uncancelled()).await.is_ok(),
            "the session lives on"
        );
    });
}

#[test]
fn a_call_that_never_ends_is_cancelled_at_its_deadline() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let served = lease.call(hang(), uncancelled()).await;
        assert_eq!(served.unwrap_err(), CallError::Cancelled);
        world.tool_service.abandoned.times(1).await;
    });
}

#[test]
fn r504_a_call_under_way_when_its_grant_is_edited_is_never_answered() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let edit = async {
            world.tool_service.begun.times(1).await;
            let edited = tree.grants.edit(name("amy"), amend(&[])).await.unwrap();
            assert_eq!(edited.sessions_ended, 1);
            assert_eq!(
                world.tool_service.abandoned.count(),
                1,
                "its work is gone when the edit answers"
            );
        };
        let (served, ()) = tokio::join!(lease.call(hang(), uncancelled()), edit);
        assert_eq!(
            served.unwrap_err(),
            CallError::Closed(CloseReason::GrantChanged)
        );
        let again = lease.call(query(), uncancelled()).await;
        assert_eq!(
            again.unwrap_err(),
            CallError::Closed(CloseReason::GrantChanged)
        );
        assert_eq!(
            world.tool_service.begun.count(),
            1,
            "a closed session runs nothing"
        );
        tree.drain().await;
        let rows = world.audit.rows(2).await;
        assert!(rows.len() == 2 && rows.iter().all(is_error));
    });
}

#[test]
fn r504_a_result_that_is_ready_when_the_gate_closes_is_not_returned() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let ending = lease.clone();
        world.tool_service.before_answer(move || {
            Box::pin(async move {
                // Polled once: the gate closes, the session has not been told yet, and the answer is ready.
                let _ = ending.end().now_or_never();
            })
        });
        let served = lease.call(query(), uncancelled()).await;
        assert_eq!(served.unwrap_err(), CallError::Closed(CloseReason::Ended));
        assert_eq!(
            lease.gate().pass(|| "a byte").unwrap_err().0,
            CloseReason::Ended
        );
        tree.drain().await;
        let rows = world.audit.rows(1).await;
        assert!(rows.len() == 1 && is_error(&rows[0]));
    });
}

#[test]
fn a_desk_that_panics_costs_one_session_and_every_call_in_it_its_row() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let (lease, other) = (legacy(&tree, "amy").await, legacy(&tree, "amy").await);
        let panics = call("query", json!({"target": "mail.messages", "do": "panic"}));
        let crash = async {
            world.tool_service.begun.times(1).await;
            lease.call(panics, uncancelled()).await
        };
        let (hung, panicked) = tokio::join!(lease.call(hang(), uncancelled()), crash);
        assert_eq!(hung.unwrap_err(), CallError::Closed(CloseReason::Stopped));
        assert_eq!(
            panicked.unwrap_err(),
            CallError::Closed(CloseReason::Stopped)
        );
        assert!(other.call(query(), uncancelled()).await.is_ok());
        assert_eq!(tree.sessions.list(None).await.len(), 1);
        tree.drain().await;
        let rows = world.audit.rows(3).await;
        assert_eq!(rows.iter().filter(|row| is_error(row)).count(), 2);
        assert_eq!(rows.len(), 3);
    });
}

#[test]
fn a_desk_that_panics_over_a_target_leaves_its_row_too() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let panics = lease.call(call("query", json!({"target": "panic"})), uncancelled());
        let closed = CallError::Closed(CloseReason::Stopped);
        assert_eq!(panics.await.unwrap_err(), closed);
        let rows = world.audit.rows(1).await;
        assert!(is_error(&rows[0]));
    });
}

#[test]
fn a_session_runs_so_many_calls_at_once_and_the_others_wait_their_turn() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let cancel = CancellationToken::new();
        let calls = (0..40).map(|_| lease.call(hang(), cancel.clone()));
        let stop = async {
            world.tool_service.begun.times(32).await;
            tree.sessions.list(None).await;
            assert_eq!(world.tool_service.begun.count(), 32);
            cancel.cancel();
        };
        let (served, ()) = tokio::join!(futures_util::future::join_all(calls), stop);
        assert!(
            served
                .into_iter()
                .all(|one| one.unwrap_err() == CallError::Cancelled)
        );
        tree.drain().await;
        assert_eq!(world.audit.stored(), 40, "one row each");
    });
}

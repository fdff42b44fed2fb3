//! One row for each act, whatever its outcome, and nothing in it that must not be stored.

use serde_json::json;
use sextant_actors::audit::{AuditEntry, SafeArgs};
use sextant_actors::domain::{CleanText, Decision, OPERATOR, Outcome, Sector};

use crate::support::{World, args, name, run};

fn unfinished() -> AuditEntry {
    AuditEntry {
        user_id: Some(OPERATOR),
        agent_id: Some((&name("amy")).into()),
        sector: Some(Sector::Mail),
        args: args(json!({"target": "mail.messages", "api_key": "hunter2"})),
        request_id: Some("7".into()),
        ..AuditEntry::unfinished("query")
    }
}

#[test]
fn r029_a_witness_records_what_became_of_the_call() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let finished = tree.audit.open_witness(unfinished());
        let word = finished.finish(Decision::Allow, None, Some(Outcome::Ok), Some(3));
        word.await;
        let denied = tree.audit.open_witness(unfinished());
        let word = denied.finish(
            Decision::Deny("access denied: mail".into()),
            Some(Sector::Mail),
            None,
            None,
        );
        word.await;
        drop(tree.audit.open_witness(unfinished()));
        tree.drain().await;
        let rows = world.audit.rows(3).await;
        assert_eq!(rows.len(), 3, "exactly one row each");
        let of = |row: &AuditEntry| {
            (
                row.decision.clone(),
                row.outcome,
                row.result_count,
                row.sector,
            )
        };
        let mail = Some(Sector::Mail);
        let denial = Decision::Deny("access denied: mail".into());
        assert_eq!(
            of(&rows[0]),
            (Decision::Allow, Some(Outcome::Ok), Some(3), mail)
        );
        assert_eq!(of(&rows[1]), (denial, None, None, mail));
        assert_eq!(
            of(&rows[2]),
            (Decision::Allow, Some(Outcome::Error), None, mail)
        );
        assert!(
            rows.iter()
                .all(|row| row.agent_id.as_deref() == Some("amy")),
            "r031"
        );
        assert!(
            rows.iter()
                .all(|row| row.request_id.as_deref() == Some("7")),
            "r032"
        );
    });
}

#[test]
fn r045_redaction_and_the_cap_run_before_anything_is_queued() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        drop(tree.audit.open_witness(unfinished()));
        let long = json!({ "q": "x".repeat(5_000) });
        drop(tree.audit.open_witness(AuditEntry {
            args: args(long),
            ..unfinished()
        }));
        let word = tree.audit.record(AuditEntry {
            tool: "ingest\0".into(),
            decision: Decision::Deny("unauthorized\0".into()),
            args: args(json!({ "cookie": 1 })),
            outcome: None,
            request_id: Some(CleanText::of("\0")),
            ..AuditEntry::unfinished("")
        });
        word.await;
        assert!(
            tree.audit.stats().waiting_bytes < 5_000,
            "the long text never waits"
        );
        let rows = world.audit.rows(3).await;
        assert_eq!(
            rows[0].args.as_ref().map(SafeArgs::as_str),
            Some(r#"{"api_key":"[redacted]","target":"mail.messages"}"#)
        );
        assert_eq!(rows[1].args, args(json!("[truncated]")));
        assert_eq!(rows[2].args, args(json!({ "cookie": "[redacted]" })));
        assert_eq!(rows[2].tool, "ingest\u{fffd}");
        assert_eq!(
            rows[2].decision,
            Decision::Deny("unauthorized\u{fffd}".into())
        );
        assert_eq!(rows[2].request_id.as_deref(), Some("\u{fffd}"));
    });
}

#[test]
fn r048_an_act_of_the_operator_is_always_allowed() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        tree.audit
            .record_operator("pause", Some(Sector::Mail), None, Outcome::Ok, None)
            .await;
        tree.audit
            .record_operator(
                "erase",
                None,
                Some(json!({ "scope": "all" })),
                Outcome::Error,
                None,
            )
            .await;
        let rows = world.audit.rows(2).await;
        for row in &rows {
            assert_eq!(row.agent_id.as_deref(), Some("operator"));
            assert_eq!(
                (&row.decision, row.user_id),
                (&Decision::Allow, Some(OPERATOR))
            );
        }
        assert_eq!(rows[0].outcome, Some(Outcome::Ok));
        assert_eq!(rows[1].outcome, Some(Outcome::Error));
    });
}

#[test]
fn r024_recording_neither_waits_nor_fails_while_the_writer_hangs() {
    run(async {
        let world = World::new();
        world.audit.on_append.add([crate::support::Fault::Hang]);
        let tree = world.start().await;
        drop(tree.audit.open_witness(unfinished()));
        // `record` and `Drop` are no futures: that they return is the proof. The row follows when the writer has
        // given up waiting.
        let rows = world.audit.rows(1).await;
        assert_eq!(rows.len(), 1);
    });
}

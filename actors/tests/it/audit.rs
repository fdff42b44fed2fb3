//! The queue, its bounds and its batcher: the flush, `Drain` and the cap on refused handshakes.

use std::time::Duration;

use serde_json::json;
use sextant_actors::audit::AuditEntry;
use sextant_actors::domain::{Decision, KeyRefusal, Outcome};
use sextant_actors::limits::TreeLimits;
use tokio::time::Instant;

use crate::support::{Fault, World, args, entry, name, numbers, run};

#[test]
fn r021_what_was_recorded_within_an_interval_is_one_insert() {
    run(async {
        let world = World::new();
        let tree = world
            .start_with(TreeLimits {
                audit_flush_interval: Duration::from_millis(250),
                ..TreeLimits::default()
            })
            .await;
        let started = Instant::now();
        (0..3).for_each(|number| drop(tree.audit.record(entry(number))));
        assert_eq!(world.audit.stored(), 0);
        let rows = world.audit.rows(3).await;
        assert_eq!(numbers(&rows), [0, 1, 2]);
        assert_eq!(world.audit.inserts(), [3]);
        assert_eq!(
            started.elapsed(),
            Duration::from_millis(250),
            "in paused time"
        );
    });
}

#[test]
fn what_a_client_calls_its_request_is_stored_without_what_the_database_cannot_hold() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let odd = AuditEntry {
            request_id: Some("a\u{0}b".into()),
            ..entry(0)
        };
        drop(tree.audit.record(odd));
        assert_eq!(tree.drain().await, 0);
        let rows = world.audit.rows(1).await;
        assert_eq!(rows[0].request_id.as_deref(), Some("a\u{fffd}b"));
    });
}

#[test]
fn a_flush_takes_five_thousand_rows_and_the_rest_follows_at_once() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let started = Instant::now();
        (0..12_000).for_each(|number| drop(tree.audit.record(entry(number))));
        let rows = world.audit.rows(12_000).await;
        assert_eq!(numbers(&rows), (0..12_000).collect::<Vec<u64>>());
        assert_eq!(world.audit.inserts(), [5_000, 5_000, 2_000]);
        assert!(
            started.elapsed() < Duration::from_millis(2_000),
            "within one interval"
        );
    });
}

#[test]
fn r502_what_does_not_fit_is_counted_and_room_returns_with_the_commit() {
    run(async {
        let world = World::new();
        let tree = world
            .start_with(TreeLimits {
                audit_waiting_rows_max: 10,
                ..TreeLimits::default()
            })
            .await;
        (0..15).for_each(|number| drop(tree.audit.record(entry(number))));
        let stats = tree.audit.stats();
        assert_eq!((stats.waiting_rows, stats.dropped_rows), (10, 5));
        assert_eq!(tree.drain().await, 0);
        drop(tree.audit.record(entry(15)));
        assert_eq!(tree.drain().await, 0);
        assert_eq!(world.audit.stored(), 11);
    });
}

#[test]
fn bytes_are_bounded_as_well_as_rows() {
    run(async {
        let world = World::new();
        let tree = world
            .start_with(TreeLimits {
                audit_waiting_bytes_max: 10_000,
                ..TreeLimits::default()
            })
            .await;
        for _ in 0..5 {
            let args = args(json!({ "q": "x".repeat(4_000) }));
            drop(tree.audit.record(AuditEntry { args, ..entry(0) }));
        }
        let stats = tree.audit.stats();
        assert_eq!((stats.waiting_rows, stats.dropped_rows), (2, 3));
        assert!((8_000..=10_000).contains(&stats.waiting_bytes));
    });
}

#[test]
fn drain_says_how_many_rows_it_left_behind() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.audit.on_append.add(vec![Fault::away(); 1_000]);
        (0..7).for_each(|number| drop(tree.audit.record(entry(number))));
        assert_eq!(tree.drain().await, 7);
    });
}

#[test]
fn drain_writes_everything_without_waiting_for_the_interval() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let started = Instant::now();
        (0..12_000).for_each(|number| drop(tree.audit.record(entry(number))));
        assert_eq!(tree.drain().await, 0);
        assert_eq!(world.audit.stored(), 12_000);
        assert!(
            started.elapsed() < Duration::from_millis(1_000),
            "in paused time"
        );
    });
}

#[test]
fn r034_refused_handshakes_are_capped_and_the_summary_precedes_the_next_window() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let refuse = || {
            drop(
                tree.audit
                    .record_refused_handshake(KeyRefusal::Revoked, Some("tools/list".to_owned())),
            )
        };
        (0..37).for_each(|_| refuse());
        world.clock.time.advance(chrono::Duration::seconds(60));
        refuse();
        assert_eq!(tree.drain().await, 0);
        let rows = world.audit.rows(32).await;
        assert_eq!(rows.len(), 32);
        assert!(rows[..30].iter().all(|row| reason_of(row) == "revoked"));
        assert_eq!(
            reason_of(&rows[30]),
            "throttled: 7 initialize denials coalesced"
        );
        assert_eq!(reason_of(&rows[31]), "revoked");
        for row in &rows {
            assert_eq!(row.tool, "initialize");
            assert_eq!(
                (&row.agent_id, row.user_id, row.sector),
                (&None, None, None)
            );
            assert_eq!((row.outcome, row.result_count), (None, None));
        }
        assert_eq!(rows[31].args, args(json!({ "method": "tools/list" })));
    });
}

#[test]
fn r035_r036_cheap_refusals_of_the_bridge_have_a_cap_of_their_own_and_refused_keys_have_none() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let refuse = || {
            drop(
                tree.audit
                    .record_bridge_refusal("authorize: unknown client"),
            )
        };
        let refuse_key = || drop(tree.audit.record_key_refused_at_sign_in());
        let handshake = || {
            drop(
                tree.audit
                    .record_refused_handshake(KeyRefusal::Revoked, None),
            )
        };
        (0..35).for_each(|_| refuse());
        (0..40).for_each(|_| refuse_key());
        (0..30).for_each(|_| handshake());
        world.clock.time.advance(chrono::Duration::seconds(60));
        refuse();
        drop(tree.audit.record_key_without_end(&name("amy")));
        assert_eq!(tree.drain().await, 0);
        let rows = world.audit.rows(103).await;
        let reasons: Vec<String> = rows.iter().map(reason_of).collect();
        let count = |wanted: &str| reasons.iter().filter(|reason| *reason == wanted).count();
        assert_eq!(count("authorize: unknown client"), 31);
        assert_eq!(count("throttled: 5 further bridge denials suppressed"), 1);
        assert_eq!(count("authorize: key refused"), 40);
        assert_eq!(count("revoked"), 30, "the other cap is not touched");
        let [.., summary, refused, without_end] = &rows[..] else {
            panic!("{rows:?}")
        };
        assert_eq!(reason_of(summary), reasons[100]);
        assert_eq!(reason_of(refused), "authorize: unknown client");
        assert_eq!(reason_of(without_end), "authorize: key has no expiry");
        assert_eq!(without_end.agent_id, Some("amy".into()));
        let of_bridge = rows.iter().filter(|row| reason_of(row) != "revoked");
        assert!(of_bridge.clone().all(|row| row.tool == "oauth_token"));
        assert!(of_bridge.clone().all(|row| row.outcome.is_none()));
    });
}

#[test]
fn r037_a_token_leaves_an_allowed_row_with_its_grant_and_its_client() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let client = "https://client.example/me.json";
        drop(
            tree.audit
                .record_issued_token(&name("amy"), "refresh_token", client),
        );
        assert_eq!(tree.drain().await, 0);
        let [row] = &world.audit.rows(1).await[..] else {
            panic!("one row")
        };
        assert_eq!(
            (&*row.tool, &row.decision),
            ("oauth_token", &Decision::Allow)
        );
        assert_eq!(row.agent_id, Some("amy".into()));
        assert_eq!(row.outcome, Some(Outcome::Ok));
        let told = json!({ "grant": "refresh_token", "clientId": client });
        assert_eq!(row.args, args(told));
    });
}

fn reason_of(row: &AuditEntry) -> String {
    match &row.decision {
        Decision::Deny(reason) => reason.to_string(),
        Decision::Allow => String::new(),
    }
}

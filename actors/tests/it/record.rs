//! The queue and its batcher: `Drain`, the flush, and every way a database can fail it.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;
use sextant_actors::domain::{Decision, Outcome, Refusal, Sector};
use sextant_actors::limits::Limits;
use sextant_actors::ports::StoreError;
use sextant_actors::record::Entry;
use tokio::time::Instant;

use crate::support::{Fault, World, cases, run};

fn entry(number: usize) -> Entry {
    Entry {
        user_id: None,
        agent_id: Some("amy".to_owned()),
        tool: "query".to_owned(),
        sector: Some(Sector::Mail),
        decision: Decision::Allow,
        args: Some(json!({ "n": number })),
        result_count: Some(1),
        outcome: Some(Outcome::Ok),
        request_id: None,
    }
}

fn numbers(rows: &[Entry]) -> Vec<u64> {
    let number = |row: &Entry| row.args.as_ref()?.get("n")?.as_u64();
    rows.iter().filter_map(number).collect()
}

#[test]
fn r021_what_was_recorded_within_an_interval_is_one_insert() {
    run(async {
        let world = World::new();
        let tree = world
            .start_with(Limits {
                audit_flush_interval: Duration::from_millis(250),
                ..Limits::default()
            })
            .await;
        let started = Instant::now();
        (0..3).for_each(|number| tree.audit.record(entry(number)));
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
fn a_flush_takes_five_thousand_rows_and_the_rest_follows_at_once() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let started = Instant::now();
        (0..12_000).for_each(|number| tree.audit.record(entry(number)));
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
fn r502_rows_wait_while_the_database_is_away_then_land_once() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.audit.on_draw.add([Fault::away(), Fault::LoseAnswer]);
        let refused = StoreError::Unavailable("full".to_owned());
        world.audit.on_insert.add([
            Fault::Fail(refused),
            Fault::Hang,
            Fault::LoseAnswer,
            Fault::LoseAnswer,
        ]);
        (0..3).for_each(|number| tree.audit.record(entry(number)));
        assert_eq!(tree.audit.stats().waiting_rows, 3);
        world.audit.rows(3).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(3).await), [0, 1, 2]);
        assert_eq!(world.audit.draws(), [3], "ids are drawn once per batch");
        let stats = tree.audit.stats();
        assert_eq!((stats.waiting_rows, stats.waiting_bytes), (0, 0));
        assert_eq!((stats.written_rows, stats.dropped_rows), (3, 0));
    });
}

#[test]
fn a_crash_of_the_batcher_loses_nothing_and_doubles_nothing() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.audit.on_draw.add([Fault::Panic]);
        world
            .audit
            .on_insert
            .add([Fault::Panic, Fault::LoseAnswer, Fault::Panic]);
        (0..3).for_each(|number| tree.audit.record(entry(number)));
        world.audit.rows(3).await;
        tree.audit.record(entry(3));
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(4).await), [0, 1, 2, 3]);
        let audit = tree
            .board
            .read()
            .into_iter()
            .find(|row| row.name == "audit")
            .unwrap();
        assert_eq!(audit.restarts, 3);
        assert_eq!(audit.last_error.as_deref(), Some("the port panics"));
    });
}

#[test]
fn only_the_row_at_fault_loses_its_arguments() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world
            .audit
            .refuse(|row| row.args == Some(json!({ "n": 13 })));
        (0..40).for_each(|number| tree.audit.record(entry(number)));
        let rows = world.audit.rows(40).await;
        assert_eq!(rows[13].args, Some(json!("[truncated]")));
        let rest: Vec<u64> = (0..40).filter(|number| *number != 13).collect();
        assert_eq!(numbers(&rows), rest, "in the order they were recorded");
        assert_eq!(tree.drain().await, 0);
        assert_eq!(tree.audit.stats().waiting_bytes, 0);
    });
}

#[test]
fn a_row_that_can_never_be_stored_is_counted_and_holds_up_nobody() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.audit.refuse(|row| row.tool == "poison");
        let poison = Entry {
            tool: "poison".to_owned(),
            ..entry(1)
        };
        [entry(0), poison, entry(2)]
            .into_iter()
            .for_each(|row| tree.audit.record(row));
        assert_eq!(numbers(&world.audit.rows(2).await), [0, 2]);
        assert_eq!(tree.drain().await, 0);
        let stats = tree.audit.stats();
        assert_eq!((stats.written_rows, stats.dropped_rows), (2, 1));
        assert_eq!(stats.waiting_bytes, 0);
    });
}

#[test]
fn r502_what_does_not_fit_is_counted_and_room_returns_with_the_commit() {
    run(async {
        let world = World::new();
        let tree = world
            .start_with(Limits {
                audit_waiting_rows_max: 10,
                ..Limits::default()
            })
            .await;
        (0..15).for_each(|number| tree.audit.record(entry(number)));
        let stats = tree.audit.stats();
        assert_eq!((stats.waiting_rows, stats.dropped_rows), (10, 5));
        assert_eq!(tree.drain().await, 0);
        tree.audit.record(entry(15));
        assert_eq!(tree.drain().await, 0);
        assert_eq!(world.audit.stored(), 11);
    });
}

#[test]
fn bytes_are_bounded_as_well_as_rows() {
    run(async {
        let world = World::new();
        let tree = world
            .start_with(Limits {
                audit_waiting_bytes_max: 10_000,
                ..Limits::default()
            })
            .await;
        for _ in 0..5 {
            let args = Some(json!({ "q": "x".repeat(4_000) }));
            tree.audit.record(Entry { args, ..entry(0) });
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
        world.audit.on_draw.add(vec![Fault::away(); 1_000]);
        (0..7).for_each(|number| tree.audit.record(entry(number)));
        assert_eq!(tree.drain().await, 7);
    });
}

#[test]
fn drain_writes_everything_without_waiting_for_the_interval() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let started = Instant::now();
        (0..12_000).for_each(|number| tree.audit.record(entry(number)));
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
            tree.audit
                .refused_handshake(Refusal::Revoked, Some("tools/list".to_owned()))
        };
        (0..37).for_each(|_| refuse());
        world.clock.time.advance(chrono::Duration::seconds(60));
        refuse();
        assert_eq!(tree.drain().await, 0);
        let rows = world.audit.rows(32).await;
        assert_eq!(rows.len(), 32);
        let reason = |row: &Entry| match &row.decision {
            Decision::Deny(reason) => reason.clone(),
            Decision::Allow => String::new(),
        };
        assert!(rows[..30].iter().all(|row| reason(row) == "revoked"));
        assert_eq!(
            reason(&rows[30]),
            "throttled: 7 initialize denials coalesced"
        );
        assert_eq!(reason(&rows[31]), "revoked");
        for row in &rows {
            assert_eq!(row.tool, "initialize");
            assert_eq!(
                (&row.agent_id, row.user_id, row.sector),
                (&None, None, None)
            );
            assert_eq!((row.outcome, row.result_count), (None, None));
        }
        assert_eq!(rows[31].args, Some(json!({ "method": "tools/list" })));
    });
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        Just(Fault::away()),
        Just(Fault::LoseAnswer),
        Just(Fault::Hang),
        Just(Fault::Panic),
    ]
}

proptest! {
    #![proptest_config(cases(64))]

    // No more than four panics, for the fifth within a minute ends the service.
    #[test]
    fn whatever_the_database_does_every_row_lands_exactly_once(
        on_draw in prop::collection::vec(fault(), 0..2),
        on_insert in prop::collection::vec(fault(), 0..3),
        bursts in prop::collection::vec(1_usize..40, 1..5),
        poisoned in 0_usize..40,
    ) {
        run(async {
            let world = World::new();
            let tree = world.start().await;
            world.audit.refuse(move |row| row.args == Some(json!({ "n": poisoned })));
            world.audit.on_draw.add(on_draw);
            world.audit.on_insert.add(on_insert);
            let mut recorded = 0;
            for burst in bursts {
                (0..burst).for_each(|_| {
                    tree.audit.record(entry(recorded));
                    recorded += 1;
                });
                world.audit.rows(recorded).await;
            }
            // A writer whose last statement hangs needs longer than one call.
            while tree.drain().await > 0 {}
            assert_eq!(world.audit.stored(), recorded);
            let whole: Vec<u64> = (0..recorded as u64).filter(|number| *number != poisoned as u64).collect();
            assert_eq!(numbers(&world.audit.rows(recorded).await), whole);
        });
    }
}
